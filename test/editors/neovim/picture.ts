// Makes the README's picture: the heart of the sample in a real Neovim, as its terminal shows it.
import type { Engine } from '../../support/engines.ts';
import { neovimHome } from '../../support/neovim.ts';
import { openTerminal } from '../../support/terminal.ts';
import { terminalPicture } from '../../support/terminal-picture.ts';
import { shopConfig, shopFolder } from './shop.ts';

const columns = 98;
const rows = 25;
/** The file shown, and the line at the top of the screen. */
const file = 'src/main/java/com/acme/shop/Shop.java';
const top = 45;

/** Neovim's own colours for dark backgrounds. */
const ink = '#e0e2ea';
const paper = '#14161b';

const look = `
  vim.o.termguicolors = true
  vim.o.background = 'dark'
  vim.o.number = true
  vim.o.wrap = false
  vim.o.cmdheight = 0
  vim.o.laststatus = 2
  vim.o.shortmess = vim.o.shortmess .. 'FI'
  vim.o.statusline = " %t%=%{v:lua.require'insitu'.statusline()} "`;

/** The picture as SVG, from the recordings in `store`. */
export async function neovimPicture(neovim: Engine, tmux: Engine, store: string): Promise<string> {
  const home = neovimHome({ config: `${look}\n${shopConfig()}`, env: { INSITU_STORE: store } });
  const command = [neovim.program('nvim'), '-u', home.init, '-i', 'NONE', '-n', file];
  const terminal = openTerminal(tmux, { command, folder: shopFolder, columns, rows, env: home.env });
  try {
    await terminal.until('hints', screen => /insitu: [1-9]\d* hint/.test(screen.join('\n')));
    terminal.press(`${top}Gzt0`);
    await terminal.until('the wanted lines', screen => screen[0]?.trimStart().startsWith(`${top} `) === true);
    return terminalPicture(terminal.styled(), {
      title: file.split('/').at(-1)!,
      description: `Neovim shows ${file.split('/').at(-1)} of the sample; hints at the ends of lines tell where time goes.`,
      columns,
      ink,
      paper,
    });
  } finally {
    terminal.close();
    home.remove();
  }
}

/** The words of a picture, line by line, without colours and places. */
export function wordsOf(picture: string): string[] {
  return [...picture.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, words]) => words!);
}
