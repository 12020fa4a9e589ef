;;; insitu.el --- Shows Java production run-time where the code stands  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "30.1"))
;; Keywords: languages, tools, processes
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Eglot shows the hints of one language server a buffer, by region, in one
;; colour, and does not hear of newer numbers.  This package starts the insitu
;; server through Eglot, alone or in front of your Java server, draws hints by
;; their heat, keeps them fresh, and has commands for what hints leave open.
;;
;;     (require 'insitu)
;;     (insitu-setup)
;;     (add-hook 'java-mode-hook #'eglot-ensure)
;;
;; The commands are in insitu-views.el and insitu-choices.el; README.md says
;; what each does.

;;; Code:

(require 'eglot)
(require 'jsonrpc)
(require 'seq)

(declare-function insitu--click-map "insitu-views")

(defgroup insitu nil
  "Java production run-time in the editor."
  :group 'tools
  :prefix "insitu-")

(defcustom insitu-command '("insitu")
  "Program of the server, with arguments that stand before `lsp --stdio'."
  :type '(repeat string))

(defcustom insitu-java-server nil
  "Command of the Java server behind insitu, or nil for none.
It is one string, taken apart at spaces; quotes group words."
  :type '(choice (const :tag "insitu alone" nil) string))

(defcustom insitu-settings nil
  "Settings of the server as a property list, with the keys of insitu.json.
An example is (:metric \"alloc\" :hints (:format \"ascii\")).  They hold from
the next start of the server."
  :type 'plist)

(defcustom insitu-draw-hints t
  "Whether this package draws hints, coloured by heat.
When nil, Eglot draws them, and they are still kept fresh."
  :type 'boolean)

(defcustom insitu-delay 0.3
  "Seconds without a change of the text before its hints are asked for again."
  :type 'number)

(defface insitu-heat-1
  '((((background dark)) :foreground "#868e99") (t :foreground "#6f757e"))
  "Hints with the smallest shares, below 4 %.")

(defface insitu-heat-2
  '((((background dark)) :foreground "#a8976f") (t :foreground "#7f6a45"))
  "Hints with shares from 4 %.")

(defface insitu-heat-3
  '((((background dark)) :foreground "#cfa355") (t :foreground "#8f5a00"))
  "Hints with shares from 16 %.")

(defface insitu-heat-4
  '((((background dark)) :foreground "#f0b040") (t :foreground "#a83c00"))
  "Hints with shares from 36 %.")

(defface insitu-heat-5
  '((((background dark)) :foreground "#ffd166" :weight bold)
    (t :foreground "#ad1f00" :weight bold))
  "Hints with shares from 64 %.")

(defface insitu-stale '((t :slant italic))
  "Added to hints at code that has changed since it was recorded.")

(defclass insitu-server (eglot-lsp-server)
  ((state :initform nil :accessor insitu--state
          :documentation "What the server last said of its data."))
  :documentation "The insitu language server, alone or before a Java server.")

(defvar insitu-mode)
(defvar-local insitu--overlays nil "Hints that are drawn in this buffer.")
(defvar-local insitu--stale 0 "How many of them are at changed code.")
(defvar-local insitu--timer nil "Timer of the next question for hints.")
(defvar-local insitu--view-server nil "Server that a list or tree is about.")

;;; The server

(defun insitu-contact (&optional _interactive _project)
  "Say to Eglot how the server is started."
  (append '(insitu-server) insitu-command '("lsp" "--stdio")
          (and insitu-java-server (list "--wrap" insitu-java-server))))

;;;###autoload
(defun insitu-setup ()
  "Let Eglot start insitu for Java files."
  (interactive)
  (add-to-list 'eglot-server-programs
               '((java-mode java-ts-mode) . insitu-contact))
  (add-hook 'eglot-managed-mode-hook #'insitu--follow-eglot 90))

(cl-defmethod eglot-client-capabilities ((_server insitu-server))
  "Ask to be told of newer numbers: Eglot has no refresh of hints."
  (plist-put (copy-sequence (cl-call-next-method))
             :experimental '(:insitu (:dataChanged t))))

(defun insitu--settings ()
  "Return `insitu-settings', with commands for clicks if they do not say."
  (let ((hints (plist-get insitu-settings :hints)))
    (if (plist-member hints :commands) insitu-settings
      (plist-put (copy-sequence insitu-settings)
                 :hints (append hints '(:commands "on"))))))

(cl-defmethod eglot-initialization-options ((_server insitu-server))
  "Put settings of ours beside what the Java server is given."
  (let ((others (cl-call-next-method)))
    (append (list :insitu (insitu--settings)) (and (listp others) others))))

(cl-defmethod eglot-handle-notification
  ((server insitu-server) (_method (eql insitu/dataChanged))
   &key &allow-other-keys)
  "Draw the hints of all buffers of SERVER anew."
  (insitu--ask-state server)
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (when (and insitu-mode (eq (eglot-current-server) server))
        (insitu--draw-soon 0)))))

(defun insitu--live-p (server)
  "Return non-nil when SERVER is an insitu server under way."
  (and server (insitu-server-p server) (jsonrpc-running-p server)))

(defun insitu-current-server ()
  "Return the insitu server of this buffer, else any other.
It is an error when there is none."
  (or (seq-find #'insitu--live-p
                (append (list (eglot-current-server) insitu--view-server)
                        (mapcar (lambda (buffer)
                                  (with-current-buffer buffer
                                    (and insitu-mode (eglot-current-server))))
                                (buffer-list))))
      (user-error "No insitu server runs; open a Java file")))

(defun insitu-ask (name &optional params)
  "Return the server's answer to the operation NAME with PARAMS.
PARAMS is a property list; docs/lsp-extensions.md has the operations.
What the server refuses is told in its words."
  (condition-case refusal
      (jsonrpc-request (insitu-current-server) (concat "insitu/" name)
                       (or params (make-hash-table :size 1))
                       :timeout 30 :deferred (and insitu-mode :insitu))
    (jsonrpc-error
     (user-error "%s" (or (alist-get 'jsonrpc-error-message (cddr refusal))
                          (error-message-string refusal))))))

(defun insitu-document ()
  "Return what names this buffer's file to the server; nil outside of Java."
  (and insitu-mode buffer-file-name
       (list :textDocument
             (list :uri (eglot-path-to-uri buffer-file-name)))))

(defun insitu--tasks ()
  "Return the saved tasks with their shares, whatever the focus is now."
  (plist-get
   (insitu-ask "tasks" (append (insitu-document) '(:focus [] :limit 1000)))
   :rows))

(defun insitu-here ()
  "Return the place of point, as the subject of a question."
  (unless (insitu-document) (user-error "Not in a Java file with insitu"))
  (append (insitu-document)
          (list :position
                (save-restriction
                  (widen)
                  (list :line (1- (line-number-at-pos))
                        :character
                        (funcall eglot-current-linepos-function))))))

;;; State for the mode line

(defun insitu--ask-state (server)
  "Ask SERVER for its state, and remember its answer."
  (jsonrpc-async-request
   server "insitu/status" (make-hash-table :size 1)
   :success-fn (lambda (state)
                 (setf (insitu--state server) state)
                 (force-mode-line-update t))
   :error-fn #'ignore))

(defun insitu--source (state)
  "Return which source of STATE to tell of: one that is shown, if there is any.
The folder that is open may have none, and projects inside of it numbers."
  (let ((sources (plist-get state :sources)))
    (or (seq-some (lambda (wanted)
                    (seq-find (lambda (source)
                                (equal (plist-get source :state) wanted))
                              sources))
                  '("ready" "loading"))
        (seq-first sources))))

(defun insitu--lighter ()
  "Return the words of the mode line: how many hints, of what, or why none."
  (let* ((server (eglot-current-server))
         (state (and (insitu--live-p server) (insitu--state server)))
         (source (insitu--source state))
         (focus (plist-get source :focus))
         (text
          (cond ((null source) "starting")
                ((equal (plist-get source :state) "none") "no data")
                ((equal (plist-get source :state) "loading") "loading")
                (t (concat (if insitu-draw-hints
                               (format "%d" (length insitu--overlays))
                             "on")
                           (and (> insitu--stale 0)
                                (format "~%d" insitu--stale))
                           (and (> (length focus) 0)
                                (concat " of " (mapconcat #'identity focus ", ")))
                           (and (plist-get source :baseline)
                                (concat " vs " (plist-get source :baseline)))))))
         (rec (if (seq-empty-p (plist-get state :recordings)) "" " rec")))
    (propertize (concat " insitu:" (string-replace "%" "%%" text) rec)
                'help-echo (or (plist-get state :text) ""))))

;;; Hints

(defun insitu-heat-face (share)
  "Return the face for SHARE, a number from 0 to 1."
  (let ((step (1+ (floor (* 5 (sqrt (max 0 (min share 1))))))))
    (aref [insitu-heat-1 insitu-heat-2 insitu-heat-3 insitu-heat-4
                         insitu-heat-5]
          (1- (min step 5)))))

(defun insitu--hint-face (data)
  "Return the face of a hint with DATA; Eglot's for hints of other servers."
  (let ((heat (plist-get data :heat)))
    (cond ((not (numberp heat)) 'eglot-inlay-hint-face)
          ((eq (plist-get data :stale) t)
           (list 'insitu-stale (insitu-heat-face heat)))
          (t (insitu-heat-face heat)))))

(defun insitu--label (label)
  "Return text and plain tooltip of a hint's LABEL, as a cons."
  (if (stringp label)
      (cons label nil)
    (cons (mapconcat (lambda (part) (plist-get part :value)) label)
          (seq-some (lambda (part)
                      (let ((tip (plist-get part :tooltip)))
                        (and (stringp tip) tip)))
                    label))))

(defun insitu--draw-hint (hint)
  "Draw HINT, as the protocol has it."
  (pcase-let* ((position (plist-get hint :position))
               (place (car (eglot-range-region
                            (list :start position :end position))))
               (data (plist-get hint :data))
               (`(,label . ,tooltip) (insitu--label (plist-get hint :label)))
               (at-start (save-excursion (goto-char place) (bolp)))
               (padded (concat
                        (and (eq (plist-get hint :paddingLeft) t) " ") label
                        (and (eq (plist-get hint :paddingRight) t) " ")))
               (text (propertize padded 'face (insitu--hint-face data)
                                 'help-echo tooltip))
               (map (insitu--click-map (plist-get hint :label))))
    (when map
      (setq text (propertize text 'mouse-face 'highlight 'keymap map)))
    ;; The cursor stands before the hint, not behind it.
    (put-text-property 0 1 'cursor t text)
    (unless (and at-start (= place (point-max)))
      ;; Text that is typed at the end of a line comes before its hint.
      (let ((overlay (if at-start
                         (make-overlay place (1+ place) nil t)
                       (make-overlay (1- place) place nil nil t))))
        (overlay-put overlay (if at-start 'before-string 'after-string) text)
        (overlay-put overlay 'insitu-hint (substring-no-properties label))
        (overlay-put overlay 'evaporate t)
        (when (eq (plist-get data :stale) t) (cl-incf insitu--stale))
        (push overlay insitu--overlays)))))

(defun insitu--remove-hints ()
  "Remove all hints from the buffer."
  (mapc #'delete-overlay insitu--overlays)
  (setq insitu--overlays nil insitu--stale 0))

(defun insitu--draw-now (buffer)
  "Ask for the hints of BUFFER and draw them when they come."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (setq insitu--timer nil)
      (when (and insitu-mode (insitu--live-p (eglot-current-server)))
        (if insitu-draw-hints
            (insitu--ask-hints)
          ;; Eglot draws anew when its mode begins, but for a region that it
          ;; has drawn last, which it takes for drawn still.
          (eglot-inlay-hints-mode -1)
          (kill-local-variable 'eglot--outstanding-inlay-hints-last-region)
          (eglot-inlay-hints-mode 1))))))

(defun insitu--ask-hints ()
  "Ask for the hints of the whole buffer."
  (let ((buffer (current-buffer))
        (tick (buffer-chars-modified-tick))
        (lines (save-restriction (widen) (line-number-at-pos (point-max)))))
    (jsonrpc-async-request
     (eglot-current-server) "textDocument/inlayHint"
     (append (insitu-document)
             (list :range (list :start '(:line 0 :character 0)
                                :end (list :line lines :character 0))))
     ;; Waits until Eglot has told the server of the newest text.
     :deferred :insitu-hints
     :timeout 30
     :error-fn #'ignore
     :success-fn
     (lambda (hints)
       (when (buffer-live-p buffer)
         (with-current-buffer buffer
           ;; A text that has changed meanwhile is asked about again.
           (when (and insitu-mode (= tick (buffer-chars-modified-tick)))
             (insitu--remove-hints)
             (save-restriction
               (widen)
               (seq-do #'insitu--draw-hint hints))
             (force-mode-line-update))))))))

(defun insitu--draw-soon (delay &rest _)
  "Ask for hints after DELAY seconds."
  (when insitu--timer (cancel-timer insitu--timer))
  (setq insitu--timer
        (run-at-time delay nil #'insitu--draw-now (current-buffer))))

(defun insitu--after-change (&rest _)
  "Ask for hints when the text has been left alone for a while."
  (insitu--draw-soon insitu-delay))

(defvar insitu-command-map
  (let ((map (make-sparse-keymap)))
    (pcase-dolist (`(,key . ,command)
                   '(("a" . insitu-aspects)
                     ("t" . insitu-top) ("c" . insitu-callers)
                     ("e" . insitu-callees) ("h" . insitu-threads)
                     ("p" . insitu-heaviest)
                     ("w" . insitu-why) ("f" . insitu-focus)
                     ("x" . insitu-clear-focus) ("k" . insitu-tasks)
                     ("b" . insitu-compare-with) ("d" . insitu-compare)
                     ("m" . insitu-moved)
                     ("s" . insitu-select) ("l" . insitu-executions)
                     ("i" . insitu-import) ("r" . insitu-record)
                     ("q" . insitu-stop-recording) ("g" . insitu-refresh)
                     ("?" . insitu-status)))
      (keymap-set map key command))
    map)
  "Keys of the commands, to be bound to a prefix of your choice.")

(defvar insitu-mode-map (make-sparse-keymap)
  "Keymap of buffers with insitu.")

;;;###autoload
(define-minor-mode insitu-mode
  "Show production run-time in this buffer, which insitu's server manages.
It is switched on by itself after `insitu-setup'."
  :lighter (:eval (insitu--lighter))
  (if insitu-mode
      (progn
        (when insitu-draw-hints (eglot-inlay-hints-mode -1))
        (add-hook 'after-change-functions #'insitu--after-change nil t)
        (insitu--draw-soon 0))
    (remove-hook 'after-change-functions #'insitu--after-change t)
    (when insitu--timer (cancel-timer insitu--timer))
    (insitu--remove-hints)))

(easy-menu-define insitu-menu insitu-mode-map
  "Menu of insitu."
  '("insitu"
    ["Hottest methods" insitu-top]
    ["Heaviest path" insitu-heaviest]
    ["Callers" insitu-callers]
    ["Callees" insitu-callees]
    ["Threads" insitu-threads]
    ["Aspects" insitu-aspects]
    ["Why this number?" insitu-why]
    ["Make it 100 %" insitu-focus]
    ["Clear focus" insitu-clear-focus]
    ["Compare with …" insitu-compare-with]
    ["What got slower or faster" insitu-compare]
    ["What has moved" insitu-moved]
    ["Import a recording …" insitu-import]
    ["Record a JVM …" insitu-record]
    ["End recordings" insitu-stop-recording]
    ["Status" insitu-status]))

(defun insitu--follow-eglot ()
  "Begin or end `insitu-mode' as Eglot does with this buffer."
  (let ((server (and (eglot-managed-p) (eglot-current-server))))
    (cond ((insitu--live-p server)
           (insitu-mode 1)
           (insitu--ask-state server))
          (insitu-mode (insitu-mode -1)))))

(provide 'insitu)
(require 'insitu-views)
(require 'insitu-choices)
;;; insitu.el ends here
