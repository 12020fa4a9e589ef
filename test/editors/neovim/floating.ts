// Reads the floating window that a word of :Insitu opened, and presses keys in it.
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Neovim } from '../../support/engines/neovim.ts';

const readFloat = readFileSync(new URL('read-float.lua', import.meta.url), 'utf8');

/** A floating window; lines count from 1, rows and columns of the screen from 0. */
export type Floating = {
  readonly lines: readonly string[];
  readonly pieces: readonly { readonly line: number; readonly text: string; readonly group: string }[];
  readonly row: number;
  readonly column: number;
  readonly width: number;
  readonly height: number;
  readonly bordered: boolean;
  /** Whether the cursor is in it. */
  readonly current: boolean;
};

/** The floating window, or null. */
export function floating(neovim: Neovim): Promise<Floating | null> {
  return neovim.lua<Floating | null>(readFloat);
}

/** Waits for a floating window in which all the lines stand, and gives it. */
export async function floatingWith(neovim: Neovim, ...lines: readonly string[]): Promise<Floating> {
  await expect
    .poll(async () => (await floating(neovim))?.lines ?? [], { timeout: 15_000 })
    .toEqual(expect.arrayContaining([...lines]));
  return (await floating(neovim))!;
}

/** Waits until no floating window is open. */
export async function noFloating(neovim: Neovim): Promise<void> {
  await expect.poll(() => floating(neovim), { timeout: 15_000 }).toBeNull();
}

/** Presses keys as a user does, in Neovim's spelling: `<Tab>`, `q`. */
export async function press(neovim: Neovim, keys: string): Promise<void> {
  await neovim.lua(`vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(..., true, false, true), 'xt', false)`, keys);
}

/** The groups of a line's pieces, by their trimmed text. */
export function groupsOf(floating: Floating, line: number): Record<string, string> {
  const pieces = floating.pieces.filter(piece => piece.line === line);
  return Object.fromEntries(pieces.map(({ text, group }) => [text.trim(), group]));
}
