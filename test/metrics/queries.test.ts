// Checks every query against naive counts over raw stacks, on random trees full of recursion.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Profile } from '../../server/cct/profile.ts';
import { indexTree } from '../../server/cct/tree-index.ts';
import { type Amount, type Analysis, analyse, type SelectedRows } from '../../server/metrics/analysis.ts';
import {
  calleesOf,
  callersOf,
  effectiveSamplesOf,
  groupsOf,
  linesOf,
  threadsOf,
} from '../../server/metrics/around-method.ts';
import { hotMethods, methodTimes, selfTimes } from '../../server/metrics/method-times.ts';
import {
  amountAtLines,
  amountsByCallee,
  incompleteAmount,
  methodAmount,
  selfAtLines,
} from '../../server/metrics/queries.ts';
import {
  ALLOCATION,
  CPU,
  methodRows,
  methodText,
  profileOfStacks,
  profileOfText,
  type RawSample,
} from '../support/profiles/profiles.ts';
import { amountOf, amountsBy, callsIn, methodSets, rawSamples } from '../support/profiles/stack-oracle.ts';
import { runs } from '../support/runs.ts';

const METRICS = [CPU, ALLOCATION];
const NONE: Amount = { weight: 0, count: 0 };

type Case = {
  profile: Profile;
  analysis: Analysis;
  complete: RawSample[];
  partial: RawSample[];
  inSet: (method: string) => boolean;
  set: number[];
};

/** A random case: the selection, the raw samples it selects, and a set of methods as names and rows. */
const cases: fc.Arbitrary<Case> = fc
  .record({
    samples: rawSamples({ metrics: 2, truncated: true }),
    metric: fc.nat(1),
    threads: fc.option(fc.uint8Array({ minLength: 3, maxLength: 3, max: 1 }), { nil: undefined }),
    windows: fc.option(fc.uint8Array({ minLength: 3, maxLength: 3, max: 1 }), { nil: undefined }),
    names: methodSets(),
  })
  .map(({ samples, metric, threads, windows, names }) => {
    const profile = profileOfStacks(samples, { metrics: METRICS });
    const selection: SelectedRows = {
      metric,
      ...(threads === undefined ? {} : { threads }),
      ...(windows === undefined ? {} : { windows }),
    };
    const selected = samples.filter(
      sample =>
        sample.metric === metric &&
        (threads === undefined || threads[sample.thread ?? 0] === 1) &&
        (windows === undefined || windows[sample.window ?? 0] === 1),
    );
    const rows = methodRows(profile);
    const set = names.flatMap(name => rows.get(name) ?? []);
    return {
      profile,
      analysis: analyse(profile, indexTree(profile), selection),
      complete: selected.filter(sample => sample.truncated !== true),
      partial: selected.filter(sample => sample.truncated === true),
      inSet: (method: string) => names.includes(method),
      set,
    };
  });

const always = (check: (each: Case) => void) => fc.assert(fc.property(cases, check), { numRuns: runs(300) });
const keyed = <T extends { amount: Amount }>(list: readonly T[], key: (each: T) => string) =>
  Object.fromEntries(list.map(each => [key(each), each.amount]));

describe('amounts', () => {
  test('the whole leaves partial stacks out and says how much they are', () =>
    always(({ analysis, complete, partial }) => {
      expect(analysis.whole).toEqual(amountOf(complete, () => true));
      expect(analysis.incomplete).toEqual(amountOf(partial, () => true));
      expect(analysis.withoutStack).toEqual(amountOf(complete, frames => frames.length === 0));
    }));

  test('a method counts once a sample', () =>
    always(({ analysis, complete, partial, set, inSet }) => {
      const holds = (frames: RawSample['frames']) => frames.some(frame => inSet(frame.method));
      expect(methodAmount(analysis, set)).toEqual(amountOf(complete, holds));
      expect(incompleteAmount(analysis, set)).toEqual(amountOf(partial, holds));
      expect(methodAmount(analysis, set).weight).toBeLessThanOrEqual(analysis.whole.weight);
    }));

  test('self is what runs innermost', () =>
    always(({ analysis, complete, set, inSet }) => {
      const expected = amountOf(complete, frames => inSet(frames.at(-1)?.method ?? ''));
      expect(selfAtLines(analysis, set)).toEqual(expected);
    }));

  test('lines narrow both down', () =>
    always(({ analysis, complete, set, inSet }) => {
      const odd = (line: number) => line % 2 === 1;
      const there = (frame: RawSample['frames'][number] | undefined) =>
        frame !== undefined && inSet(frame.method) && odd(frame.line);
      expect(amountAtLines(analysis, set, odd)).toEqual(amountOf(complete, frames => frames.some(there)));
      expect(selfAtLines(analysis, set, odd)).toEqual(amountOf(complete, frames => there(frames.at(-1))));
    }));

  test('the effective number of samples comes from the weights', () =>
    always(({ analysis, complete, set, inSet }) => {
      const own = complete.filter(sample => sample.frames.some(frame => inSet(frame.method)));
      const weight = own.reduce((sum, sample) => sum + sample.weight!, 0);
      const squares = own.reduce((sum, sample) => sum + sample.weight! ** 2 / sample.count!, 0);
      expect(effectiveSamplesOf(analysis, set)).toBeCloseTo(weight === 0 ? 0 : weight ** 2 / squares, 9);
    }));
});

describe('breakdowns', () => {
  test('callees by call site and in groups', () =>
    always(({ profile, analysis, complete, set, inSet }) => {
      const calls = (frames: RawSample['frames']) => callsIn(frames).filter(([caller]) => inSet(caller.method));
      const bySite = amountsBy(complete, frames => calls(frames).map(([m, c]) => `${c.method}:${m.line}`));
      const sites = keyed(calleesOf(analysis, set), each => `${methodText(profile, each.method)}:${each.line}`);
      expect(sites).toEqual(bySite);
      const group = (method: string, line: number) => (line === 0 ? undefined : `${method.slice(0, 1)}${line % 2}`);
      const byGroup = amountsBy(complete, frames =>
        calls(frames).flatMap(([caller, callee]) => group(callee.method, caller.line) ?? []),
      );
      const asked: string[] = [];
      const grouped = amountsByCallee(analysis, set, (method, line) => {
        asked.push(`${methodText(profile, method)}:${line}`);
        return group(methodText(profile, method), line);
      });
      expect(Object.fromEntries(grouped)).toEqual(byGroup);
      expect(asked.sort(), 'call sites that only other selections saw are not asked for').toEqual(
        Object.keys(bySite).sort(),
      );
    }));

  test('callers', () =>
    always(({ profile, analysis, complete, set, inSet }) => {
      const expected = amountsBy(complete, frames =>
        callsIn(frames).flatMap(([caller, callee]) => (inSet(callee.method) ? [caller.method] : [])),
      );
      expect(keyed(callersOf(analysis, set), each => methodText(profile, each.method))).toEqual(expected);
    }));

  test('lines', () =>
    always(({ analysis, complete, set, inSet }) => {
      const expected = amountsBy(complete, frames =>
        frames.filter(frame => inSet(frame.method)).map(frame => String(frame.line)),
      );
      expect(keyed(linesOf(analysis, set), each => String(each.line))).toEqual(expected);
    }));

  test('threads', () =>
    always(({ analysis, complete, set, inSet }) => {
      const expected = amountsBy(complete, (frames, sample) =>
        frames.some(frame => inSet(frame.method)) ? [String(sample.thread)] : [],
      );
      expect(keyed(threadsOf(analysis, set), each => String(each.thread))).toEqual(expected);
    }));

  test('thread groups', () =>
    always(({ profile, analysis, complete, set, inSet }) => {
      const group = ['main', 'pool', 'main'];
      const ran = complete.filter(({ frames }) => frames.some(frame => inSet(frame.method)));
      const groups = groupsOf({ ...profile.threads, group }, threadsOf(analysis, set));
      expect(keyed(groups, each => each.group)).toEqual(amountsBy(ran, (_, { thread }) => [group[thread ?? 0]!]));
      for (const { group: name, threads } of groups) {
        const rows = ran.filter(({ thread }) => group[thread ?? 0] === name).map(({ thread }) => thread ?? 0);
        expect(threads).toBe(new Set(rows).size);
      }
      const weights = groups.map(({ amount }) => amount.weight);
      expect(weights).toEqual(weights.toSorted((one, other) => other - one));
    }));
});

describe('all methods at once', () => {
  test('equal the single queries', () =>
    always(({ profile, analysis }) => {
      const total = methodTimes(analysis);
      const self = selfTimes(analysis);
      for (let m = 2; m < profile.methods.length; m++) {
        expect({ weight: total.weight[m], count: total.count[m] }).toEqual(methodAmount(analysis, [m]));
        expect({ weight: self.weight[m], count: self.count[m] }).toEqual(selfAtLines(analysis, [m]));
      }
      expect(sum(self.weight)).toBe(analysis.whole.weight);
      expect(sum(self.count)).toBe(analysis.whole.count);
    }));

  test('the hottest come first', () =>
    always(({ analysis }) => {
      for (const by of ['total', 'self'] as const) {
        const hot = hotMethods(analysis, 3, by);
        const weights = hot.map(each => each[by].weight);
        expect(weights).toEqual([...weights].sort((x, y) => y - x));
        expect(hot.every(each => each.method >= 2)).toBe(true);
        for (const each of hot) expect(each.total).toEqual(methodAmount(analysis, [each.method]));
      }
    }));
});

test('a focus cuts samples and stacks to what lies at or below it, but keeps its callers', () => {
  const focused = fc.record({ samples: rawSamples(), names: methodSets(), of: methodSets() });
  fc.assert(
    fc.property(focused, ({ samples, names, of }) => {
      const profile = profileOfStacks(samples);
      const index = indexTree(profile);
      const rows = methodRows(profile);
      const rowsOf = (list: readonly string[]) => list.flatMap(name => rows.get(name) ?? []);
      const focus = Array.from({ length: profile.tree.length }, (_, node) => node).filter(
        node => rowsOf(of).includes(profile.tree.method[node]!) && !isBelow(profile, node, rowsOf(of)),
      );
      const analysis = analyse(profile, index, { metric: 0, focus: Int32Array.from(focus) });
      const cut = samples.flatMap(sample => {
        const at = sample.frames.findIndex(frame => of.includes(frame.method));
        return at < 0 ? [] : [{ sample: { ...sample, frames: sample.frames.slice(at) }, above: sample.frames[at - 1] }];
      });
      const stacks = cut.map(each => each.sample);
      expect(analysis.whole).toEqual(amountOf(stacks, () => true));
      const holds = (frames: RawSample['frames']) => frames.some(frame => names.includes(frame.method));
      expect(methodAmount(analysis, rowsOf(names))).toEqual(amountOf(stacks, holds));
      const callers = amountsBy(
        cut.map(({ sample, above }) => ({ ...sample, frames: above ? [above, ...sample.frames] : sample.frames })),
        frames => callsIn(frames).flatMap(([p, m]) => (names.includes(m.method) ? [p.method] : [])),
      );
      expect(keyed(callersOf(analysis, rowsOf(names)), each => methodText(profile, each.method))).toEqual(callers);
      const total = methodTimes(analysis);
      for (const row of rows.values()) expect(total.weight[row]).toBe(methodAmount(analysis, [row]).weight);
    }),
    { numRuns: runs(300) },
  );
});

function isBelow({ tree }: Profile, node: number, methods: readonly number[]): boolean {
  for (let above = tree.parent[node]!; above > 0; above = tree.parent[above]!) {
    if (methods.includes(tree.method[above]!)) return true;
  }
  return false;
}

test('a stack whose frames were all folded away is no missing stack', () => {
  const profile = profileOfText('| 4@0 2@-1 1@0/1\nMain.main | 3@3');
  const { withoutStack, whole } = analyse(profile, indexTree(profile), { metric: 0 });
  expect({ withoutStack, whole }).toEqual({ withoutStack: { weight: 5, count: 5 }, whole: { weight: 10, count: 10 } });
});

test('nothing is asked of an empty selection', () => {
  const profile = profileOfStacks([]);
  const analysis = analyse(profile, indexTree(profile), { metric: 0 });
  expect(analysis.whole).toEqual(NONE);
  expect(methodAmount(analysis, [])).toEqual(NONE);
  expect(hotMethods(analysis, 5)).toEqual([]);
});

function sum(column: Float64Array | Int32Array): number {
  let total = 0;
  for (const value of column) total += value;
  return total;
}
