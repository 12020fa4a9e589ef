// Reads a snapshot file: checks every length, index and order, and refuses with the place instead of throwing.

import { crc32, zstdDecompressSync } from 'node:zlib';
import { messageOf } from '../base/message-of.ts';
import type { Outcome, Problem } from '../base/problem.ts';
import type { Losses, MethodTable, Metric, Profile, TimeWindow } from '../cct/profile.ts';
import { unpackCells } from './cell-section.ts';
import { FormatFlaw, MAGIC, MAX_HEADER_BYTES, PREAMBLE_BYTES, VERSION } from './format.ts';
import { type FileHeader, type MetricTotals, unpackHeader } from './header.ts';
import { foreignAmong, isKnownSection, namedSections } from './sections.ts';
import type { Snapshot, SnapshotHeader } from './snapshot.ts';
import { SOURCES, type SourceFile, unpackSources } from './source-section.ts';
import { unpackMethods, unpackStrings, unpackThreads } from './table-sections.ts';
import { TIMES, unpackTimes } from './times-section.ts';
import { unpackTree } from './tree-sections.ts';

/** The facts of a snapshot about itself, before its columns are read. */
export type HeaderReading = {
  readonly header: SnapshotHeader;
  readonly windows: readonly TimeWindow[];
  readonly metrics: readonly Metric[];
  /** Number of nodes in the tree. */
  readonly nodes: number;
  /** Per metric: sums over all cells, partial stacks included and given apart. */
  readonly totals: readonly MetricTotals[];
  readonly losses: Losses;
  /** Whether it says what the sources of its classes were like. */
  readonly hasSources: boolean;
  /** Optional sections that this version does not know: it reads everything else and never writes the snapshot anew. */
  readonly foreign: readonly string[];
};

/** Whether bytes begin like a snapshot, of whatever version. */
export function looksLikeSnapshot(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, i) => bytes[i] === byte);
}

/** How many bytes from the file's beginning decodeHeader needs, seen from its first 20; null when this is no snapshot. */
export function headerExtent(bytes: Uint8Array): number | null {
  if (bytes.length < PREAMBLE_BYTES || !looksLikeSnapshot(bytes)) return null;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(MAGIC.length + 4, true);
  return length > MAX_HEADER_BYTES ? null : PREAMBLE_BYTES + length;
}

/** Reads the header alone; `bytes` may be just the beginning of the file (headerExtent says how much). */
export function decodeHeader(bytes: Uint8Array, file?: string): Outcome<HeaderReading | null> {
  return refusing(file, () => {
    const { header } = readHeader(bytes, null);
    const { snapshot, windows, metrics, sizes, totals, losses } = header;
    const foreign = foreignAmong(header.sections);
    const nodes = sizes.nodes;
    return { header: snapshot, windows, metrics, nodes, totals, losses, hasSources: hasSources(header), foreign };
  });
}

/** Names of optional sections that this version does not know; none where there are no bytes or the header cannot be read. */
export function foreignIn(bytes: Uint8Array | undefined): readonly string[] {
  return bytes === undefined || bytes.length === 0 ? [] : (decodeHeader(bytes).value?.foreign ?? []);
}

/** Reads a whole snapshot but for what it says of sources; null with a problem that names the place when anything in it is not as it must be. */
export function decodeSnapshot(bytes: Uint8Array, file?: string): Outcome<Snapshot | null> {
  return new SnapshotReader().read(bytes, file);
}

/** Reads several snapshots. Snapshots of one program often have the very same methods: the same bytes give the same checked table. */
export class SnapshotReader {
  #last: ReadMethods | null = null;

  /** As `decodeSnapshot`. */
  read(bytes: Uint8Array, file?: string): Outcome<Snapshot | null> {
    let skipped: readonly string[] = [];
    const { value, problems } = refusing(file, () => {
      const { snapshot, methods, foreign } = readSnapshot(bytes, this.#last);
      this.#last = methods;
      skipped = foreign;
      return snapshot;
    });
    return { value, problems: skipped.length === 0 ? problems : [...problems, skippedProblem(skipped, file)] };
  }
}

/** A table, and what it was read from. */
type ReadMethods = { readonly table: MethodTable; readonly strings: Uint8Array; readonly methods: Uint8Array };

/** Why the bytes of a snapshot could not be read again, and where; null when they can. */
export function findSnapshotFlaw(bytes: Uint8Array): Pick<Problem, 'message' | 'place'> | null {
  try {
    checkEverySection(bytes);
    readSnapshot(bytes);
    readSources(bytes);
    return null;
  } catch (error) {
    const message = messageOf(error);
    return { message, ...(error instanceof FormatFlaw ? { place: error.place } : {}) };
  }
}

function readSnapshot(
  bytes: Uint8Array,
  before: ReadMethods | null = null,
): { readonly snapshot: Snapshot; readonly methods: ReadMethods; readonly foreign: readonly string[] } {
  const { header, end } = readHeader(bytes, bytes.length);
  // Most readers have no use for what takes long to read.
  const names = header.sections.map(({ name }) => name).filter(name => name !== SOURCES && isKnownSection(name));
  const section = readSections(bytes, end, header, names);
  const methods = readMethods(header, section, before);
  const profile = profileOf(header, section, methods.table);
  return { snapshot: { header: header.snapshot, profile }, methods, foreign: foreignAmong(header.sections) };
}

/** Checks the checksums of all sections, also of sections that are not read; throws FormatFlaw. */
function checkEverySection(bytes: Uint8Array): void {
  const { header, end } = readHeader(bytes, bytes.length);
  let at = end;
  for (const { name, packed, checksum } of header.sections) {
    checkSection(bytes.subarray(at, at + packed), checksum, `section ${name}`);
    at += packed;
  }
}

function checkSection(part: Uint8Array, checksum: number, place: string): void {
  if (crc32(part) !== checksum) throw new FormatFlaw(place, 'its checksum is wrong: the file was damaged');
}

function skippedProblem(names: readonly string[], file: string | undefined): Problem {
  const message = `this version of insitu does not know ${namedSections(names)} and reads the rest of the snapshot`;
  return { severity: 'info', message, ...(file === undefined ? {} : { file }), remedy: UPDATE };
}

const UPDATE = 'update insitu on this machine';

/** Reads the method table alone, which is far quicker than the whole; null with a problem when it is not as it must be. */
export function decodeMethods(bytes: Uint8Array, file?: string): Outcome<MethodTable | null> {
  return refusing(file, () => {
    const { header, end } = readHeader(bytes, bytes.length);
    return readMethods(header, readSections(bytes, end, header, ['strings', 'methods']), null).table;
  });
}

/** Reads what a snapshot says of sources alone; empty where it says nothing, null with a problem when that is not as it must be. */
export function decodeSources(bytes: Uint8Array, file?: string): Outcome<readonly SourceFile[] | null> {
  return refusing(file, () => readSources(bytes));
}

function readSources(bytes: Uint8Array): readonly SourceFile[] {
  const { header, end } = readHeader(bytes, bytes.length);
  return hasSources(header) ? unpackSources(readSections(bytes, end, header, [SOURCES])(SOURCES)) : [];
}

function hasSources({ sections }: FileHeader): boolean {
  return sections.some(({ name }) => name === SOURCES);
}

function refusing<T>(file: string | undefined, read: () => T): Outcome<T | null> {
  try {
    return { value: read(), problems: [] };
  } catch (error) {
    const flaw = error instanceof FormatFlaw ? error : null;
    const reason = messageOf(error);
    const problem: Problem = {
      severity: 'error',
      message: flaw instanceof NewerVersion ? flaw.message : `this snapshot cannot be read: ${reason}`,
      ...(file === undefined ? {} : { file }),
      ...(flaw === null ? {} : { place: flaw.place }),
      remedy: flaw instanceof NewerVersion ? UPDATE : 'import the recording again, or remove the file from the store',
    };
    return { value: null, problems: [problem] };
  }
}

class NewerVersion extends FormatFlaw {}

function readHeader(bytes: Uint8Array, fileBytes: number | null): { header: FileHeader; end: number } {
  if (!looksLikeSnapshot(bytes)) throw new FormatFlaw('byte 0', 'it does not begin like a snapshot');
  if (bytes.length < PREAMBLE_BYTES) throw new FormatFlaw(`byte ${bytes.length}`, 'it ends too early');
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const version = view.getUint32(MAGIC.length, true);
  if (version > VERSION) {
    const newest = `this insitu reads versions up to ${VERSION}`;
    throw new NewerVersion(`byte ${MAGIC.length}`, `the snapshot has format version ${version}, ${newest}`);
  }
  if (version < 1) throw new FormatFlaw(`byte ${MAGIC.length}`, 'there is no format version 0');
  const length = view.getUint32(MAGIC.length + 4, true);
  const end = PREAMBLE_BYTES + length;
  if (length > MAX_HEADER_BYTES) throw new FormatFlaw(`byte ${MAGIC.length + 4}`, 'its header is too large');
  if (bytes.length < end) throw new FormatFlaw(`byte ${bytes.length}`, 'it ends within the header');
  const head = bytes.subarray(PREAMBLE_BYTES, end);
  if (crc32(head) !== view.getUint32(MAGIC.length + 8, true)) {
    throw new FormatFlaw('header', 'its checksum is wrong: the file was damaged');
  }
  const header = unpackHeader(head, fileBytes, version);
  const unknown = header.sections.filter(({ name, required }) => required && !isKnownSection(name));
  if (unknown.length > 0) {
    const names = namedSections(unknown.map(({ name }) => name));
    throw new NewerVersion('header', `the snapshot needs ${names}, which this version of insitu does not know`);
  }
  return { header, end };
}

type Sections = (name: string) => Uint8Array;

const DECOMPRESSED_AT_ONCE = 8 << 20;

/** Checks and unpacks all sections, or the `wanted` ones. */
function readSections(bytes: Uint8Array, start: number, header: FileHeader, wanted?: readonly string[]): Sections {
  const sections = new Map<string, Uint8Array>();
  let at = start;
  for (const { name, packed, unpacked, checksum } of header.sections) {
    const place = `section ${name}`;
    const part = bytes.subarray(at, at + packed);
    at += packed;
    if (wanted !== undefined && !wanted.includes(name)) continue;
    checkSection(part, checksum, place);
    sections.set(name, decompress(part, unpacked, place));
  }
  return name => {
    const section = sections.get(name);
    if (section === undefined) throw new FormatFlaw(`section ${name}`, 'it is missing');
    return section;
  };
}

function decompress(part: Uint8Array, unpacked: number, place: string): Uint8Array {
  let bytes: Uint8Array;
  try {
    // Memory is taken step by step, as bytes come: a header may claim a length that its section does not have.
    const chunkSize = Math.max(64, Math.min(unpacked, DECOMPRESSED_AT_ONCE));
    bytes = zstdDecompressSync(part, { maxOutputLength: Math.max(1, unpacked), chunkSize });
  } catch (error) {
    const reason = messageOf(error);
    throw new FormatFlaw(place, `it cannot be decompressed: ${reason}`);
  }
  if (bytes.length !== unpacked) {
    throw new FormatFlaw(place, `it has ${bytes.length} bytes instead of ${unpacked}`);
  }
  return bytes;
}

/** @param before the table comes back where it was read from the same bytes */
function readMethods({ sizes }: FileHeader, section: Sections, before: ReadMethods | null): ReadMethods {
  const [strings, methods] = [section('strings'), section('methods')];
  // The numbers of rows stand in the header, and are checked against the bytes.
  const isSame =
    before !== null &&
    before.table.length === sizes.methods &&
    before.table.strings.length === sizes.strings &&
    Buffer.compare(before.strings, strings) === 0 &&
    Buffer.compare(before.methods, methods) === 0;
  if (isSame) return before;
  const table = unpackMethods(methods, sizes.methods, unpackStrings('strings', strings, sizes.strings));
  return { table, strings, methods };
}

function profileOf(header: FileHeader, section: Sections, methods: MethodTable): Profile {
  const { sizes, metrics, windows, losses } = header;
  const threads = unpackThreads(section('threads'), sizes.threads);
  const packedTree = { calls: section('calls'), steps: section('steps'), ranks: section('ranks') };
  const tree = unpackTree(packedTree, sizes.nodes, sizes.methods);
  const cells = metrics.map((metric, i) =>
    unpackCells(section(`cells.${i}`), {
      name: `cells of ${metric.id}`,
      ...header.storage[i]!,
      nodes: sizes.nodes,
      threads: sizes.threads,
      windows: windows.length,
    }),
  );
  const hasTimes = header.sections.some(({ name }) => name === TIMES);
  const times = hasTimes ? unpackTimes(section(TIMES), sizes.methods, windows.length) : null;
  return { tree, methods, threads, windows, metrics, cells, losses, ...(times !== null && { times }) };
}
