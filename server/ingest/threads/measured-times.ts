// Divides what dumps measure of a thread, its time and its processor time, among the stacks that they show.
import type { TimeType } from '../../model/time-types.ts';

/** Where a part of a thread's time stands in the profile: a frame with a time type, or what is behind it. */
export type TypedCell = {
  readonly node: number;
  readonly line: number;
  /** Part of what the thread does where it does not run; the parts add up to 1. */
  readonly share: number;
};

/** The stack of a dump in which a thread ran. */
type Stack = { readonly node: number; readonly line: number };

/** A thread in one dump. */
type MeasuredSample = {
  readonly window: number;
  readonly row: number;
  /** The time around the dump that the sample stands for. */
  readonly nanos: number;
  readonly runNanos: number;
  /** Samples that it counts as: none where the dump counts elsewhere. */
  readonly count: number;
  readonly wantsProcessor: boolean;
  readonly stack: Stack;
  /** Node of the outermost frame that is the program's own: the path of time of which no dump shows one. */
  readonly outermost: number;
  readonly cells: readonly TypedCell[];
};

type Weighed = Stack & { nanos: number };

/** A thread in one window. */
class WindowTime {
  nanos = 0;
  runNanos = 0;
  count = 0;
  outermost = 0;
  /** Time around the dumps in which it ran or wanted to. */
  wantedNanos = 0;
  readonly ran: Weighed[] = [];
  /** Waits in which the thread wanted a processor, and the other waits. */
  readonly queued: Weighed[] = [];
  readonly waited: Weighed[] = [];
}

/** Takes a part of a thread's time. `type` is null where the node has it already. */
type Take = (
  at: Stack & { readonly row: number; readonly window: number; readonly type: TimeType | null },
  nanos: number,
  samples: number,
) => void;

/** The threads of a series of dumps. */
export class MeasuredTimes {
  /** By thread, and by window. */
  readonly #threads = new Map<string, { readonly row: number; readonly windows: Map<number, WindowTime> }>();

  add(id: string, sample: MeasuredSample): void {
    const { row, window, nanos, runNanos, wantsProcessor, stack, cells } = sample;
    const key = `${row} ${id}`;
    const { windows } = this.#threads.get(key) ?? { windows: new Map<number, WindowTime>() };
    this.#threads.set(key, { row, windows });
    const time = windows.get(window) ?? new WindowTime();
    windows.set(window, time);
    time.nanos += nanos;
    time.runNanos += Math.min(nanos, runNanos);
    time.count += sample.count;
    time.outermost = sample.outermost;
    if (wantsProcessor) {
      time.wantedNanos += nanos;
      time.ran.push({ ...stack, nanos });
    }
    const others = wantsProcessor ? time.queued : time.waited;
    for (const { node, line, share } of cells) others.push({ node, line, nanos: nanos * share });
  }

  end(take: Take): void {
    for (const { row, windows } of this.#threads.values()) {
      const times = [...windows].sort(([a], [b]) => a - b);
      const sum = (of: (time: WindowTime) => number) => times.reduce((all, [, time]) => all + of(time), 0);
      // Seen with the wish for a processor more often than it ran: then it waited for one. Single windows have too few dumps to tell.
      const wanted = sum(({ wantedNanos }) => wantedNanos);
      const queuedPart = wanted > 0 ? Math.max(0, 1 - sum(({ runNanos }) => runNanos) / wanted) : 0;
      const waiting = times.filter(([, { waited }]) => waited.length > 0);
      for (const [window, time] of times) {
        const nearest = time.waited.length > 0 ? time.waited : nearestTo(window, waiting);
        divide(time, queuedPart, nearest, (stack, type, nanos) =>
          take({ ...stack, row, window, type }, nanos, time.nanos > 0 ? (time.count * nanos) / time.nanos : 0),
        );
      }
    }
    this.#threads.clear();
  }
}

/** The waits of a thread in the nearest window in which a dump shows it waiting; null without one. */
function nearestTo(window: number, waiting: readonly (readonly [number, WindowTime])[]): readonly Weighed[] | null {
  let nearest: readonly [number, WindowTime] | null = null;
  for (const each of waiting)
    if (nearest === null || Math.abs(each[0] - window) < Math.abs(nearest[0] - window)) nearest = each;
  return nearest === null ? null : nearest[1].waited;
}

function divide(
  { nanos, runNanos, outermost, wantedNanos, ran, queued }: WindowTime,
  queuedPart: number,
  waited: readonly Weighed[] | null,
  take: (stack: Stack, type: TimeType | null, nanos: number) => void,
): void {
  const among = (cells: readonly Weighed[], type: TimeType | null, amount: number) => {
    const all = cells.reduce((sum, each) => sum + each.nanos, 0);
    if (all > 0) for (const { node, line, nanos: own } of cells) take({ node, line }, type, (amount * own) / all);
  };
  if (ran.length > 0) among(ran, ':RUN', runNanos);
  else take({ node: outermost, line: 0 }, ':RUN', runNanos);
  const rest = Math.max(0, nanos - runNanos);
  const queuedNanos = waited === null ? rest : Math.min(rest, queuedPart * wantedNanos);
  among(queued, null, queuedNanos);
  if (waited !== null) among(waited, null, rest - queuedNanos);
}
