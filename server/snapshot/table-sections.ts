// Strings, methods and threads as bytes.

import { LONGEST_TEXT } from '../cct/limits.ts';
import { MethodTableBuilder } from '../cct/method-table.ts';
import type { MethodTable, ThreadTable } from '../cct/profile.ts';
import { hash3, sharedInt32, sharedUint8 } from '../cct/shared-columns.ts';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { FormatFlaw } from './format.ts';

const UTF_8 = 0;
const UTF_16 = 1;

/** The encoding, the length of each string in UTF-16 units, and all strings without a gap. */
export function packStrings(strings: readonly string[]): Uint8Array {
  const text = strings.join('');
  // Class files may hold lone surrogates, which UTF-8 cannot.
  const wellFormed = strings.every(each => each.isWellFormed());
  const writer = new ByteWriter(text.length + strings.length * 2 + 16);
  writer.byte(wellFormed ? UTF_8 : UTF_16);
  for (const each of strings) writer.varint(each.length);
  writer.bytes(Buffer.from(text, wellFormed ? 'utf8' : 'utf16le'));
  return writer.finish();
}

/** Reads what packStrings wrote; throws FormatFlaw. */
export function unpackStrings(section: string, bytes: Uint8Array, count: number): string[] {
  const reader = new ByteReader(section, bytes);
  const encoding = reader.byte();
  if (encoding !== UTF_8 && encoding !== UTF_16) reader.fail(`has the unknown encoding ${encoding}`);
  if (count > reader.remaining) reader.fail(`cannot hold ${count} strings`);
  const lengths = new Int32Array(count);
  for (let i = 0; i < count; i++) lengths[i] = reader.row(LONGEST_TEXT + 1, 'length');
  const rest = reader.bytes(reader.remaining);
  const buffer = Buffer.from(rest.buffer, rest.byteOffset, rest.length);
  const text = buffer.toString(encoding === UTF_8 ? 'utf8' : 'utf16le');
  const strings: string[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    strings.push(text.slice(at, at + lengths[i]!));
    at += lengths[i]!;
  }
  if (at !== text.length) throw new FormatFlaw(`section ${section}`, 'has strings of other lengths than it says');
  return strings;
}

/** Rows from 2 on, column after column; rows 0 and 1 are the same in every table. */
export function packMethods(methods: MethodTable): Uint8Array {
  const writer = new ByteWriter(methods.length * 8 + 16);
  for (const column of [methods.className, methods.name, methods.descriptor]) {
    let before = 0;
    for (let i = 2; i < methods.length; i++) {
      writer.signed(column[i]! - before);
      before = column[i]!;
    }
  }
  for (let i = 2; i < methods.length; i++) writer.varint(methods.flags[i]! >>> 0);
  return writer.finish();
}

/** Reads what packMethods wrote; throws FormatFlaw. */
export function unpackMethods(bytes: Uint8Array, length: number, strings: readonly string[]): MethodTable {
  const reader = new ByteReader('methods', bytes);
  if ((length - 2) * 4 > bytes.length) reader.fail(`cannot hold ${length} methods`);
  const column = (name: string, least: number) => {
    const values = sharedInt32(length);
    for (let i = 2, at = 0; i < length; i++) {
      at += reader.signed();
      if (!(at >= least && at < strings.length)) {
        throw new FormatFlaw(
          `column methods.${name}, row ${i}`,
          `string ${at} is outside the table of ${strings.length}`,
        );
      }
      values[i] = at;
    }
    return values;
  };
  const className = column('className', 0);
  const name = column('name', 0);
  const descriptor = column('descriptor', -1);
  const flags = sharedInt32(length);
  for (let i = 2; i < length; i++) flags[i] = reader.row(2 ** 32, 'flags') | 0;
  reader.end();
  const table = { length, strings, className, name, descriptor, flags };
  return completeMethods(table);
}

/** Fills rows 0 and 1, and refuses tables in which a method stands twice. */
function completeMethods(table: MethodTable): MethodTable {
  const { strings, className, name, descriptor, flags } = table;
  const fixed = new MethodTableBuilder().finish();
  const texts = [...strings];
  const rowOf = (text: string) => {
    const known = texts.indexOf(text);
    return known >= 0 ? known : texts.push(text) - 1;
  };
  for (let i = 0; i < 2; i++) {
    className[i] = rowOf(fixed.strings[fixed.className[i]!]!);
    name[i] = rowOf(fixed.strings[fixed.name[i]!]!);
    descriptor[i] = -1;
    flags[i] = fixed.flags[i]!;
  }
  const complete = { ...table, strings: texts };
  checkMethodsDiffer(complete);
  return complete;
}

function checkMethodsDiffer({ length, strings, className, name, descriptor }: MethodTable): void {
  const own = firstRows(strings);
  let size = 16;
  while (size < 2 * length) size *= 2;
  /** Open addressing: method + 1, 0 is free. */
  const slots = new Int32Array(size);
  for (let i = 0; i < length; i++) {
    const [c, n, d] = [own[className[i]!]!, own[name[i]!]!, descriptor[i]! < 0 ? -1 : own[descriptor[i]!]!];
    let slot = hash3(c, n, d) & (size - 1);
    for (; slots[slot] !== 0; slot = (slot + 1) & (size - 1)) {
      const other = slots[slot]! - 1;
      const isSame = own[className[other]!] === c && own[name[other]!] === n;
      if (isSame && (descriptor[other]! < 0 ? -1 : own[descriptor[other]!]!) === d)
        throw new FormatFlaw(`column methods, row ${i}`, 'repeats a method');
    }
    slots[slot] = i + 1;
  }
}

/** For each text the first row that it stands in; nearly always its own. */
function firstRows(strings: readonly string[]): Int32Array {
  const own = new Int32Array(strings.length);
  for (let row = 0; row < own.length; row++) own[row] = row;
  if (new Set(strings).size === strings.length) return own;
  const first = new Map<string, number>();
  for (let row = 0; row < own.length; row++) {
    const known = first.get(strings[row]!);
    if (known === undefined) first.set(strings[row]!, row);
    else own[row] = known;
  }
  return own;
}

/** Virtual flags, number of raw names of each row, then all groups, names and raw names as strings. */
export function packThreads(threads: ThreadTable): Uint8Array {
  const writer = new ByteWriter(threads.length * 16 + 64);
  for (const flag of threads.virtual) writer.byte(flag);
  for (const names of threads.rawNames) writer.varint(names.length);
  writer.bytes(packStrings([...threads.group, ...threads.name, ...threads.rawNames.flat()]));
  return writer.finish();
}

/** Reads what packThreads wrote; throws FormatFlaw. */
export function unpackThreads(bytes: Uint8Array, length: number): ThreadTable {
  const reader = new ByteReader('threads', bytes);
  if (length * 2 > bytes.length) reader.fail(`cannot hold ${length} threads`);
  const virtual = sharedUint8(length);
  for (let i = 0; i < length; i++) virtual[i] = reader.row(2, 'virtual flag');
  const counts = new Int32Array(length);
  let raw = 0;
  for (let i = 0; i < length; i++) {
    counts[i] = reader.row(bytes.length, 'number of raw names');
    raw += counts[i]!;
  }
  const strings = unpackStrings('threads', reader.bytes(reader.remaining), length * 2 + raw);
  let at = length * 2;
  const rawNames = Array.from(counts, count => {
    at += count;
    return strings.slice(at - count, at);
  });
  return { length, group: strings.slice(0, length), name: strings.slice(length, length * 2), virtual, rawNames };
}
