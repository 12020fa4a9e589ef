// Recordings that are read for one session of an agent: a store of their own that ends with it, beside the configured one.

import { rmSync } from 'node:fs';
import { makeProcessFolder } from '../base/process-folder.ts';
import type { Source } from '../workspace/data/source.ts';

export class SessionRecordings {
  #folder: string | null = null;
  /** Labels by program. */
  readonly #labels = new Map<string, Set<string>>();

  /** The folder of the session's store, which its user alone can read; null while nothing was read. */
  get store(): string | null {
    return this.#folder;
  }

  /** Makes the store where there is none. Throws what the system says. */
  open(): string {
    this.#folder ??= makeProcessFolder('session');
    return this.#folder;
  }

  /** A version of this name means what was read for the session from now on. */
  add(program: string, label: string): void {
    const known = this.#labels.get(program) ?? new Set();
    this.#labels.set(program, known.add(label));
  }

  /** Whether the version means what was read for the session. */
  has(program: string, version: string): boolean {
    return this.#labels.get(program)?.has(version) === true;
  }

  /** The source in the session's store where its version is a label of the session. */
  sourceOf(source: Source): Source {
    const { wish } = source;
    const { program, version, files } = wish;
    if (this.#folder === null || version === null || files !== undefined) return source;
    const programs = program === null ? [...this.#labels.keys()] : [program];
    if (!programs.some(each => this.has(each, version))) return source;
    return { ...source, wish: { ...wish, store: this.#folder } };
  }

  close(): void {
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = null;
    this.#labels.clear();
  }
}
