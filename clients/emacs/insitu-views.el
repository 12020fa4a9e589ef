;;; insitu-views.el --- Commands of insitu: lists, call trees, choices  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Each command asks the server for one of its operations and shows the answer
;; in a list, a tree that unfolds, or the echo area.

;;; Code:

(require 'insitu)
(require 'tabulated-list)
(require 'xref)

;;; Going to places

(defun insitu--visit (location)
  "Go to LOCATION, as the protocol has it."
  (unless location (user-error "No source of it in this workspace"))
  (xref-push-marker-stack)
  (find-file-other-window (eglot-uri-to-path (plist-get location :uri)))
  (goto-char (car (eglot-range-region (plist-get location :range)))))

(defun insitu--share-text (share)
  "Return SHARE with its heat."
  (propertize (or (plist-get share :text) "")
              'face (insitu-heat-face (or (plist-get share :share) 0))))

;;; Lists

(defvar-keymap insitu-list-mode-map
  :doc "Keymap of insitu's lists."
  :parent tabulated-list-mode-map
  "RET" #'insitu-list-visit)

(define-derived-mode insitu-list-mode tabulated-list-mode "insitu"
  "Lists of insitu; each row may have a place in the sources."
  (setq tabulated-list-padding 1))

(defun insitu-list-visit ()
  "Go to the place of the row at point."
  (interactive)
  (insitu--visit (plist-get (tabulated-list-get-id) :location)))

(defun insitu--by-number (column)
  "Return how rows are sorted by the numbers in their ids' key COLUMN."
  (lambda (one other) (< (plist-get (car one) column)
                         (plist-get (car other) column))))

(defun insitu--show-list (name columns rows)
  "Show ROWS below COLUMNS in the buffer NAME, as `tabulated-list-mode' does."
  (let ((server (insitu-current-server)))
    (with-current-buffer (get-buffer-create name)
      (insitu-list-mode)
      (setq insitu--view-server server
            tabulated-list-format columns
            tabulated-list-sort-key nil
            tabulated-list-entries rows)
      (tabulated-list-init-header)
      (tabulated-list-print)
      (goto-char (point-min))
      (pop-to-buffer (current-buffer)))))

(defun insitu--method-row (method shares &rest others)
  "Return a row for METHOD with the texts of SHARES, then OTHERS."
  (list (list :location (plist-get method :location)
              :first (or (plist-get (car shares) :share) 0)
              :second (or (plist-get (cadr shares) :share) 0))
        (vconcat (mapcar #'insitu--share-text shares)
                 others
                 (list (concat (unless (eq (plist-get method :certain) t) "~")
                               (plist-get method :label))))))

;;;###autoload
(defun insitu-top (by-self)
  "List the hottest methods; by their own time with the prefix BY-SELF."
  (interactive "P")
  (let ((rows (insitu-ask "hotMethods"
                          (append (insitu-document)
                                  (list :by (if by-self "self" "total"))))))
    (insitu--show-list
     "*insitu top*"
     (vector (list "Time" 8 (insitu--by-number :first))
             (list "Self" 8 (insitu--by-number :second))
             (list "Change" 8 t) '("Method" 0 t))
     (mapcar (lambda (row)
               (insitu--method-row
                (plist-get row :method)
                (list (plist-get row :total) (plist-get row :self))
                (or (plist-get (plist-get row :change) :text) "")))
             rows))))

;;;###autoload
(defun insitu-threads ()
  "List the threads on which the method at point ran."
  (interactive)
  (let ((answer (insitu-ask "threads" (insitu-here))))
    (unless answer (user-error "Nothing that ran stands here"))
    (insitu--show-list
     "*insitu threads*"
     (vector (list "Time" 8 (insitu--by-number :first))
             '("Samples" 10 t) '("Thread" 0 t))
     (mapcar (lambda (row)
               (let ((share (plist-get row :share)))
                 (list (list :first (plist-get share :share))
                       (vector (insitu--share-text share)
                               (format "%d" (plist-get share :count))
                               (plist-get row :name)))))
             (plist-get answer :rows)))))

;;;###autoload
(defun insitu-compare ()
  "List the methods whose share moved against the baseline."
  (interactive)
  (let ((answer (insitu-ask "compare" (insitu-document))))
    (unless (plist-get answer :baseline)
      (user-error "Nothing to compare with; see `insitu-compare-with'"))
    (insitu--show-list
     "*insitu compare*"
     (vector '("Change" 8 t) (list "Now" 8 (insitu--by-number :first))
             (list "Before" 8 (insitu--by-number :second)) '("Method" 0 t))
     (mapcar (lambda (row)
               (let* ((change (plist-get row :change))
                      (method (plist-get row :method))
                      (now (plist-get change :current))
                      (before (plist-get change :baseline)))
                 (list (list :location (plist-get method :location)
                             :first now :second before)
                       (vector (plist-get change :text)
                               (format "%.1f%%" (* 100 now))
                               (format "%.1f%%" (* 100 before))
                               (plist-get method :label)))))
             (plist-get answer :rows)))))

;;;###autoload
(defun insitu-executions ()
  "List what the store has of the project."
  (interactive)
  (insitu--show-list
   "*insitu executions*"
   [("Program" 16 t) ("Version" 16 t) ("Instance" 20 t) ("From" 17 t)
    ("Shown" 5 t)]
   (mapcar (lambda (each)
             (list each
                   (vector (plist-get each :program) (plist-get each :version)
                           (plist-get each :instance)
                           (format-time-string
                            "%F %R" (/ (plist-get each :fromMillis) 1000))
                           (if (eq (plist-get each :shown) t) "yes" ""))))
           (plist-get (insitu-ask "executions" (insitu-document))
                      :executions))))

;;; Call trees

(defvar-keymap insitu-tree-mode-map
  :doc "Keymap of insitu's call trees."
  :parent special-mode-map
  "TAB" #'insitu-tree-toggle
  "RET" #'insitu-tree-visit
  "n" #'next-line
  "p" #'previous-line)

(define-derived-mode insitu-tree-mode special-mode "insitu-tree"
  "Call trees of insitu: TAB unfolds a row, RET goes to its method."
  (setq truncate-lines t))

(defvar-local insitu--direction nil "Which way this tree unfolds.")

(defun insitu--insert-row (row depth)
  "Insert ROW of a call tree, and the rows below it, at DEPTH."
  (let* ((below (plist-get row :rows))
         (share (plist-get row :share))
         (line (concat (make-string (* 2 depth) ?\s)
                       (if below "▾ " "▸ ")
                       (and share (concat (insitu--share-text share) " "))
                       (propertize (plist-get row :label)
                                   'face 'font-lock-function-name-face)
                       "  "
                       (propertize (or (plist-get row :detail) "")
                                   'face 'shadow))))
    (insert (propertize line 'insitu-row row 'insitu-depth depth
                        'insitu-open (and below t))
            "\n")
    (seq-doseq (each below) (insitu--insert-row each (1+ depth)))))

(defun insitu--show-tree (direction title)
  "Show the call tree of what stands at point to DIRECTION, below TITLE."
  (let* ((server (insitu-current-server))
         (answer (insitu-ask "callTree" (append (insitu-here)
                                                (list :direction direction)))))
    (unless (> (length (plist-get answer :rows)) 0)
      (user-error "No method stands here"))
    (with-current-buffer (get-buffer-create (format "*insitu %s*" title))
      (insitu-tree-mode)
      (setq insitu--view-server server insitu--direction direction)
      (let ((inhibit-read-only t))
        (erase-buffer)
        (seq-doseq (row (plist-get answer :rows)) (insitu--insert-row row 0)))
      (goto-char (point-min))
      (pop-to-buffer (current-buffer)))))

;;;###autoload
(defun insitu-callers ()
  "Show who called the method at point, as a tree."
  (interactive)
  (insitu--show-tree "incoming" "callers"))

;;;###autoload
(defun insitu-callees ()
  "Show what the method at point called, as a tree."
  (interactive)
  (insitu--show-tree "outgoing" "callees"))

(defun insitu--row-here ()
  "Return the row of a call tree at point."
  (or (get-text-property (line-beginning-position) 'insitu-row)
      (user-error "No row here")))

(defun insitu-tree-visit ()
  "Go to the method of the row at point."
  (interactive)
  (insitu--visit (plist-get (insitu--row-here) :location)))

(defun insitu-tree-toggle ()
  "Unfold the row at point, or fold it."
  (interactive)
  (let* ((row (insitu--row-here))
         (start (line-beginning-position))
         (depth (get-text-property start 'insitu-depth))
         (open (get-text-property start 'insitu-open))
         (answer (unless open
                   (insitu-ask "callTree"
                               (list :item (plist-get row :item)
                                     :direction insitu--direction))))
         (inhibit-read-only t))
    (save-excursion
      (forward-line 1)
      (if open
          (while (and (not (eobp))
                      (> (get-text-property (point) 'insitu-depth) depth))
            (delete-region (point) (line-beginning-position 2)))
        (seq-doseq (each (plist-get answer :rows))
          (insitu--insert-row each (1+ depth)))))
    (save-excursion
      (goto-char (+ start (* 2 depth)))
      (let ((properties (text-properties-at start)))
        (delete-char 1)
        (insert (apply #'propertize (if open "▸" "▾") properties)))
      (put-text-property start (line-end-position) 'insitu-open (not open)))
    (goto-char start)))

;;; Words

;;;###autoload
(defun insitu-why ()
  "Tell why what stands at point has its number, or none."
  (interactive)
  (let ((why (insitu-ask "why" (insitu-here))))
    (unless why (user-error "Nothing that could run stands here"))
    (message "%s"
             (mapconcat #'identity
                        (seq-remove (lambda (text) (member text '(nil "")))
                                    (list (plist-get why :subject)
                                          (plist-get why :explanation)
                                          (plist-get why :remedy)))
                        "\n"))))

;;;###autoload
(defun insitu-status ()
  "Tell what is shown, and why not more."
  (interactive)
  (message "%s" (plist-get (insitu-ask "status") :text)))

;;;###autoload
(defun insitu-refresh ()
  "Read configuration and snapshots again."
  (interactive)
  (insitu-ask "refresh"))

;;; Choices

(defun insitu--choose (operation params)
  "Ask for OPERATION with PARAMS and tell what is shown then."
  (let ((state (insitu-ask operation (append (insitu-document) params))))
    (message "%s" (plist-get state :text))))

(defun insitu--method-names ()
  "Return the names of the hottest methods, hottest first."
  (delete-dups
   (mapcar (lambda (row)
             (let ((method (plist-get row :method)))
               (concat (plist-get method :className) "."
                       (plist-get method :name))))
           (insitu-ask "hotMethods"
                       (append (insitu-document) (list :limit 500))))))

(defun insitu--task-names ()
  "Return the names of the saved tasks."
  (mapcar (lambda (task) (plist-get task :name))
          (insitu-ask "tasks" (insitu-document))))

;;;###autoload
(defun insitu-focus (names)
  "Make the methods, tasks or expressions NAMES the new 100 %.
With empty input it is what stands at point."
  (interactive
   (list (completing-read-multiple
          "Focus on (empty for what stands at point): "
          (append (insitu--task-names) (insitu--method-names)))))
  (insitu--choose "focus" (if names (list :focus (vconcat names))
                            (list :position
                                  (plist-get (insitu-here) :position)))))

;;;###autoload
(defun insitu-clear-focus ()
  "Make everything the 100 % again."
  (interactive)
  (insitu--choose "clearFocus" nil))

;;;###autoload
(defun insitu-tasks ()
  "List the saved tasks with their shares."
  (interactive)
  (insitu--show-list
   "*insitu tasks*"
   (vector (list "Time" 8 (insitu--by-number :first)) '("Task" 30 t)
           '("Definition" 0 t))
   (mapcar (lambda (task)
             (list (list :first (plist-get (plist-get task :total) :share))
                   (vector (insitu--share-text (plist-get task :total))
                           (plist-get task :name)
                           (plist-get task :definition))))
           (insitu-ask "tasks" (insitu-document)))))

(defun insitu--known (key)
  "Return the values that executions of the project have for KEY."
  (seq-uniq (mapcar (lambda (each) (plist-get each key))
                    (plist-get (insitu-ask "executions" (insitu-document))
                               :executions))))

;;;###autoload
(defun insitu-compare-with (baseline)
  "Compare with BASELINE, a version or the path of a recording.
With empty input nothing is compared any more."
  (interactive
   (list (completing-read "Compare with version or file (empty for none): "
                          (insitu--known :version))))
  (insitu--choose "compareWith"
                  (cond ((string-empty-p baseline) nil)
                        ((file-regular-p baseline)
                         (list :file (expand-file-name baseline)))
                        (t (list :version baseline)))))

;;;###autoload
(defun insitu-select (key value)
  "Choose VALUE of KEY: program, version, metric, instances or threads.
An empty VALUE takes the choice back."
  (interactive
   (let ((key (completing-read
               "Select: "
               '("version" "program" "metric" "instances" "threads") nil t)))
     (list key
           (completing-read
            (format "%s (empty for the usual): " (capitalize key))
            (pcase key
              ("metric" (insitu--names-of :metrics :id))
              ("threads" (insitu--names-of :threads :name))
              ("instances" (insitu--known :instance))
              (_ (insitu--known (intern (concat ":" key)))))))))
  (insitu--choose
   "select"
   (list (intern (concat ":" key))
         (cond ((string-empty-p value) nil)
               ((member key '("instances" "threads")) (vector value))
               (t value)))))

(defun insitu--names-of (list key)
  "Return what the entries of LIST of the loaded data have for KEY."
  (mapcar (lambda (each) (plist-get each key))
          (plist-get (insitu-ask "executions" (insitu-document)) list)))

;;;###autoload
(defun insitu-import (file version)
  "Put the recording FILE into the store, as made by VERSION."
  (interactive (list (read-file-name "Recording: " nil nil t)
                     (read-string "Version that ran (empty if unknown): ")))
  (let ((answer (insitu-ask "importRecording"
                            (append (list :files
                                          (vector (expand-file-name file)))
                                    (unless (string-empty-p version)
                                      (list :version version))))))
    (message "Imported %d%s" (plist-get answer :imported)
             (mapconcat (lambda (problem) (concat "\n" problem))
                        (plist-get answer :problems)))))

(provide 'insitu-views)
;;; insitu-views.el ends here
