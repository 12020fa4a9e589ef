// Lists a bucket: page by page, kept for a moment, and on disk for when the bucket cannot be reached.
import { createHash } from 'node:crypto';
import { momentText } from '../../base/moment-text.ts';
import type { Outcome, Problem } from '../../base/problem.ts';
import { compareEntries } from '../folder-listing.ts';
import { decodeSegment, encodeSegment, LAYOUT, parseFileName } from '../key.ts';
import type { StoreEntry, StoreFilter } from '../store.ts';
import type { DiskCache } from './disk-cache.ts';
import { isObjectFailure, ObjectFailure, type Objects } from './objects.ts';

/** A listing is not asked for again for so long: one load looks several times. */
const FRESH_MILLIS = 3_000;
/** More entries than these are not taken from one listing, whatever an engine sends. */
const MOST_ENTRIES = 2_000_000;
const MOST_PAGES = MOST_ENTRIES / 100;
/** No snapshot that a reader takes is larger; what claims to be is left alone. */
export const MOST_OBJECT_BYTES = 64 << 20;
const LEVELS = ['project', 'program', 'version', 'instance'] as const;

type Listing = Outcome<readonly StoreEntry[]> & { readonly reached: boolean };

export class BucketListing {
  readonly #location: string;
  readonly #prefix: string;
  readonly #objects: () => Promise<Objects>;
  readonly #cache: DiskCache;
  readonly #kept = new Map<string, { readonly listing: Promise<Listing>; until: number }>();

  constructor(location: string, prefix: string, objects: () => Promise<Objects>, cache: DiskCache) {
    this.#location = location;
    this.#prefix = prefix;
    this.#objects = objects;
    this.#cache = cache;
  }

  /** @param fresh ask the engine even if it has been asked a moment ago. */
  async list(filter: StoreFilter, fresh = false): Promise<Listing> {
    const prefix = this.#prefixOf(filter);
    if (prefix === null) return { value: [], problems: [], reached: true };
    const { value, problems, reached } = await this.#listed(prefix, fresh);
    const fitting = value.filter(({ execution }) =>
      LEVELS.every(level => filter[level] === undefined || filter[level] === execution[level]),
    );
    return { value: fitting, problems, reached };
  }

  /** Something was put or removed by this process. */
  forget(): void {
    this.#kept.clear();
  }

  /** The common beginning of all keys that a filter wants; null when no key could have that name. */
  #prefixOf(filter: StoreFilter): string | null {
    let prefix = `${this.#prefix}${LAYOUT}/`;
    for (const level of LEVELS) {
      const wanted = filter[level];
      if (wanted === undefined) break;
      const segment = encodeSegment(wanted);
      if (segment === null) return null;
      prefix += `${segment}/`;
    }
    return prefix;
  }

  #listed(prefix: string, fresh: boolean): Promise<Listing> {
    const now = performance.now();
    for (const [known, { until }] of this.#kept) if (until < now) this.#kept.delete(known);
    const wider = [...this.#kept].find(([known]) => prefix.startsWith(known))?.[1];
    if (wider !== undefined && !fresh)
      return wider.listing.then(listing => below(listing, prefix.slice(this.#prefix.length)));
    const listing = this.#ask(prefix);
    const kept = { listing, until: Number.POSITIVE_INFINITY };
    this.#kept.set(prefix, kept);
    return listing.finally(() => {
      kept.until = performance.now() + FRESH_MILLIS;
    });
  }

  async #ask(prefix: string): Promise<Listing> {
    const saved = `${createHash('sha256').update(`${this.#location}\n${prefix}`).digest('hex')}.list`;
    try {
      const { entries, problems } = await this.#askEngine(prefix);
      const text = JSON.stringify({ at: Date.now(), objects: entries.map(({ key, bytes }) => [key, bytes]) });
      await this.#cache.put(saved, Buffer.from(text));
      return { value: entries, problems, reached: true };
    } catch (error) {
      if (!isObjectFailure(error)) throw error;
      const known = error.kind === 'unreachable' ? await this.#saved(saved) : null;
      return { ...withoutEngine(this.#location, error, known), reached: false };
    }
  }

  async #askEngine(prefix: string): Promise<{ entries: StoreEntry[]; problems: Problem[] }> {
    const objects = await this.#objects();
    const entries: StoreEntry[] = [];
    const foreign: string[] = [];
    let [pages, next]: [number, string | null] = [0, null];
    do {
      const page = await objects.list(prefix, next);
      for (const { key, bytes } of page.objects) {
        const entry = this.#entryOf(key, bytes);
        if (entry === null) foreign.push(key);
        else entries.push(entry);
      }
      if (page.next !== null && page.next === next) throw new ObjectFailure('failed', 'its listing does not go on');
      next = page.next;
    } while (next !== null && entries.length < MOST_ENTRIES && ++pages < MOST_PAGES);
    const problems: Problem[] = [];
    if (next !== null) problems.push(tooMany(this.#location, entries.length));
    if (foreign.length > 0) problems.push(foreignProblem(this.#location, foreign));
    return { entries: entries.sort(compareEntries), problems };
  }

  /** Names are taken apart and put together again, so that none can mean another place. */
  #entryOf(key: string, bytes: number): StoreEntry | null {
    if (!key.startsWith(this.#prefix)) return null;
    const own = key.slice(this.#prefix.length);
    const [layout, project, program, version, instance, name, ...more] = own.split('/');
    if (layout !== LAYOUT || name === undefined || more.length > 0) return null;
    const texts = [project, program, version, instance].map(segment => decodeSegment(segment ?? ''));
    const parts = parseFileName(name);
    const isSized = Number.isSafeInteger(bytes) && bytes > 0 && bytes <= MOST_OBJECT_BYTES;
    if (texts.includes(null) || parts === null || !isSized) return null;
    const [a, b, c, d] = texts as [string, string, string, string];
    return { execution: { project: a, program: b, version: c, instance: d }, ...parts, key: own, bytes };
  }

  /** The last listing, which can be read without the engine. */
  async #saved(name: string): Promise<{ at: number; entries: StoreEntry[] } | null> {
    const bytes = await this.#cache.get(name);
    if (bytes === null) return null;
    try {
      const { at, objects } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { at: number; objects: unknown[] };
      const entries: StoreEntry[] = [];
      for (const object of objects) {
        const [key, size]: unknown[] = Array.isArray(object) ? object : [];
        if (typeof key !== 'string' || typeof size !== 'number') continue;
        const entry = this.#entryOf(`${this.#prefix}${key}`, size);
        if (entry !== null && (await this.#cache.has(`${entry.hash}.cct`))) entries.push(entry);
      }
      return Number.isFinite(at) ? { at, entries } : null;
    } catch {
      return null;
    }
  }
}

function below({ value, ...rest }: Listing, prefix: string): Listing {
  return { ...rest, value: value.filter(({ key }) => key.startsWith(prefix)) };
}

function withoutEngine(
  location: string,
  { message, kind }: ObjectFailure,
  known: { at: number; entries: StoreEntry[] } | null,
): Outcome<readonly StoreEntry[]> {
  const refused =
    'check that this user may list and read the bucket, and which credentials are used (AWS_PROFILE, AWS_ACCESS_KEY_ID)';
  const remedy = kind === 'denied' ? refused : 'check the address, the network and HTTPS_PROXY';
  if (known === null || known.entries.length === 0) {
    const problem: Problem = {
      severity: 'error',
      message: `the store cannot be read: ${message}`,
      file: location,
      remedy,
    };
    return { value: [], problems: [problem] };
  }
  const shown = `what was read by ${momentText(known.at)} is shown, without the store: ${message}`;
  return { value: known.entries, problems: [{ severity: 'warning', message: shown, file: location, remedy }] };
}

function tooMany(file: string, entries: number): Problem {
  const message = `the store holds too much to be listed; ${entries} snapshots of it are looked at`;
  return { severity: 'warning', message, file, remedy: 'name project and program, or compact the store' };
}

function foreignProblem(file: string, keys: readonly string[]): Problem {
  const some =
    keys
      .slice(0, 3)
      .map(key => JSON.stringify(key.slice(0, 200)))
      .join(', ') + (keys.length > 3 ? ', …' : '');
  const what = keys.length === 1 ? 'something is' : `${keys.length} things are`;
  return {
    severity: 'info',
    message: `${what} left alone as no snapshot: ${some}`,
    file,
    remedy: 'move them elsewhere',
  };
}
