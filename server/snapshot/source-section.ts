// The optional section of a snapshot that says what the sources of its classes were like, by fingerprints: no text, nothing to read code from.
import { Field } from './field.ts';

/** A member as it stood in the source: where, and hashes of what it was. */
export type SourceMember = {
  /** Row of the type that it stands in among the members of the file; −1 at top level. */
  readonly parent: number;
  /** As outlines call it: `method`, `class`, `field` … */
  readonly kind: string;
  readonly name: string;
  /** Binary name of a type, `com.acme.Shop$Line`; types of the parameters of what has some, as written; else empty. */
  readonly signature: string;
  /** Of the declaration with its modifiers and annotations, 1-based. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** Hash of the text without the line breaks' form; empty for types. */
  readonly text: string;
  /** Hash of the code alone, whatever its layout, comments and names of locals are; empty for types. */
  readonly code: string;
};

/** One source file; members in source order, a type before its members. */
export type SourceFile = { readonly members: readonly SourceMember[] };

/** More members than these are not kept: the sources of the most heavily sampled classes are. */
const MOST_MEMBERS = 20_000;
/** Bytes of the section unpacked. */
export const MOST_SOURCE_BYTES = 4 << 20;

export const SOURCES = 'sources';

const LONGEST_TEXT = 10_000;
const HASH = /^(?:[\w-]{8})?$/;

/** A row of the section: a member's fields in the order of the type. */
type Row = readonly (string | number)[];

/** The section's bytes; files that no longer fit are left out. */
export function packSources(files: readonly SourceFile[]): Uint8Array {
  const kept: Row[][] = [];
  let [bytes, count] = [2, 0];
  for (const { members } of files) {
    const rows = members.map(({ parent, kind, name, signature, firstLine, lastLine, text, code }): Row => {
      return [parent, kind, name, signature, firstLine, lastLine, text, code];
    });
    const size = Buffer.byteLength(JSON.stringify(rows)) + 1;
    const isTooLong = members.some(({ name, signature }) => Math.max(name.length, signature.length) > LONGEST_TEXT);
    if (isTooLong || bytes + size > MOST_SOURCE_BYTES || count + rows.length > MOST_MEMBERS) continue;
    bytes += size;
    count += rows.length;
    kept.push(rows);
  }
  return Buffer.from(JSON.stringify(kept));
}

/** Reads what packSources wrote; throws FormatFlaw. */
export function unpackSources(bytes: Uint8Array): readonly SourceFile[] {
  const place = `section ${SOURCES}`;
  const root = new Field(null, place);
  if (bytes.length > MOST_SOURCE_BYTES) root.fail('is too large');
  let count = 0;
  return new Field(parsed(bytes, root), place).items().map(file => {
    const rows = file.items();
    count += rows.length;
    if (count > MOST_MEMBERS) root.fail(`has more than ${MOST_MEMBERS} members`);
    return { members: rows.map(memberOf) };
  });
}

/**
 * The sources of several snapshots of one execution together: every file that some of them know, but files of which they say different
 * things. A file goes by the name of its first type.
 */
export function mergeSources(all: readonly (readonly SourceFile[])[]): readonly SourceFile[] {
  const known = new Map<string, { readonly file: SourceFile; readonly text: string }>();
  const disputed = new Set<string>();
  for (const file of all.flat()) {
    const name = file.members.find(({ parent }) => parent < 0)?.signature;
    if (name === undefined) continue;
    const text = JSON.stringify(file);
    const before = known.get(name);
    if (before === undefined) known.set(name, { file, text });
    else if (before.text !== text) disputed.add(name);
  }
  return [...known].filter(([name]) => !disputed.has(name)).map(([, { file }]) => file);
}

function parsed(bytes: Uint8Array, root: Field): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return root.fail('is no JSON');
  }
}

function memberOf(field: Field, row: number): SourceMember {
  const items = field.items();
  const [parent, kind, name, signature, firstLine, lastLine, text, code] = items;
  if (items.length !== 8) field.fail('does not have eight fields');
  const short = (item: Field): string => {
    const value = item.text();
    return value.length > LONGEST_TEXT ? item.fail('is too long') : value;
  };
  const hash = (item: Field): string => (HASH.test(item.text()) ? item.text() : item.fail('is no hash'));
  const first = firstLine!.whole(1, 2 ** 31 - 1);
  return {
    parent: parent!.whole(-1, row - 1),
    kind: short(kind!),
    name: short(name!),
    signature: short(signature!),
    firstLine: first,
    lastLine: lastLine!.whole(first, 2 ** 31 - 1),
    text: hash(text!),
    code: hash(code!),
  };
}
