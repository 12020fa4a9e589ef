// The type of a benchmark: how a fork of it runs in the tree of a commit, and the result of a run.
import { readRegular } from '../base/regular-file.ts';
import type { BenchmarkAbout, Reason } from './journal.ts';
import type { CommandRun } from './run-command.ts';

/** Absolute paths for one fork. */
export type ForkPlaces = {
  /** The tree of the commit. */
  readonly folder: string;
  /** Stays for all trees. */
  readonly root: string;
  /** File that the fork may write its result to; it is not there before. */
  readonly result: string;
  /** Empty folder for recordings. */
  readonly recordings: string;
  /** Of Flight Recorder. */
  readonly settings: string;
};

/** Milliseconds, the less the better, with those of parts; or why there are none. */
export type ForkOutcome =
  | { readonly millis: number; readonly parts?: Readonly<Record<string, number>> }
  | { readonly reason: Reason; readonly detail: string };

export type Benchmark = {
  readonly name: string;
  readonly about: BenchmarkAbout;
  /** Whether its milliseconds are processor time of all its processes. */
  readonly isProcessorTime: boolean;
  /** The test class that runs, which records itself; null for a command, whose JVMs are told to record. */
  readonly testClass: string | null;
  /** Command line of a fork. Throws what the system says where something that belongs to the tree is missing. */
  readonly command: (places: ForkPlaces) => string;
  /** Of a command that has ended by itself; of one that failed, only where it left a result. */
  readonly outcome: (run: CommandRun, places: ForkPlaces) => ForkOutcome;
};

/** `cpu`: processor time of all processes, which others on the machine change less than the time that passes. */
export const MEASURES = ['elapsed', 'cpu'] as const;
type Measure = (typeof MEASURES)[number];

/** A shell command as a benchmark: its time counts. */
export function commandBenchmark(
  name: string,
  command: string,
  build: string | null,
  measure: Measure = 'elapsed',
): Benchmark {
  const isCpu = measure === 'cpu';
  return {
    name,
    about: { command: isCpu ? `${command} (processor time)` : command, build },
    testClass: null,
    isProcessorTime: isCpu,
    // The shell around the command tells what its processes took.
    command: ({ result }) =>
      isCpu ? `(${command}\n); status=$?; times > ${shellWord(result)}; exit $status` : command,
    outcome: ({ end, reason, millis }, { result }) => {
      if (end !== 'done') return { reason: 'failed', detail: reason };
      const taken = isCpu ? processorMillis(result) : millis;
      return taken === null
        ? { reason: 'failed', detail: 'the shell does not tell processor time' }
        : { millis: taken };
    },
  };
}

/** Of the second line of `times`, `1m2.34s 0m0.56s`: user and system time of all children. */
function processorMillis(file: string): number | null {
  try {
    const [, children = ''] = readRegular(file, MOST_BYTES).toString('utf8').split('\n');
    const times = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(
      ([, minutes, seconds]) => 60 * Number(minutes) + Number(seconds),
    );
    return times.length === 2 ? 1000 * (times[0]! + times[1]!) : null;
  } catch {
    return null;
  }
}

const MOST_BYTES = 4096;

/** A word as a shell takes it. */
export function shellWord(text: string): string {
  return /^[\w.@%+:/=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
