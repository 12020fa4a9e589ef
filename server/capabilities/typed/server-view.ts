// The Server View of typed time: running time as a share of the time of all processors, idle ones included.
import type { Outcome } from '../../base/problem.ts';
import { processorsRow } from '../../cct/processor-time.ts';
import { type Amount, type Analysis, amountOfCells, effectiveSize } from '../../metrics/analysis.ts';
import type { PathSamples } from '../../metrics/paths/path-samples.ts';
import { isTimeType, TYPED } from '../../model/time-types.ts';

type Served = {
  /** Weight: nanoseconds of all processors. Count: samples with a processor. */
  readonly whole: Amount;
  readonly effectiveWhole: number;
  /** Part of the whole in which no recorded thread had a processor. */
  readonly idle: number;
  /** Windows with samples that are left out, as it was not recorded how many processors the JVM could use. */
  readonly leftOutWindows: number;
};

type ProcessorTime = {
  /** Nanoseconds of all processors in the selected windows that tell them. */
  readonly nanos: number;
  /** By window: 1 where its samples are left out, as it does not tell them. */
  readonly isLeftOut: Uint8Array;
};

/** The time that running time is a share of; null with a problem where no selected window tells the processors. */
export function processorTime({ profile, selection }: Analysis): Outcome<ProcessorTime | null> {
  if (profile.metrics[selection.metric]!.id !== TYPED.id)
    return refused('the Server View is of the metric "typed"', 'choose it: --metric typed');
  const typed = profile.cells[selection.metric]!;
  const row = processorsRow(profile);
  const byWindow = new Float64Array(profile.windows.length);
  if (row >= 0) {
    const { window, weight, length } = profile.cells[row]!;
    for (let cell = 0; cell < length; cell++) byWindow[window[cell]!]! += weight[cell]!;
  }
  const isSelected = (window: number) => selection.windows === undefined || selection.windows[window] === 1;
  const isLeftOut = new Uint8Array(byWindow.length);
  for (const window of typed.window) if (isSelected(window) && byWindow[window] === 0) isLeftOut[window] = 1;
  const nanos = byWindow.reduce((sum, each, window) => (isSelected(window) ? sum + each : sum), 0);
  if (nanos === 0)
    return refused(
      'how many processors the JVM could use was not recorded',
      'insitu record tells it; of a recording: insitu import --processors N',
    );
  return { value: { nanos, isLeftOut }, problems: [] };
}

function refused(message: string, remedy: string): Outcome<null> {
  return { value: null, problems: [{ severity: 'error', message, remedy }] };
}

/** Keeps only the samples of running threads, in windows whose processors are known, in place. */
export function serverView(a: Analysis, samples: PathSamples, { nanos, isLeftOut }: ProcessorTime): Served {
  const { tree, methods, cells } = a.profile;
  const own = cells[a.selection.metric]!;
  const isRun = Uint8Array.from({ length: methods.length }, (_, row) => {
    const name = methods.strings[methods.name[row]!]!;
    return name === ':RUN' && isTimeType(methods.strings[methods.className[row]!]!, name) ? 1 : 0;
  });
  for (let cell = 0; cell < own.length; cell++) {
    if (isRun[tree.method[own.node[cell]!]!] === 1 && isLeftOut[own.window[cell]!] === 0) continue;
    samples.whole[cell] = 0;
    samples.satisfied[cell] = 0;
  }
  const running = amountOfCells(own, samples.whole);
  // Scheduler and dumps are read at moments that differ by little.
  const weight = Math.max(nanos, running.weight);
  const effectiveRunning = effectiveSize(own, samples.whole);
  return {
    whole: { weight, count: running.count },
    // Samples are of running threads alone: their share of all processors is known as well as that of so many samples of everything.
    effectiveWhole: running.weight > 0 ? (effectiveRunning * weight) / running.weight : 0,
    idle: weight > 0 ? 1 - running.weight / weight : 0,
    leftOutWindows: isLeftOut.reduce((sum, each) => sum + each, 0),
  };
}
