// Makes the pictures of the READMEs: the heart of the sample in a real Neovim, as its terminal shows it.
import type { Engine } from '../../support/engines/engines.ts';
import { neovimHome } from '../../support/engines/neovim.ts';
import { openTerminal } from '../../support/terminals/terminal.ts';
import { terminalPicture } from '../../support/terminals/terminal-picture.ts';
import { predictedShop } from './predicted-shop.ts';
import { shopConfig, shopFolder } from './shop.ts';

const SAMPLE = { folder: shopFolder, env: {}, remove: () => {} };
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

/** The scene of a picture: keys that are pressed when the hints stand, each with how to know that their work is done. */
type Scene = {
  readonly description: string;
  /** Where the file stands: the sample's first version when absent. */
  readonly place?: () => Promise<Place>;
  readonly steps: readonly {
    readonly keys: readonly string[];
    readonly isDone: (screen: readonly string[]) => boolean;
  }[];
};

type Place = {
  readonly folder: string;
  readonly store: string;
  readonly env: Readonly<Record<string, string>>;
  readonly remove: () => void;
};

const name = file.split('/').at(-1)!;

const toTop: Scene['steps'][number] = {
  keys: [`${top}Gzt0`],
  isDone: screen => screen[0]?.trimStart().startsWith(`${top} `) === true,
};
const unfolded = (screen: readonly string[]): number => screen.filter(line => line.includes('▾')).length;

/** The pictures by the names of their files in docs/images. */
export const scenes: Readonly<Record<string, Scene>> = {
  'neovim.svg': {
    description: `Neovim shows ${name} of the sample; hints at the ends of lines tell where time goes.`,
    steps: [toTop],
  },
  'neovim-callers.svg': {
    description: `Neovim shows ${name} of the sample, and over it a tree of who called search, with shares and counts.`,
    steps: [
      toTop,
      {
        keys: [":call search('search(') | Insitu callers", 'Enter'],
        isDone: screen => screen.some(line => line.includes('callers of')),
      },
      { keys: ['Tab'], isDone: screen => unfolded(screen) === 1 && screen.some(line => line.includes('Worker.step')) },
      {
        keys: ['j', 'Tab'],
        isDone: screen => unfolded(screen) === 2 && screen.some(line => line.includes('Worker.run')),
      },
    ],
  },
  'neovim-predict.svg': {
    description: `Neovim shows ${name} of the sample while a loop is typed; hints tell what it is predicted to cost.`,
    place: async () => {
      const { scratch, store } = await predictedShop();
      return { folder: scratch.root, store, env: scratch.env, remove: () => scratch.remove() };
    },
    steps: [
      toTop,
      {
        keys: ['65Gofor (int i = 0; i < 3; i++) {', 'Enter', 'learn(i)', '\\;', 'Enter', '}', 'Escape'],
        // The warning that the method gets too slow comes after the hints.
        isDone: screen =>
          screen.filter(line => line.includes('≈')).length === 4 && screen.some(line => /^\s*W\s*\d+ /.test(line)),
      },
    ],
  },
};

/** One of the pictures as SVG, from the recordings in `store` where the scene has no place of its own. */
export async function neovimPicture(
  neovim: Engine,
  tmux: Engine,
  store: string,
  { description, steps, place: placed = () => Promise.resolve({ ...SAMPLE, store }) }: Scene,
): Promise<string> {
  const place = await placed();
  const env = { ...place.env, INSITU_STORE: place.store };
  const home = neovimHome({ config: `${look}\n${shopConfig("border = 'rounded'")}`, env });
  const command = [neovim.program('nvim'), '-u', home.init, '-i', 'NONE', '-n', file];
  const terminal = openTerminal(tmux, { command, folder: place.folder, columns, rows, env: home.env });
  try {
    await terminal.until('hints', screen => /insitu: [1-9]\d* hint/.test(screen.join('\n')));
    for (const { keys, isDone } of steps) {
      terminal.press(...keys);
      await terminal.until(`what ${keys.join(' ')} does`, isDone);
    }
    return terminalPicture(terminal.styled(), { title: name, description, columns, ink, paper });
  } finally {
    terminal.close();
    home.remove();
    place.remove();
  }
}

/** The words of a picture, line by line, without colours and places. */
export function wordsOf(picture: string): string[] {
  return [...picture.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, words]) => words!);
}
