// A window of two folders in a real VS Code, not trusted at first: each file has the numbers of its own project, and folders do not say where numbers come from.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectedHints } from '../../oracle/oracle.ts';
import { needs } from '../../support/engines/needs.ts';
import { insituProgram } from '../../support/insitu/program.ts';
import { second } from '../neovim/expected-shop.ts';
import { runCommand, showFile, statusBar, viewRows } from './driving.ts';
import { drawnHints, type Editor, type EditorEngines, someHint } from './editor.ts';
import { SHOP, type ShopStage, shopStage } from './shop-stage.ts';

const TELLER = 'package bank;\n\nclass Teller {\n  void pay() {\n  }\n}\n';
/** For what a loaded machine does in its own time. */
const PATIENCE = { timeout: 60_000, interval: 250 };

needs('vscode', 'several folders', vscode =>
  needs('chromium', 'in Chromium', chromium =>
    needs('jdk17', 'with the sample', () => needs('jdk25', 'by the oracle', () => checkFolders({ vscode, chromium }))),
  ),
);

/** A second project with numbers in the same store. */
function makeBank(folder: string, store: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, 'insitu.json'), JSON.stringify({ project: 'bank', program: 'teller' }));
  writeFileSync(join(folder, 'Teller.java'), TELLER);
  writeFileSync(join(folder, 'teller.collapsed'), 'bank.Teller.pay 70\nbank.Teller.other 30\n');
  const args = [insituProgram, 'import', 'teller.collapsed', '--version', '3', '--store', store];
  execFileSync(process.execPath, args, { cwd: folder, stdio: 'pipe' });
}

function checkFolders(engines: EditorEngines): void {
  let stage: ShopStage;
  let editor: Editor;
  let wanted: string[];
  beforeAll(async () => {
    wanted = expectedHints(second)[0]!
      .hints.filter(({ file }) => file === SHOP)
      .sort((a, b) => a.line - b.line)
      .map(({ line, text }) => `${line} ${text}`);
    stage = await shopStage(engines);
    const bank = join(stage.folder, 'bank');
    makeBank(bank, stage.shop.store);
    const workspace = join(stage.folder, 'both.code-workspace');
    const folders = [stage.shop.repository.root, bank].map(path => ({ path }));
    writeFileSync(workspace, JSON.stringify({ folders, settings: { 'insitu.store': stage.emptyStore } }));
    editor = await stage.open({ workspace, restricted: true });
    await someHint(editor.page);
  });
  afterAll(() => stage?.close());

  const hints = async (): Promise<string[]> =>
    (await drawnHints(editor.page)).map(({ line, text }) => `${line} ${text}`);

  test('each file has the hints of its own project, and so have the views', async () => {
    const { page } = editor;
    await expect.poll(() => page.locator('.statusbar').textContent(), PATIENCE).toContain('Restricted Mode');
    await expect.poll(hints, PATIENCE).toEqual(wanted);
    await showFile(page, 'Teller.java');
    await expect.poll(hints, PATIENCE).toEqual([expect.stringMatching(/^4 70%/)]);
    await runCommand(page, 'insitu: Focus on Hot methods View');
    await expect
      .poll(() => viewRows(page, 'Hot methods'), PATIENCE)
      .toEqual([expect.stringContaining('70%  Teller.pay'), expect.stringContaining('30%  Teller.other')]);
    await showFile(page, 'Shop.java');
    await expect
      .poll(() => viewRows(page, 'Hot methods'), PATIENCE)
      .toContainEqual(expect.stringContaining('  TextIndex.postings '));
    expect(editor.log()).not.toContain('[error]');
  });

  test('once the window is trusted, its own settings hold', async () => {
    await editor.reload({ 'security.workspace.trust.enabled': false });
    await expect.poll(() => statusBar(editor.page), PATIENCE).toBe('insitu: no data');
    expect(await hints()).toEqual([]);
  });
}
