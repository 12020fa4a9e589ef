// A day in VS Code: colours of hot code, sources that open beside pictures, implementations that ran, and commands at the cursor.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { needs } from '../../support/engines/needs.ts';
import { goToLine, paneOf, runCommand, showFile, viewRows } from './driving.ts';
import { type Editor, type EditorEngines, someHint } from './editor.ts';
import { SHOP, type ShopStage, SOURCES, shopStage } from './shop-stage.ts';

/** For what a loaded machine does in its own time. */
const PATIENCE = { timeout: 60_000, interval: 250 };

needs('vscode', 'a day', vscode => needs('chromium', 'in Chromium', chromium => checkDay({ vscode, chromium })));

function checkDay(engines: EditorEngines): void {
  let stage: ShopStage;
  let editor: Editor;
  beforeAll(async () => {
    stage = await shopStage(engines);
    editor = await stage.open({
      size: { width: 1500, height: 900 },
      settings: { 'workbench.colorTheme': 'Default Dark Modern' },
    });
    await someHint(editor.page);
  });
  afterAll(() => stage?.close());

  const textOf = (file: string): string[] =>
    readFileSync(join(stage.shop.repository.root, SOURCES, file), 'utf8').split('\n');
  /** Puts the cursor on a name in a file. */
  const goToName = async (file: string, line: RegExp, name: string): Promise<void> => {
    const lines = textOf(file);
    const at = lines.findIndex(each => line.test(each));
    await goToLine(editor.page, at + 1, lines[at]!.indexOf(name) + 1);
  };
  const rows = (): Locator => editor.page.locator('.quick-input-widget:visible .monaco-list-row');
  const title = (): Promise<string | null> =>
    editor.page.locator('.quick-input-widget:visible .quick-input-title').textContent();

  test('implementations that ran are listed with their shares, and lead to their code', async () => {
    const { page } = editor;
    await showFile(page, SHOP);
    await goToName(SHOP, /query\.find\(index\)/, 'find');
    await runCommand(page, 'insitu: Implementations that ran');
    await rows().first().waitFor({ timeout: PATIENCE.timeout });
    const shares = (await rows().allTextContents()).map(text => Number(/^([\d.]+)%/.exec(text.trim())?.[1]));
    expect(shares.length).toBeGreaterThan(1);
    expect(shares).toEqual([...shares].sort((a, b) => b - a));
    await rows().first().click();
    await page.locator('.tab.active', { hasText: 'Query.java' }).waitFor({ timeout: PATIENCE.timeout });
  });

  test('the heaviest path and the picture begin at the method under the cursor', async () => {
    const { page } = editor;
    await showFile(page, SHOP);
    await goToName(SHOP, /public List<Product> search\(/, 'search');
    await runCommand(page, 'insitu: Follow the heaviest path');
    await rows().first().waitFor({ timeout: PATIENCE.timeout });
    expect(await title()).toContain('from Shop.search');
    expect(await rows().first().textContent()).toContain('Shop.search');
    await page.keyboard.press('Escape');
    await runCommand(page, 'insitu: Show picture');
    const panel = page.frameLocator('iframe.webview').frameLocator('#active-frame');
    await panel.locator('.picture canvas[data-drawn]').waitFor({ timeout: PATIENCE.timeout });
    expect(await panel.locator('.breadcrumb').textContent()).toContain('search');
  });

  test('a click in a view or a hover opens the source where code is, never over the picture', async () => {
    const { page } = editor;
    const panel = page.frameLocator('iframe.webview').frameLocator('#active-frame');
    const canvas = panel.locator('.picture canvas').first();
    const tabs = (): Promise<number> => page.locator('.editor-group-container').count();
    await canvas.click();
    await runCommand(page, 'insitu: Focus on Hot methods View');
    await canvas.click();
    await expect.poll(async () => (await viewRows(page, 'Hot methods')).length, PATIENCE).toBeGreaterThan(5);
    await paneOf(page, 'Hot methods').locator('.monaco-list-row', { hasText: 'TextIndex.' }).first().click();
    await page.locator('.tab.active', { hasText: 'TextIndex.java' }).waitFor({ timeout: PATIENCE.timeout });
    expect(await canvas.isVisible()).toBe(true);
    expect(await tabs()).toBe(2);
    // The picture has the focus while the pointer is on the code.
    await showFile(page, SHOP);
    await canvas.click();
    const name = page
      .locator('.editor-instance .view-line', { hasText: 'search(String' })
      .locator('span', { hasText: 'search' });
    await name.last().hover();
    const link = page.locator('.monaco-hover:visible a', { hasText: /^Ranker\.java:/ }).first();
    await link.click({ timeout: PATIENCE.timeout });
    await page.locator('.tab.active', { hasText: 'Ranker.java' }).waitFor({ timeout: PATIENCE.timeout });
    expect(await canvas.isVisible()).toBe(true);
  });
}
