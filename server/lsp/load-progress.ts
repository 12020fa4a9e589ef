// Shows loads as progress in the client where it can show any, with a way to cancel them.
import type { WorkDoneProgressServerReporter } from 'vscode-languageserver/node';
import type { LoadProgress } from '../workspace/load-data.ts';
import { type Source, sourceKey } from '../workspace/source.ts';

export type ProgressWindow = { createWorkDoneProgress(): Promise<WorkDoneProgressServerReporter> };

type Shown = { reporter: WorkDoneProgressServerReporter | null; ended: boolean; latest: LoadProgress };

/** One progress a load. Reports that come before the client has answered are kept back, the newest one is shown then. */
export class LoadProgressShower {
  readonly #window: ProgressWindow;
  readonly #shown = new Map<string, Shown>();

  constructor(window: ProgressWindow) {
    this.#window = window;
  }

  started(source: Source, cancel: () => void): void {
    const shown: Shown = { reporter: null, ended: false, latest: { done: 0, all: 0 } };
    this.#shown.set(sourceKey(source), shown);
    const begin = (reporter: WorkDoneProgressServerReporter): void => {
      // A fast load has ended before the client has made room for its progress; an end without a begin is an error for some.
      reporter.begin('insitu: reading snapshots', shown.ended ? 100 : percentage(shown.latest), '', true);
      if (shown.ended) reporter.done();
      else {
        shown.reporter = reporter;
        reporter.token.onCancellationRequested(cancel);
      }
    };
    this.#window.createWorkDoneProgress().then(begin, () => {});
  }

  progress(source: Source, latest: LoadProgress): void {
    const shown = this.#shown.get(sourceKey(source));
    if (shown === undefined) return;
    shown.latest = latest;
    shown.reporter?.report(percentage(latest), `${latest.done} of ${latest.all}`);
  }

  ended(source: Source): void {
    const shown = this.#shown.get(sourceKey(source));
    if (shown === undefined) return;
    shown.ended = true;
    shown.reporter?.done();
    this.#shown.delete(sourceKey(source));
  }
}

function percentage({ done, all }: LoadProgress): number {
  return all > 0 ? Math.floor((100 * done) / all) : 0;
}
