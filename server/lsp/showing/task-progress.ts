// One piece of long work as progress in the client, where it can show any, with a way to cancel it.
import type { CancellationToken, WorkDoneProgressServerReporter } from 'vscode-languageserver/node';
import { printableLine } from '../../base/printable.ts';

export type ProgressWindow = { createWorkDoneProgress(): Promise<WorkDoneProgressServerReporter> };

export type TaskProgress = {
  /** @param percentage 0 to 100. */
  report(percentage: number, message: string): void;
  end(): void;
};

/** Reports that come before the client has answered are kept back, the newest one is shown then. */
export function beginProgress(window: ProgressWindow, title: string, cancel: () => void): TaskProgress {
  let reporter: WorkDoneProgressServerReporter | null = null;
  let ended = false;
  let latest = 0;
  const begin = (made: WorkDoneProgressServerReporter): void => {
    // Fast work has ended before the client has made room for its progress; an end without a begin is an error for some.
    made.begin(printableLine(title), ended ? 100 : latest, '', true);
    if (ended) made.done();
    else {
      reporter = made;
      made.token.onCancellationRequested(cancel);
    }
  };
  window.createWorkDoneProgress().then(begin, () => {});
  return {
    report(percentage, message) {
      latest = Math.floor(percentage);
      reporter?.report(latest, printableLine(message));
    },
    end() {
      ended = true;
      reporter?.done();
    },
  };
}

/** A task that ends sooner than this would only make a status bar flicker. */
const BEGIN_AFTER_MILLIS = 400;

type Waiting = {
  /** Told how many parts of how many are done. */
  readonly work: (onProgress: (done: number, all: number) => void) => Promise<void>;
  readonly token: CancellationToken;
  readonly longestMillis: number;
};

/** Waits for work, with progress where it takes a while, until it has ended, takes too long, or is waited for no more. */
export async function waitWithProgress(
  begin: (cancel: () => void) => TaskProgress,
  { work, token, longestMillis }: Waiting,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const shown: TaskProgress[] = [];
  const beginning = setTimeout(() => shown.push(begin(resolve)), BEGIN_AFTER_MILLIS);
  const ending = setTimeout(resolve, longestMillis);
  const listener = token.onCancellationRequested(() => resolve());
  const onProgress = (done: number, all: number) => {
    for (const progress of shown) progress.report((100 * done) / all, `${done} of ${all} files`);
  };
  work(onProgress).then(resolve, resolve);
  await promise;
  for (const timer of [beginning, ending]) clearTimeout(timer);
  listener.dispose();
  for (const progress of shown) progress.end();
}
