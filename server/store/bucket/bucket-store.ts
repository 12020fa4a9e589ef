// A store in a bucket of an engine that speaks S3: one object a snapshot, named by its content, never overwritten.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Outcome, Problem } from '../../base/problem.ts';
import type { MethodTable } from '../../cct/profile.ts';
import {
  decodeHeader,
  decodeMethods,
  decodeSnapshot,
  foreignIn,
  type HeaderReading,
  headerExtent,
  SnapshotReader,
} from '../../snapshot/decode.ts';
import { namedSections } from '../../snapshot/sections.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { contentHash, encodeForStore } from '../encoded.ts';
import { executionSegments, fileName, parseFileName } from '../key.ts';
import type { Storable, Store, StoreEntry, StoreFilter, StoreStamp } from '../store.ts';
import { nextWindowEnd } from '../window-ends.ts';
import { type BucketAddress, withoutSecrets } from './address.ts';
import { BucketListing, MOST_OBJECT_BYTES } from './bucket-listing.ts';
import type { DiskCache } from './disk-cache.ts';
import { isObjectFailure, ObjectFailure, type Objects } from './objects.ts';

/** Engines agree on what becomes of one request of this size; larger ones would go in parts. */
const MOST_PUT_BYTES = 20 << 20;
/** Of a smaller object everything is read where its header is wanted: it will be soon. */
const WHOLE_BYTES = 256 << 10;
const HEADER_GUESS_BYTES = 64 << 10;
/** Headers kept in memory, by what they take. */
const MOST_HEADER_BYTES = 32 << 20;
/** The object by which engines show whether they keep to the condition of a put. */
const PROBE = 'insitu-probe';
const PROBE_TEXT = 'Stored by insitu to see whether this engine refuses to overwrite. It can be removed at any time.\n';

/** The store at an address; `connect` is called with the first request. */
export class BucketStore implements Store {
  readonly location: string;
  readonly mostBytes: number;
  readonly #address: BucketAddress;
  readonly #cache: DiskCache;
  readonly #connect: (address: BucketAddress) => Promise<Objects>;
  readonly #listing: BucketListing;
  readonly #headers = new LRUCache<string, HeaderReading>({ maxSize: MOST_HEADER_BYTES });
  #objects: Promise<Objects> | null = null;
  #probe: Promise<readonly Problem[]> | null = null;
  #isProbeTold = false;

  constructor(
    location: string,
    address: BucketAddress,
    connect: (address: BucketAddress) => Promise<Objects>,
    cache: DiskCache,
    mostBytes = MOST_PUT_BYTES,
  ) {
    this.mostBytes = mostBytes;
    this.location = withoutSecrets(location);
    this.#address = address;
    this.#connect = connect;
    this.#cache = cache;
    this.#listing = new BucketListing(this.location, address.prefix, () => this.#engine(), cache);
  }

  async list(filter: StoreFilter): Promise<Outcome<readonly StoreEntry[]>> {
    const { value, problems } = await this.#listing.list(filter);
    return { value, problems };
  }

  /** Asks the engine anew. */
  async stamp(filter: StoreFilter): Promise<StoreStamp> {
    const { value, reached } = await this.#listing.list(filter, true);
    const hash = createHash('sha256').update(reached ? 'reached' : 'not reached');
    for (const { key } of value) hash.update(`${key}\n`);
    return { text: hash.digest('hex'), nextMillis: nextWindowEnd(value, Date.now()) };
  }

  async read(entry: StoreEntry, reader = new SnapshotReader()): Promise<Outcome<Snapshot | null>> {
    return this.#decoded(entry, (bytes, file) => reader.read(bytes, file));
  }

  async readMethods(entry: StoreEntry): Promise<Outcome<MethodTable | null>> {
    return this.#decoded(entry, decodeMethods);
  }

  async readHeader(entry: StoreEntry): Promise<Outcome<HeaderReading | null>> {
    const known = this.#headers.get(entry.hash);
    if (known !== undefined) return { value: known, problems: [] };
    const bytes = await this.#beginning(entry);
    if (bytes.value === null) return { value: null, problems: bytes.problems };
    const outcome = decodeHeader(bytes.value, this.#place(entry));
    const size = headerExtent(bytes.value) ?? 1;
    if (outcome.value !== null && size <= MOST_HEADER_BYTES) this.#headers.set(entry.hash, outcome.value, { size });
    return outcome;
  }

  async readBytes(entry: StoreEntry, fresh = false): Promise<Outcome<Uint8Array | null>> {
    const name = `${entry.hash}.cct`;
    const cached = fresh ? null : await this.#cache.get(name);
    if (cached !== null) {
      if (contentHash(cached) === entry.hash) return { value: cached, problems: [] };
      await this.#cache.remove(name);
    }
    const got = await this.#get(entry, entry.bytes);
    if (got.value === null) return got;
    if (contentHash(got.value) !== entry.hash) {
      const remedy = 'remove it from the store and import the recording again';
      return this.#problem(entry, 'the snapshot is not what its name says: it was damaged or exchanged', remedy);
    }
    await this.#cache.put(name, got.value);
    return got;
  }

  async put(snapshot: Storable): Promise<Outcome<StoreEntry | null>> {
    const { value: encoded, problems } = encodeForStore(snapshot, this.location);
    if (encoded === null) return { value: null, problems };
    const { entry, bytes } = encoded;
    if (bytes.length > this.mostBytes) return this.#putParts(snapshot, entry);
    this.#listing.forget();
    try {
      const objects = await this.#engine();
      const notes = await this.#probed(objects);
      if ((await objects.putIfAbsent(this.#keyOf(entry), bytes)) === 'exists') {
        // The object may be there from an attempt whose answer was lost, from another writer, or be another object of that name.
        const there = await objects.get(this.#keyOf(entry), bytes.length + 1);
        if (contentHash(there) !== entry.hash) {
          const remedy = 'remove that object and put the snapshot again';
          return this.#problem(entry, 'another object has the name of this snapshot', remedy);
        }
      }
      this.#listing.forget();
      return { value: entry, problems: notes };
    } catch (error) {
      return this.#failed(entry, 'the snapshot cannot be stored', error);
    }
  }

  /** Puts the object by which the engine shows how it puts. */
  async tryPut(): Promise<readonly Problem[]> {
    try {
      return await this.#probed(await this.#engine());
    } catch (error) {
      if (!isObjectFailure(error)) throw error;
      return [failedProblem(this.location, 'nothing can be stored here', error)];
    }
  }

  /** Puts what is too large for one object as several. What was put before one of them failed is found there when it is put again. */
  async #putParts(snapshot: Storable, entry: StoreEntry): Promise<Outcome<StoreEntry | null>> {
    const { splitSnapshot } = await import('../split.ts');
    const whole = snapshot instanceof Uint8Array ? decodeSnapshot(snapshot, this.location).value : snapshot;
    // A snapshot that replaces others must be one object: half of it would stand for all of them.
    const foreign = snapshot instanceof Uint8Array ? foreignIn(snapshot) : [];
    const isWholeOnly = whole === null || whole.header.replaces.length > 0 || foreign.length > 0;
    const parts = isWholeOnly ? null : splitSnapshot(whole, this.mostBytes);
    const size = `${(entry.bytes / 2 ** 20).toFixed(1)} MiB, more than the ${(this.mostBytes / 2 ** 20).toFixed(0)} of one object`;
    if (parts === null)
      return this.#problem(
        entry,
        `the snapshot cannot be stored: it has ${size}${foreign.length === 0 ? '' : ` and ${namedSections(foreign)}, which this version of insitu cannot split`}`,
        foreign.length === 0 ? 'import a smaller part of the recording' : 'put it with a newer insitu',
      );
    const message = `the snapshot has ${size}: it is stored as ${parts.length}, by windows and groups of threads`;
    const problems: Problem[] = [{ severity: 'info', message, file: this.location }];
    let first: StoreEntry | null = null;
    for (const part of parts) {
      const put = await this.put(part);
      problems.push(...put.problems);
      if (put.value === null) return { value: null, problems };
      first ??= put.value;
    }
    return { value: first, problems };
  }

  async remove(entry: StoreEntry): Promise<Outcome<boolean>> {
    try {
      await (await this.#engine()).remove(this.#keyOf(entry));
      this.#listing.forget();
      await this.#cache.remove(`${entry.hash}.cct`);
      return { value: true, problems: [] };
    } catch (error) {
      return { value: false, problems: this.#failed(entry, 'the snapshot cannot be removed', error).problems };
    }
  }

  async storedMillis(entry: StoreEntry): Promise<number | null> {
    try {
      return await (await this.#engine()).storedMillis(this.#keyOf(entry));
    } catch {
      return null;
    }
  }

  #engine(): Promise<Objects> {
    this.#objects ??= this.#connect(this.#address);
    return this.#objects;
  }

  async #decoded<T>(
    entry: StoreEntry,
    decode: (bytes: Uint8Array, file: string) => Outcome<T | null>,
  ): Promise<Outcome<T | null>> {
    const bytes = await this.readBytes(entry);
    return bytes.value === null ? { value: null, problems: bytes.problems } : decode(bytes.value, this.#place(entry));
  }

  /** As much of a snapshot as its header needs, or more. */
  async #beginning(entry: StoreEntry): Promise<Outcome<Uint8Array | null>> {
    if (entry.bytes <= WHOLE_BYTES || (await this.#cache.has(`${entry.hash}.cct`))) return this.readBytes(entry);
    const cached = await this.#cache.get(`${entry.hash}.head`);
    if (cached !== null && (headerExtent(cached) ?? Number.POSITIVE_INFINITY) <= cached.length)
      return { value: cached, problems: [] };
    const guess = await this.#get(entry, HEADER_GUESS_BYTES);
    if (guess.value === null) return guess;
    const extent = Math.min(headerExtent(guess.value) ?? 0, entry.bytes);
    const got = extent <= guess.value.length ? guess : await this.#get(entry, extent);
    if (got.value !== null) await this.#cache.put(`${entry.hash}.head`, got.value);
    return got;
  }

  async #get(entry: StoreEntry, most: number): Promise<Outcome<Uint8Array | null>> {
    try {
      const objects = await this.#engine();
      return { value: await objects.get(this.#keyOf(entry), Math.min(most, MOST_OBJECT_BYTES)), problems: [] };
    } catch (error) {
      return this.#failed(entry, 'the snapshot cannot be read', error);
    }
  }

  /** Says once what is wrong with the engine's puts. */
  async #probed(objects: Objects): Promise<readonly Problem[]> {
    this.#probe ??= probe(objects, `${this.#address.prefix}${PROBE}`, this.location).catch(error => {
      this.#probe = null;
      throw error;
    });
    const problems = await this.#probe;
    if (this.#isProbeTold) return [];
    this.#isProbeTold = true;
    return problems;
  }

  /** Made from the execution, never from a listed key. */
  #keyOf({ execution, startMillis, hash }: StoreEntry): string {
    const segments = executionSegments(execution);
    const name = fileName(startMillis, hash);
    if (!Array.isArray(segments) || parseFileName(name) === null)
      throw new ObjectFailure('failed', 'this is no name of a snapshot');
    return [`${this.#address.prefix}${segments[0]}`, ...segments.slice(1), name].join('/');
  }

  #place(entry: StoreEntry): string {
    return `${this.location}: ${entry.key}`;
  }

  #problem(entry: StoreEntry, message: string, remedy: string): Outcome<null> {
    return { value: null, problems: [{ severity: 'error', message, file: this.#place(entry), remedy }] };
  }

  #failed(entry: StoreEntry, what: string, error: unknown): Outcome<null> {
    if (!isObjectFailure(error)) throw error;
    return { value: null, problems: [failedProblem(this.#place(entry), what, error)] };
  }
}

function failedProblem(file: string, what: string, { kind, message }: ObjectFailure): Problem {
  const remedies = { unreachable: 'try again when the store can be reached', missing: 'list the store again' } as const;
  const remedy = kind === 'unreachable' || kind === 'missing' ? remedies[kind] : REFUSED;
  return { severity: 'error', message: `${what}: ${message}`, file, remedy };
}

const REFUSED = 'check what this user may do with the bucket (docs/scale.md has policies)';

async function probe(objects: Objects, key: string, location: string): Promise<readonly Problem[]> {
  const bytes = Buffer.from(PROBE_TEXT);
  const first = await objects.putIfAbsent(key, bytes);
  if (first === 'exists' || (await objects.putIfAbsent(key, bytes)) === 'exists') return [];
  const message =
    'this engine overwrites objects although it is asked not to; names made of contents keep the snapshots safe';
  return [{ severity: 'warning', message, file: location, remedy: 'use a newer engine where you can' }];
}
