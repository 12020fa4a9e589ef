// The Emacs package by Emacs' own measures: it compiles without a warning, and documents itself; and its colours are those of the other clients.
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { heatColour } from '../../../clients/vscode/src/colours.ts';
import { HEAT_LEVELS } from '../../../clients/vscode/src/heat.ts';
import { needs } from '../../support/needs.ts';
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
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test.each([
    [['none', 'loading', 'ready'], 'ready'],
    [['none', 'loading'], 'loading'],
    [['none', 'none'], 'none'],
  ])('of projects that are %j the mode line tells of one that is %s', (states, wanted) => {
    const sources = states.map(state => `(:state ${lispString(state)})`).join(' ');
    const code = `(princ (plist-get (insitu--source '(:sources [${sources}])) :state))`;
    const args = ['-Q', '--batch', '-L', packageFolder, '-l', 'insitu', '--eval', code];
    expect(execFileSync(emacs.program('emacs'), args, { encoding: 'utf8' })).toBe(wanted);
  });

  test('its README names every command and option', () => {
    const text = files.map(file => readFileSync(join(packageFolder, file), 'utf8')).join('\n');
    const readme = readFileSync(join(packageFolder, 'README.md'), 'utf8');
    const names = [...text.matchAll(/^;;;###autoload\n\((?:defun|define-minor-mode) (\S+)|^\(defcustom (\S+)/gm)];
    expect(names.length).toBeGreaterThan(15);
    for (const [, command, option] of names) expect(readme).toContain(`\`${command ?? option}\``);
  });
});

// What can be read, and what stands out, is tried for these colours in VS Code's tests.
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
