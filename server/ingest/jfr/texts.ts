// Decodes the texts that pool entries refer to: symbols, strings in place, references into the string pool.
import type { Cursor, Key } from './cursor.ts';
import type { InternedTexts } from './interned-texts.ts';
import { type Layouts, walk } from './layout.ts';
import type { Field, JfrType, Types } from './metadata.ts';
import type { PoolEntries, Pools } from './pools.ts';
import { ENCODING, readString } from './strings.ts';

/** The tools for reading constants of one chunk. */
export type ChunkContext = {
  readonly cursor: Cursor;
  readonly types: Types;
  readonly layouts: Layouts;
  readonly pools: Pools;
};

/** Reads the texts of one field, wherever it has them: in place, or as keys into a pool whose entries hold them. */
export type TextReader = {
  /** The text of the field at `pos`; null where it has none. */
  read(pos: number): string | null;
  /** The row that `texts` gives to the text of the field at `pos`; −1 where it has none. */
  row(pos: number, texts: InternedTexts): number;
  /** The same where the field holds a key, which is at hand. */
  rowOfKey(key: Key, texts: InternedTexts): number;
};

const slot = new Int32Array(1);

/** A reader for a field that holds a text in any way; undefined when the field cannot hold one. Registers the pools it needs. */
export function textReader(context: ChunkContext, field: Field | undefined): TextReader | undefined {
  const { types, pools } = context;
  const type = types.of(field);
  const strings = types.byName.get('java.lang.String');
  if (field === undefined || type === undefined || field.array || strings === undefined) return undefined;
  pools.want(strings.id);
  const entries = field.pooled ? entriesWithText(context, type, strings) : null;
  if (entries === undefined || (!field.pooled && type !== strings)) return undefined;
  return entries === null ? textInPlace(context, strings.id) : textByKey(context, strings.id, entries);
}

/** The entries of a pool that hold a text, and where in an entry at a place it stands. */
type TextEntries = { readonly entries: PoolEntries; readonly inside: (offset: number) => number };

function textInPlace(context: ChunkContext, stringType: Key): TextReader {
  const { cursor } = context;
  return {
    read: pos => textAt(cursor, followed(context, stringType, pos)),
    row(pos, texts) {
      const at = followed(context, stringType, pos);
      return at < 0 ? -1 : texts.row(cursor, at);
    },
    rowOfKey: () => -1,
  };
}

function textByKey(context: ChunkContext, stringType: Key, { entries, inside }: TextEntries): TextReader {
  const { cursor } = context;
  const keyAt = (pos: number) => {
    cursor.pos = pos;
    return cursor.key();
  };
  const place = (number: number) => (number < 0 ? -1 : followed(context, stringType, inside(entries.offset(number))));
  // Many methods have the same name or descriptor. Row + 1 of each entry's text in `rowsOf`, 0 where it was not asked for.
  let rows = new Int32Array(0);
  let rowsOf: InternedTexts | null = null;
  const rowOfKey = (key: Key, texts: InternedTexts) => {
    const number = entries.find(key);
    if (number < 0) return -1;
    if (number >= rows.length || rowsOf !== texts) {
      const old = rowsOf === texts ? rows : [];
      rows = new Int32Array(entries.length);
      rows.set(old);
      rowsOf = texts;
    }
    const known = rows[number]!;
    if (known > 0) return known - 1;
    const at = place(number);
    if (at < 0) return -1;
    const row = texts.row(cursor, at);
    rows[number] = row + 1;
    return row;
  };
  return {
    read: pos => textAt(cursor, place(entries.findConstant(keyAt(pos)))),
    row: (pos, texts) => rowOfKey(keyAt(pos), texts),
    rowOfKey,
  };
}

function textAt(cursor: Cursor, pos: number): string | null {
  if (pos < 0) return null;
  cursor.pos = pos;
  return readString(cursor);
}

/** The pool of a type whose entries are strings or structures with one (jdk.types.Symbol); undefined for any other. */
function entriesWithText(context: ChunkContext, type: JfrType, strings: JfrType): TextEntries | undefined {
  const { cursor, pools, layouts } = context;
  const entries = pools.want(type.id);
  const inner = type.fields.find(field => field.type === strings.id && !field.pooled && !field.array);
  const layout = inner === undefined ? null : layouts.wanted(type, [inner.name]);
  if (layout === null && type !== strings) return undefined;
  // Where the string comes first, it stands where the entry does.
  if (type === strings || layout === null || type.fields[0] === inner) return { entries, inside: offset => offset };
  const inside = (offset: number) => {
    cursor.pos = offset;
    walk(cursor, layout, slot);
    return slot[0]!;
  };
  return { entries, inside };
}

/** Where the string at `pos` really stands, following one reference into the string pool; −1 where there is none. */
function followed({ cursor, pools }: ChunkContext, stringType: Key, pos: number): number {
  const encoding = cursor.bytes[pos]!;
  if (encoding === ENCODING.null) return -1;
  if (encoding !== ENCODING.pool) return pos;
  cursor.pos = pos + 1;
  const offset = pools.offset(stringType, cursor.key());
  // An entry that refers on to another is nothing a recorder writes.
  if (offset < 0 || cursor.bytes[offset] === ENCODING.pool || cursor.bytes[offset] === ENCODING.null) return -1;
  return offset;
}
