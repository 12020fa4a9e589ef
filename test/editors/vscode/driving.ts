// Drives VS Code as a person does: commands by their names, files by quick open, rows of views, the text itself.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';

/** Quick inputs open slowly on a busy machine, and what is typed before they are open goes into the text. */
const OPEN_MILLIS = 30_000;

async function typeInto(page: Page, text: string): Promise<void> {
  const box = page.locator('.quick-input-widget:visible input.input');
  await box.waitFor({ timeout: OPEN_MILLIS });
  await box.fill(text);
}

/** The first row of the open quick input that has a text. */
export function choice(page: Page, text: string): Locator {
  return page.locator('.quick-input-widget:visible .monaco-list-row', { hasText: text }).first();
}

/** Runs a command by its title. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await page.keyboard.press('Escape');
  await page.keyboard.press('F1');
  await typeInto(page, `>${title}`);
  await choice(page, title).click({ timeout: OPEN_MILLIS });
}

/** Picks a row of the quick input that a command has opened. */
export async function pick(page: Page, text: string): Promise<void> {
  await choice(page, text).click({ timeout: OPEN_MILLIS });
}

/** Shows a file of the workspace. */
export async function showFile(page: Page, file: string): Promise<void> {
  const name = file.split('/').at(-1) ?? file;
  const tab = page.locator('.tab.active', { hasText: name });
  if ((await tab.count()) > 0) return;
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+p');
  await typeInto(page, file);
  await pick(page, name);
  await tab.waitFor({ timeout: OPEN_MILLIS });
}

/** Puts the cursor to a line (from 1) and column of the file that is shown. */
export async function goToLine(page: Page, line: number, column = 1): Promise<void> {
  await page.keyboard.press('Control+g');
  await typeInto(page, `:${line}:${column}`);
  await sleep(200);
  await page.keyboard.press('Enter');
  await page.locator('.statusbar', { hasText: `Ln ${line}, Col ${column}` }).waitFor({ timeout: OPEN_MILLIS });
}

/** Texts of a view's rows: label and description. */
export async function viewRows(page: Page, view: string): Promise<string[]> {
  const rows = paneOf(page, view).locator('.monaco-list-row');
  const texts = await rows.evaluateAll(found => found.map(row => row.getAttribute('aria-label') ?? ''));
  return texts;
}

export function paneOf(page: Page, view: string): Locator {
  return page.locator('.part.sidebar .pane', { has: page.locator('.pane-header', { hasText: new RegExp(view, 'i') }) });
}

export async function statusBar(page: Page): Promise<string> {
  const texts = await page.locator('.statusbar-item[id*="insitu"]').allInnerTexts();
  return texts.join(' ').replace(/\s+/g, ' ').trim();
}

/** Replaces the user's settings in their own editor, as a person does: they hold when this is done. */
export async function writeSettings(page: Page, settings: object): Promise<void> {
  await runCommand(page, 'Preferences: Open User Settings (JSON)');
  const tab = page.locator('.tab.active', { hasText: 'settings.json' });
  await tab.waitFor({ timeout: OPEN_MILLIS });
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(JSON.stringify(settings));
  await page.keyboard.press('Control+s');
  await page.locator('.tab.active:not(.dirty)', { hasText: 'settings.json' }).waitFor({ timeout: OPEN_MILLIS });
  await runCommand(page, 'View: Close Editor');
  await tab.waitFor({ state: 'detached', timeout: OPEN_MILLIS });
}
