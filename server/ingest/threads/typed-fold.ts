// Folds what the threads of a series of dumps do with their time: into frames below the innermost one, and what they wait for below these.

import { isThreadStart } from '../../base/thread-starts.ts';
import type { ProfileBuilder } from '../../cct/builder.ts';
import { addProcessorTime } from '../../cct/processor-time.ts';
import { type TimeType, TYPED } from '../../model/time-types.ts';
import type { DumpedFrame, DumpedThread } from './dumped-thread.ts';
import { type Machine, prioritiesOf, type TimedThread, type TypedPart, timedThread, typedParts } from './typed-time.ts';

/** A Java thread of a dump, and where its sample stands in the profile. */
type PlacedThread = {
  readonly thread: TimedThread;
  /** Node of the innermost frame. */
  readonly node: number;
  readonly row: number;
  /** Line of the innermost frame. */
  readonly line: number;
  /** Frames without those of the platform's start of a thread. */
  readonly ownFrames: number;
  /** The thread class, which is the method of the outermost own frame; NO_METHOD without frames. */
  readonly threadClass: number;
};

export type PlacedDump = { readonly window: number; readonly threads: PlacedThread[] };

export class TypedFold {
  readonly #builder: ProfileBuilder;
  readonly #methodOf: (className: string, name: string) => number;
  readonly #machine: Machine;
  readonly #metric: number;
  /** By node and thread: parts of samples that no whole sample was counted for. */
  readonly #rest = new Map<string, number>();
  /** The latest dump; its typed time waits for the next one. */
  #latest: PlacedDump | null = null;
  #isFolded = true;

  constructor(builder: ProfileBuilder, machine: Machine, methodOf: (className: string, name: string) => number) {
    this.#builder = builder;
    this.#machine = machine;
    this.#methodOf = methodOf;
    // A sample stands for a nanosecond until the time between dumps is known.
    this.#metric = builder.metric(TYPED);
  }

  /** Takes the next dump of the series. */
  take(dump: PlacedDump): void {
    if (this.#latest !== null && !this.#isFolded) this.#fold(this.#latest, dump);
    if (this.#latest === null) this.#isFolded = false;
    else {
      // Processor time is known between this dump and the one before, in either direction.
      this.#fold(dump, this.#latest);
      this.#isFolded = true;
    }
    this.#latest = dump;
  }

  end(): void {
    if (this.#latest !== null && !this.#isFolded) this.#fold(this.#latest, null);
    this.#isFolded = true;
  }

  #fold({ window, threads }: PlacedDump, neighbour: PlacedDump | null): void {
    addProcessorTime(this.#builder, window, this.#machine.processors ?? 0);
    const dumped = threads.map(({ thread }) => thread);
    const machine = { ...this.#machine, priorities: this.#machine.priorities ?? prioritiesOf(dumped) };
    const parts = typedParts(dumped, machine, cpuParts(neighbour));
    if (parts.some(own => own.some(({ isEstimated }) => isEstimated)))
      this.#builder.metric({ ...TYPED, estimated: true });
    const running = parts.map(own => own.find(({ type }) => type === ':RUN')?.share ?? 0);
    const runners = this.#runners(threads, running);
    for (const [at, placed] of threads.entries())
      for (const part of parts[at]!) this.#add(part, placed, { window, threads, runners, running: running[at]! });
  }

  /** Running threads, by priority and thread class. */
  #runners(threads: readonly PlacedThread[], running: readonly number[]): readonly Runner[] {
    const runners = new Map<string, Runner>();
    const add = (priority: number | null, method: number, share: number) => {
      const key = `${priority} ${method}`;
      runners.set(key, { priority, method, running: (runners.get(key)?.running ?? 0) + share });
    };
    for (const [at, placed] of threads.entries())
      if (running[at]! > 0) add(placed.thread.priority, placed.threadClass, running[at]!);
    const heaviestFirst = [...runners.values()].sort((a, b) => b.running - a.running);
    runners.clear();
    for (const [at, { priority, method, running }] of heaviestFirst.entries())
      add(priority, at < MOST_CLASSES ? method : NO_METHOD, running);
    return [...runners.values()];
  }

  #add({ type, share, holder }: TypedPart, placed: PlacedThread, dump: Dumped): void {
    const { node, row, line } = placed;
    const typed = this.#builder.child(node, this.#methodOf('', type), line);
    const count = (leaf: number, leafLine: number, weight: number) => {
      if (!(weight > 0)) return;
      const key = `${leaf} ${row}`;
      const sum = (this.#rest.get(key) ?? 0) + weight;
      const samples = Math.floor(sum + 1e-9);
      this.#rest.set(key, sum - samples);
      this.#builder.add(this.#metric, leaf, row, leafLine, dump.window, samples, weight, weight * weight);
    };
    if (holder >= 0) {
      const { leaf, leafLine } = this.#holderPath(typed, dump.threads[holder]!);
      count(leaf, leafLine, share);
      return;
    }
    const ahead = aheadOf(type, placed, dump);
    const all = ahead.reduce((sum, { running }) => sum + running, 0);
    if (all === 0) count(typed, 0, share);
    for (const { method, running } of ahead)
      count(method === NO_METHOD ? typed : this.#builder.child(typed, method, 0), 0, (share * running) / all);
  }

  /** The stack of a holder, from the first frame that is not the platform's start of a thread. */
  #holderPath(below: number, { node, line, ownFrames }: PlacedThread) {
    const path = this.#builder.pathTo(node, ownFrames);
    const outermost = path.at(-1);
    let leaf = below;
    for (const each of path.reverse()) {
      const callLine = each === outermost ? 0 : this.#builder.callLineOf(each);
      leaf = this.#builder.child(leaf, this.#builder.methodOf(each), callLine);
    }
    return { leaf, leafLine: ownFrames > 0 ? line : 0 };
  }
}

/** Thread classes that run in one dump and are told apart; further ones count as threads without a class. */
const MOST_CLASSES = 100;
const NO_METHOD = -1;

/** Threads of one class that have processors. */
type Runner = {
  readonly priority: number | null;
  /** Method of the thread class; NO_METHOD where the class is not told apart. */
  readonly method: number;
  /** Sum of the parts of their time that these threads run. */
  readonly running: number;
};

type Dumped = {
  readonly window: number;
  readonly threads: readonly PlacedThread[];
  readonly runners: readonly Runner[];
  /** The part of its time that the thread in hand runs. */
  readonly running: number;
};

/** Threads that have the processors that a thread waits for. */
function aheadOf(type: TimeType, { thread, threadClass }: PlacedThread, { runners, running }: Dumped): Runner[] {
  const { priority } = thread;
  if (type !== ':LOAD' && type !== ':PRIO') return [];
  return runners.flatMap(runner => {
    const isHigher = priority !== null && runner.priority !== null && runner.priority > priority;
    if (type === ':PRIO' && !isHigher) return [];
    // A thread does not wait for itself.
    const isOwn = runner.priority === priority && runner.method === threadClass;
    const others = isOwn ? runner.running - running : runner.running;
    return others > 1e-12 ? [{ ...runner, running: others }] : [];
  });
}

/** The parts of a thread that are held until the next dump has come. */
export function placedThread(
  thread: DumpedThread,
  place: Pick<PlacedThread, 'node' | 'row' | 'line'>,
  methodOf: (frame: DumpedFrame) => number,
): PlacedThread {
  const outermost = outermostOwn(thread.frames);
  const threadClass = outermost < 0 ? NO_METHOD : methodOf(thread.frames[outermost]!);
  return { ...place, thread: timedThread(thread), ownFrames: outermost + 1, threadClass };
}

function outermostOwn(frames: DumpedThread['frames']): number {
  let at = frames.length - 1;
  while (at > 0 && isThreadStart(frames[at]!.className, frames[at]!.method)) at--;
  return at;
}

/** How much of the time between two dumps a thread had a processor; null where they do not tell. */
function cpuParts(neighbour: PlacedDump | null): (thread: TimedThread) => number | null {
  const there = new Map((neighbour?.threads ?? []).map(({ thread }) => [thread.id, thread] as const));
  return ({ id, cpuMillis, elapsedMillis }) => {
    const other = id === '' ? undefined : there.get(id);
    if (other === undefined || cpuMillis === null || elapsedMillis === null) return null;
    if (other.cpuMillis === null || other.elapsedMillis === null || other.elapsedMillis === elapsedMillis) return null;
    const part = (cpuMillis - other.cpuMillis) / (elapsedMillis - other.elapsedMillis);
    return Math.min(1, Math.max(0, part));
  };
}
