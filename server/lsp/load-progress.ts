// Shows loads as progress in the client where it can show any, with a way to cancel them.
import type { LoadProgress } from '../workspace/load-data.ts';
import { type Source, sourceKey } from '../workspace/source.ts';
import { beginProgress, type ProgressWindow, type TaskProgress } from './task-progress.ts';

/** One progress a load. */
export class LoadProgressShower {
  readonly #window: ProgressWindow;
  readonly #shown = new Map<string, TaskProgress>();

  constructor(window: ProgressWindow) {
    this.#window = window;
  }

  started(source: Source, cancel: () => void): void {
    this.#shown.set(sourceKey(source), beginProgress(this.#window, 'insitu: reading snapshots', cancel));
  }

  progress(source: Source, { done, all }: LoadProgress): void {
    this.#shown.get(sourceKey(source))?.report(all > 0 ? (100 * done) / all : 0, `${done} of ${all}`);
  }

  ended(source: Source): void {
    this.#shown.get(sourceKey(source))?.end();
    this.#shown.delete(sourceKey(source));
  }
}
