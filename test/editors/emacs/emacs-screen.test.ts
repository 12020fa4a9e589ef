// Tests the screen of Emacs: every file's lines with their hints, by the package and by eglot alone, after edits above and inside.
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import { checkEdits, checkEveryFile, onStage, untilAsLoaded } from '../shop-on-screen.ts';
import { screenOf, shows } from '../shop-screens.ts';
import { eglotAlone, lispString, withPackage } from './emacs.ts';
import { openOnStage } from './stage.ts';

onStage('emacs', 'Emacs', stage => {
  for (const [way, configuration] of [
    ['the package', withPackage()],
    ['eglot alone', eglotAlone()],
  ] as const)
    test(`every file shows its lines with their hints and nothing else, by ${way}`, async () => {
      await checkEveryFile(stage.files(), `Emacs, ${way}`, () => openOnStage(stage, configuration));
      // Dozens of files, on a machine that may do much else.
    });

  test('in front of a Java server both have their hints, and newer numbers come by themselves', async () => {
    const java = fileURLToPath(new URL('../../proxy/fake-java-server.ts', import.meta.url));
    const parameter = { position: { line: 0, character: 0 }, label: 'java:', kind: 2 };
    const configuration = withPackage(`(setq insitu-java-server ${lispString(`"${process.execPath}" "${java}"`)})`);
    const { until, lisp } = openOnStage(stage, configuration, {
      FAKE_JAVA: JSON.stringify({
        capabilities: { inlayHintProvider: true, textDocumentSync: 2 },
        answers: { 'textDocument/inlayHint': [parameter] },
      }),
    });
    const file = stage.files()[0]!;
    const [head = '', ...others] = screenOf(file.lines, file.hints);
    await until('hints of both', screen => shows(screen, [`java:${head}`, ...others]));
    const focus = file.hints.find(({ kind }) => kind === 'method')!;
    await lisp(`(progn (goto-char (point-min)) (forward-line ${focus.line - 1}) (search-forward "(") (backward-char 2)
      (insitu-focus nil) t)`);
    await until('the new 100 %', screen => (screen[focus.line - 1] ?? '').includes(' 100% '));
    await lisp('(progn (insitu-clear-focus) t)');
    await until('the old 100 %', screen => shows(screen, [`java:${head}`, ...others]));
  });

  test('lines above move every hint, a line inside marks its method as changed', async () => {
    const emacs = openOnStage(stage);
    const file = stage.files()[0]!;
    const changed = await checkEdits(emacs, file);
    // A hint at the end of a line moves with text that is typed there.
    await emacs.lisp(
      `(progn (goto-char (point-min)) (forward-line ${changed.line - 1}) (end-of-line) (insert " //") t)`,
    );
    const typed = file.lines[changed.line - 1]!.trim();
    await emacs.until('the hint behind the new text', screen =>
      (screen[changed.line - 1] ?? '').includes(`${typed} // ~`),
    );
  });

  test('Eglot draws the hints where the package is told not to', async () => {
    const emacs = openOnStage(stage, withPackage('(setq insitu-draw-hints nil)'));
    const file = stage.files()[0]!;
    await untilAsLoaded(emacs, file);
    // Newer numbers: what Eglot has drawn goes, and comes again, however often.
    for (let time = 0; time < 3; time++) {
      await emacs.lisp('(progn (insitu--draw-now (current-buffer)) (redisplay) t)');
      await untilAsLoaded(emacs, file);
    }
  });
});
