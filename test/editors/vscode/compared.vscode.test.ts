// The findings of a comparison, in a real VS Code: the findings come first, the open file is marked, and both sources stand beside each other.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { needs } from '../../support/engines/needs.ts';
import { COMPARED_FILE, type ComparedShop, comparedShop } from '../../support/stores/compared-shop.ts';
import { choice, pick, runCommand } from './driving.ts';
import { drawnHints, type Editor, type EditorEngines } from './editor.ts';
import { type ShopStage, shopStage } from './shop-stage.ts';

/** For what a loaded machine does in its own time. */
const PATIENCE = { timeout: 80_000, interval: 250 };

needs('vscode', 'comparisons', vscode =>
  needs('chromium', 'in Chromium', chromium => checkComparison({ vscode, chromium })),
);

function checkComparison(engines: EditorEngines): void {
  let shop: ComparedShop;
  let stage: ShopStage;
  let editor: Editor;
  beforeAll(async () => {
    shop = await comparedShop();
    stage = await shopStage(engines);
    const env = { ...shop.scratch.env, INSITU_STORE: shop.store };
    const size = { width: 1500, height: 900 };
    editor = await stage.open({ folder: shop.scratch.root, file: COMPARED_FILE, env, size });
  });
  afterAll(async () => {
    await stage?.close();
    shop?.scratch.remove();
  });

  test('findings come first, each with the source of both versions', async () => {
    const { page } = editor;
    await expect.poll(async () => (await drawnHints(page)).length, PATIENCE).toBeGreaterThan(2);
    await runCommand(page, 'insitu: Compare with …');
    await pick(page, 'a');
    const sentence = `slower: Shop.match, changed in ${shop.commit}: +`;
    await choice(page, sentence).waitFor({ timeout: PATIENCE.timeout });
    await choice(page, sentence).click();
    await choice(page, 'Open the source of both versions').waitFor();
    await pick(page, 'Open the source of both versions');
    const shown = async () =>
      (await page.locator('.monaco-diff-editor .view-line').allInnerTexts()).map(text =>
        text.replaceAll('\u00a0', ' ').trim(),
      );
    await expect
      .poll(shown, PATIENCE)
      .toEqual(expect.arrayContaining(['void match(int i) {}', 'void match(int i) { new int[i].clone(); }']));
  });

  test('the method in the open file has a diagnostic with the sentence', async () => {
    const { page } = editor;
    await runCommand(page, 'Problems: Focus on Problems View');
    const rows = page.locator('.markers-panel .monaco-list-row');
    const problems = async () => (await rows.allInnerTexts()).map(text => text.replaceAll('\u00a0', ' '));
    await expect
      .poll(problems, PATIENCE)
      .toContainEqual(expect.stringContaining(`slower: Shop.match, changed in ${shop.commit}: +`));
  });
}
