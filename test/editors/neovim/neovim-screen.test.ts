// Tests the view of a user: the sample's hints on the screen of a real terminal, at the ends of the right lines and in colour.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { neovimHome } from '../../support/engines/neovim.ts';
import { neovims } from '../../support/engines/versions.ts';
import { readStyledLines } from '../../support/terminals/ansi-cells.ts';
import { openTerminal, type Terminal } from '../../support/terminals/terminal.ts';
import { neovimPicture, scenes, wordsOf } from './neovim-picture.ts';
import { type ExpectedShop, expectedShop, shopConfig, shopFiles, shopFolder, shopLines, shopStore } from './shop.ts';

const columns = 180;
const rows = 170;
const look = `vim.o.termguicolors = true vim.o.number = true vim.o.wrap = false vim.o.statusline = '%f'
  vim.cmd.syntax('off') vim.api.nvim_set_hl(0, 'Added', { fg = 0x00ff00 })`;

needs('jdk17', 'the screen', () => needs('jdk25', 'by the oracle', () => needs('tmux', 'in tmux', checkScreen)));

function checkScreen(tmux: Engine): void {
  let shop: ExpectedShop;
  let store: ReturnType<typeof shopStore>;
  beforeAll(() => {
    shop = expectedShop();
    store = shopStore();
  });
  afterAll(() => store?.remove());

  /** The lines that the screen must show of a file: number, text, and two blanks and the hint where there is one. */
  function wantedScreen(file: string): string[] {
    const hints = new Map((shop.get(file) ?? []).map(entry => splitEntry(entry)));
    const lines = shopLines(file);
    const width = Math.max(3, String(lines.length).length);
    return lines.map((line, index) => {
      const hint = hints.get(index + 1);
      return `${String(index + 1).padStart(width)} ${line}${hint === undefined ? '' : `  ${hint}`}`.trimEnd();
    });
  }

  for (const engine of neovims())
    needs(engine, engine, program => {
      /** Opens all files of the shop, the first one shown. */
      async function showing(use: (terminal: Terminal) => Promise<void>): Promise<void> {
        const home = neovimHome({ config: `${look}\n${shopConfig()}`, env: { INSITU_STORE: store.folder } });
        const command = [program.program('nvim'), '-u', home.init, '-i', 'NONE', '-n', ...shopFiles];
        const terminal = openTerminal(tmux, { command, folder: shopFolder, columns, rows, env: home.env });
        try {
          await use(terminal);
        } finally {
          terminal.close();
          home.remove();
        }
      }

      test('every file shows its lines with their hints and nothing else', async () => {
        await showing(async terminal => {
          for (const [index, file] of shopFiles.entries()) {
            if (index > 0) terminal.press(':next', 'Enter');
            const wanted = wantedScreen(file);
            await terminal.until(`${file} with its hints`, screen => wanted.every((line, row) => screen[row] === line));
            expect(terminal.screen().slice(0, wanted.length)).toEqual(wanted);
          }
        });
      });

      test('hints have their own colours, hotter ones another than colder ones', async () => {
        const file = [...shop.keys()].sort((a, b) => shop.get(b)!.length - shop.get(a)!.length)[0]!;
        await showing(async terminal => {
          terminal.press(`:edit ${file}`, 'Enter');
          const wanted = wantedScreen(file);
          await terminal.until(file, screen => wanted.every((line, row) => screen[row] === line));
          const lines = readStyledLines(terminal.styled());
          const inks = (shop.get(file) ?? []).map(entry => {
            const [line, text] = splitEntry(entry);
            const run = lines[line - 1]?.find(candidate => candidate.text.trim() === text);
            return run?.style.ink;
          });
          const heat = ['#7d8590', '#a8976f', '#cfa355', '#f0b040', '#ffd166'];
          for (const ink of inks) expect(heat).toContain(ink);
          expect(new Set(inks).size).toBeGreaterThan(1);
        });
      });
    });

  needs('nvim012', 'the pictures of the READMEs', program => {
    for (const [name, scene] of Object.entries(scenes))
      test(`${name} shows what npm run pictures would show now`, async () => {
        const kept = readFileSync(new URL(`../../../docs/images/${name}`, import.meta.url), 'utf8');
        expect(wordsOf(kept)).toEqual(wordsOf(await neovimPicture(program, tmux, store.folder, scene)));
        expect(wordsOf(kept).filter(words => /[%≈]/.test(words)).length).toBeGreaterThan(5);
      });
  });
}

/** `12 41% → Queue` → 12 and the text. */
function splitEntry(entry: string): [number, string] {
  const space = entry.indexOf(' ');
  return [Number(entry.slice(0, space)), entry.slice(space + 1)];
}
