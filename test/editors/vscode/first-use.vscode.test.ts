// A newcomer's way in a real VS Code: from an empty store to numbers, by a recording that is imported and by a JVM that is recorded.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectedHints } from '../../oracle/oracle.ts';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { compiledShop, ends, type Process, startShop } from '../../support/recorders/recording-shop.ts';
import { second } from '../neovim/expected-shop.ts';
import { accept, chooseFile, goToLine, paneOf, pick, runCommand, statusBar, viewRows } from './driving.ts';
import { drawnHints, type Editor, type EditorEngines } from './editor.ts';
import { SHOP, type ShopStage, shopStage } from './shop-stage.ts';

/** For what a loaded machine does in its own time. */
const PATIENCE = { timeout: 80_000, interval: 250 };
const NO_DATA = /there are no recordings of this project yet/i;
/** Words that mean something in a terminal alone. */
const COMMAND_LINE = /--\w|insitu (?:import|record|top)\b/;

needs('vscode', 'first use', vscode =>
  needs('chromium', 'in Chromium', chromium =>
    needs('jdk17', 'of the sample', jdk =>
      needs('jdk25', 'by the oracle', () => checkFirstUse({ vscode, chromium }, jdk)),
    ),
  ),
);

function checkFirstUse(engines: EditorEngines, jdk: Engine): void {
  let stage: ShopStage;
  let editor: Editor;
  let jvm: Process | undefined;
  beforeAll(async () => {
    compiledShop(jdk);
    stage = await shopStage(engines);
    editor = await stage.open({ env: { INSITU_STORE: stage.emptyStore } });
  });
  afterAll(async () => {
    if (jvm !== undefined) await ends(jvm, 'SIGKILL');
    await stage?.close();
  });

  const bar = (): Promise<string> => statusBar(editor.page);
  const toasts = (): Promise<string[]> => editor.page.locator('.notification-toast').allInnerTexts();
  const executions = (): Promise<string[]> => viewRows(editor.page, 'Executions');

  test('without data two ways to get some come first: in the tooltip, behind a click, for Why, and in the picture', async () => {
    const { page } = editor;
    await expect.poll(bar, PATIENCE).toBe('insitu: no data');
    const ways = ['Import a recording', 'Record a JVM'];
    const item = page.locator('.statusbar-item', { hasText: 'insitu: no data' });
    const tooltip = page.locator('.monaco-hover:visible', { hasText: NO_DATA });
    // A change of the status bar takes the tooltip away.
    await expect
      .poll(async () => {
        await page.mouse.move(400, 300);
        await item.hover();
        await page.waitForTimeout(1_500);
        return tooltip.count();
      }, PATIENCE)
      .toBe(1);
    expect(await tooltip.locator('a').allInnerTexts()).toEqual(ways);
    expect((await tooltip.allInnerTexts()).join()).not.toMatch(COMMAND_LINE);

    await item.click();
    const offered = page.locator('.quick-input-widget:visible .monaco-list-row');
    await offered.first().waitFor();
    expect((await offered.allInnerTexts()).slice(0, 2)).toEqual([
      expect.stringContaining('Import a recording'),
      expect.stringContaining('Record a JVM'),
    ]);
    await page.keyboard.press('Escape');

    await goToLine(page, 46, 29);
    await runCommand(page, 'insitu: Why this has its number, or none');
    const toast = page.locator('.notification-toast', { hasText: NO_DATA });
    await toast.waitFor();
    expect(await toast.getByRole('button').allInnerTexts()).toEqual(expect.arrayContaining(ways));
    expect((await toast.allInnerTexts()).join()).not.toMatch(COMMAND_LINE);
    await runCommand(page, 'Notifications: Clear All Notifications');

    await runCommand(page, 'insitu: Show picture of everything');
    const panel = page.frameLocator('iframe.webview').frameLocator('#active-frame');
    await panel.getByText(NO_DATA).waitFor();
    for (const name of ways) await panel.getByRole('button', { name }).waitFor();
    const text = (await panel.locator('body').allInnerTexts()).join();
    expect(text).not.toMatch(COMMAND_LINE);
    expect(text).not.toContain('Loading');
    await panel.getByRole('button', { name: 'Import a recording' }).click();
    await page.locator('.quick-input-widget:visible', { hasText: 'Recordings to import' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('a recording is imported as of the project and of the commit that is checked out, and its numbers stand', async () => {
    const { page } = editor;
    const recording = second.recordings[0]!;
    await expect.poll(bar, PATIENCE).toBe('insitu: no data');
    await runCommand(page, 'insitu: Import a recording …');
    await chooseFile(page, 'Recordings to import', recording);
    await accept(page, 'Program that was recorded');
    await accept(page, 'Version that was recorded');
    // The commit that is checked out, by its tag. Its toast goes after some seconds, so the buttons are read with it.
    const toast = page.locator('.notification-toast', { hasText: 'insitu: imported 1 recording as shop v2.' });
    await toast.waitFor({ timeout: PATIENCE.timeout });
    const buttons = await toast.getByRole('button').allInnerTexts();
    expect(buttons).toEqual(expect.arrayContaining(['Show', 'Compare with it']));
    const [{ hints }] = expectedHints({ ...second, recordings: [recording] }) as [ReturnType<typeof expectedHints>[0]];
    const wanted = hints.filter(({ file }) => file === SHOP).sort((a, b) => a.line - b.line);
    const panel = page.frameLocator('iframe.webview').frameLocator('#active-frame');
    await panel.locator('.overview .sentence').waitFor();
    await expect
      .poll(async () => (await drawnHints(page)).map(({ line, text }) => `${line} ${text}`), PATIENCE)
      .toEqual(wanted.map(({ line, text }) => `${line} ${text}`));
    await runCommand(page, 'insitu: Focus on Executions View');
    await expect.poll(executions, PATIENCE).toEqual([expect.stringContaining(`shop ${second.version}`)]);
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  test('a JVM is recorded, what it does is shown alone, and the recording is ended; another choice shows all instances again', async () => {
    const { page } = editor;
    jvm = startShop(jdk, stage.folder, 400);
    // A JVM shows itself a moment after its start.
    const row = page.locator('.quick-input-widget:visible .monaco-list-row', { hasText: `${jvm.pid}` });
    await expect
      .poll(async () => {
        await runCommand(page, 'insitu: Record a JVM …');
        await page.locator('.quick-input-widget:visible, .notification-toast').first().waitFor();
        return row.count();
      }, PATIENCE)
      .toBe(1);
    await pick(page, `${jvm.pid}`);
    await expect.poll(bar, PATIENCE).toMatch(/^rec /);
    await runCommand(page, 'insitu: Focus on Executions View');
    const shown = async (): Promise<string[]> =>
      (await executions()).filter(text => !text.startsWith('shop ') && text.includes('shown'));
    await paneOf(page, 'Executions').locator('.monaco-list-row', { hasText: 'shop ' }).first().waitFor();
    await expect.poll(executions, PATIENCE).toContainEqual(expect.stringContaining('2 instances'));
    await paneOf(page, 'Executions')
      .locator('.monaco-list-row', { hasText: '2 instances' })
      .locator('.monaco-tl-twistie')
      .click();
    await expect.poll(shown, PATIENCE).toEqual([expect.stringContaining(`-${jvm.pid}`)]);
    await expect.poll(async () => (await drawnHints(page)).length, PATIENCE).toBeGreaterThan(3);

    await runCommand(page, 'insitu: End the recording');
    await expect.poll(bar, PATIENCE).not.toMatch(/^rec /);
    await runCommand(page, 'insitu: Show another version …');
    await pick(page, 'What fits the commit checked out');
    await expect.poll(async () => (await shown()).length, PATIENCE).toBe(2);
    expect((await toasts()).join('\n')).not.toMatch(/not there any more|no such parameter/);
  });
}
