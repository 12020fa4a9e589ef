// Folds what the threads of a series of dumps do with their time: into frames below the innermost one, and what they wait for below these.

import { isThreadStart } from '../../base/thread-starts.ts';
import type { ProfileBuilder } from '../../cct/builder.ts';
import { addProcessorTime } from '../../cct/processor-time.ts';
import type { DumpedThread } from './dumped-thread.ts';
import { type Machine, prioritiesOf, type TimeType, TYPED_METRIC, type TypedPart, typedParts } from './typed-time.ts';

/** A Java thread of a dump, and where its sample stands in the profile. */
type PlacedThread = {
  readonly thread: DumpedThread;
  readonly node: number;
  readonly row: number;
  /** Line of the innermost frame. */
  readonly line: number;
};

export type PlacedDump = { readonly window: number; readonly threads: PlacedThread[] };

/** A sample stands for a nanosecond until the time between dumps is known. */
export const TYPED = { id: TYPED_METRIC, unit: 'nanoseconds', kind: 'sampled', events: [], periodNanos: 0 } as const;

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
    const running = parts.map(own => own.find(({ type }) => type === 'RUN')?.share ?? 0);
    for (const [at, placed] of threads.entries())
      for (const part of parts[at]!) this.#add(part, placed, { window, threads, running, at });
  }

  #add(part: TypedPart, { thread, node, row, line }: PlacedThread, dump: Dumped): void {
    const { type, share, holder } = part;
    const typed = this.#builder.child(node, this.#methodOf('', `:${type}`), line);
    const count = (leaf: number, leafLine: number, weight: number) => {
      if (!(weight > 0)) return;
      const key = `${leaf} ${row}`;
      const sum = (this.#rest.get(key) ?? 0) + weight;
      const samples = Math.floor(sum + 1e-9);
      this.#rest.set(key, sum - samples);
      this.#builder.add(this.#metric, leaf, row, leafLine, dump.window, samples, weight, weight * weight);
    };
    if (holder >= 0) {
      const { leaf, leafLine } = this.#holderPath(typed, dump.threads[holder]!.thread);
      count(leaf, leafLine, share);
      return;
    }
    const ahead = aheadOf(type, thread, dump);
    const all = ahead.reduce((sum, { running }) => sum + running, 0);
    if (all === 0) count(typed, 0, share);
    for (const { other, running } of ahead) count(this.#classNode(typed, other), 0, (share * running) / all);
  }

  /** The stack of a holder, from the first frame that is not the platform's start of a thread. */
  #holderPath(below: number, { frames }: DumpedThread): { readonly leaf: number; readonly leafLine: number } {
    let [node, callLine] = [below, 0];
    for (let i = outermostOwn(frames); i >= 0; i--) {
      const { className, method, line } = frames[i]!;
      node = this.#builder.child(node, this.#methodOf(className, method), callLine);
      callLine = line;
    }
    return { leaf: node, leafLine: callLine };
  }

  /** The thread class: the outermost frame that is not the platform's start of a thread. */
  #classNode(below: number, { frames }: DumpedThread): number {
    const frame = frames[outermostOwn(frames)];
    return frame === undefined ? below : this.#builder.child(below, this.#methodOf(frame.className, frame.method), 0);
  }
}

type Dumped = {
  readonly window: number;
  readonly threads: readonly PlacedThread[];
  /** Per thread: what part of its time it runs. */
  readonly running: readonly number[];
  /** Place of the thread in hand. */
  readonly at: number;
};

/** Threads that have the processors that a thread waits for, with what they run. */
function aheadOf(type: TimeType, { priority }: DumpedThread, { threads, running, at }: Dumped) {
  if (type !== 'LOAD' && type !== 'PRIO') return [];
  return threads.flatMap(({ thread: other }, i) => {
    const isHigher = priority !== null && other.priority !== null && other.priority > priority;
    const isAhead = i !== at && running[i]! > 0 && (type === 'LOAD' || isHigher);
    return isAhead ? [{ other, running: running[i]! }] : [];
  });
}

function outermostOwn(frames: DumpedThread['frames']): number {
  let at = frames.length - 1;
  while (at > 0 && isThreadStart(frames[at]!.className, frames[at]!.method)) at--;
  return at;
}

/** How much of the time between two dumps a thread had a processor; null where they do not tell. */
function cpuParts(neighbour: PlacedDump | null): (thread: DumpedThread) => number | null {
  const there = new Map((neighbour?.threads ?? []).map(({ thread }) => [thread.id, thread] as const));
  return ({ id, cpuMillis, elapsedMillis }) => {
    const other = id === '' ? undefined : there.get(id);
    if (other === undefined || cpuMillis === null || elapsedMillis === null) return null;
    if (other.cpuMillis === null || other.elapsedMillis === null || other.elapsedMillis === elapsedMillis) return null;
    const part = (cpuMillis - other.cpuMillis) / (elapsedMillis - other.elapsedMillis);
    return Math.min(1, Math.max(0, part));
  };
}
