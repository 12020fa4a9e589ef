// The tests that every editor in a terminal passes: each file of the sample shows its lines with their hints, as loaded and after edits.
import { afterAll, beforeAll, expect } from 'vitest';
import { type ExpectedHints, expectedHints } from '../oracle/oracle.ts';
import type { EngineName } from '../run/suites.ts';
import type { Engine } from '../support/engines/engines.ts';
import { needs } from '../support/engines/needs.ts';
import { first, type ShopInGit, second, shopInGit } from './neovim/expected-shop.ts';
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
} from './shop-screens.ts';

/** The stage that a terminal editor is tested on. */
export type Stage = {
  readonly engine: Engine;
  readonly tmux: Engine;
  /** The sample in git, and its numbers; there when tests run. */
  readonly shop: () => ShopInGit;
  /** The files with the hints that must be on the screen, the file with most hints first; there when tests run. */
  readonly files: () => readonly ShopFile[];
  /** Folder, first file and environment to open an editor with. */
  readonly place: () => { readonly folder: string; readonly file: string; readonly env: NodeJS.ProcessEnv };
};

/** An editor on a screen, as the tests below drive it. */
export type Screen = {
  readonly until: (what: string, wanted: (screen: readonly string[]) => boolean) => Promise<void>;
  /** Shows a file, its beginning at the top. The path counts from the root of the repository. */
  readonly show: (path: string) => unknown;
  /** Puts lines before the line of that number. */
  readonly insert: (line: number, lines: readonly string[]) => unknown;
  /** Takes back what was inserted last. */
  readonly undo: () => unknown;
};

/** A group of tests of a terminal editor on the sample's second version. */
export function onStage(editor: EngineName, title: string, tests: (stage: Stage) => void): void {
  const withEngines = (engine: Engine, tmux: Engine): void => {
    let shop: ShopInGit;
    let files: readonly ShopFile[];
    beforeAll(() => {
      files = filesWithHints((expectedHints(first, second) as [ExpectedHints, ExpectedHints])[1]);
      shop = shopInGit();
    });
    afterAll(() => shop?.remove());
    const place = () => ({
      folder: shop.repository.root,
      file: files[0]!.path,
      env: { INSITU_STORE: shop.store, ...shop.repository.env },
    });
    tests({ engine, tmux, shop: () => shop, files: () => files, place });
  };
  needs('jdk17', title, () =>
    needs('jdk25', 'by the oracle', () =>
      needs('tmux', 'in tmux', tmux => needs(editor, 'on the screen', engine => withEngines(engine, tmux))),
    ),
  );
}

/** Waits until a file that is shown has its hints and nothing else. */
export function untilAsLoaded({ until }: Screen, file: ShopFile): Promise<void> {
  const wanted = screenOf(file.lines, file.hints);
  return until(`${file.path} with its hints`, screen => shows(screen, wanted));
}

/** Every file has its hints; prints how long the first one took from the start of the editor, called `name`. */
export async function checkEveryFile(files: readonly ShopFile[], name: string, open: () => Screen): Promise<void> {
  const started = Date.now();
  const screen = open();
  await screen.until('a hint', lines => lines.some(line => /\d%/.test(line)));
  console.info(`${name}: the first hint stands ${Date.now() - started} ms after the editor was started`);
  for (const file of files) {
    await screen.show(file.path);
    await untilAsLoaded(screen, file);
  }
  expect(files.length).toBeGreaterThan(20);
}

/** Lines above move every hint, and a line inside marks its method, whose hint is returned, as changed. */
export async function checkEdits(screen: Screen, file: ShopFile): Promise<{ readonly line: number }> {
  await untilAsLoaded(screen, file);
  await screen.insert(1, ABOVE);
  await screen.until('hints below the new lines', lines => shows(lines, screenWithAbove(file)));
  await screen.undo();
  await untilAsLoaded(screen, file);
  const changed = methodToChange(file);
  await screen.insert(changed.line + 1, [PROBE]);
  await screen.until('a changed method', lines => shows(lines, screenWithProbe(file, changed)));
  return changed;
}
