// Imports recordings that somebody puts into a folder; each is moved aside when the store has it.
import { mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../base/problem.ts';
import { ingestInWorker } from '../ingest/in-worker.ts';
import type { EventMetric } from '../ingest/ingest.ts';
import type { Execution } from '../snapshot/snapshot.ts';
import type { Store } from '../store/store.ts';
import { type Redaction, redactProfile } from './redact.ts';

export type DropOptions = {
  readonly folder: string;
  readonly store: Store;
  /** Under which execution a file goes; its name is the instance. */
  readonly executionOf: (file: string) => Execution;
  readonly metrics: readonly EventMetric[];
  readonly redaction: Redaction;
  readonly report: (problems: readonly Problem[]) => void;
  readonly stored: (file: string, key: string, bytes: number) => void;
};

const IMPORTED = 'imported';
const FAILED = 'failed';

/** One folder. Files are taken when they have kept their size between two looks. */
export class DropFolder {
  readonly #options: DropOptions;
  #sizes = new Map<string, number>();
  /** Files that were taken and could not be moved aside, as they were then. */
  readonly #stuck = new Map<string, number>();

  constructor(options: DropOptions) {
    this.#options = options;
  }

  /** Looks once; imports what has come and is whole. */
  async look(): Promise<void> {
    const { folder, report } = this.#options;
    const sizes = new Map<string, number>();
    try {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (!entry.isFile() || entry.name.startsWith('.')) continue;
        const { size, mtimeMs } = statSync(join(folder, entry.name));
        sizes.set(entry.name, size + mtimeMs);
      }
    } catch (error) {
      const message = `the folder cannot be watched: ${error instanceof Error ? error.message : String(error)}`;
      report([{ severity: 'error', message, file: folder, remedy: 'make the folder, and let this user write there' }]);
    }
    const whole = [...sizes].filter(([name, size]) => this.#sizes.get(name) === size).map(([name]) => name);
    this.#sizes = sizes;
    for (const name of this.#stuck.keys()) if (!sizes.has(name)) this.#stuck.delete(name);
    for (const name of whole) if (this.#stuck.get(name) !== sizes.get(name)) await this.#import(name);
  }

  async #import(name: string): Promise<void> {
    const { folder, store, executionOf, metrics, redaction, report, stored } = this.#options;
    const path = join(folder, name);
    const { profile, startMillis, endMillis, recorder, debugNonSafepoints, problems } = await ingestInWorker(path, {
      names: 'normalised',
      metrics,
    });
    report(problems.filter(({ severity }) => severity !== 'info'));
    if (profile === null) return this.#move(name, FAILED);
    const header = {
      execution: executionOf(name),
      startMillis,
      endMillis,
      recorder,
      debugNonSafepoints,
      problems,
      replaces: [],
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
      renameSync(join(folder, name), join(folder, to, name));
    } catch (error) {
      this.#stuck.set(name, this.#sizes.get(name)!);
      const message = `the file cannot be moved aside: ${error instanceof Error ? error.message : String(error)}`;
      const remedy = 'let this user write in the folder, or remove the file';
      report([{ severity: 'warning', message, file: join(folder, name), remedy }]);
    }
  }
}
