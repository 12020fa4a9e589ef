// Predictions in a real VS Code: what an unsaved edit is told to cost stands beside the shares, as in Neovim.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { needs } from '../../support/engines/needs.ts';
import { PREDICTED_FILE, PREDICTED_TEXT, type PredictedShop, predictedShop } from '../neovim/predicted-shop.ts';
import { goToLine } from './driving.ts';
import { drawnHints, type Editor, type EditorEngines } from './editor.ts';
import { type ShopStage, shopStage } from './shop-stage.ts';

/** For what a loaded machine does in its own time. */
const PATIENCE = { timeout: 80_000, interval: 250 };
/** The loop of `Shop.review`, which runs twelve times a review. */
const LOOP = 'known += index.frequency(word, product.id()) > 0 ? 1 : 0;';

needs('vscode', 'predictions', vscode =>
  needs('chromium', 'in Chromium', chromium => checkPredictions({ vscode, chromium })),
);

function checkPredictions(engines: EditorEngines): void {
  let shop: PredictedShop;
  let stage: ShopStage;
  let editor: Editor;
  beforeAll(async () => {
    shop = await predictedShop();
    stage = await shopStage(engines);
    const env = { ...shop.scratch.env, INSITU_STORE: shop.store };
    editor = await stage.open({ folder: shop.scratch.root, file: PREDICTED_FILE, env });
  });
  afterAll(async () => {
    await stage?.close();
    shop?.scratch.remove();
  });

  test('stand behind the share of a method, and behind lines that have none', async () => {
    const onScreen = async (): Promise<string[]> =>
      (await drawnHints(editor.page)).map(({ line, text }) => `${line} ${text}`);
    await expect.poll(onScreen, PATIENCE).toContainEqual(expect.stringMatching(/^62 .*%/));
    const line = PREDICTED_TEXT.slice(0, PREDICTED_TEXT.indexOf(LOOP)).split('\n').length;
    await goToLine(editor.page, line + 1);
    // In one line, so that the editor has nothing to indent.
    await editor.page.keyboard.insertText('for (int i = 0; i < 3; i++) learn(i);');
    const predicted = async () => (await onScreen()).filter(each => each.includes('≈'));
    await expect
      .poll(predicted, PATIENCE)
      .toEqual([
        expect.stringMatching(/^62 .*≈ \+2\.88 s likely$/),
        ...[line - 1, line + 1].map(each => expect.stringMatching(new RegExp(`^${each} .*≈ \\+2\\.88 s likely$`))),
      ]);
  });
}
