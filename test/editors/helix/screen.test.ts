// What a user of Helix sees: every file's lines with their hints, after edits above and inside, and the answer of a command.
import { rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
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
import { openHelix, untilShown } from './helix.ts';

needs('jdk17', 'Helix', () => needs('jdk25', 'by the oracle', () => needs('tmux', 'in tmux', withTmux)));

function withTmux(tmux: Engine): void {
  needs('helix', 'on the screen', helix => checkScreens(helix, tmux));
}

function checkScreens(engine: Engine, tmux: Engine): void {
  let shop: ShopInGit;
  let files: ShopFile[];
  beforeAll(() => {
    files = filesWithHints((expectedHints(first, second) as [ExpectedHints, ExpectedHints])[1]);
    shop = shopInGit();
  }, 150_000);
  afterAll(() => shop?.remove());

  function open() {
    const { repository, store } = shop;
    const env = { INSITU_STORE: store, ...repository.env };
    const { terminal, close } = openHelix(engine, tmux, { folder: repository.root, file: files[0]!.path, env });
    onTestFinished(close);
    return terminal;
  }

  test('every file shows its lines with their hints and nothing else', async () => {
    const started = Date.now();
    const terminal = open();
    await untilShown(terminal, 'a hint', screen => screen.some(line => /\d%/.test(line)));
    console.info(`Helix: the first hint stands ${Date.now() - started} ms after Helix was started`);
    for (const { path, lines, hints } of files) {
      terminal.press(`:open ${path}`, 'Enter');
      const wanted = screenOf(lines, hints);
      await untilShown(terminal, `${path} with its hints`, screen => shows(screen, wanted));
    }
    expect(files.length).toBeGreaterThan(20);
  });

  test('lines above move every hint, a line inside marks its method as changed', async () => {
    const terminal = open();
    const file = files[0]!;
    const asLoaded = (screen: readonly string[]): boolean => shows(screen, screenOf(file.lines, file.hints));
    await untilShown(terminal, 'hints', asLoaded);
    const insert = (line: number, text: string): void => {
      const added = join(shop.repository.root, '..', `${basename(shop.repository.root)}-added`);
      writeFileSync(added, text);
      onTestFinished(() => rmSync(added, { force: true }));
      terminal.press(`:goto ${line}`, 'Enter', 'x', `:pipe cat ${added} -`, 'Enter');
    };
    insert(1, `${ABOVE.join('\n')}\n`);
    await untilShown(terminal, 'hints below the new lines', screen => shows(screen, screenWithAbove(file)));
    terminal.press('u');
    await untilShown(terminal, 'hints where they were', asLoaded);
    const changed = methodToChange(file);
    insert(changed.line + 1, `${PROBE}\n`);
    await untilShown(terminal, 'a changed method', screen => shows(screen, screenWithProbe(file, changed)));
  });

  test('a command of the server is told on the last line', async () => {
    const terminal = open();
    const file = files[0]!;
    await untilShown(terminal, 'hints', screen => shows(screen, screenOf(file.lines, file.hints)));
    terminal.press(':lsp-workspace-command insitu.hotMethods', 'Enter');
    await terminal.until('the hottest methods', screen =>
      screen.some(line => /insitu: Hottest methods.*\d+%.*\w+\.\w+\(/.test(line)),
    );
  });
}
