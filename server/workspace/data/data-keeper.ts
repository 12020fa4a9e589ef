// Keeps the data of every wanted source loaded: starts loads, ends loads that are not wanted any more, reads again when told.

import type { LoadProgress } from '../../analysis/datasets.ts';
import { completeData } from '../../analysis/loaded-data.ts';
import type { StoreStamp } from '../../store/store.ts';
import type { Workspace } from '../state.ts';
import type { Loader, LoadHandle } from './loader.ts';
import { type Source, sourceKey } from './source.ts';

/** Told what happens to loads, in order: started, progress …, ended. `loaded` is false when nothing could be shown. */
type LoadObserver = {
  started(source: Source, cancel: () => void): void;
  progress(source: Source, progress: LoadProgress): void;
  ended(source: Source, loaded: boolean): void;
};

/** Loading again may take this part of the time: one in four. */
const REST = 3;
const LONGEST_REST_MILLIS = 60_000;

type KeepersLoader = Pick<Loader, 'load'> & Partial<Pick<Loader, 'stamp'>>;

export class DataKeeper {
  readonly #workspace: Workspace;
  readonly #loader: KeepersLoader;
  readonly #observer: LoadObserver;
  readonly #running = new Map<string, LoadHandle>();
  /** Keys of sources to be read once more when their present load ends: it may have begun before the change. */
  readonly #again = new Set<string>();
  /** The state of the folder of each loaded source before it was read. */
  readonly #stamps = new Map<string, string>();
  readonly #restsUntil = new Map<string, number>();
  #idle = Promise.withResolvers<void>();
  #isIdle = true;

  constructor(workspace: Workspace, loader: KeepersLoader, observer: LoadObserver) {
    this.#workspace = workspace;
    this.#loader = loader;
    this.#observer = observer;
    this.#idle.resolve();
  }

  /** Loads what is wanted and not there; to be called after every change that can alter what is wanted. */
  sync(): void {
    const { loads } = this.#workspace.view();
    const wanted = new Set(loads.map(({ key }) => key));
    for (const [key, handle] of this.#running) if (!wanted.has(key)) handle.cancel();
    for (const key of this.#stamps.keys()) if (!wanted.has(key)) this.#stamps.delete(key);
    for (const key of this.#restsUntil.keys()) if (!wanted.has(key)) this.#restsUntil.delete(key);
    for (const { source, state } of loads) if (state === null) this.#load(source, false);
  }

  /** Reads the source and its baseline again, whatever is known of them; what was loaded before stays until then. */
  reload(source: Source): void {
    this.#load(source, true);
    // A change of a source's folder may have brought news of its baseline too.
    const key = sourceKey(source);
    const compared = this.#workspace.view().sources.find(wanted => wanted.key === key)?.baseline?.load;
    if (compared) this.#load(compared.source, true);
  }

  #load(source: Source, fresh: boolean): void {
    const key = sourceKey(source);
    if (this.#running.has(key)) {
      this.#again.add(key);
      return;
    }
    if (this.#isIdle) this.#idle = Promise.withResolvers<void>();
    this.#isIdle = false;
    this.#stamps.delete(key);
    this.#workspace.apply({ kind: 'loadStarted', source });
    const started = performance.now();
    const handle = this.#loader.load(source, progress => this.#observer.progress(source, progress), fresh);
    this.#running.set(key, handle);
    this.#observer.started(source, handle.cancel);
    void handle.result.then(result => {
      this.#running.delete(key);
      const ended = performance.now();
      this.#restsUntil.set(key, ended + Math.min(REST * (ended - started), LONGEST_REST_MILLIS));
      if (result === null) this.#workspace.apply({ kind: 'loadCancelled', source });
      else {
        const data = result.value === null ? null : completeData(result.value);
        if (typeof result.stamp === 'string') this.#stamps.set(key, result.stamp);
        const { problems, missing = [] } = result;
        this.#workspace.apply({ kind: 'loadEnded', source, data, problems, missing });
      }
      this.#observer.ended(source, result !== null && result.value !== null);
      if (this.#again.delete(key) && result !== null) this.#load(source, true);
      // Data say what they are compared with, and what is missing makes way for what the settings say.
      this.sync();
      this.#isIdle = this.#running.size === 0;
      if (this.#isIdle) this.#idle.resolve();
    });
  }

  /** Reads everything wanted again. */
  reloadAll(): void {
    for (const { source } of this.#workspace.view().loads) this.#load(source, true);
  }

  /** Stamp of the source's folder from before what is loaded of it was read; null while that is not known. */
  stampOf(key: string): string | null {
    return this.#stamps.get(key) ?? null;
  }

  /** The state of the source's project in the store, asked now. */
  async askStamp(source: Source): Promise<StoreStamp | null> {
    return (await this.#loader.stamp?.(source)) ?? null;
  }

  /**
   * Whether what is loaded is so fresh, for what loading it took, that news of it can wait: those of a window that is still being
   * recorded come every second.
   */
  isResting(key: string): boolean {
    return this.#running.has(key) || performance.now() < (this.#restsUntil.get(key) ?? 0);
  }

  /** Whether no load is under way. */
  get isIdle(): boolean {
    return this.#isIdle;
  }

  /** Resolves when none of the sources with these keys is being loaded; they are asked for anew when loads have ended. */
  async whenLoaded(keys: () => readonly string[]): Promise<void> {
    for (;;) {
      const running = keys().flatMap(key => this.#running.get(key)?.result ?? []);
      if (running.length === 0) return;
      await Promise.all(running);
    }
  }

  /** Resolves when no load is under way. */
  whenIdle(): Promise<void> {
    return this.#idle.promise;
  }
}
