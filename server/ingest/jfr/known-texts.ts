// Names of methods that were met before, in this file or in earlier ones, so that each is decoded and normalised once a process.
import type { MethodTableBuilder } from '../../cct/method-table.ts';
import { normaliseClassName } from '../stable-names.ts';
import { InternedTexts } from './interned-texts.ts';

/** Encoded texts beyond this are not kept between files. A program of 50,000 sampled methods has about as many. */
const KEPT_BYTES = 4 << 20;

/** Texts by the bytes that stood for them. Only grows: any reader of a file may hold it. */
class KnownTexts {
  readonly all: string[] = [];
  readonly #numbers = new Map<string, number>();
  /** Names and descriptors. */
  readonly plain = new InternedTexts(text => this.number(text));
  /** Binary names of classes, with dots. */
  readonly rawClasses = new InternedTexts(text => this.number(dotted(text)));
  /** The same without what changes from run to run. */
  readonly stableClasses = new InternedTexts(text => this.number(normaliseClassName(dotted(text))));

  /** The number of a text; equal texts have one, whatever they were encoded in. */
  number(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.all.push(text) - 1;
    this.#numbers.set(text, number);
    return number;
  }

  get bytes(): number {
    return this.plain.bytes + this.rawClasses.bytes + this.stableClasses.bytes;
  }
}

/** The name of classes without a name, and of methods whose name the recording does not hold. */
export const UNKNOWN = '?';

function dotted(text: string): string {
  return text === '' ? UNKNOWN : text.replaceAll('/', '.');
}

const PAGE_BITS = 8;
const PAGE_MASK = (1 << PAGE_BITS) - 1;
const NO_PAGE = new Int32Array(0);

let known = new KnownTexts();

/** The texts of methods as rows of one file's method table, which takes no others while it is read. */
export class MethodTexts {
  readonly #table: MethodTableBuilder;
  readonly #known = known;
  /** Names and descriptors, numbered. */
  readonly plain: InternedTexts;
  /** Binary names of classes as they are to be kept, numbered. */
  readonly classes: InternedTexts;
  /** Row + 1 of each text by its number, 0 where this file has not had it yet. In pages: most texts may be of other programs. */
  readonly #pages: Int32Array[] = [];

  constructor(table: MethodTableBuilder, names: 'raw' | 'normalised') {
    this.#table = table;
    this.plain = this.#known.plain;
    this.classes = names === 'raw' ? this.#known.rawClasses : this.#known.stableClasses;
    for (const [row, text] of table.strings.entries()) this.#set(this.#known.number(text), row);
  }

  /** The row of a text that no recording holds. */
  rowOf(text: string): number {
    return this.row(this.#known.number(text));
  }

  /** The row of a numbered text. */
  row(number: number): number {
    const row = this.#pages[number >> PAGE_BITS]?.[number & PAGE_MASK] ?? 0;
    return row === 0 ? this.#newRow(number) : row - 1;
  }

  #newRow(number: number): number {
    const row = this.#table.newString(this.#known.all[number]!);
    this.#set(number, row);
    return row;
  }

  #set(number: number, row: number): void {
    const pages = this.#pages;
    const page = number >> PAGE_BITS;
    while (pages.length <= page) pages.push(NO_PAGE);
    if (pages[page] === NO_PAGE) pages[page] = new Int32Array(1 << PAGE_BITS);
    pages[page]![number & PAGE_MASK] = row + 1;
  }

  /** Called when the file has been read, or a window of it: too many texts are not kept for the next. */
  release(): void {
    if (known.bytes > KEPT_BYTES) known = new KnownTexts();
  }
}
