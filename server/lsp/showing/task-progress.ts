// One piece of long work as progress in the client, where it can show any, with a way to cancel it.
import type { WorkDoneProgressServerReporter } from 'vscode-languageserver/node';
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
