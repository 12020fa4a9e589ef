// Draws a terminal screen as an SVG picture: a window with a title, and every character in its place and colour.
import { type Run, readStyledLines, type Style } from './ansi-cells.ts';

export type PictureOptions = {
  /** Words above the screen. */
  readonly title: string;
  /** The content of the picture in words, for people who cannot see it. */
  readonly description: string;
  readonly columns: number;
  readonly ink: string;
  readonly paper: string;
};

const CELL_WIDTH = 8.4;
const CELL_HEIGHT = 20;
const MARGIN = 16;
const TITLE_HEIGHT = 36;
const FONTS = "ui-monospace, SFMono-Regular, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/** The picture of a screen given with its escape sequences. */
export function terminalPicture(styled: string, options: PictureOptions): string {
  const lines = readStyledLines(styled.replace(/\n+$/, ''));
  const width = Math.round(options.columns * CELL_WIDTH + 2 * MARGIN);
  const height = lines.length * CELL_HEIGHT + TITLE_HEIGHT + MARGIN;
  const drawn = lines.flatMap((runs, row) => runs.flatMap(run => drawnRun(run, row, options)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">`,
    `<title id="title">${escaped(options.description)}</title>`,
    `<rect width="${width}" height="${height}" rx="10" fill="${options.paper}"/>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="9.5" fill="none" stroke="#80808066"/>`,
    `<g font-family="${FONTS}" font-size="14" fill="${options.ink}">`,
    `<text x="${width / 2}" y="23" text-anchor="middle" font-size="12.5" opacity="0.6">${escaped(options.title)}</text>`,
    ...drawn,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** A run as a coloured box, where it has paper of its own, and its text, held to the grid whatever font is at hand. */
function drawnRun({ column, text, style }: Run, row: number, options: PictureOptions): string[] {
  const { ink, paper } = colours(style, options);
  const x = MARGIN + column * CELL_WIDTH;
  const top = TITLE_HEIGHT + row * CELL_HEIGHT;
  const parts: string[] = [];
  if (paper !== options.paper) {
    const width = shortened(Array.from(text).length * CELL_WIDTH);
    parts.push(`<rect x="${shortened(x)}" y="${top}" width="${width}" height="${CELL_HEIGHT}" fill="${paper}"/>`);
  }
  const attributes = [
    `y="${top + 14.5}"`,
    ...(ink === options.ink ? [] : [`fill="${ink}"`]),
    ...(style.bold ? ['font-weight="bold"'] : []),
    ...(style.italic ? ['font-style="italic"'] : []),
    ...(style.underline ? ['text-decoration="underline"'] : []),
  ].join(' ');
  // Words apart by more than one blank are drawn one by one: browsers take several blanks for one.
  for (const words of text.matchAll(/\S+(?: \S+)*/g)) {
    const before = Array.from(text.slice(0, words.index)).length;
    const length = Array.from(words[0]).length;
    const place = `x="${shortened(x + before * CELL_WIDTH)}" textLength="${shortened(length * CELL_WIDTH)}"`;
    parts.push(`<text ${place} ${attributes}>${escaped(words[0])}</text>`);
  }
  return parts;
}

function colours(style: Style, options: PictureOptions): { ink: string; paper: string } {
  const ink = style.ink ?? options.ink;
  const paper = style.paper ?? options.paper;
  return style.reverse ? { ink: paper, paper: ink } : { ink, paper };
}

function shortened(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
