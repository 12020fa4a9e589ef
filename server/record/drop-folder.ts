// Imports recordings that the user puts into a folder; each is moved aside when the store has it.

import { lstatSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../base/message-of.ts';
import type { Problem } from '../base/problem.ts';
import { ingestInWorker } from '../ingest/in-worker.ts';
import type { EventMetric } from '../ingest/ingest.ts';
import type { Execution } from '../model/execution.ts';
import { unitedChunks } from '../snapshot/chunks.ts';
import { withInstance } from '../snapshot/snapshot.ts';
import { coveredIn } from '../store/covered.ts';
import type { Store } from '../store/store.ts';
import { type Redaction, redactProfile } from './redact.ts';

type DropOptions = {
  readonly folder: string;
  readonly store: Store;
  /** Under which execution a file goes. */
  readonly executionOf: (file: string) => Execution;
  /** Whether the user named the instance; else the recording's JVM names it, if the recording tells of one. */
  readonly isInstanceNamed: boolean;
  readonly metrics: readonly EventMetric[];
  readonly redaction: Redaction;
  readonly report: (problems: readonly Problem[]) => void;
  readonly stored: (file: string, key: string, bytes: number) => void;
};

const IMPORTED = 'imported';
const FAILED = 'failed';

/** A file that seems to be cut off or damaged may still be on its way; after so long without a change it is taken as it is. */
const STILL_MILLIS = 60_000;

/** Of which size a file was, when it last changed by the clock of its writer, and since when by ours it has been so. */
type Seen = { readonly size: number; readonly mtimeMs: number; readonly since: number };

const isSame = (one: Seen | null | undefined, other: Seen) => one?.size === other.size && one.mtimeMs === other.mtimeMs;

/** One folder. Files are taken when they have not changed between two looks, and hold something: JVMs make theirs long before they write. */
export class DropFolder {
  readonly #options: DropOptions;
  readonly #now: () => number;
  #seen = new Map<string, Seen>();
  /** Files that were taken and could not be moved aside, as they were then. */
  readonly #stuck = new Map<string, Seen>();
  /** Files with something wrong that may still be on their way, as they were then. */
  readonly #doubtful = new Map<string, Seen>();
  #isClosed = false;

  constructor(options: DropOptions, now: () => number = () => performance.now()) {
    this.#options = options;
    this.#now = now;
  }

  /** Looks once; imports what has come and is whole. */
  async look(): Promise<void> {
    const before = this.#seen;
    this.#seen = this.#list();
    for (const known of [this.#stuck, this.#doubtful])
      for (const name of known.keys()) if (!this.#seen.has(name)) known.delete(name);
    for (const [name, seen] of this.#seen) {
      const waits = isSame(this.#doubtful.get(name), seen) && !this.#isStill(seen);
      if (isSame(before.get(name), seen) && !isSame(this.#stuck.get(name), seen) && !waits)
        await this.#import(name, seen);
    }
  }

  #list(): Map<string, Seen> {
    const { folder, report } = this.#options;
    const found = new Map<string, Seen>();
    try {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (!entry.isFile() || entry.name.startsWith('.')) continue;
        const seen = this.#look(entry.name);
        if (seen !== null && seen.size > 0) found.set(entry.name, seen);
      }
      this.#isClosed = false;
    } catch (error) {
      const message = `the folder cannot be watched: ${messageOf(error)}`;
      const remedy = 'make the folder, and let this user write there';
      if (!this.#isClosed) report([{ severity: 'error', message, file: folder, remedy }]);
      this.#isClosed = true;
    }
    return found;
  }

  /** null where the file has gone, or cannot be looked at. */
  #look(name: string): Seen | null {
    try {
      const { size, mtimeMs } = lstatSync(join(this.#options.folder, name));
      const now = { size, mtimeMs, since: this.#now() };
      const before = this.#seen.get(name);
      return before !== undefined && isSame(before, now) ? before : now;
    } catch {
      return null;
    }
  }

  #isStill({ since }: Seen): boolean {
    return this.#now() - since >= STILL_MILLIS;
  }

  async #import(name: string, seen: Seen): Promise<void> {
    const { folder, store, executionOf, isInstanceNamed, metrics, redaction, report, stored } = this.#options;
    const path = join(folder, name);
    // Others were imported since the folder was looked at.
    if (!isSame(this.#look(name), seen)) return;
    const { profile, startMillis, endMillis, recorder, debugNonSafepoints, problems, chunks } = await ingestInWorker(
      path,
      {
        names: 'normalised',
        metrics,
        covered: (await coveredIn(store, executionOf(name), false)).chunks,
      },
    );
    if (!isSame(this.#look(name), seen)) return;
    const flaws = problems.filter(({ severity }) => severity !== 'info');
    // An error at a place in the file may mean that it is not all there yet.
    const isCovered = profile === null && chunks?.length === 0;
    if (((profile === null && !isCovered) || flaws.some(({ place }) => place !== undefined)) && !this.#isStill(seen)) {
      this.#doubtful.set(name, seen);
      return;
    }
    report(flaws);
    if (isCovered) return this.#move(name, IMPORTED);
    if (profile === null) return this.#move(name, FAILED);
    const header = {
      execution: isInstanceNamed ? executionOf(name) : withInstance(executionOf(name), profile),
      startMillis,
      endMillis,
      recorder,
      debugNonSafepoints,
      problems,
      replaces: [],
      ...(chunks === undefined ? {} : unitedChunks([{ chunks }])),
    };
    const { value: entry, problems: refused } = await store.put({ header, profile: redactProfile(profile, redaction) });
    report(refused);
    // Without an entry the file stays: the next look tries again.
    if (entry === null) return;
    stored(path, entry.key, entry.bytes);
    this.#move(name, IMPORTED);
  }

  #move(name: string, to: string): void {
    const { folder, report } = this.#options;
    try {
      mkdirSync(join(folder, to), { recursive: true });
      if (!lstatSync(join(folder, to)).isDirectory()) throw new Error(`${join(folder, to)} is a link`);
      renameSync(join(folder, name), join(folder, to, name));
    } catch (error) {
      this.#stuck.set(name, this.#seen.get(name)!);
      const message = `the file cannot be moved aside: ${messageOf(error)}`;
      const remedy = 'let this user write in the folder, or remove the file';
      report([{ severity: 'warning', message, file: join(folder, name), remedy }]);
    }
  }
}
