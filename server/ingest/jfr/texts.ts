// Decodes the texts that pool entries refer to: symbols, strings in place, references into the string pool.
import type { Cursor, Key } from './cursor.ts';
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

/** Where a text stands in relation to a position: the text itself, or a key into a pool whose entries hold it. */
export type TextReader = {
  /** The text of the field at `pos`; null where it has none. */
  read(pos: number): string | null;
};

const slot = new Int32Array(1);

/** A reader for a field that holds a text in any way; undefined when the field cannot hold one. Registers the pools it needs. */
export function textReader(context: ChunkContext, field: Field | undefined): TextReader | undefined {
  const { types, pools } = context;
  const type = types.of(field);
  if (field === undefined || type === undefined || field.array) return undefined;
  const strings = types.byName.get('java.lang.String');
  if (strings !== undefined) pools.want(strings.id);
  if (!field.pooled) return type === strings ? { read: pos => stringAt(context, strings.id, pos) } : undefined;
  pools.want(type.id);
  const entry = entryReader(context, type, strings);
  if (entry === undefined) return undefined;
  const cache = new Map<Key, string | null>();
  return {
    read(pos) {
      context.cursor.pos = pos;
      const key = context.cursor.key();
      let text = cache.get(key);
      if (text === undefined) {
        const offset = pools.offset(type.id, key);
        text = offset < 0 ? null : entry(offset);
        cache.set(key, text);
      }
      return text;
    },
  };
}

/** Reads the text out of an entry of a pool: a string, or a structure with one (jdk.types.Symbol). */
function entryReader(
  context: ChunkContext,
  type: JfrType,
  strings: JfrType | undefined,
): ((offset: number) => string | null) | undefined {
  if (strings === undefined) return undefined;
  if (type === strings) return offset => stringAt(context, strings.id, offset);
  const inner = type.fields.find(field => field.type === strings.id && !field.pooled && !field.array);
  const layout = inner === undefined ? null : context.layouts.wanted(type, [inner.name]);
  if (layout === null) return undefined;
  return offset => {
    context.cursor.pos = offset;
    walk(context.cursor, layout, slot);
    return stringAt(context, strings.id, slot[0]!);
  };
}

/** The string at `pos`, following one reference into the string pool; null where there is none. */
function stringAt(context: ChunkContext, stringType: Key, pos: number): string | null {
  const { cursor, pools } = context;
  cursor.pos = pos;
  const encoding = cursor.bytes[pos]!;
  if (encoding === ENCODING.null) return null;
  if (encoding !== ENCODING.pool) return readString(cursor);
  cursor.pos++;
  const offset = pools.offset(stringType, cursor.key());
  // An entry that refers on to another is nothing a recorder writes.
  if (offset < 0 || cursor.bytes[offset] === ENCODING.pool || cursor.bytes[offset] === ENCODING.null) return null;
  cursor.pos = offset;
  return readString(cursor);
}
