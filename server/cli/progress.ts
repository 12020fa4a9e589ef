// Progress of long work on standard error: nothing in the first second, nothing at all without a terminal.
import { Presets, SingleBar } from 'cli-progress';
import { printableName } from '../base/printable.ts';
import type { Output } from '../base/terminal.ts';

const SILENT_MILLIS = 1000;

/** Reports how far one piece of work is; `stop` clears the line. */
type Progress = { update(done: number, all: number): void; stop(): void };

/** A bar labelled `label` that appears once the work has taken a second. */
export function startProgress({ drawn }: Output, label: string): Progress {
  if (drawn === undefined) return { update: () => {}, stop: () => {} };
  const startedMillis = performance.now();
  const bar = new SingleBar(
    { stream: drawn, format: '{label} {bar} {percentage}%', clearOnComplete: true, hideCursor: true },
    Presets.rect,
  );
  let shown = false;
  return {
    update(done, all) {
      if (!shown && performance.now() - startedMillis < SILENT_MILLIS) return;
      if (!shown) bar.start(all, done, { label: printableName(label) });
      shown = true;
      bar.update(done);
    },
    stop() {
      if (shown) bar.stop();
    },
  };
}
