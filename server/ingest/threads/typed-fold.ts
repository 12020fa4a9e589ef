// Folds what the threads of a series of dumps do with their time: into frames below the innermost one, and what they wait for below these.

import { isThreadStart } from '../../base/thread-starts.ts';
import type { ProfileBuilder } from '../../cct/builder.ts';
import { addProcessorTime } from '../../cct/processor-time.ts';
import { type TimeType, TYPED } from '../../model/time-types.ts';
import { bothParts, DumpInterval } from './dump-intervals.ts';
import type { DumpedFrame, DumpedThread } from './dumped-thread.ts';
import { MeasuredTimes, type TypedCell } from './measured-times.ts';
import { type Machine, prioritiesOf, type TimedThread, type TypedPart, timedThread, typedParts } from './typed-time.ts';

/** A Java thread of a dump, and where its sample stands in the profile. */
type PlacedThread = {
  readonly thread: TimedThread;
  /** Node of the innermost frame. */
  readonly node: number;
  readonly row: number;
  /** Line of the innermost frame. */
  readonly line: number;
  /** Frames without the frames of the platform's start of a thread. */
  readonly ownFrames: number;
  /** The thread class, which is the method of the outermost own frame; NO_METHOD without frames. */
  readonly threadClass: number;
};

export type PlacedDump = {
  readonly window: number;
  /** Whether its samples count elsewhere: it is the begin of the first interval alone. */
  readonly isCounted: boolean;
  readonly threads: PlacedThread[];
};

/** A dump alone stands for a second: its parts are what counts. */
export const ALONE_NANOS = 1e9;

/** The time around one dump. */
type Around = { readonly before: DumpInterval | null; readonly after: DumpInterval | null };

export class TypedFold {
  readonly #builder: ProfileBuilder;
  readonly #methodOf: (className: string, name: string) => number;
  readonly #machine: Machine;
  readonly #tellsElapsed: boolean;
  readonly #metric: number;
  readonly #measured = new MeasuredTimes();
  /** By node and thread: parts of samples that no whole sample was counted for. */
  readonly #rest = new Map<string, number>();
  /** The latest dump; its typed time waits for the next one. */
  #latest: PlacedDump | null = null;
  #before: DumpInterval | null = null;
  /** Threads that a dump has and the next one has not. */
  ended = 0;

  /** @param tellsElapsed whether the dumps tell how long threads are alive, else each sample weighs a nanosecond */
  constructor(
    builder: ProfileBuilder,
    machine: Machine,
    tellsElapsed: boolean,
    methodOf: (className: string, name: string) => number,
  ) {
    this.#builder = builder;
    this.#machine = machine;
    this.#tellsElapsed = tellsElapsed;
    this.#methodOf = methodOf;
    this.#metric = builder.metric(TYPED);
  }

  /** Takes the next dump of the series. */
  take(dump: PlacedDump): void {
    const latest = this.#latest;
    const between = latest === null || !this.#tellsElapsed ? null : DumpInterval.between(timed(latest), timed(dump));
    if (latest !== null) this.#fold(latest, { before: this.#before, after: between });
    this.ended += between?.ended ?? 0;
    this.#latest = dump;
    this.#before = between;
  }

  end(): void {
    if (this.#latest !== null) this.#fold(this.#latest, { before: this.#before, after: null });
    this.#latest = null;
    this.#measured.end((at, nanos, samples) => {
      const { node, line, row, window, type } = at;
      if (type === null) this.#count(node, row, line, window, nanos, samples);
      else this.#count(this.#builder.child(node, this.#methodOf('', type), line), row, 0, window, nanos, samples);
    });
  }

  #fold(dump: PlacedDump, around: Around): void {
    const { window, threads, isCounted } = dump;
    const { before, after } = around;
    const isAlone = before === null && after === null;
    // A dump that counts elsewhere stands for the time behind it alone.
    if (isAlone && !isCounted) return;
    const alone = this.#tellsElapsed ? ALONE_NANOS : 1;
    const nanos = isAlone ? alone : ((before?.nanos ?? 0) + (after?.nanos ?? 0)) / 2;
    addProcessorTime(this.#builder, window, (this.#machine.processors ?? 0) * nanos);
    const dumped = threads.map(({ thread }) => thread);
    const times = dumped.map(thread => (isAlone ? { nanos: alone, runNanos: null } : timeAround(thread, around)));
    const machine = { ...this.#machine, priorities: this.#machine.priorities ?? prioritiesOf(dumped) };
    const parts = typedParts(dumped, machine, at => times[at]!.runNanos !== null);
    const running = parts.map((own, at) => {
      const { nanos: all, runNanos } = times[at]!;
      if (runNanos !== null) return all > 0 ? Math.min(1, runNanos / all) : 0;
      return own.find(({ type }) => type === ':RUN')?.share ?? 0;
    });
    // Among call paths the dumps divide measured time.
    if (running.some(part => part > 0) && (!isAlone || parts.some(own => own.some(({ isEstimated }) => isEstimated))))
      this.#builder.metric({ ...TYPED, estimated: true });
    const runners = this.#runners(threads, running);
    for (const [at, placed] of threads.entries())
      this.#addThread(placed, times[at]!, parts[at]!, { window, threads, runners, running: running[at]! }, isCounted);
  }

  #addThread(
    placed: PlacedThread,
    { nanos, runNanos }: ReturnType<typeof timeAround>,
    parts: readonly TypedPart[],
    dump: Dumped,
    isCounted: boolean,
  ): void {
    if (!(nanos > 0)) return;
    const { node, row, line, thread, ownFrames } = placed;
    const cells = parts.flatMap(part => this.#cells(part, placed, dump));
    const { window } = dump;
    if (runNanos === null) {
      for (const cell of cells)
        this.#count(cell.node, row, cell.line, window, cell.share * nanos, isCounted ? cell.share : 0);
      return;
    }
    const outermost = this.#builder.pathTo(node, ownFrames).at(-1) ?? node;
    const { id, wantsProcessor } = thread;
    const count = isCounted ? 1 : 0;
    this.#measured.add(id, {
      ...{ window, row, nanos, runNanos, count, wantsProcessor, outermost, cells },
      stack: { node, line },
    });
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

  /** Where a part of a thread's time stands, and what it waits for behind it. */
  #cells({ type, share, holder }: TypedPart, placed: PlacedThread, dump: Dumped): TypedCell[] {
    const { node, line } = placed;
    const typed = this.#builder.child(node, this.#methodOf('', type), line);
    if (holder >= 0) {
      const { leaf, leafLine } = this.#holderPath(typed, dump.threads[holder]!);
      return [{ node: leaf, line: leafLine, share }];
    }
    const ahead = aheadOf(type, placed, dump);
    const all = ahead.reduce((sum, { running }) => sum + running, 0);
    if (all === 0) return [{ node: typed, line: 0, share }];
    return ahead.map(({ method, running }) => {
      const leaf = method === NO_METHOD ? typed : this.#builder.child(typed, method, 0);
      return { node: leaf, line: 0, share: (share * running) / all };
    });
  }

  #count(leaf: number, row: number, line: number, window: number, weight: number, part: number): void {
    if (!(weight > 0)) return;
    const key = `${leaf} ${row}`;
    const sum = (this.#rest.get(key) ?? 0) + part;
    const samples = Math.floor(sum + 1e-9);
    this.#rest.set(key, sum - samples);
    this.#builder.add(this.#metric, leaf, row, line, window, samples, weight, weight * weight);
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

function timed({ threads }: PlacedDump): TimedThread[] {
  return threads.map(({ thread }) => thread);
}

function timeAround(thread: TimedThread, { before, after }: Around) {
  const nothing = { nanos: 0, runNanos: 0 };
  return bothParts(before?.endOf(thread) ?? nothing, after?.beginOf(thread) ?? nothing);
}
