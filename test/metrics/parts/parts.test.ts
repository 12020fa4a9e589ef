// Checks parts of pictures against naive counts over raw stacks, with recursion merged, libraries folded and contexts dropped.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noPause } from '../../../server/base/pause.ts';
import type { Profile } from '../../../server/cct/profile.ts';
import { indexTree } from '../../../server/cct/tree-index.ts';
import { analyse } from '../../../server/metrics/analysis.ts';
import { focusNodes } from '../../../server/metrics/focus.ts';
import { chooseTasks } from '../../../server/metrics/focus-spec.ts';
import { mergedRecursion } from '../../../server/metrics/parts/merged-recursion.ts';
import { type Part, Parts } from '../../../server/metrics/parts/parts.ts';
import { walkedTree } from '../../../server/metrics/parts/walked-tree.ts';
import {
  ALLOCATION,
  CPU,
  methodRows,
  methodText,
  profileOfStacks,
  type RawSample,
} from '../../support/profiles/profiles.ts';
import { amountsBy, methodSets, rawSamples } from '../../support/profiles/stack-oracle.ts';
import { runs } from '../../support/runs.ts';

type Names = readonly string[];

/** Reads a stack from its root; a method that it has already leads back to there. */
function withoutRecursion(names: Names): Names {
  const path: string[] = [];
  for (const name of names) {
    const known = path.indexOf(name);
    path.splice(known < 0 ? path.length : known + 1);
    if (known < 0) path.push(name);
  }
  return path;
}

/** Of library frames that follow each other only the outermost stays. */
function withoutRuns(names: Names, library: Names): Names {
  return names.filter((name, i) => !(library.includes(name) && i > 0 && library.includes(names[i - 1]!)));
}

/** The paths of names of all parts, with their totals and own amounts. */
function amountsOf(profile: Profile, parts: Parts, top = parts.top) {
  const total: [string, Part['total']][] = [];
  const own: [string, Part['total']][] = [];
  const pending = [{ part: top, path: '*' }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { part, path } = next;
    if (part.total.count > 0) total.push([path, part.total]);
    const below = parts.below(part);
    if (part.own!.count > 0) own.push([path, part.own!]);
    const names = below.map(({ method }) => methodText(profile, method));
    expect(new Set(names).size, 'siblings differ').toBe(names.length);
    const weights = below.map(({ total }) => total.weight);
    expect(weights, 'heaviest first').toEqual(weights.toSorted((x, y) => y - x));
    for (const [i, each] of below.entries()) pending.push({ part: each, path: `${path} ${names[i]}` });
  }
  const known = new Set([...total].map(([path]) => path));
  expect(known.size, 'no path stands twice').toBe(total.length);
  return { total: Object.fromEntries(total), own: Object.fromEntries(own) };
}

/** The self amounts of all parts, by the paths of the parts. */
function selfOf(profile: Profile, parts: Parts) {
  const self: Record<string, Part['total']> = {};
  const pending = [{ part: parts.top, path: '*' }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const amount = parts.selfOf(next.part);
    if (amount.count > 0) self[next.path] = amount;
    for (const part of parts.below(next.part))
      pending.push({ part, path: `${next.path} ${methodText(profile, part.method)}` });
  }
  return self;
}

/** The expected parts, for stacks of which `pathOf` gives the methods below the top; null where a stack is in none. */
function expected(samples: readonly RawSample[], pathOf: (names: Names) => Names | null) {
  const complete = samples.filter(({ truncated, metric }) => truncated !== true && metric === 1);
  const pathsIn = (names: Names | null) =>
    names === null ? [] : ['*', ...names.map((_, i) => ['*', ...names.slice(0, i + 1)].join(' '))];
  const namesOf = (frames: RawSample['frames']) => pathOf(frames.map(({ method }) => method));
  return {
    total: amountsBy(complete, frames => pathsIn(namesOf(frames))),
    own: amountsBy(complete, frames => pathsIn(namesOf(frames)).slice(-1)),
  };
}

type Case = {
  readonly recursion: boolean;
  readonly library: boolean;
  readonly direction: 'callees' | 'callers';
  /** Whether a set of methods stands at the top. */
  readonly pivot: boolean;
};

const CASES = [false, true].flatMap(recursion =>
  [false, true].flatMap(library =>
    (['callees', 'callers'] as const).flatMap(direction =>
      [false, true].map((pivot): Case => ({ recursion, library, direction, pivot })),
    ),
  ),
);

function partsOf(samples: readonly RawSample[], sets: { methods: Names; library: Names }, wish: Case) {
  const profile = profileOfStacks(samples, { metrics: [CPU, ALLOCATION] });
  const rows = methodRows(profile);
  const rowsOf = (names: Names) => names.flatMap(name => rows.get(name) ?? []);
  const analysis = analyse(profile, indexTree(profile), { metric: 1 });
  const walked = walkedTree(analysis);
  const library = new Uint8Array(profile.methods.length);
  for (const row of rowsOf(sets.library)) library[row] = 1;
  const parts = new Parts(wish.recursion ? mergedRecursion(analysis, walked, noPause) : walked, {
    direction: wish.direction,
    methods: wish.pivot ? rowsOf(sets.methods) : null,
    library: wish.library ? library : null,
  });
  return { profile, parts };
}

/** The names below the top for the stack of a sample, by the meaning of the operations. */
function below(names: Names, sets: { methods: Names; library: Names }, wish: Case): Names | null {
  const path = wish.recursion ? withoutRecursion(names) : names;
  const folded = (part: Names) => (wish.library ? withoutRuns(part, sets.library) : part);
  if (!wish.pivot) return wish.direction === 'callees' ? folded(path) : folded(path).toReversed();
  const at = path.findIndex(name => sets.methods.includes(name));
  if (at < 0) return null;
  if (wish.direction === 'callers') return folded(path.slice(0, at)).toReversed();
  return folded([path[at]!, ...path.slice(at + 1)]).slice(1);
}

describe('parts', () => {
  const sets = fc.record({ methods: methodSets(), library: methodSets() });
  for (const wish of CASES) {
    const text = `${wish.direction} of ${wish.pivot ? 'methods' : 'everything'}`;
    const how = `${wish.recursion ? ', recursion merged' : ''}${wish.library ? ', libraries folded' : ''}`;
    test(`${text}${how}`, () => {
      fc.assert(
        fc.property(rawSamples({ metrics: 2, truncated: true }), sets, (samples, given) => {
          // One method at the top, so that whether it is a library's is one question.
          const chosen = { ...given, methods: given.methods.slice(0, 1) };
          const { profile, parts } = partsOf(samples, chosen, wish);
          const paths = expected(samples, names => below(names, chosen, wish));
          expect(amountsOf(profile, parts)).toEqual(paths);
        }),
        { numRuns: runs(150) },
      );
    });
  }

  for (const recursion of [false, true])
    for (const library of [false, true]) {
      const how = `${recursion ? ', recursion merged' : ''}${library ? ', libraries folded' : ''}`;
      const wish = { recursion, library };
      test(`upwards the method that ran has the time, its callers none${how}`, () => {
        fc.assert(
          fc.property(rawSamples({ metrics: 2, truncated: true }), sets, (samples, given) => {
            const { profile, parts } = partsOf(samples, given, { ...wish, direction: 'callers', pivot: false });
            const { own } = expected(samples, names =>
              below(names, given, { ...wish, direction: 'callers', pivot: false })!.slice(0, 1),
            );
            expect(selfOf(profile, parts)).toEqual(own);
          }),
          { numRuns: runs(150) },
        );
      });
      test(`a sandwich has one own time of its method in both halves${how}`, () => {
        fc.assert(
          fc.property(rawSamples({ metrics: 2, truncated: true }), sets, (samples, given) => {
            const chosen = { ...given, methods: given.methods.slice(0, 1) };
            const [up, down] = (['callers', 'callees'] as const).map(
              direction => partsOf(samples, chosen, { ...wish, direction, pivot: true }).parts,
            );
            expect(up!.selfOf(up!.top)).toEqual(down!.ownOf(down!.top));
            for (const caller of up!.below(up!.top)) expect(up!.selfOf(caller).count).toBe(0);
          }),
          { numRuns: runs(150) },
        );
      });
    }

  test('without contexts: each method once, by what it ran itself', () => {
    const wish = { recursion: false, library: false, direction: 'callees', pivot: false } as const;
    fc.assert(
      fc.property(rawSamples({ metrics: 2, truncated: true }), sets, fc.boolean(), (samples, given, library) => {
        const { profile, parts } = partsOf(samples, given, { ...wish, library });
        const last = (names: Names) => (library ? withoutRuns(names, given.library) : names).slice(-1);
        expect(amountsOf(profile, parts, parts.aggregated(parts.top))).toEqual(expected(samples, last));
      }),
      { numRuns: runs(150) },
    );
  });

  test('under a focus: from its outermost methods downwards, recursion merged or not', () => {
    fc.assert(
      fc.property(rawSamples({ metrics: 2 }), fc.boolean(), (samples, recursion) => {
        const profile = profileOfStacks(samples, { metrics: [CPU, ALLOCATION] });
        const index = indexTree(profile);
        const chosen = chooseTasks(profile.methods, 'A.run', []).value;
        fc.pre(chosen !== null);
        const analysis = analyse(profile, index, { metric: 1, focus: focusNodes(profile, index, [chosen]) });
        const walked = walkedTree(analysis);
        const tree = recursion ? mergedRecursion(analysis, walked, noPause) : walked;
        const parts = new Parts(tree, { direction: 'callees', methods: null, library: null });
        const inFocus = (names: Names) => {
          const at = names.indexOf('A.run');
          if (at < 0) return null;
          return recursion ? withoutRecursion(names.slice(at)) : names.slice(at);
        };
        expect(amountsOf(profile, parts)).toEqual(expected(samples, inFocus));
      }),
      { numRuns: runs(150) },
    );
  });
});
