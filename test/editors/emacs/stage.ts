// Opens Emacs on the sample as the tests of every terminal editor drive it: by Lisp inside, with the screen beside it.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Screen, Stage } from '../shop-on-screen.ts';
import { type Emacs, lispString, openEmacs, withPackage } from './emacs.ts';

export type EmacsScreen = Screen & Emacs;

export function openOnStage(
  { engine, tmux, place }: Stage,
  configuration = withPackage(),
  more: NodeJS.ProcessEnv = {},
): EmacsScreen {
  const { folder, file, env } = place();
  const emacs = openEmacs(engine, tmux, { configuration, folder, file, env: { ...env, ...more } });
  onTestFinished(emacs.close);
  const { lisp, terminal } = emacs;
  let inserted = 0;
  return {
    ...emacs,
    // The margin has a mark of the diagnostic that says what has changed.
    until: (what, wanted) => terminal.until(what, lines => wanted(lines.map(line => line.replace(/^!+/, '')))),
    show: path => lisp(`(progn (find-file ${lispString(join(folder, path))}) (goto-char (point-min)) (redisplay) t)`),
    insert: (line, lines) => {
      inserted = lines.length;
      return lisp(`(progn (goto-char (point-min)) (forward-line ${line - 1})
        (insert ${lispString(`${lines.join('\n')}\n`)}) (forward-line ${-inserted}) t)`);
    },
    undo: () => lisp(`(progn (delete-region (point) (progn (forward-line ${inserted}) (point))) t)`),
  };
}

/** Puts the cursor on the name of what is called or declared on a line. */
export function goTo({ lisp }: Emacs, line: number, name: string): Promise<unknown> {
  return lisp(`(progn (goto-char (point-min)) (forward-line ${line - 1}) (search-forward ${lispString(`${name}(`)})
    (backward-char 2) t)`);
}

/** The text of the buffer that is selected. */
export function bufferText({ lisp }: Emacs): Promise<string> {
  return lisp<string>('(buffer-substring-no-properties (point-min) (point-max))');
}
