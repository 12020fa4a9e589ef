// Shows loads that take long as progress in the client where it can show any, with a way to cancel them.
import type { LoadProgress } from '../../analysis/datasets.ts';
import { type Source, sourceKey } from '../../workspace/data/source.ts';
import { beginProgress, type ProgressWindow, type TaskProgress } from './task-progress.ts';

/** A load that ends sooner than this would only make a status bar flicker: another focus takes a few milliseconds. */
const BEGIN_AFTER_MILLIS = 400;

type Shown = { readonly timer: NodeJS.Timeout; latest: LoadProgress; progress: TaskProgress | null };

/** One progress a load, begun when the load has already taken a while. */
export class LoadProgressShower {
  readonly #window: ProgressWindow;
  readonly #shown = new Map<string, Shown>();

  constructor(window: ProgressWindow) {
    this.#window = window;
  }

  started(source: Source, cancel: () => void): void {
    this.ended(source);
    const timer = setTimeout(() => {
      shown.progress = beginProgress(this.#window, 'insitu: reading snapshots', cancel);
      report(shown);
    }, BEGIN_AFTER_MILLIS);
    timer.unref();
    const shown: Shown = { timer, latest: { done: 0, all: 0 }, progress: null };
    this.#shown.set(sourceKey(source), shown);
  }

  progress(source: Source, latest: LoadProgress): void {
    const shown = this.#shown.get(sourceKey(source));
    if (shown === undefined) return;
    shown.latest = latest;
    report(shown);
  }

  ended(source: Source): void {
    const shown = this.#shown.get(sourceKey(source));
    if (shown === undefined) return;
    clearTimeout(shown.timer);
    shown.progress?.end();
    this.#shown.delete(sourceKey(source));
  }

  /** Ends all: progress that has not begun by now never will. */
  close(): void {
    for (const { timer } of this.#shown.values()) clearTimeout(timer);
    this.#shown.clear();
  }
}

function report({ progress, latest: { done, all } }: Shown): void {
  if (all > 0) progress?.report((100 * done) / all, `${done} of ${all}`);
}
