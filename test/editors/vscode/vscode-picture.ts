// Pictures of VS Code for the documentation: the sample shop in a dark and in a light window.
import type { Page } from 'playwright-core';
import { goToLine, paneOf, pick, runCommand } from './driving.ts';
import { type EditorEngines, someHint } from './editor.ts';
import { shopStage } from './shop-stage.ts';

const SEARCH_LINE = 46;
const SEARCH_COLUMN = 29;

/** The steps before a picture is taken. */
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
      // The notification would cover the code.
      await page.locator('.notification-toast').first().waitFor();
      await runCommand(page, 'Notifications: Clear All Notifications');
      await goToLine(page, SEARCH_LINE + 16, 16);
      await runCommand(page, 'Show or Focus Hover');
      await page.locator('.monaco-hover:visible', { hasText: 'Make it 100 %' }).waitFor();
    },
  },
};

/** The bytes of each picture, by name. */
export async function vscodePictures(engines: EditorEngines): Promise<ReadonlyMap<string, Uint8Array>> {
  const stage = await shopStage(engines);
  const pictures = new Map<string, Uint8Array>();
  try {
    for (const [name, { theme, play }] of Object.entries(scenes)) {
      const editor = await stage.open({
        size: { width: 1200, height: 720 },
        settings: { 'workbench.colorTheme': theme, 'breadcrumbs.enabled': false, 'editor.fontSize': 12 },
      });
      try {
        const { page } = editor;
        page.setDefaultTimeout(120_000);
        await goToLine(page, SEARCH_LINE + 14);
        await someHint(page);
        await play(page);
        // Parts that fade in or move come to rest.
        await page.waitForTimeout(3_000);
        pictures.set(name, await page.screenshot());
      } finally {
        await editor.close();
      }
    }
  } finally {
    await stage.close();
  }
  return pictures;
}
