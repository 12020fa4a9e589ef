// Which methods a text of a query means: one method with its overloads, one overload, or a set: a pattern or a class.

import type { MemberSyntax } from '../../../grammar/path-syntax.ts';
import { noPause, type Pause } from '../../base/pause.ts';
import { type MethodTable, PARTIAL_METHOD } from '../../cct/profile.ts';
import { parametersOf } from '../../mapping/parameters.ts';
import { methodsNamed } from '../named-methods.ts';
import { namePattern } from './name-pattern.ts';

type FoundMethods = { readonly methods: Uint8Array; readonly isSet: boolean };

/** Names looked at in one step. */
const STEP = 1 << 13;

/** The methods of a member; null where it fits none, names where several share the end of their names. `text`: of the table, for patterns. */
export function methodsOfMember(
  table: MethodTable,
  text: () => TableText,
  member: MemberSyntax,
  pause: Pause = noPause,
): FoundMethods | { readonly several: readonly string[] } | null {
  if (isPattern(member)) {
    const methods = rowsLike(table, text(), member, pause);
    return methods.includes(1) ? { methods, isSet: true } : null;
  }
  const isBare = !member.text.includes('.') && !member.text.includes('#');
  const written = member.text + (member.parameters === null || member.parameters === '(..)' ? '' : member.parameters);
  const asMethod = () => oneOf(table, methodsNamed(table, written), false);
  const asClass = () => (member.parameters === null ? oneOf(table, classesNamed(table, member.text), true) : null);
  return isBare ? (asClass() ?? asMethod()) : (asMethod() ?? asClass());
}

export function isPattern({ text, isQuoted }: Pick<MemberSyntax, 'text' | 'isQuoted'>): boolean {
  return !isQuoted && text.includes('*');
}

function oneOf(table: MethodTable, found: readonly { name: string; rows: readonly number[] }[], isSet: boolean) {
  if (found.length === 0) return null;
  if (found.length > 1) return { several: found.map(({ name }) => name).sort() };
  const methods = new Uint8Array(table.length);
  for (const row of found[0]!.rows) methods[row] = 1;
  return { methods, isSet };
}

/** Classes of that name, else classes whose name ends in it at a name boundary. */
function classesNamed({ length, strings, className }: MethodTable, text: string) {
  const found = new Map<string, number[]>();
  for (let row = PARTIAL_METHOD + 1; row < length; row++) {
    const name = strings[className[row]!]!;
    if (name === '' || !name.endsWith(text)) continue;
    if (name.length > text.length && !/[.$]/.test(name[name.length - text.length - 1]!)) continue;
    const rows = found.get(name) ?? [];
    rows.push(row);
    found.set(name, rows);
  }
  const exact = found.get(text);
  return Array.from(exact === undefined ? found : [[text, exact] as const], ([name, rows]) => ({ name, rows }));
}

/**
 * One byte a row: 1 where `pkg.Class.method`, or an end of it that begins behind a dot, is like the pattern. `*` stands for any text
 * without dots, `**` for any text.
 */
function rowsLike(table: MethodTable, all: TableText, { text, parameters }: MemberSyntax, pause: Pause): Uint8Array {
  const { length, strings, className, name, descriptor } = table;
  const pattern = namePattern(text.replace('#', '.'));
  const mayFit = all.with(longestPiece(text));
  const wanted = parameters === null || parameters === '(..)' ? null : plain(parameters);
  const fits = new Uint8Array(length);
  for (let row = PARTIAL_METHOD + 1; row < length; row++) {
    if (row % STEP === 0) pause();
    if (mayFit[className[row]!] === 0 && mayFit[name[row]!] === 0) continue;
    const owner = strings[className[row]!]!;
    const own = strings[name[row]!]!;
    if (!pattern(owner === '' ? own : `${owner}.${own}`)) continue;
    const parametersOfRow = descriptor[row]! < 0 ? null : parametersOf(strings[descriptor[row]!]!);
    if (wanted === null || parametersOfRow === null || plain(parametersOfRow) === wanted) fits[row] = 1;
  }
  return fits;
}

/** The strings of a table as one text: a search through it takes a fifth of the time of a search through each. */
export class TableText {
  readonly #text: string;
  /** The begin of each string; a character that no name has ends it. */
  readonly #begins: Int32Array;

  constructor({ strings }: MethodTable) {
    this.#text = strings.join(END);
    this.#begins = new Int32Array(strings.length);
    let at = 0;
    for (const [row, { length }] of strings.entries()) {
      this.#begins[row] = at;
      at += length + END.length;
    }
  }

  /** One byte a string: 1 where the string holds the piece. */
  with(piece: string): Uint8Array {
    const begins = this.#begins;
    const found = new Uint8Array(begins.length);
    if (piece === '') return found.fill(1);
    let row = 0;
    for (let at = this.#text.indexOf(piece); at >= 0 && row < begins.length; ) {
      while (row + 1 < begins.length && begins[row + 1]! <= at) row++;
      found[row] = 1;
      if (row + 1 === begins.length) break;
      at = this.#text.indexOf(piece, begins[row + 1]);
    }
    return found;
  }
}

const END = '\0';

/** The longest piece of a pattern between its dots and wildcards: to look for the piece is faster than to put names together. */
function longestPiece(text: string): string {
  return text.split(/[*.#]+/).reduce((a, b) => (b.length > a.length ? b : a));
}

function plain(text: string): string {
  return text.replaceAll(/\s/g, '');
}
