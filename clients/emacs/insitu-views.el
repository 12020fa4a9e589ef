;;; insitu-views.el --- Commands of insitu that show lists and call trees  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Each command asks the server for one of its operations and shows the answer
;; in a list, or in a tree that unfolds.

;;; Code:

(require 'insitu)
(require 'iso8601)
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
  "Go to the place of the row at point, or let only its samples count."
  (interactive)
  (let* ((row (tabulated-list-get-id))
         (query (plist-get row :query)))
    (cond (query
           (message "%s" (plist-get (insitu-ask "select"
                                                (append (plist-get row :document)
                                                        (list :path query)))
                                    :text)))
          ((plist-member row :query) (user-error "No method belongs to it"))
          (t (insitu--visit (plist-get row :location))))))

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

;;;###autoload
(defun insitu-top (with-callees)
  "List the methods of own code that cost most, with the libraries they call.
With the prefix WITH-CALLEES, all methods by their time with all that they call."
  (interactive "P")
  (let* ((sorted (if with-callees '("total" :total :self) '("own" :own :total)))
         (columns (if with-callees '("Time" "Self") '("Own" "Time")))
         (rows (plist-get
                (insitu-ask "top"
                            (append (insitu-document)
                                    (list :sort (car sorted) :limit 50)))
                :rows)))
    (insitu--show-list
     "*insitu top*"
     (vector (list (car columns) 8 (insitu--by-number :first))
             (list (cadr columns) 8 (insitu--by-number :second))
             '("Change" 8 t) '("Method" 0 t))
     (mapcar
      (lambda (row)
        (pcase-let ((method (plist-get row :method))
                    (`(,first ,second)
                     (mapcar (lambda (key) (plist-get row key)) (cdr sorted))))
          (list (list :location (plist-get method :location)
                      :first (plist-get first :share)
                      :second (plist-get second :share))
                (vector (insitu--share-text first) (insitu--share-text second)
                        (or (plist-get (plist-get row :change) :text) "")
                        (concat (unless (eq (plist-get method :certain) t) "~")
                                (plist-get method :label))))))
      rows))))

;;;###autoload
(defun insitu-heaviest (from-point)
  "List the heaviest path to where the time is spent, each call below its caller.
It begins at the roots of all stacks, or, with the prefix FROM-POINT, at the
method at point.  The cursor stands on the last method with a source."
  (interactive "P")
  (let* ((answer (insitu-ask "heaviestPath"
                             (if from-point (insitu-here) (insitu-document))))
         (rows (append (plist-get answer :rows) nil))
         (depth -1))
    (unless rows (user-error "Nothing that ran stands here"))
    (insitu--show-list
     "*insitu heaviest*"
     [("Time" 8 nil) ("Self" 8 nil) ("Method" 0 nil)]
     (mapcar (lambda (row)
               (let ((method (plist-get row :method)))
                 (cl-incf depth)
                 (list (list :location (plist-get method :location) :depth depth)
                       (vector (insitu--share-text (plist-get row :ofAll))
                               (let ((self (plist-get row :self)))
                                 (if (eql (plist-get self :count) 0) ""
                                   (insitu--share-text self)))
                               (concat (make-string depth ?\s)
                                       (plist-get method :label))))))
             rows))
    (with-selected-window (get-buffer-window "*insitu heaviest*")
      (goto-char (point-max))
      (while (and (zerop (forward-line -1)) (not (bobp))
                  (null (plist-get (tabulated-list-get-id) :location)))))))

;;;###autoload
(defun insitu-threads ()
  "List the threads on which the method at point ran."
  (interactive)
  (let ((answer (insitu-ask "threads" (append (insitu-here) '(:limit 200)))))
    (unless answer (user-error "Nothing that ran stands here"))
    (insitu--show-list
     "*insitu threads*"
     (vector (list "Time" 8 (insitu--by-number :first))
             '("Samples" 10 t) '("Thread" 0 t))
     (mapcar (lambda (row)
               (let ((share (plist-get row :ofItsTime)))
                 (list (list :first (plist-get share :share))
                       (vector (insitu--share-text share)
                               (let ((count (plist-get share :count)))
                                 (if (numberp count) (format "%d" count) "?"))
                               (plist-get row :name)))))
             (plist-get answer :rows)))))

;;;###autoload
(defun insitu-moved ()
  "List the methods whose share moved against the baseline."
  (interactive)
  (let ((answer (insitu-ask "moved"
                            (append (insitu-document) '(:limit 200)))))
    (unless answer (user-error "There are no data"))
    (insitu--show-list
     "*insitu moved*"
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

;;; Findings of a test

(defun insitu--finding-row (report)
  "Return the row of REPORT: verdict, amounts, cause, subject of the commit."
  (let ((commit (plist-get report :commit))
        (amount (lambda (key) (format "%.1f%%" (* 100 (plist-get report key))))))
    (list (list :before (plist-get report :before) :now (plist-get report :now))
          (vector (plist-get report :verdict)
                  (funcall amount :before) (funcall amount :now)
                  (plist-get report :text)
                  (if commit (plist-get commit :subject) "")))))

;;;###autoload
(defun insitu-compare ()
  "List what a test over the JVMs found slower or faster than the baseline.
The commit is the latest one that changed the responsible code."
  (interactive)
  (let* ((answer (insitu-ask "compare"
                             (append (insitu-document) '(:limit 60))))
         (reports (plist-get answer :reports))
         (jvms (plist-get answer :jvms))
         (count (format "%d JVMs before, %d now"
                        (or (plist-get jvms :before) 0)
                        (or (plist-get jvms :now) 0))))
    (unless answer (user-error "There are no data"))
    (unless (seq-empty-p reports)
      (insitu--show-list
       "*insitu compare*"
       (vector '("Verdict" 8 t) (list "Before" 8 (insitu--by-number :before))
               (list "Now" 8 (insitu--by-number :now)) '("Cause" 44 t)
               '("Commit" 0 t))
       (mapcar #'insitu--finding-row reports)))
    (message "%s"
             (cond ((eql 0 (plist-get (plist-get answer :tested) :methods))
                    (concat "Not tested: " count))
                   ((seq-empty-p reports)
                    (format "Nothing got slower or faster (%s)" count))
                   (t count)))))

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
                            "%F %R" (encode-time (iso8601-parse (plist-get each :from))))
                           (if (eq (plist-get each :shown) t) "yes" ""))))
           (plist-get (insitu-ask "choices" (insitu-document))
                      :executions))))

;;;###autoload
(defun insitu-tasks ()
  "List the saved tasks with their shares."
  (interactive)
  (insitu--show-list
   "*insitu tasks*"
   (vector (list "Time" 8 (insitu--by-number :first)) '("Task" 30 t)
           '("Definition" 0 t))
   (mapcar (lambda (task)
             (list (list :first (plist-get (plist-get task :share) :share))
                   (vector (insitu--share-text (plist-get task :share))
                           (plist-get task :name)
                           (plist-get task :definition))))
           (insitu--tasks))))

;;; Aspects

(defun insitu--bucket-notes (row)
  "Return the remarks behind the name of the bucket ROW."
  (let* ((threads (plist-get row :threads))
         (type (seq-first (plist-get threads :types)))
         (also (mapconcat (lambda (each)
                           (concat (plist-get each :name) " "
                                   (plist-get (plist-get each :share) :text)))
                         (plist-get row :alsoIn) ", ")))
    (string-join
     (remove "" (list (if (string-empty-p also) "" (concat "also in " also))
                      (if type (format "%s of threads, %s %s"
                                       (plist-get threads :amount)
                                       (plist-get type :text)
                                       (plist-get type :words))
                        "")
                      (or (plist-get row :note) "")))
     " · ")))

(defun insitu--no-aspects (answer)
  "Tell that ANSWER has no aspects, and how some are made."
  (let ((example (plist-get answer :example)))
    (message "There are no aspects. In insitu.json: {\"aspects\": [%s]}"
             (if (seq-empty-p example) "{\"name\": …, \"value\": …}"
               (mapconcat (lambda (each)
                            (format "{\"name\": %S, \"value\": %S}"
                                    (plist-get each :name)
                                    (plist-get each :value)))
                          example ", ")))))

;;;###autoload
(defun insitu-aspects ()
  "List how the samples divide among the aspects of the settings.
\\<insitu-list-mode-map>\\[insitu-list-visit] lets only the samples of the row count.
`insitu-select' with an empty path takes that back."
  (interactive)
  (let* ((document (insitu-document))
         (answer (insitu-ask "aspects" document))
         (rest (append '(:name "no aspect") (plist-get answer :rest)))
         (rows (append (plist-get answer :rows) (list rest))))
    (unless answer (user-error "There are no data"))
    (if (seq-empty-p (plist-get answer :rows))
        (insitu--no-aspects answer)
      (insitu--show-list
       "*insitu aspects*"
       (vector (list "Time" 9 (insitu--by-number :first)) '("Aspect" 20 t)
               '("Notes" 0 t))
       (mapcar (lambda (row)
                 (list (list :first (plist-get (plist-get row :share) :share)
                             :query (plist-get row :query)
                             :document document)
                       (vector (insitu--share-text (plist-get row :share))
                               (plist-get row :name)
                               (insitu--bucket-notes row))))
               rows)))
    (unless (seq-empty-p (plist-get answer :problems))
      (message "%s" (mapconcat (lambda (problem) (plist-get problem :text))
                               (plist-get answer :problems) "\n")))))

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

(defun insitu--show-tree (subject direction title)
  "Show the call tree of SUBJECT to DIRECTION, below TITLE."
  (let* ((server (insitu-current-server))
         (answer (insitu-ask "callHierarchy"
                             (append subject (list :direction direction)))))
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
  (insitu--show-tree (insitu-here) "incoming" "callers"))

;;;###autoload
(defun insitu-callees ()
  "Show what the method at point called, as a tree."
  (interactive)
  (insitu--show-tree (insitu-here) "outgoing" "callees"))

(defun insitu--click-map (label)
  "Return the keymap of a hint with LABEL: a click opens its tree, if it has one."
  (when-let* ((command (and (not (stringp label))
                            (seq-some (lambda (part) (plist-get part :command))
                                      label)))
              (subject (seq-first (plist-get command :arguments)))
              (tree (pcase (plist-get command :command)
                      ("insitu.callers" '("incoming" "callers"))
                      ("insitu.callees" '("outgoing" "callees"))))
              (map (make-sparse-keymap)))
    (keymap-set map "<mouse-1>"
                (lambda (event)
                  (interactive "e")
                  (mouse-set-point event)
                  (apply #'insitu--show-tree subject tree)))
    map))

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
                   (insitu-ask "callHierarchy"
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

(provide 'insitu-views)
;;; insitu-views.el ends here
