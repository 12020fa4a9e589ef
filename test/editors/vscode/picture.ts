// Pictures of VS Code for the documentation: the sample shop in a dark and in a light window.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { buildVsix } from '../../../.ci/vsix.ts';
import { shopInGit } from '../neovim/expected-shop.ts';
import { goToLine, paneOf, pick, runCommand } from './driving.ts';
import { type EditorEngines, openEditor, someHint } from './editor.ts';

const SHOP = 'src/main/java/com/acme/shop/Shop.java';
const SEARCH_LINE = 46;
const SEARCH_COLUMN = 29;

/** What is done before a picture is taken. */
type Scene = { readonly theme: string; readonly play: (page: Page) => Promise<void> };

/** Name below docs/images → scene. */
const scenes: Readonly<Record<string, Scene>> = {
  'vscode.png': {
    theme: 'Default Dark Modern',
    play: async page => {
      await goToLine(page, SEARCH_LINE, SEARCH_COLUMN);
      await runCommand(page, 'insitu: What this calls (runtime)');
      const calls = paneOf(page, 'Runtime calls');
      await calls.locator('.monaco-list-row', { hasText: 'Ranker.best(' }).locator('.monaco-tl-twistie').click();
      await calls.locator('.monaco-list-row', { hasText: 'Ranker.score(' }).first().waitFor();
    },
  },
  'vscode-light.png': {
    theme: 'Default Light Modern',
    play: async page => {
      await runCommand(page, 'insitu: Compare with …');
      await pick(page, 'v1');
      await page.locator('.statusbar', { hasText: 'vs v1' }).waitFor();
      await goToLine(page, SEARCH_LINE + 16, 16);
      await runCommand(page, 'Show or Focus Hover');
      await page.locator('.monaco-hover:visible', { hasText: 'Make it 100 %' }).waitFor();
    },
  },
};

/** The bytes of each picture, by name. */
export async function vscodePictures(engines: EditorEngines): Promise<ReadonlyMap<string, Uint8Array>> {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-picture-'));
  const shop = shopInGit();
  const pictures = new Map<string, Uint8Array>();
  try {
    const vsix = join(folder, 'insitu.vsix');
    await buildVsix(vsix);
    for (const [name, { theme, play }] of Object.entries(scenes)) {
      const editor = await openEditor(engines, {
        ...{ extensions: [vsix], folder: shop.repository.root, file: SHOP, size: { width: 1200, height: 720 } },
        env: { INSITU_STORE: shop.store, ...shop.repository.env },
        settings: { 'workbench.colorTheme': theme, 'breadcrumbs.enabled': false, 'editor.fontSize': 12 },
      });
      try {
        const { page } = editor;
        page.setDefaultTimeout(120_000);
        await goToLine(page, SEARCH_LINE + 14);
        await someHint(page);
        await play(page);
        // What fades in or moves comes to rest.
        await page.waitForTimeout(3_000);
        pictures.set(name, await page.screenshot());
      } finally {
        await editor.close();
      }
    }
  } finally {
    shop.remove();
    rmSync(folder, { recursive: true, force: true });
  }
  return pictures;
}
