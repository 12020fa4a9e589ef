// What a user of Emacs sees: every file's lines with their hints, by the package and by eglot alone, after edits above and inside.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type ExpectedHints, expectedHints } from '../../oracle/oracle.ts';
import type { Engine } from '../../support/engines.ts';
import { needs } from '../../support/needs.ts';
import { first, type ShopInGit, second, shopInGit } from '../neovim/expected-shop.ts';
import {
  ABOVE,
  filesWithHints,
  methodToChange,
  PROBE,
  type ShopFile,
  screenOf,
  screenWithAbove,
  screenWithProbe,
  shows,
} from '../shop-screens.ts';
import { type Emacs, eglotAlone, lispString, openEmacs, withPackage } from './emacs.ts';

needs('jdk17', 'Emacs', () => needs('jdk25', 'by the oracle', () => needs('tmux', 'in tmux', withTmux)));

function withTmux(tmux: Engine): void {
  needs('emacs', 'on the screen', emacs => checkScreens(emacs, tmux));
}

function checkScreens(engine: Engine, tmux: Engine): void {
  let shop: ShopInGit;
  let files: ShopFile[];
  beforeAll(() => {
    files = filesWithHints((expectedHints(first, second) as [ExpectedHints, ExpectedHints])[1]);
    shop = shopInGit();
  }, 150_000);
  afterAll(() => shop?.remove());

  function open(configuration: string, env: NodeJS.ProcessEnv = {}): Emacs {
    const { repository, store } = shop;
    const emacs = openEmacs(engine, tmux, {
      configuration,
      folder: repository.root,
      file: files[0]!.path,
      env: { INSITU_STORE: store, ...repository.env, ...env },
    });
    onTestFinished(emacs.close);
    return emacs;
  }

  for (const [way, configuration] of [
    ['the package', withPackage()],
    ['eglot alone', eglotAlone()],
  ] as const)
    test(`every file shows its lines with their hints and nothing else, by ${way}`, async () => {
      const started = Date.now();
      const { terminal, lisp } = open(configuration);
      await terminal.until('a hint', screen => screen.some(line => /\d%/.test(line)));
      console.info(`Emacs, ${way}: the first hint stands ${Date.now() - started} ms after Emacs was started`);
      for (const { path, lines, hints } of files) {
        await lisp(
          `(progn (find-file ${lispString(join(shop.repository.root, path))}) (goto-char (point-min)) (redisplay) t)`,
        );
        const wanted = screenOf(lines, hints);
        await terminal.until(`${path} with its hints`, screen => shows(screen, wanted));
      }
      expect(files.length).toBeGreaterThan(20);
    });

  test('in front of a Java server both have their hints, and newer numbers come by themselves', async () => {
    const java = fileURLToPath(new URL('../../lsp/wrap/fake-java-server.ts', import.meta.url));
    const parameter = { position: { line: 0, character: 0 }, label: 'java:', kind: 2 };
    const { terminal, lisp } = open(
      withPackage(`(setq insitu-java-server ${lispString(`"${process.execPath}" "${java}"`)})`),
      {
        FAKE_JAVA: JSON.stringify({
          capabilities: { inlayHintProvider: true, textDocumentSync: 2 },
          answers: { 'textDocument/inlayHint': [parameter] },
        }),
      },
    );
    const file = files[0]!;
    const [head = '', ...others] = screenOf(file.lines, file.hints);
    await terminal.until('hints of both', screen => shows(screen, [`java:${head}`, ...others]));
    const focus = file.hints.find(({ kind }) => kind === 'method')!;
    await lisp(`(progn (goto-char (point-min)) (forward-line ${focus.line - 1}) (search-forward "(") (backward-char 2)
      (insitu-focus nil) t)`);
    await terminal.until('the new 100 %', screen => (screen[focus.line - 1] ?? '').includes(' 100% '));
    await lisp('(progn (insitu-clear-focus) t)');
    await terminal.until('the old 100 %', screen => shows(screen, [`java:${head}`, ...others]));
  });

  test('lists and trees show what ran, and lead to it', async () => {
    const { terminal, lisp } = open(withPackage());
    const file = files[0]!;
    await terminal.until('hints', screen => shows(screen, screenOf(file.lines, file.hints)));
    const method = methodToChange(file);
    const name = method.method.split('.').at(-1)!.replace(/\(.*/s, '');
    await lisp(`(progn (goto-char (point-min)) (forward-line ${method.line - 1}) (search-forward ${lispString(`${name}(`)})
      (backward-char 2) (insitu-callers) t)`);
    const rows = () => lisp<string>('(buffer-substring-no-properties (point-min) (point-max))');
    const folded = await rows();
    expect(folded).toContain(name);
    expect(folded).toContain(method.share);
    const lines = await lisp<number>(
      '(progn (goto-char (point-max)) (forward-line -1) (count-lines (point-min) (point-max)))',
    );
    await lisp('(progn (insitu-tree-toggle) t)');
    expect((await rows()).split('\n').length - 1).toBeGreaterThan(lines);
    await lisp('(progn (insitu-tree-toggle) t)');
    expect((await rows()).split('\n').length - 1).toBe(lines);
    await lisp('(progn (insitu-top nil) t)');
    expect(await rows()).toMatch(/\d% .*Shop\./);
    await lisp('(progn (insitu-list-visit) t)');
    expect(await lisp<string>('(file-name-extension buffer-file-name)')).toBe('java');
    expect(await lisp<string>('(progn (insitu-status) (current-message))')).toContain('samples of cpu');
    expect(await lisp<string>('(insitu--lighter)')).toMatch(/insitu:\d/);
  });

  test('lines above move every hint, a line inside marks its method as changed', async () => {
    const { terminal, lisp } = open(withPackage());
    const file = files[0]!;
    await terminal.until('hints', screen => shows(screen, screenOf(file.lines, file.hints)));
    await lisp(`(progn (goto-char (point-min)) (insert ${lispString(`${ABOVE.join('\n')}\n`)}) t)`);
    await terminal.until('hints below the new lines', screen => shows(screen, screenWithAbove(file)));
    const changed = methodToChange(file);
    await lisp(`(progn (delete-region (point-min) (progn (goto-char (point-min)) (line-beginning-position 4)))
      (goto-char (point-min)) (forward-line ${changed.line}) (insert ${lispString(`${PROBE}\n`)}) (goto-char (point-min)) t)`);
    // The margin has a mark of the diagnostic that says so.
    await terminal.until('a changed method', screen =>
      shows(
        screen.map(line => line.replace(/^!+/, '')),
        screenWithProbe(file, changed),
      ),
    );
    // What stands at the end of a line moves with what is typed there.
    await lisp(`(progn (forward-line ${changed.line - 1}) (end-of-line) (insert " //") t)`);
    const typed = file.lines[changed.line - 1]!.trim();
    await terminal.until('the hint behind the new text', screen =>
      (screen[changed.line - 1] ?? '').includes(`${typed} // ~`),
    );
  });
}
