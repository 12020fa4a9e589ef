// Cuts the lists of an answer until data and text are short enough for a tool, the decisive lists last, and counts what was left out.

import { printableLines } from '../base/printable.ts';
import { type Data, isData } from '../features/answers/answer-text.ts';

/** Entries of a list, whatever was asked for. */
export const MOST_ROWS = 60;
/** Of the JSON text, and of the Markdown. */
export const MOST_BYTES = 24 * 1024;
/** Entries of a list within a row, and of a list that tells of the answer itself. */
const MOST_INNER = 10;
/** Entries that each list keeps while a less decisive one has more. */
const LEAST_ROWS = 3;
/** Characters of a text where an answer without its lists is still too long. */
const MOST_OF_TEXT = 300;

/** Ways from the root of a stack: their ends are nearest to what the row is about. */
const WAYS: ReadonlySet<string> = new Set(['above']);

/** A list of an answer, by the names of the fields that lead to it, with how many entries it keeps. */
type List = { readonly path: readonly string[]; readonly length: number; kept: number };

type Fitted = {
  readonly value: Data;
  readonly text: string;
};

/**
 * The fields of an answer stand in the order of their weight: the last list is cut first. `leftOut` counts the cut rows too, and
 * `leftOutOf` tells what every other list is without.
 * @param textOf the Markdown of a cut answer
 */
export function fitAnswer(whole: Data, textOf: (value: Data) => string): Fitted {
  const lists = listsOf(whole).map(list => ({
    ...list,
    kept: Math.min(list.length, isAside(list) ? MOST_INNER : MOST_ROWS),
  }));
  const fitted = (): Fitted => {
    const value = cut(whole, lists);
    return { value, text: textOf(value) };
  };
  const fits = ({ value, text }: Fitted) => bytesOf(JSON.stringify(value)) <= MOST_BYTES && bytesOf(text) <= MOST_BYTES;
  for (const least of [LEAST_ROWS, 0])
    for (const list of lists.toReversed()) {
      const found = fitted();
      if (fits(found)) return found;
      shorten(list, least, () => fits(fitted()));
    }
  const found = fitted();
  if (fits(found)) return found;
  const value = Object(mapTexts(found.value, text => text.slice(0, MOST_OF_TEXT)));
  return { value, text: textOf(value) };
}

/** Whether a list tells of the answer itself: where its numbers come from, and what is wrong with them. */
function isAside({ path: [first] }: List): boolean {
  return first === 'origin' || first === 'problems';
}

/** Lets the list keep as many entries as fit, and not fewer than `least`. */
function shorten(list: List, least: number, fits: () => boolean): void {
  let [low, high] = [Math.min(least, list.kept), list.kept];
  while (low < high) {
    list.kept = (low + high + 1) >> 1;
    if (fits()) low = list.kept;
    else high = list.kept - 1;
  }
  list.kept = low;
}

/** Lists of the answer, and of objects in it. */
function listsOf(data: Data, path: readonly string[] = []): List[] {
  return Object.entries(data).flatMap(([name, value]): List[] => {
    const own = [...path, name];
    if (Array.isArray(value)) return [{ path: own, length: value.length, kept: value.length }];
    return isData(value) ? listsOf(value, own) : [];
  });
}

function cut(whole: Data, lists: readonly List[]): Data {
  const value = { ...whole };
  const missing = new Map(Object.entries(value.leftOutOf ?? {}));
  for (const { path, length, kept } of lists) {
    if (kept === length) continue;
    setAt(value, path, rows => rows.slice(0, kept));
    const name = path.join('.');
    if (name === 'rows' && typeof value.leftOut === 'number') value.leftOut += length - kept;
    else missing.set(name, (missing.get(name) ?? 0) + length - kept);
  }
  const shorter = shortened(value, [], missing);
  return missing.size === 0 ? shorter : { ...shorter, leftOutOf: Object.fromEntries(missing) };
}

/** Objects on the way are copied. */
function setAt(data: Data, [name = '', ...others]: readonly string[], change: (rows: unknown[]) => unknown): void {
  if (others.length === 0) {
    data[name] = change(data[name] as unknown[]);
    return;
  }
  const copy = { ...(data[name] as Data) };
  data[name] = copy;
  setAt(copy, others, change);
}

/**
 * Lists within rows have few entries; `missing` counts what they are without. Characters that steer or hide
 * text become visible: agents read what people do not see.
 */
function shortened(data: Data, path: readonly string[], missing: Map<string, number>): Data {
  return mapValues(data, (value, name) => {
    const own = [...path, name];
    if (!Array.isArray(value)) return isData(value) ? shortened(value, own, missing) : visible(value);
    return value.map(each => shorterRow(each, own, missing));
  });
}

function shorterRow(row: unknown, path: readonly string[], missing: Map<string, number>): unknown {
  if (!isData(row)) return visible(row);
  return mapValues(row, (value, name) => {
    const own = [...path, name];
    if (!Array.isArray(value)) return shorterRow(value, own, missing);
    return few(value, own, missing).map(each => shorterRow(each, own, missing));
  });
}

function few(list: readonly unknown[], path: readonly string[], missing: Map<string, number>): readonly unknown[] {
  const more = list.length - MOST_INNER;
  if (more <= 0) return list;
  const name = path.join('.');
  missing.set(name, (missing.get(name) ?? 0) + more);
  return WAYS.has(path.at(-1)!) ? list.slice(-MOST_INNER) : list.slice(0, MOST_INNER);
}

function visible(value: unknown): unknown {
  return typeof value === 'string' ? printableLines(value) : value;
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map(each => mapTexts(each, change));
  return isData(value) ? mapValues(value, each => mapTexts(each, change)) : value;
}

function mapValues(data: Data, change: (value: unknown, name: string) => unknown): Data {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, change(value, name)]));
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
