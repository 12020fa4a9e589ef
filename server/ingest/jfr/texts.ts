// Decodes the texts that pool entries refer to: symbols, strings in place, references into the string pool.
import type { Cursor, Key } from './cursor.ts';
import type { InternedTexts } from './interned-texts.ts';
import { type Layouts, walk } from './layout.ts';
import type { Field, JfrType, Types } from './metadata.ts';
import type { Pools } from './pools.ts';
import { ENCODING, readString } from './strings.ts';

/** What reading constants of one chunk needs. */
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
};

const slot = new Int32Array(1);

/** A reader for a field that holds a text in any way; undefined when the field cannot hold one. Registers the pools it needs. */
export function textReader(context: ChunkContext, field: Field | undefined): TextReader | undefined {
  const { types, pools, cursor } = context;
  const type = types.of(field);
  const strings = types.byName.get('java.lang.String');
  if (field === undefined || type === undefined || field.array || strings === undefined) return undefined;
  pools.want(strings.id);
  const place = field.pooled ? placeByKey(context, type, strings) : (pos: number) => pos;
  if (place === undefined || (!field.pooled && type !== strings)) return undefined;
  const textAt = (pos: number) => {
    const at = place(pos);
    return at < 0 ? -1 : followed(context, strings.id, at);
  };
  return {
    read(pos) {
      const at = textAt(pos);
      if (at < 0) return null;
      cursor.pos = at;
      return readString(cursor);
    },
    row(pos, texts) {
      const at = textAt(pos);
      return at < 0 ? -1 : texts.row(cursor, at);
    },
  };
}

/** Finds the string in the entry of a pool that the key at a place refers to (−1: none): the entry itself, or a structure with one (jdk.types.Symbol). */
function placeByKey(context: ChunkContext, type: JfrType, strings: JfrType): ((pos: number) => number) | undefined {
  const { cursor, pools, layouts } = context;
  const entries = pools.want(type.id);
  const inner = type.fields.find(field => field.type === strings.id && !field.pooled && !field.array);
  const layout = inner === undefined ? null : layouts.wanted(type, [inner.name]);
  if (layout === null && type !== strings) return undefined;
  // Where the string comes first, it stands where the entry does.
  const inside = type === strings || layout === null || type.fields[0] === inner ? null : layout;
  return pos => {
    cursor.pos = pos;
    const number = entries.find(cursor.key());
    if (number < 0) return -1;
    const offset = entries.offset(number);
    if (inside === null) return offset;
    cursor.pos = offset;
    walk(cursor, inside, slot);
    return slot[0]!;
  };
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
