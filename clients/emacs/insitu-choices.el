;;; insitu-choices.el --- Commands of insitu that tell and choose  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Commands that tell facts in the echo area, choose the data and their baseline,
;; and put data into the store: recordings on disk, and JVMs that run.

;;; Code:

(require 'insitu)

;;; Words

(defun insitu--nearest (why)
  "Return a line with the names nearest to what WHY is about; else \"\"."
  (let ((names (plist-get why :nearest)))
    (if (seq-empty-p names) ""
      (concat "nearest: " (mapconcat #'identity names ", ")))))

;;;###autoload
(defun insitu-why ()
  "Tell why the declaration or call at point has its number, or none."
  (interactive)
  (let ((why (insitu-ask "why" (insitu-here))))
    (unless why (user-error "Nothing that could run stands here"))
    (message "%s"
             (mapconcat #'identity
                        (remove "" (list (concat (plist-get why :subject) ": "
                                                 (plist-get why :verdict))
                                         (plist-get why :explanation)
                                         (plist-get why :remedy)
                                         (insitu--nearest why)))
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
           (plist-get
            (insitu-ask "top" (append (insitu-document) '(:limit 500)))
            :rows))))

(defun insitu--task-names ()
  "Return the names of the saved tasks."
  (mapcar (lambda (task) (plist-get task :name)) (insitu--tasks)))

;;;###autoload
(defun insitu-focus (names)
  "Make the methods, tasks or expressions NAMES the new 100 %.
With empty input it is the declaration or call at point."
  (interactive
   (list (completing-read-multiple
          "Focus on (empty for the method at point): "
          (append (insitu--task-names) (insitu--method-names)))))
  (insitu--choose "focus" (if names (list :focus (vconcat names))
                            (list :position
                                  (plist-get (insitu-here) :position)))))

;;;###autoload
(defun insitu-clear-focus ()
  "Make everything the 100 % again."
  (interactive)
  (insitu--choose "clearFocus" nil))

(defun insitu--known (key)
  "Return the values that executions of the project have for KEY."
  (seq-uniq (mapcar (lambda (each) (plist-get each key))
                    (plist-get (insitu-ask "choices" (insitu-document))
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
  "Choose VALUE of KEY: program, version, metric, instances, threads or path.
An empty VALUE takes the choice back."
  (interactive
   (let ((key (completing-read
               "Select: "
               '("version" "program" "metric" "instances" "threads" "path")
               nil t)))
     (list key
           (completing-read
            (format "%s (empty for the usual): " (capitalize key))
            (pcase key
              ("metric" (insitu--names-of :metrics :id))
              ("threads" (insitu--names-of :threads :name))
              ("instances" (insitu--known :instance))
              ("path" nil)
              (_ (insitu--known (intern (concat ":" key)))))))))
  (insitu--choose
   "select"
   (append (list (intern (concat ":" key))
                 (cond ((string-empty-p value) nil)
                       ((member key '("instances" "threads")) (vector value))
                       (t value)))
           ;; Chosen instances and times are of another version, and
           ;; another program has versions of its own.
           (and (equal key "program") '(:version nil))
           (and (member key '("program" "version"))
                '(:instances nil :from nil :to nil)))))

(defun insitu--names-of (list key)
  "Return what the entries of LIST of the loaded data have for KEY."
  (mapcar (lambda (each) (plist-get each key))
          (plist-get (insitu-ask "choices" (insitu-document)) list)))

;;; Import and recordings

(defun insitu-ask-later (name params take)
  "Ask the server for the operation NAME with PARAMS; TAKE gets its answer.
Emacs goes on meanwhile, however long that takes.  No answer is told of."
  (jsonrpc-async-request
   (insitu-current-server) (concat "insitu/" name) params
   :timeout nil
   :success-fn (lambda (answer)
                 (if answer (funcall take answer)
                   (message "insitu: the server could not answer insitu/%s" name)))
   :error-fn (lambda (failure)
               (message "insitu: %s" (plist-get failure :message)))))

(defun insitu--tell (first problems)
  "Tell FIRST, which may be nil, and PROBLEMS, a line each."
  (message "%s" (mapconcat #'identity
                           (append (and first (list first)) problems nil)
                           "\n")))

(defun insitu--read-program ()
  "Read which program was recorded; return nil where that is known.
It is where something of this file's project is shown, or settings name one for
all its parts; other projects do not count.  Else the program of one part is
proposed, or the name of the project."
  (let* ((known (insitu-ask "choices" (insitu-document)))
         (project (plist-get known :project))
         (parts (seq-filter (lambda (source)
                              (equal (plist-get source :project) project))
                            (plist-get (insitu-ask "status") :sources)))
         (programs (delq nil (mapcar (lambda (source)
                                       (plist-get source :program))
                                     parts))))
    (unless (or (seq-some (lambda (each) (eq (plist-get each :shown) t))
                          (plist-get known :executions))
                (and programs (= (length programs) (length parts))))
      (read-string "Program that was recorded: "
                   (or (car programs) project)))))

;;;###autoload
(defun insitu-import (file version &optional program)
  "Put the recording FILE into the store, as made by VERSION of PROGRAM.
An empty VERSION is that of the settings, else the commit that is checked out;
an empty PROGRAM that of the settings, else what is shown.  Emacs goes on
meanwhile."
  (interactive (list (read-file-name "Recording: " nil nil t)
                     (read-string
                      "Version that ran (empty for the commit checked out): ")
                     (insitu--read-program)))
  (insitu-ask-later
   "importRecording"
   (append (insitu-document)
           (list :files (vector (expand-file-name file)))
           (unless (string-empty-p version) (list :version version))
           (unless (member program '(nil "")) (list :program program)))
   (lambda (answer)
     (let* ((count (plist-get answer :imported))
            (as (if (zerop count) ""
                  (format " as %s %s" (plist-get answer :program)
                          (plist-get answer :version)))))
       (insitu--tell (format "Imported %d%s" count as)
                     (plist-get answer :problems))))))

(defun insitu--jvm-text (jvm)
  "Return a line about JVM, for a choice among several."
  (string-join
   (remq nil
         (list (string-trim
                (concat (plist-get jvm :name) " "
                        (truncate-string-to-width
                         (plist-get jvm :arguments) 60 nil nil "…")))
               (number-to-string (plist-get jvm :pid))
               (format-time-string "since %F %T"
                                   (/ (plist-get jvm :sinceMillis) 1000))
               (if (eq (plist-get jvm :recorded) t) "recorded already"
                 (plist-get jvm :refusal))))
   " · "))

(defun insitu--read-jvm ()
  "Read one of this machine's JVMs, the youngest first, and return its pid."
  (let* ((jvms (seq-sort-by (lambda (jvm) (plist-get jvm :sinceMillis)) #'>
                            (append (insitu-ask "jvms") nil)))
         (offers (mapcar (lambda (jvm)
                           (cons (insitu--jvm-text jvm) (plist-get jvm :pid)))
                         jvms)))
    (unless offers
      (user-error "No JVM of this machine can be seen from here"))
    (or (cdr (assoc (completing-read "Record: " offers nil t) offers))
        (user-error "No JVM was chosen"))))

;;;###autoload
(defun insitu-record (pid &optional tier)
  "Record the JVM PID of this machine; its numbers show as they come.
With a prefix argument, ask for the TIER.  `insitu-stop-recording' ends it,
and so do the ends of the JVM and of the server."
  (interactive (list (insitu--read-jvm)
                     (and current-prefix-arg
                          (completing-read "Tier: " '("base" "standard" "full")
                                           nil t))))
  (insitu-ask-later
   "record"
   (append (insitu-document) (list :pid pid)
           (unless (member tier '(nil "")) (list :tier tier)))
   (lambda (answer)
     (insitu--tell (plist-get (plist-get answer :recording) :text)
                   (plist-get answer :problems)))))

(defun insitu--read-recording ()
  "Read which recording is to end, and return its pid; nil for all."
  (let ((offers (mapcar (lambda (each)
                          (cons (plist-get each :text) (plist-get each :pid)))
                        (plist-get (insitu-ask "status") :recordings))))
    (unless offers (user-error "Nothing is being recorded from here"))
    (and (cdr offers)
         (cdr (assoc (completing-read "End (empty for all): " offers nil t)
                     offers)))))

;;;###autoload
(defun insitu-stop-recording (pid back)
  "End the recording of the JVM PID, or all recordings when it is nil.
With the prefix BACK, show again what was shown before."
  (interactive (list (insitu--read-recording) current-prefix-arg))
  (insitu-ask-later
   "stopRecording"
   (or (append (and pid (list :pid pid)) (and back '(:back t)))
       (make-hash-table :size 1))
   (lambda (answer)
     (insitu--tell (format "Recordings ended: %d" (plist-get answer :stopped))
                   (plist-get answer :problems)))))

(provide 'insitu-choices)
;;; insitu-choices.el ends here
