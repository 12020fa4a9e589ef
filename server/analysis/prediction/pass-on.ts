// Passes the changes of methods on to their callers, by how often each calls.
import type { Ends, PredictedCaller, PredictedMethod } from './prediction.ts';
import type { TimedMethods } from './timed-methods.ts';

/** Children that took longer together than their caller ran at the same time. */
const OVERLAP = 1.05;

/** How much longer one run takes: the middle, and both ends. */
type Change = { readonly middle: number; readonly ends: Ends };

/** Changes by row of the method; null where nothing is known, or calls overlap in time. */
type Changes = Map<number, Change | null>;

/** The part of an edited method's prediction that is passed on. */
type Passed = Pick<PredictedMethod, 'rows' | 'change' | 'passed' | 'ends' | 'interval' | 'mean'>;

/** The changes that edited methods get from each other, and the changes of all other callers. */
export function passOn<M extends Passed>(
  methods: readonly M[],
  timed: TimedMethods,
): { readonly methods: M[]; readonly callers: PredictedCaller[] } {
  const start: Changes = new Map(methods.flatMap(method => method.rows.map(row => [row, changeOf(method)] as const)));
  const changes: Changes = new Map(start);
  const through = new Map<number, number[]>();
  const parallel = new Set<number>();
  const order = callOrder([...start.keys()], timed);
  const rank = new Map(order.map((row, at) => [row, at] as const));
  for (const row of order) {
    const own = changes.get(row) ?? null;
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
      change: change?.middle ?? null,
      ends: change?.ends ?? null,
      isParallel: parallel.has(row),
      through: through.get(row) ?? [],
    }));
  return {
    methods: methods.map(method => withPassed(method, changes)),
    callers: callers.sort((a, b) => Math.abs(b.change ?? 0) - Math.abs(a.change ?? 0) || a.row - b.row),
  };
}

function changeOf({ change, ends }: Passed): Change | null {
  return change === null || ends === null ? null : { middle: change, ends };
}

/** A change with the change of a callee that is called so often in one run. */
function withCalls(before: Change = NO_CHANGE, { middle, ends }: Change, often: number): Change {
  const end = (at: 0 | 1) => before.ends[at] + ends[at] * often;
  return { middle: before.middle + middle * often, ends: [end(0), end(1)] };
}

const NO_CHANGE: Change = { middle: 0, ends: [0, 0] };

/** The edited method with what its edited callees pass on; without where its calls overlap in time, or nothing is known of one. */
function withPassed<M extends Passed>(method: M, changes: Changes): M {
  const { rows, change, ends, interval, mean } = method;
  if (change === null || ends === null || interval === null) return method;
  const passed = rows.reduce((most, row) => {
    const now = changes.get(row) ?? { middle: change, ends };
    const added = withCalls(now, { middle: change, ends }, -1);
    return Math.abs(added.middle) > Math.abs(most.middle) ? added : most;
  }, NO_CHANGE);
  if (passed.middle === 0) return method;
  const shifted = ([low, high]: Ends): Ends => [low + passed.ends[0], high + passed.ends[1]];
  const sums = { ends: shifted(ends), interval: shifted(interval), mean: mean === null ? null : shifted(mean) };
  return { ...method, ...sums, passed: passed.middle, change: change + passed.middle };
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
