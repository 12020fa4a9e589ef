// The Emacs package by Emacs' own measures: it compiles without a warning, and documents itself; and its colours are those of the other clients.
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { heatColour } from '../../../clients/vscode/src/colours.ts';
import { HEAT_LEVELS } from '../../../clients/vscode/src/heat.ts';
import { needs } from '../../support/engines/needs.ts';
import { lispString, packageFolder } from './emacs.ts';

const files = globSync('*.el', { cwd: packageFolder }).sort();

needs('emacs', 'the package', emacs => {
  test('compiles, and documents itself, without a warning', () => {
    const folder = mkdtempSync(join(tmpdir(), 'insitu-emacs-'));
    try {
      const code = `(progn (require 'checkdoc)
        (setq byte-compile-dest-file-function
              (lambda (file) (expand-file-name (concat (file-name-nondirectory file) "c") ${lispString(folder)})))
        (dolist (file command-line-args-left)
          (unless (byte-compile-file file) (message "%s does not compile" file))
          (checkdoc-file file)))`;
      const args = [
        '-Q',
        '--batch',
        '-L',
        packageFolder,
        '--eval',
        code,
        ...files.map(file => join(packageFolder, file)),
      ];
      const command = [emacs.program('emacs'), ...args];
      const printed = execFileSync('sh', ['-c', '"$@" 2>&1', 'sh', ...command], { encoding: 'utf8' });
      expect(printed).toBe('');
      expect(globSync('*.elc', { cwd: folder }).length).toBe(files.length);
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  });

  test.each([
    [['none', 'loading', 'ready'], 'ready'],
    [['none', 'loading'], 'loading'],
    [['none', 'none'], 'none'],
  ])('of projects that are %j the mode line tells of one that is %s', (states, wanted) => {
    const sources = states.map(state => `(:state ${lispString(state)})`).join(' ');
    expect(printed(`(plist-get (insitu--source '(:sources [${sources}])) :state)`)).toBe(wanted);
  });

  /** The value of a form, in an Emacs with nothing but the package. */
  function printed(form: string): string {
    // Functions that are replaced for a test are not compiled for that.
    const own = '(setq native-comp-enable-subr-trampolines nil native-comp-jit-compilation nil)';
    const args = ['-Q', '--batch', '--eval', own, '-L', packageFolder, '-l', 'insitu', '--eval', `(princ ${form})`];
    return execFileSync(emacs.program('emacs'), args, { encoding: 'utf8', stdio: 'pipe' });
  }

  /** The messages that a command sends when the server answers `answer`, and the texts that it tells then. */
  function sentAndTold(answer: string, command: string): string {
    return printed(`(let (sent told)
      (cl-letf (((symbol-function 'insitu-current-server) #'ignore)
                ((symbol-function 'message) (lambda (form &rest more) (setq told (apply #'format form more))))
                ((symbol-function 'completing-read) (lambda (&rest _) ""))
                ((symbol-function 'insitu-ask) (lambda (&rest _) [(:name "Shop" :pid 1 :arguments "" :sinceMillis 0)]))
                ((symbol-function 'jsonrpc-async-request)
                 (lambda (_ __ params &rest more) (setq sent params) (funcall (plist-get more :success-fn) ${answer}))))
        ${command}
        (format "%S %s" sent told)))`);
  }

  test.each([
    ['nil', '(insitu-import "/a.jfr" "" "shop")', 'insitu: the server could not answer insitu/importRecording'],
    ['nil', '(insitu-record 1)', 'insitu: the server could not answer insitu/record'],
    ['nil', '(insitu-stop-recording 1 nil)', 'insitu: the server could not answer insitu/stopRecording'],
    [
      `'(:imported 0 :program "shop" :version "1" :problems ["bad"])`,
      '(insitu-import "/a.jfr" "" nil)',
      'Imported 0\nbad',
    ],
    [`'(:imported 1 :program "shop" :version "1")`, '(insitu-import "/a.jfr" "" nil)', 'Imported 1 as shop 1'],
  ])('of the answer %s to %s people are told', (answer, command, wanted) => {
    expect(sentAndTold(answer, command)).toContain(wanted);
  });

  test('what is left empty when a recording begins is not sent', () => {
    expect(sentAndTold(`'(:recording (:text "recorded"))`, '(insitu-record 7 "")')).toBe('(:pid 7) recorded');
    const chosen = `(condition-case why (call-interactively 'insitu-record) (user-error (setq told (cadr why))))`;
    expect(sentAndTold('nil', chosen)).toBe('nil No JVM was chosen');
  });

  test('its README names every command and option', () => {
    const text = files.map(file => readFileSync(join(packageFolder, file), 'utf8')).join('\n');
    const readme = readFileSync(join(packageFolder, 'README.md'), 'utf8');
    const names = [...text.matchAll(/^;;;###autoload\n\((?:defun|define-minor-mode) (\S+)|^\(defcustom (\S+)/gm)];
    expect(names.length).toBeGreaterThan(15);
    for (const [, command, option] of names) expect(readme).toContain(`\`${command ?? option}\``);
  });
});

// VS Code's tests try whether these colours can be read and told apart.
test('hints have the colours of the other clients', () => {
  const text = readFileSync(join(packageFolder, 'insitu.el'), 'utf8');
  const faces = [
    ...text.matchAll(
      /defface insitu-heat-(\d)\s+'\(\(\(\(background dark\)\) :foreground "(.*?)".*?\(t :foreground "(.*?)"/gs,
    ),
  ];
  expect(faces.map(([, level, dark, light]) => ({ level: Number(level), dark, light }))).toEqual(
    HEAT_LEVELS.map(level => ({
      level,
      dark: heatColour(level, false, 'dark'),
      light: heatColour(level, false, 'light'),
    })),
  );
});
