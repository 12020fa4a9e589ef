// Two servers on one buffer in a real VS Code: hints of ours and errors of a real Eclipse JDT LS both show, before and after edits.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildVsix, packVsix } from '../../../.ci/vsix.ts';
import { expectedHints } from '../../oracle/oracle.ts';
import type { Engine } from '../../support/engines.ts';
import { needs } from '../../support/needs.ts';
import { eclipseArguments, SETTINGS } from '../jdtls/jdtls.ts';
import { type ShopInGit, second, shopInGit } from '../neovim/expected-shop.ts';
import { goToLine, runCommand } from './driving.ts';
import { drawnHints, type Editor, type EditorEngines, openEditor, someHint } from './editor.ts';

const SHOP = 'com/acme/shop/Shop.java';
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
  let folder: string;
  let shop: ShopInGit;
  let editor: Editor;
  let wanted: { readonly line: number; readonly text: string }[];
  beforeAll(async () => {
    wanted = expectedHints(second)[0]!
      .hints.filter(({ file }) => file === SHOP)
      .sort((a, b) => a.line - b.line);
    folder = mkdtempSync(join(tmpdir(), 'insitu-beside-'));
    const vsix = join(folder, 'insitu.vsix');
    await buildVsix(vsix);
    shop = shopInGit();
    const server = { command: java.program('java'), args: eclipseArguments(jdtls, folder), settings: SETTINGS };
    editor = await openEditor(engines, {
      extensions: [vsix, await javaExtension(folder)],
      folder: shop.repository.root,
      file: `src/main/java/${SHOP}`,
      env: { INSITU_STORE: shop.store, ...shop.repository.env, TEST_JAVA_SERVER: JSON.stringify(server) },
      size: { width: 1500, height: 3_600 },
    });
    await someHint(editor.page);
  }, 300_000);
  afterAll(async () => {
    await editor?.close();
    shop?.remove();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const expectHints = (moved: number): Promise<void> =>
    expect
      .poll(async () => (await drawnHints(editor.page)).map(({ line, text }) => `${line} ${text}`), SLOW)
      .toEqual(wanted.map(({ line, text }) => `${line + moved} ${text}`));

  test('hints of ours stand beside the parameter names and errors of Eclipse, and move with the text', async () => {
    const { page } = editor;
    await expectHints(0);
    await goToLine(page, 1);
    await page.keyboard.press('Enter');
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
