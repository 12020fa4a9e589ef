// Reads terminal text with colour escape sequences (SGR) into runs of equally styled characters.

/** How characters look; a missing colour is the terminal's own. Colours are `#rrggbb`. */
export type Style = {
  readonly ink?: string;
  readonly paper?: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly reverse?: boolean;
};

/** Neighbouring characters of one style, beginning at a column counted from 0. */
export type Run = { readonly column: number; readonly text: string; readonly style: Style };

/** The 16 named colours, in xterm's order: dark ones, then bright ones. */
const NAMED = [
  '#1d1f21',
  '#cc6666',
  '#8fbf7f',
  '#e0b45c',
  '#7aa2d6',
  '#b294bb',
  '#7fbfb8',
  '#c5c8c6',
  '#686c70',
  '#e08a8a',
  '#a8d49a',
  '#f0cc7f',
  '#9abce6',
  '#cbb2d3',
  '#9fd8d1',
  '#ffffff',
];

/** The runs of every line. Sequences other than SGR are dropped. */
export function readStyledLines(text: string): Run[][] {
  let style: Style = {};
  return text.split('\n').map(line => {
    const runs: Run[] = [];
    let column = 0;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with the control character ESC.
    for (const [, sequence, letter, plain] of line.matchAll(/\x1b\[([\d;:]*)([A-Za-z])|([^\x1b]+)/g)) {
      if (letter === 'm') style = applied(style, sequence ?? '');
      if (plain === undefined) continue;
      runs.push({ column, text: plain, style });
      column += Array.from(plain).length;
    }
    return runs;
  });
}

/** The style after one SGR sequence such as `1;38;2;255;0;0`. */
function applied(before: Style, sequence: string): Style {
  const codes = sequence.split(/[;:]/).map(Number);
  let style = before;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at]!;
    if (code === 38 || code === 48) {
      const isRgb = codes[at + 1] === 2;
      const colour = isRgb ? rgb(codes.slice(at + 2, at + 5)) : indexed(codes[at + 2] ?? 0);
      style = { ...style, [code === 38 ? 'ink' : 'paper']: colour };
      at += isRgb ? 4 : 2;
    } else style = withCode(style, code);
  }
  return style;
}

function withCode(style: Style, code: number): Style {
  if (code === 0) return {};
  if (code === 1) return { ...style, bold: true };
  if (code === 3) return { ...style, italic: true };
  if (code === 4) return { ...style, underline: true };
  if (code === 7) return { ...style, reverse: true };
  if (code === 22) return without(style, 'bold');
  if (code === 23) return without(style, 'italic');
  if (code === 24) return without(style, 'underline');
  if (code === 27) return without(style, 'reverse');
  if (code === 39) return without(style, 'ink');
  if (code === 49) return without(style, 'paper');
  if (code >= 30 && code <= 37) return { ...style, ink: NAMED[code - 30]! };
  if (code >= 90 && code <= 97) return { ...style, ink: NAMED[code - 82]! };
  if (code >= 40 && code <= 47) return { ...style, paper: NAMED[code - 40]! };
  if (code >= 100 && code <= 107) return { ...style, paper: NAMED[code - 92]! };
  return style;
}

function without(style: Style, key: keyof Style): Style {
  const { [key]: _dropped, ...rest } = style;
  return rest;
}

function rgb(parts: readonly number[]): string {
  return `#${parts.map(part => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Colour of xterm's table of 256: 16 named ones, a cube of 6 × 6 × 6, 24 greys. */
function indexed(index: number): string {
  if (index < 16) return NAMED[index]!;
  if (index >= 232) return rgb(Array<number>(3).fill(8 + (index - 232) * 10));
  const levels = [0, 95, 135, 175, 215, 255];
  const cube = index - 16;
  return rgb([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(step => levels[step]!));
}
