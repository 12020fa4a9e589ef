// Checks parts of the calling context tree against naive counts over raw stacks, under recursion, focus and limits.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Profile } from '../../server/cct/profile.ts';
import { indexTree } from '../../server/cct/tree-index.ts';
import { analyse } from '../../server/metrics/analysis.ts';
import { type CallTreeRow, type CallTreeWish, callTree } from '../../server/metrics/call-tree.ts';
import { focusNodes } from '../../server/metrics/focus.ts';
import { chooseTasks } from '../../server/metrics/focus-spec.ts';
import {
  ALLOCATION,
  CPU,
  methodRows,
  methodText,
  profileOfStacks,
  profileOfText,
  type RawSample,
} from '../support/profiles/profiles.ts';
import { amountsBy, methodSets, rawSamples } from '../support/profiles/stack-oracle.ts';
import { runs } from '../support/runs.ts';

const ALL = { depth: 99, least: 0, rows: 9_999 };

/** Names from the top row to each row; the top row is `*`. */
function pathsOf(profile: Profile, rows: readonly CallTreeRow[]): string[] {
  const paths: string[] = [];
  for (const { method, parent } of rows)
    paths.push(parent < 0 ? '*' : `${paths[parent]} ${methodText(profile, method)}`);
  return paths;
}

function byPath(profile: Profile, rows: readonly CallTreeRow[], value: 'total' | 'self') {
  const paths = pathsOf(profile, rows);
  expect(new Set(paths).size, 'no path stands twice').toBe(rows.length);
  return Object.fromEntries(
    rows.map((row, i) => [paths[i]!, row[value]] as const).filter(([, { count }]) => count > 0),
  );
}

/** The methods of each stack that stand below the top row, the nearest first; null where the stack is in no row. */
type Below = (names: readonly string[]) => readonly string[] | null;

function expectTree(profile: Profile, rows: readonly CallTreeRow[], samples: readonly RawSample[], below: Below): void {
  const complete = samples.filter(({ truncated, metric }) => truncated !== true && metric === 1);
  const pathsIn = (names: readonly string[] | null) =>
    names === null ? [] : ['*', ...names.map((_, i) => ['*', ...names.slice(0, i + 1)].join(' '))];
  const namesOf = (frames: RawSample['frames']) => below(frames.map(({ method }) => method));
  expect(byPath(profile, rows, 'total')).toEqual(amountsBy(complete, frames => pathsIn(namesOf(frames))));
  expect(byPath(profile, rows, 'self')).toEqual(amountsBy(complete, frames => pathsIn(namesOf(frames)).slice(-1)));
}

function check(named: boolean, of: (names: readonly string[]) => Pick<CallTreeWish, 'direction'> & { below: Below }) {
  fc.assert(
    fc.property(rawSamples({ metrics: 2, truncated: true }), methodSets(), (samples, names) => {
      const profile = profileOfStacks(samples, { metrics: [CPU, ALLOCATION] });
      const rows = methodRows(profile);
      const methods = named ? names.flatMap(name => rows.get(name) ?? []) : null;
      const { direction, below } = of(names);
      const analysis = analyse(profile, indexTree(profile), { metric: 1 });
      expectTree(profile, callTree(analysis, { direction, methods, ...ALL }), samples, below);
    }),
    { numRuns: runs(300) },
  );
}

test('downwards from the root: every calling context', () =>
  check(false, () => ({ direction: 'callees', below: names => names })));

test('downwards from methods: what their outermost calls lead to', () =>
  check(true, set => ({
    direction: 'callees',
    below: names => {
      const at = names.findIndex(name => set.includes(name));
      return at < 0 ? null : names.slice(at + 1);
    },
  })));

test('upwards from methods: what leads to their outermost calls', () =>
  check(true, set => ({
    direction: 'callers',
    below: names => {
      const at = names.findIndex(name => set.includes(name));
      return at < 0 ? null : names.slice(0, at).reverse();
    },
  })));

test('under a focus: from its methods downwards, and beyond it upwards', () => {
  fc.assert(
    fc.property(rawSamples({ metrics: 2, truncated: true }), methodSets(), (samples, names) => {
      const profile = profileOfStacks(samples, { metrics: [CPU, ALLOCATION] });
      const index = indexTree(profile);
      const rows = methodRows(profile);
      const chosen = chooseTasks(profile.methods, 'prefix:A', []).value;
      if (chosen === null) return;
      const analysis = analyse(profile, index, { metric: 1, focus: focusNodes(profile, index, [chosen]) });
      const focusAt = (stack: readonly string[]) => stack.findIndex(name => name.startsWith('A.'));
      const whole = callTree(analysis, { direction: 'callees', methods: null, ...ALL });
      expectTree(profile, whole, samples, stack => (focusAt(stack) < 0 ? null : stack.slice(focusAt(stack))));
      const methods = names.flatMap(name => rows.get(name) ?? []);
      const up = callTree(analysis, { direction: 'callers', methods, ...ALL });
      expectTree(profile, up, samples, stack => {
        const from = focusAt(stack);
        const at = from < 0 ? -1 : stack.findIndex((name, i) => i >= from && names.includes(name));
        return at < 0 ? null : stack.slice(0, at).reverse();
      });
    }),
    { numRuns: runs(300) },
  );
});

test('limits leave out what is too deep, too light, or not among the heaviest', () => {
  const limits = fc.record({
    depth: fc.nat(4),
    least: fc.double({ min: 0, max: 1, noNaN: true }),
    rows: fc.integer({ min: 1, max: 12 }),
  });
  fc.assert(
    fc.property(rawSamples(), limits, (samples, { depth, least, rows }) => {
      const profile = profileOfStacks(samples);
      const analysis = analyse(profile, indexTree(profile), { metric: 0 });
      const wish = { direction: 'callees', methods: null } as const;
      const all = callTree(analysis, { ...wish, ...ALL });
      const found = callTree(analysis, { ...wish, depth, least, rows });
      const paths = pathsOf(profile, all);
      const expected = new Map(all.map((row, i) => [paths[i], row]));
      pathsOf(profile, found).forEach((path, i) => {
        const { parent: _, ...row } = found[i]!;
        expect(expected.get(path)).toMatchObject(row);
      });
      const top = all[0]!.total.weight;
      const allowed = all.filter(row => row.depth <= depth && (row.depth === 0 || row.total.weight >= least * top));
      const weights = allowed.map(({ total }) => total.weight).sort((x, y) => y - x);
      expect(found.map(({ total }) => total.weight).sort((x, y) => y - x)).toEqual(weights.slice(0, rows));
    }),
    { numRuns: runs(300) },
  );
});

test('rows stand in depth-first order, the heaviest first', () => {
  const profile = profileOfText(`
A.run
  B.light :1 | 1@1
  B.heavy :2 | 2@1
    C.leaf :9 | 4@1
  B.light :3 | 2@1`);
  const analysis = analyse(profile, indexTree(profile), { metric: 0 });
  const rows = callTree(analysis, { direction: 'callees', methods: null, ...ALL });
  expect(
    rows.map(({ method, parent, depth, total, self }) => [
      methodText(profile, method),
      parent,
      depth,
      total.count,
      self.count,
    ]),
  ).toEqual([
    [methodText(profile, 0), -1, 0, 9, 0],
    ['A.run', 0, 1, 9, 0],
    ['B.heavy', 1, 2, 6, 2],
    ['C.leaf', 2, 3, 4, 4],
    ['B.light', 1, 2, 3, 3],
  ]);
});
