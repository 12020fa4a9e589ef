// Tests that changes reach callers as brute force over random call graphs has it, with cycles and edited methods among the callers.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passOn } from '../../../server/analysis/prediction/pass-on.ts';
import type {
  KnownReliability,
  PredictedMethod,
  PredictedTerm,
} from '../../../server/analysis/prediction/prediction.ts';
import { TimedMethods } from '../../../server/analysis/prediction/timed-methods.ts';
import { GrowingTimes } from '../../../server/cct/times.ts';
import { methodRows, profileOfText } from '../../support/profiles/profiles.ts';
import { runs } from '../../support/runs.ts';

const METHODS = 8;
const RUNS = 10;
const name = (at: number) => `T${at}.m`;

type Edge = { readonly caller: number; readonly callee: number; readonly calls: number };

const edges = fc.uniqueArray(
  fc.record({ caller: fc.nat(METHODS - 1), callee: fc.nat(METHODS - 1), calls: fc.integer({ min: 1, max: 30 }) }),
  { maxLength: 16, selector: ({ caller, callee }) => `${caller} ${callee}` },
);
const changes = fc.array(fc.option(fc.integer({ min: -50, max: 50 }), { nil: null }), {
  minLength: METHODS,
  maxLength: METHODS,
});

/** Each method runs ten times from outside, for so long that no calls overlap; calls take a nanosecond. */
function timedOf(graph: readonly Edge[]) {
  const profile = profileOfText(Array.from({ length: METHODS }, (_, at) => `${name(at)} | 1@1`).join('\n'));
  const rows = methodRows(profile);
  const row = (at: number) => rows.get(name(at))!;
  const times = new GrowingTimes();
  const runs = Array<number>(METHODS).fill(RUNS);
  for (let at = 0; at < METHODS; at++) for (let run = 0; run < RUNS; run++) times.addCall(row(at), 0, 0, 1_000_000);
  for (const { caller, callee, calls } of graph) {
    for (let call = 0; call < calls; call++) times.addCall(row(callee), row(caller), 0, 1);
    runs[callee]! += calls;
  }
  return { timed: new TimedMethods({ ...profile, times: times.finish()! }), row, runs };
}

/** An edited method with one term, whose calls are known to come to these ends. */
function edited(row: number, low: number, high = low, reliability: KnownReliability = 'likely'): PredictedMethod {
  const sign = high > 0 ? 1 : -1;
  const [least, most] = [Math.abs(low), Math.abs(high)];
  const spread = { among: 0, shared: 0, single: 0, calls: RUNS, windows: 1, rSquared: null };
  const about = { line: 1, span: null, callee: 'called', change: 'added', around: [], loops: [], reason: '' } as const;
  const term: PredictedTerm = {
    ...about,
    ...{ times: { least: sign, most: sign }, direction: sign, outside: 1, query: null },
    cost: { rule: 'caller', mean: most, ends: sign > 0 ? [least, most] : [most, least], ...spread },
  };
  const ends = [low, high] as const;
  return {
    ...{ rows: [row], declaration: 0, name: 'm', title: 'T.m', line: 1, measured: 1_000_000, passed: null, unknown: 0 },
    ...{ change: (low + high) / 2, ends, interval: ends, mean: null, reliability, direction: sign, terms: [term] },
  };
}

function passed({ timed, row }: ReturnType<typeof timedOf>, own: readonly (number | null)[]): (number | null)[] {
  const all = own.flatMap((change, at) => (change === null ? [] : [edited(row(at), change)]));
  const { methods, callers } = passOn(all, timed);
  const found = new Map([
    ...methods.map(({ rows, change }) => [rows[0]!, change] as const),
    ...callers.map(({ row, change }) => [row, change] as const),
  ]);
  return own.map((_, at) => found.get(row(at)) ?? null);
}

/** A change of a run, summed over all ways down to edited methods. */
function bruteForce(
  graph: readonly Edge[],
  own: readonly (number | null)[],
  runs: readonly number[],
  at: number,
): number {
  return graph
    .filter(({ caller }) => caller === at)
    .reduce((sum, { callee, calls }) => sum + (bruteForce(graph, own, runs, callee) * calls) / runs[at]!, own[at] ?? 0);
}

test('without cycles every caller has the sum over all ways', () => {
  fc.assert(
    fc.property(edges, changes, (all, own) => {
      const graph = all.filter(({ caller, callee }) => caller < callee);
      const timed = timedOf(graph);
      for (const [at, change] of passed(timed, own).entries()) {
        const wanted = bruteForce(graph, own, timed.runs, at);
        if (change === null) expect(wanted).toBeCloseTo(0, 9);
        else expect(change).toBeCloseTo(wanted, 6);
      }
    }),
    { numRuns: runs(100) },
  );
});

/** Methods from which a method can be reached that calls itself through others or directly. */
function aboveCycles(graph: readonly Edge[]): ReadonlySet<number> {
  const reach = (from: number): Set<number> => {
    const found = new Set<number>();
    const pending = [from];
    for (let at = pending.pop(); at !== undefined; at = pending.pop())
      for (const { caller, callee } of graph)
        if (caller === at && !found.has(callee)) {
          found.add(callee);
          pending.push(callee);
        }
    return found;
  };
  const reached = Array.from({ length: METHODS }, (_, at) => reach(at));
  const cyclic = reached.flatMap((found, at) => (found.has(at) ? [at] : []));
  return new Set([...cyclic, ...reached.flatMap((found, at) => (cyclic.some(each => found.has(each)) ? [at] : []))]);
}

test('where only ends are known, callers and edited methods among them have both ends too', () => {
  const { timed, row } = timedOf([
    { caller: 0, callee: 1, calls: 20 },
    { caller: 1, callee: 2, calls: 30 },
  ]);
  // One run of the outermost method calls twice, one of the next one once.
  const found = passOn([edited(row(2), 2, 10, 'rough')], timed);
  expect(found.callers.map(({ row: at, change, ends }) => [at, change, ends])).toEqual([
    [row(0), 12, [4, 20]],
    [row(1), 6, [2, 10]],
  ]);
  const [inner] = passOn([edited(row(1), 5), edited(row(2), 2, 10, 'rough')], timed).methods;
  const sums = { change: 11, passed: [2, 10], ends: [7, 15], interval: [7, 15] };
  expect(inner).toMatchObject({ ...sums, reliability: 'rough', direction: 1 });
});

describe('an edited method with what edited callees pass on', () => {
  const { timed, row } = timedOf([
    { caller: 0, callee: 1, calls: 10 },
    { caller: 1, callee: 2, calls: 20 },
  ]);
  const MS = 1e6;
  const both = (above: PredictedMethod, below: PredictedMethod) => passOn([above, below], timed).methods[0]!;

  test.each([
    ['measured', 'measured', 'measured'],
    ['measured', 'likely', 'likely'],
    ['likely', 'measured', 'likely'],
    ['measured', 'rough', 'rough'],
    ['rough', 'measured', 'rough'],
  ] as const)('%s and %s is %s', (above, below, wanted) => {
    const found = both(edited(row(1), 5 * MS, 5 * MS, above), edited(row(2), 2 * MS, 2 * MS, below));
    expect(found).toMatchObject({ ends: [7 * MS, 7 * MS], reliability: wanted });
  });

  test('is unknown where it may be slower or faster', () => {
    const unknown = { change: null, ends: null, interval: null, mean: null, reliability: 'unknown', direction: 0 };
    const mixed = both(edited(row(1), -5 * MS, -5 * MS, 'measured'), edited(row(2), 2 * MS, 100 * MS, 'rough'));
    expect(mixed).toMatchObject({ ...unknown, passed: [2 * MS, 100 * MS] });
    // The middle of what is passed on is 0.
    const even = both(edited(row(1), 5 * MS, 5 * MS, 'measured'), edited(row(2), -40 * MS, 40 * MS, 'rough'));
    expect(even).toMatchObject({ ...unknown, passed: [-40 * MS, 40 * MS] });
  });

  test('makes no number of its callers where it is unknown', () => {
    const edits = [edited(row(1), 5 * MS, 5 * MS, 'measured'), edited(row(2), -40 * MS, 40 * MS, 'rough')];
    const { methods, callers } = passOn(edits, timed);
    expect(methods[0]!.reliability).toBe('unknown');
    expect(callers).toMatchObject([{ row: row(0), change: null, ends: null }]);
  });

  test('has the sign of the sum', () => {
    expect(both(edited(row(1), -5 * MS), edited(row(2), 20 * MS, 30 * MS))).toMatchObject({
      ends: [15 * MS, 25 * MS],
      direction: 1,
    });
    expect(both(edited(row(1), 5 * MS), edited(row(2), -20 * MS))).toMatchObject({ change: -15 * MS, direction: -1 });
  });

  test('keeps its own prediction where nothing is passed on', () => {
    const own = edited(row(1), 5 * MS);
    expect(both(own, { ...edited(row(2), 0), terms: [] })).toBe(own);
  });
});

test('with cycles it ends, is finite, and is right of all that leads into none', () => {
  fc.assert(
    fc.property(edges, changes, (graph, own) => {
      const timed = timedOf(graph);
      const above = aboveCycles(graph);
      for (const [at, change] of passed(timed, own).entries()) {
        if (change !== null) expect(Number.isFinite(change)).toBe(true);
        if (above.has(at)) continue;
        expect(change ?? 0).toBeCloseTo(bruteForce(graph, own, timed.runs, at), 6);
      }
    }),
    { numRuns: runs(100) },
  );
});
