// Passes the changes of methods on to their callers, by how often each calls.
import {
  type Ends,
  type KnownReliability,
  leastReliable,
  type PredictedCaller,
  type PredictedMethod,
} from './prediction.ts';
import { withPassed } from './sums.ts';
import type { TimedMethods } from './timed-methods.ts';

/** Children that took longer together than their caller ran at the same time. */
const OVERLAP = 1.05;

/** How much longer one run takes. */
type Change = { readonly ends: Ends; readonly reliability: KnownReliability };

/** Changes by row of the method; null where nothing is known, or calls overlap in time. */
type Changes = Map<number, Change | null>;

/** The changes that edited methods get from each other, and the changes of all other callers. */
export function passOn(
  methods: readonly PredictedMethod[],
  timed: TimedMethods,
): { readonly methods: PredictedMethod[]; readonly callers: PredictedCaller[] } {
  const start: Changes = new Map(methods.flatMap(method => method.rows.map(row => [row, changeOf(method)] as const)));
  const changes: Changes = new Map(start);
  const edited = new Map(methods.flatMap(method => method.rows.map(row => [row, method] as const)));
  const through = new Map<number, number[]>();
  const parallel = new Set<number>();
  const order = callOrder([...start.keys()], timed);
  const rank = new Map(order.map((row, at) => [row, at] as const));
  for (const row of order) {
    const own = judged(changes.get(row) ?? null, edited.get(row));
    for (const [caller, { count }] of timed.callersOf(row)) {
      const above = timed.sumsOf(caller);
      // A caller that leads back to a method has been passed on already: recursion ends.
      if (above === null || rank.get(caller)! <= rank.get(row)!) continue;
      through.set(caller, [...(through.get(caller) ?? []), row]);
      const before = changes.get(caller);
      const overlaps = timed.insideOf(caller) > OVERLAP * above.sum;
      if (overlaps) parallel.add(caller);
      changes.set(
        caller,
        overlaps || before === null || own === null ? null : withCalls(before, own, count / above.count),
      );
    }
  }
  const callers = [...changes]
    .filter(([row]) => !start.has(row))
    .map(([row, change]) => ({
      row,
      measured: timed.sumsOf(row)!.sum / timed.sumsOf(row)!.count,
      change: change === null ? null : (change.ends[0] + change.ends[1]) / 2,
      ends: change?.ends ?? null,
      isParallel: parallel.has(row),
      through: through.get(row) ?? [],
    }));
  return {
    methods: methods.map(method => {
      const passed = passedTo(method, changes);
      return passed === null ? method : withPassed(method, passed.ends, passed.reliability);
    }),
    callers: callers.sort((a, b) => sizeOf(b.ends) - sizeOf(a.ends) || a.row - b.row),
  };
}

function changeOf(method: PredictedMethod): Change | null {
  return method.change === null ? null : { ends: method.ends, reliability: method.reliability };
}

/** The change that goes on to callers: nothing is known of an edited method that may be slower or faster with what its callees pass on. */
function judged(change: Change | null, method: PredictedMethod | undefined): Change | null {
  const own = method === undefined ? null : changeOf(method);
  if (change === null || method === undefined || own === null) return change;
  const { ends, reliability } = withCalls(change, own, -1);
  return withPassed(method, ends, reliability).change === null ? null : change;
}

/** A change with the change of a callee that is called so often in one run. */
function withCalls(before: Change = NO_CHANGE, { ends, reliability }: Change, often: number): Change {
  const end = (at: 0 | 1) => before.ends[at] + ends[at] * often;
  return { ends: [end(0), end(1)], reliability: leastReliable(before.reliability, reliability) };
}

const NO_CHANGE: Change = { ends: [0, 0], reliability: 'measured' };

function sizeOf(ends: Ends | null): number {
  return ends === null ? 0 : Math.max(Math.abs(ends[0]), Math.abs(ends[1]));
}

/** The change that edited callees pass on to the edited method; null where its calls overlap in time, or nothing is known of one. */
function passedTo(method: PredictedMethod, changes: Changes): Change | null {
  const own = changeOf(method);
  if (own === null) return null;
  const all = method.rows.flatMap(row => {
    const now = changes.get(row) ?? null;
    return now === null ? [] : [withCalls(now, own, -1)];
  });
  return all.reduce<Change | null>(
    (most, each) => (most === null || sizeOf(each.ends) > sizeOf(most.ends) ? each : most),
    null,
  );
}

/** The methods and all that call them: callees before callers, as far as no cycle contradicts. */
function callOrder(rows: readonly number[], timed: TimedMethods): number[] {
  const done = new Set<number>();
  const order: number[] = [];
  // Depth first by callers, and a method follows all that it leads to; a loop, since chains of calls are long.
  const pending: { readonly row: number; readonly callers: number[] }[] = [];
  const open = (row: number) => {
    if (done.has(row)) return;
    done.add(row);
    pending.push({ row, callers: [...timed.callersOf(row).keys()] });
  };
  for (const row of rows) {
    open(row);
    while (pending.length > 0) {
      const top = pending.at(-1)!;
      const next = top.callers.pop();
      if (next === undefined) {
        order.push(top.row);
        pending.pop();
      } else if (timed.has(next)) open(next);
    }
  }
  return order.reverse();
}
