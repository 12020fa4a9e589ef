// The page of pictures in a panel of a real VS Code: it draws, opens sources and saves files, and our server listens on no port.
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { needs } from '../../support/engines/needs.ts';
import { patient } from '../../support/patience.ts';
import { accept, goToLine, runCommand } from './driving.ts';
import { type Editor, type EditorEngines, someHint } from './editor.ts';
import { SHOP, type ShopStage, SOURCES, shopStage } from './shop-stage.ts';

/** For what a loaded machine does in its own time. */
const PATIENCE = { timeout: 60_000, interval: 250 };
const METHOD = 'com.acme.shop.Shop.search(';
/** The state of a listening socket in /proc/net/tcp. */
const LISTENING = '0A';

needs('vscode', 'the panel of pictures', vscode =>
  needs('chromium', 'in Chromium', chromium => checkPanel({ vscode, chromium })),
);

/** Processes whose command line names the unpacked extension. */
function ourServers(): string[] {
  return readdirSync('/proc').filter(pid => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return /\/extensions\/insitu\.insitu/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
    } catch {
      return false;
    }
  });
}

/** Inodes of sockets that listen on any TCP port. */
function listening(pid: string): Set<string> {
  return new Set(
    ['tcp', 'tcp6'].flatMap(table =>
      readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
        .split('\n')
        .slice(1)
        .map(row => row.trim().split(/\s+/))
        .flatMap(([, , , state, , , , , , inode]) => (state === LISTENING && inode !== undefined ? [inode] : [])),
    ),
  );
}

/** Sockets that a process has open and listens on. */
function portsOf(pid: string): string[] {
  const inodes = listening(pid);
  return readdirSync(`/proc/${pid}/fd`).flatMap(file => {
    try {
      const [, inode = ''] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${file}`)) ?? [];
      return inodes.has(inode) ? [inode] : [];
    } catch {
      return [];
    }
  });
}

function checkPanel(engines: EditorEngines): void {
  let stage: ShopStage;
  let editor: Editor;
  let panel: FrameLocator;
  beforeAll(async () => {
    stage = await shopStage(engines);
    editor = await stage.open({ size: { width: 1600, height: 900 } });
    await someHint(editor.page);
    await goToLine(editor.page, 1);
    await runCommand(editor.page, 'insitu: Show picture');
    panel = editor.page.frameLocator('iframe.webview').frameLocator('#active-frame');
    // The panel begins with what the program does.
    await panel.locator('.overview .sentence').click({ timeout: patient(60_000) });
    await editor.page.keyboard.press('1');
    await panel.locator('.picture canvas[data-drawn]').waitFor({ timeout: patient(60_000) });
  });
  afterAll(() => stage?.close());

  const noPort = (): void => {
    const servers = ourServers();
    expect(servers.length).toBeGreaterThan(0);
    expect(servers.flatMap(portsOf)).toEqual([]);
  };

  /** Flames with their table, and the method selected. */
  async function selectMethod(): Promise<void> {
    await panel.locator('.picture canvas').first().focus();
    await editor.page.keyboard.press('2');
    await panel.locator('.picture canvas[data-drawn]').waitFor();
    if ((await panel.locator('.beside').count()) === 0) await editor.page.keyboard.press('d');
    await panel.locator(`.beside tbody button[aria-label^="${METHOD}"]`).first().click();
  }

  test('boxes are drawn without a port, and o opens the method in the editor', async () => {
    await selectMethod();
    expect(await panel.locator('.beside tbody tr').count()).toBeGreaterThan(10);
    noPort();
    await editor.page.keyboard.press('o');
    const text = readFileSync(join(stage.shop.repository.root, SOURCES, SHOP), 'utf8').split('\n');
    const line = text.findIndex(each => /^ {4}[\w<>, ]+ search\(.*\{$/.test(each)) + 1;
    expect(line).toBeGreaterThan(1);
    await expect
      .poll(() => editor.page.locator('.statusbar').textContent(), PATIENCE)
      .toMatch(new RegExp(`Ln ${line}, Col \\d+`));
    noPort();
    await expect.poll(() => panel.locator('.picture canvas').first().isVisible(), PATIENCE).toBe(true);
  });

  test('a picture is saved as a file', async () => {
    await panel
      .locator('.picture canvas')
      .first()
      .click({ position: { x: 60, y: 30 } });
    await editor.page.keyboard.press('m');
    await panel.getByRole('menuitem', { name: 'Save picture as SVG' }).click();
    const name = editor.page
      .locator('.quick-input-widget:visible', { hasText: 'Save from insitu' })
      .locator('input.input');
    await expect.poll(() => name.inputValue(), PATIENCE).toMatch(/\.svg$/);
    const file = await name.inputValue();
    await accept(editor.page, 'Save from insitu');
    await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8'), PATIENCE).toContain('<svg');
    noPort();
    expect(editor.log()).not.toContain('[error]');
  });
}
