// Hints of a long file in a real VS Code: those on screen come first, the marks of all lines follow, and both stay at their code while it is edited.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { needs } from '../../support/engines/needs.ts';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';
import { putPicture } from '../../support/insitu/lsp-store.ts';
import { goToLine } from './driving.ts';
import { drawnHints, type Editor, type EditorEngines } from './editor.ts';
import { type ShopStage, shopStage } from './shop-stage.ts';

/** Milliseconds that a loaded machine may need. */
const PATIENCE = { timeout: 80_000, interval: 250 };
const METHODS = 120;
/** Lines of a method: its head, eight lines of code, its end. */
const LINES = 10;
/** Numbers of lines begin with 1. */
const headOf = (method: number): number => 2 + LINES * method;

const METHOD = (method: number): string =>
  [`  void m${method}() {`, ...Array.from({ length: LINES - 2 }, (_, at) => `    int i${at} = ${at};`), '  }'].join(
    '\n',
  );
const TEXT = `class Long {\n${Array.from({ length: METHODS }, (_, method) => METHOD(method)).join('\n')}\n}\n`;
const PROFILE = Array.from({ length: METHODS }, (_, method) => `Long.m${method} :0 | 100@${headOf(method) + 1}\n`).join(
  '',
);

needs('vscode', 'a long file', vscode =>
  needs('chromium', 'in Chromium', chromium => checkLongFile({ vscode, chromium })),
);

function checkLongFile(engines: EditorEngines): void {
  let scratch: ScratchRepository;
  let stage: ShopStage;
  let editor: Editor;
  beforeAll(async () => {
    scratch = new ScratchRepository();
    const version = scratch.commit({
      'Long.java': TEXT,
      'insitu.json': JSON.stringify({ project: 'acme', program: 'shop' }),
    });
    const store = join(scratch.home, 'store');
    await putPicture(store, PROFILE, { version });
    stage = await shopStage(engines);
    editor = await stage.open({
      folder: scratch.root,
      file: 'Long.java',
      env: { ...scratch.env, INSITU_STORE: store },
      size: { width: 1300, height: 900 },
    });
  });
  afterAll(async () => {
    await stage?.close();
    scratch?.remove();
  });

  const linesWithHints = async (): Promise<number[]> => (await drawnHints(editor.page)).map(({ line }) => line);

  test('has hints on screen, and marks of all lines beside the scroll bar', async () => {
    await expect.poll(linesWithHints, PATIENCE).toEqual(expect.arrayContaining([headOf(0), headOf(1), headOf(2)]));
    await expect.poll(() => lastMark(editor.page), PATIENCE).toBeGreaterThan(0.9);
  });

  test('lines that come into sight have hints', async () => {
    await goToLine(editor.page, headOf(90));
    await expect.poll(linesWithHints, PATIENCE).toEqual(expect.arrayContaining([headOf(89), headOf(90), headOf(91)]));
  });

  test('an edit of lines moves the hints of all lines below, and changes none elsewhere', async () => {
    const { page } = editor;
    await goToLine(page, headOf(2) + 1);
    await page.keyboard.type('    int j = 1;');
    await page.keyboard.press('Enter');
    const changed = async () =>
      (await drawnHints(page)).filter(({ line }) => line <= headOf(4)).map(({ line, text }) => [line, text[0] === '~']);
    const near = [headOf(0), headOf(1), headOf(2), headOf(3) + 1].map(line => [line, line === headOf(2)]);
    await expect.poll(changed, PATIENCE).toEqual(expect.arrayContaining(near));
    await goToLine(page, headOf(110) + 1);
    const below = [headOf(109), headOf(110), headOf(111)].map(line => line + 1);
    await expect.poll(linesWithHints, PATIENCE).toEqual(expect.arrayContaining(below));
    // Heads, and the hot line below each.
    expect(new Set((await linesWithHints()).map(line => (line - headOf(0)) % LINES))).toEqual(new Set([1, 2]));
    // Where a line is written anew, its hint stands at its end again.
    await page.keyboard.press('End');
    await page.keyboard.press('Shift+Home');
    await page.keyboard.type(`  void m110() { //`);
    await expect.poll(linesWithHints, PATIENCE).toEqual(expect.arrayContaining(below));
  });
}

/** The place of the lowest mark in the middle of the overview ruler: 1 is its end. */
function lastMark(page: Page): Promise<number> {
  return page.evaluate<number>(`(() => {
    const canvas = document.querySelector('.editor-instance .monaco-editor canvas.decorationsOverviewRuler');
    const { width, height } = canvas;
    const { data } = canvas.getContext('2d').getImageData(Math.floor(width / 2), 0, 1, height);
    const rows = Array.from({ length: height }, (_, y) => data[4 * y + 3]);
    return (rows.findLastIndex(alpha => alpha === 255) + 1) / height;
  })()`);
}
