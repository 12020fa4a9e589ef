// What a benchmark is: how a fork of it runs in the tree of a commit, and what comes of it.
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
  /** The test class that runs, which records itself; null for a command, whose JVMs are told to record. */
  readonly testClass: string | null;
  /** Command line of a fork. Throws what the system says where something that belongs to the tree is missing. */
  readonly command: (places: ForkPlaces) => string;
  /** Of a command that has ended by itself; of one that failed, only where it left a result. */
  readonly outcome: (run: CommandRun, places: ForkPlaces) => ForkOutcome;
};

/** A shell command as a benchmark: its time counts. */
export function commandBenchmark(name: string, command: string, build: string | null): Benchmark {
  return {
    name,
    about: { command, build },
    testClass: null,
    command: () => command,
    outcome: ({ end, reason, millis }) => (end === 'done' ? { millis } : { reason: 'failed', detail: reason }),
  };
}
