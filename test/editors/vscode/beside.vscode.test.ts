// Two servers on one buffer in a real VS Code: hints of ours and errors of a real Eclipse JDT LS both show, before and after edits.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packVsix } from '../../../.ci/vsix.ts';
import { expectedHints } from '../../oracle/oracle.ts';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { eclipseArguments, SETTINGS } from '../jdtls/jdtls.ts';
import { second } from '../neovim/expected-shop.ts';
import { enterLines, goToLine, runCommand, viewRows } from './driving.ts';
import { drawnHints, type Editor, type EditorEngines, someHint } from './editor.ts';
import { SHOP, type ShopStage, shopStage } from './shop-stage.ts';

const SEARCH_LINE = 46;
/** Eclipse takes its time with what it is asked first. */
const SLOW = { timeout: 100_000, interval: 500 };

needs('vscode', 'two servers', vscode =>
  needs('chromium', 'in Chromium', chromium =>
    needs('jdk17', 'on the sample', () =>
      needs('jdk25', 'by the oracle', java =>
        needs('jdtls', 'beside Eclipse JDT LS', jdtls => checkBoth({ vscode, chromium }, java, jdtls)),
      ),
    ),
  ),
);

/** Packs an extension that starts a Java server. */
async function javaExtension(folder: string): Promise<string> {
  const unpacked = join(folder, 'java-server');
  const entry = join(import.meta.dirname, 'java-server.ts');
  const outfile = join(unpacked, 'extension.cjs');
  mkdirSync(unpacked);
  await build({
    ...{ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'cjs' },
    ...{ mainFields: ['module', 'main'], external: ['vscode'], logLevel: 'warning' },
  });
  const manifest = {
    ...{
      name: 'java-server',
      displayName: 'Java server',
      publisher: 'test',
      version: '0.0.1',
      description: 'For tests.',
    },
    ...{ engines: { vscode: '^1.104.0' }, main: './extension.cjs', activationEvents: ['onLanguage:java'] },
    ...{ categories: ['Other'], keywords: [], icon: 'README.md', extensionKind: ['workspace'] },
  };
  writeFileSync(join(unpacked, 'package.json'), JSON.stringify(manifest));
  for (const name of ['README.md', 'LICENSE.txt']) writeFileSync(join(unpacked, name), 'For tests.\n');
  const file = join(folder, 'java-server.vsix');
  writeFileSync(file, packVsix(unpacked));
  return file;
}

function checkBoth(engines: EditorEngines, java: Engine, jdtls: Engine): void {
  let stage: ShopStage;
  let editor: Editor;
  let wanted: { readonly line: number; readonly text: string }[];
  beforeAll(async () => {
    wanted = expectedHints(second)[0]!
      .hints.filter(({ file }) => file === SHOP)
      .sort((a, b) => a.line - b.line);
    stage = await shopStage(engines);
    const { folder } = stage;
    const server = { command: java.program('java'), args: eclipseArguments(jdtls, folder), settings: SETTINGS };
    editor = await stage.open({
      extensions: [await javaExtension(folder)],
      env: { TEST_JAVA_SERVER: JSON.stringify(server) },
    });
    await someHint(editor.page);
  });
  afterAll(() => stage?.close());

  const expectHints = (moved: number): Promise<void> =>
    expect
      .poll(async () => (await drawnHints(editor.page)).map(({ line, text }) => `${line} ${text}`), SLOW)
      .toEqual(wanted.map(({ line, text }) => `${line + moved} ${text}`));

  test('hints of ours stand beside the parameter names of Eclipse, a hover has the words of both, and calls that ran are a view', async () => {
    const { page } = editor;
    await expectHints(0);
    const text = async (): Promise<string> =>
      ((await page.locator('.view-lines').first().textContent()) ?? '').replaceAll('\u00a0', ' ');
    await expect.poll(text, SLOW).toMatch(/similar\([^)]*limit:\s?5\)/);
    await expectHints(0);
    const hover = page.locator('.monaco-hover:visible');
    // Ours, and the comment at the method, which only Eclipse tells.
    const words = ['Make it 100 %', 'Products that match a query, best first.'];
    const missing = async (): Promise<string[]> => {
      const shown = (await hover.allTextContents()).join();
      const lacking = words.filter(each => !shown.includes(each));
      if (lacking.length === 0) return [];
      // A hover that opened before a server answered does not change any more.
      await page.keyboard.press('Escape');
      await goToLine(page, SEARCH_LINE, 29);
      await runCommand(page, 'Show or Focus Hover');
      return lacking;
    };
    await expect.poll(missing, { ...SLOW, interval: 5_000 }).toEqual([]);
    await runCommand(page, 'insitu: What this calls (runtime)');
    await expect
      .poll(() => viewRows(page, 'Runtime calls'), SLOW)
      .toContainEqual(expect.stringContaining('Ranker.best('));
  });

  test('hints of ours stand beside errors of Eclipse, and move with the text', async () => {
    const { page } = editor;
    await expectHints(0);
    await goToLine(page, 1);
    await enterLines(page, 1);
    await expectHints(1);
    await goToLine(page, SEARCH_LINE + 2);
    await page.keyboard.type('int wrong = "text";');
    await page.locator('.squiggly-error').first().waitFor({ timeout: SLOW.timeout });
    await expect
      .poll(async () => (await drawnHints(page)).some(({ text }) => text.startsWith('~28%')), SLOW)
      .toBe(true);
    await runCommand(page, 'File: Revert File');
    await expectHints(0);
  });
}
