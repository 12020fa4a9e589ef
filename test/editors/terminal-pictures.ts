// Makes the pictures of Emacs and Helix: the heart of the sample on their screens.
import type { Engine } from '../support/engines/engines.ts';
import { terminalPicture } from '../support/terminals/terminal-picture.ts';
import { lispString, openEmacs, withPackage } from './emacs/emacs.ts';
import { openHelix, untilShown } from './helix/helix.ts';
import { shopFolder } from './neovim/shop.ts';

const size = { columns: 98, rows: 25 };
const file = 'src/main/java/com/acme/shop/Shop.java';
/** The line at the top of the screen. */
const top = 45;
const colours = { ink: '#e0e2ea', paper: '#14161b' };
const drawn = (screen: readonly string[]): boolean => screen.filter(line => /\d%/.test(line)).length >= 4;

function described(editor: string): {
  title: string;
  description: string;
  columns: number;
  ink: string;
  paper: string;
} {
  const description = `${editor} shows Shop.java of the sample; hints at the ends of lines tell where time goes.`;
  return { title: 'Shop.java', description, columns: size.columns, ...colours };
}

export async function emacsPicture(emacs: Engine, tmux: Engine, store: string): Promise<string> {
  const look = `(setq frame-background-mode 'dark) (set-face-background 'default ${lispString(colours.paper)})
    (set-face-foreground 'default ${lispString(colours.ink)}) (mapc #'frame-set-background-mode (frame-list))`;
  const env = { INSITU_STORE: store };
  const { terminal, lisp, close } = openEmacs(emacs, tmux, {
    configuration: withPackage(look),
    folder: shopFolder,
    file,
    ...size,
    env,
  });
  try {
    await terminal.until('hints', screen => /insitu:[1-9]/.test(screen.join('\n')));
    await lisp(`(progn (goto-char (point-min)) (forward-line ${top - 1}) (recenter 0) (message nil) t)`);
    await terminal.until('the heart of the file', drawn);
    return terminalPicture(terminal.styled(), described('Emacs'));
  } finally {
    close();
  }
}

export async function helixPicture(helix: Engine, tmux: Engine, store: string): Promise<string> {
  const env = { INSITU_STORE: store, COLORTERM: 'truecolor' };
  const { terminal, close } = openHelix(helix, tmux, { folder: shopFolder, file, ...size, env });
  try {
    await untilShown(terminal, 'the file', screen => screen.join('\n').includes(' NOR '));
    terminal.press(`:goto ${top}`, 'Enter', 'z', 't');
    await untilShown(terminal, 'the heart of the file', drawn);
    return terminalPicture(terminal.styled(), described('Helix'));
  } finally {
    close();
  }
}
