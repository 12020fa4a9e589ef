// Drives VS Code as a person does: commands by their names, files by quick open, rows of views, the text itself.
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { patient } from '../../support/patience.ts';

/** Quick inputs open slowly on a busy machine, and what is typed before they are open goes into the text. */
const OPEN_MILLIS = 30_000;

async function typeInto(page: Page, text: string, timeout = patient(OPEN_MILLIS)): Promise<void> {
  const box = page.locator('.quick-input-widget:visible input.input');
  await box.waitFor({ timeout });
  await box.fill(text, { timeout });
}

/** The first row of the open quick input that has a text. */
export function choice(page: Page, text: string | RegExp): Locator {
  return page.locator('.quick-input-widget:visible .monaco-list-row', { hasText: text }).first();
}

/** Runs a command by its title. A window that is busy with a picture may take the focus from the list of commands, which closes it. */
export async function runCommand(page: Page, title: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const timeout = 5_000 * attempt;
    await page.keyboard.press('Escape');
    await page.keyboard.press('F1');
    try {
      await typeInto(page, `>${title}`, timeout);
      await choice(page, title).click({ timeout });
      return;
    } catch (failure) {
      if (attempt === 5) throw failure;
    }
  }
}

/** Picks a row of the quick input that a command has opened. */
export async function pick(page: Page, text: string): Promise<void> {
  await choice(page, text).click({ timeout: patient(OPEN_MILLIS) });
}

/** Accepts the proposed answer to the question that a command has asked. */
export async function accept(page: Page, question: string): Promise<void> {
  const asked = page.locator('.quick-input-widget:visible', { hasText: question });
  await asked.locator('input.input').press('Enter', { timeout: patient(OPEN_MILLIS) });
  await asked.waitFor({ state: 'hidden', timeout: patient(OPEN_MILLIS) });
}

/** Types the path of a file into the dialog of that title, which looks into each folder on the way. */
export async function chooseFile(page: Page, title: string, path: string): Promise<void> {
  const asked = page.locator('.quick-input-widget:visible', { hasText: title });
  // The dialog begins with a folder of its own choice.
  await asked
    .locator('.monaco-list-row')
    .first()
    .waitFor({ timeout: patient(OPEN_MILLIS) });
  await asked.locator('input.input').fill(path);
  await choice(page, basename(path)).waitFor({ timeout: patient(OPEN_MILLIS) });
  await accept(page, title);
}

/** Shows a file of the workspace. The list changes while it is searched, and takes a row that has just gone for none. */
export async function showFile(page: Page, file: string): Promise<void> {
  const tab = page.locator('.tab.active', { hasText: file.split('/').at(-1) ?? file });
  for (let attempt = 1; (await tab.count()) === 0; attempt++) {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+p');
    await typeInto(page, file);
    await sleep(500 * attempt);
    await page.keyboard.press('Enter');
    await tab.waitFor({ timeout: patient(2_000 * attempt) }).catch(failure => {
      if (attempt === 6) throw failure;
    });
  }
}

/** Puts the cursor to a line (from 1) and column of the file that is shown. The question may take its time to see what was typed, and to close. */
export async function goToLine(page: Page, line: number, column = 1): Promise<void> {
  const question = page.locator('.quick-input-widget:visible');
  const place = page.locator('.statusbar', { hasText: `Ln ${line}, Col ${column}` });
  for (let attempt = 1; ; attempt++) {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+g');
    await typeInto(page, `:${line}:${column}`);
    await sleep(200 * attempt);
    await page.keyboard.press('Enter');
    try {
      const timeout = 2_000 * attempt;
      // The cursor may have stood there before: keys would go to a question that is still open.
      await question.waitFor({ state: 'hidden', timeout });
      await place.waitFor({ timeout });
      await page.locator('.editor-instance .monaco-editor.focused').first().waitFor({ timeout });
      return;
    } catch (failure) {
      if (attempt === 6) throw failure;
    }
  }
}

/** Writes empty lines above the first one, at whose start the cursor is. A busy editor may lose keys even when it has the focus. */
export async function enterLines(page: Page, count: number): Promise<void> {
  for (let line = 2; line <= count + 1; line++) {
    const place = page.locator('.statusbar', { hasText: `Ln ${line}, Col 1` });
    for (let attempt = 1; ; attempt++) {
      await page.keyboard.press('Enter');
      const failure: unknown = await place.waitFor({ timeout: patient(2_000 * attempt) }).then(
        () => null,
        error => error,
      );
      if (failure === null) break;
      if (attempt === 6) throw failure;
    }
  }
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
