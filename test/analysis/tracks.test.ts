// Tests what each thread did over time against naive counts over the raw stacks.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answer } from '../../server/analysis/ask.ts';
import { methodsNamed } from '../../server/analysis/named-methods.ts';
import type { Tracks } from '../../server/analysis/questions/tracks.ts';
import type { Selection } from '../../server/analysis/selection.ts';
import { TYPED } from '../../server/model/time-types.ts';
import { loadedFrom } from '../support/profiles/loaded.ts';
import { CPU, profileOfStacks, type RawSample } from '../support/profiles/profiles.ts';
import { runs } from '../support/runs.ts';

const THREADS = ['main', 'pool-1', 'pool-2'];
const OPTIONS = { threads: THREADS, windows: 3, startMillis: 1_700_000_000_000 };

const METHODS = ['p.A.run', 'p.q.B.go', 'lib.C.call', 'java.util.D.get'];
const OWN = ['p', 'p.q'];
const TYPES = [':RUN', ':MONITOR', ':WAIT'];

/** Where no own package ran, other packages are own code. */
const OWN_SAMPLE: RawSample = { frames: [{ method: 'p.A.run', line: 1 }], thread: 0, window: 0, count: 1 };

const drawnSamples = fc.array(
  fc.record({
    frames: fc.array(fc.record({ method: fc.constantFrom(...METHODS), line: fc.nat(2) }), {
      minLength: 1,
      maxLength: 5,
    }),
    thread: fc.nat(2),
    window: fc.nat(2),
    count: fc.integer({ min: 1, max: 5 }),
  }),
  { minLength: 1, maxLength: 30 },
);

const samples = drawnSamples.map((drawn): RawSample[] => [OWN_SAMPLE, ...drawn]);

const packageOf = (method: string): string => method.split('.').slice(0, -2).join('.');

/** Of the innermost own code, else of the innermost frame. */
function kindOf({ frames }: RawSample): string {
  const own = frames.findLast(({ method }) => OWN.includes(packageOf(method)));
  return packageOf((own ?? frames.at(-1)!).method);
}

/** `group thread window kind` with its weight. */
function toldOf({ groups, kinds, windows, columns }: Tracks): Record<string, number> {
  const told: Record<string, number> = {};
  let at = 0;
  for (const group of groups)
    for (const thread of group.threads)
      for (const end = at + thread.rows; at < end; at++) {
        const window = (windows[columns.window[at]!]!.from - OPTIONS.startMillis) / 10_000;
        told[[group.name, thread.name, window, kinds[columns.kind[at]!]!.name].join(' ')] = columns.weight[at]!;
      }
  expect(at).toBe(columns.window.length);
  return told;
}

function expected(all: readonly RawSample[], kind: (sample: RawSample) => string): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const sample of all) {
    const thread = THREADS[sample.thread!]!;
    const key = [thread.replace(/\d/, '#'), thread, sample.window, kind(sample)].join(' ');
    sums[key] = (sums[key] ?? 0) + (sample.weight ?? sample.count!);
  }
  return sums;
}

describe('tracks of packages', () => {
  const found = (all: readonly RawSample[], wish: { method?: string; selection?: Selection } = {}) => {
    const data = loadedFrom(profileOfStacks(all, OPTIONS), {}, wish.selection);
    const methods = wish.method === undefined ? null : (methodsNamed(data.profile.methods, wish.method)[0]?.rows ?? []);
    return answer(data, 'tracks', { methods, own: OWN });
  };

  test('have each sample once: in its thread, window and package', () => {
    fc.assert(
      fc.property(samples, all => {
        const tracks = found(all);
        expect(toldOf(tracks)).toEqual(expected(all, kindOf));
        expect(tracks.weight).toBe(all.reduce((sum, { count }) => sum + count!, 0));
        for (const { weight, running, threads } of tracks.groups) {
          expect([weight, running]).toEqual([weight, weight]);
          expect(threads.reduce((sum, thread) => sum + thread.weight, 0)).toBe(weight);
        }
        const weights = tracks.groups.map(({ weight }) => weight);
        expect(weights).toEqual(weights.toSorted((a, b) => b - a));
      }),
      { numRuns: runs(200) },
    );
  });

  test('of a method have its samples alone, of a focus those below it', () => {
    fc.assert(
      fc.property(samples, all => {
        const of = all.filter(({ frames }) => frames.some(({ method }) => method === 'lib.C.call'));
        if (of.length === 0) return;
        const below = of.map(sample => ({
          ...sample,
          frames: sample.frames.slice(sample.frames.findIndex(({ method }) => method === 'lib.C.call')),
        }));
        expect(toldOf(found(all, { method: 'lib.C.call' }))).toEqual(expected(of, kindOf));
        const inFocus = expected(below, () => '');
        const told = toldOf(found(all, { selection: { focus: ['lib.C.call'] } }));
        const withoutKind = (sums: Record<string, number>) => {
          const all: Record<string, number> = {};
          for (const [key, weight] of Object.entries(sums)) {
            const place = key.split(' ').slice(0, 3).join(' ');
            all[place] = (all[place] ?? 0) + weight;
          }
          return all;
        };
        expect(withoutKind(told)).toEqual(withoutKind(inFocus));
      }),
      { numRuns: runs(100) },
    );
  });

  test('leave windows outside of the span out', () => {
    const at = (window: number) => ({ frames: [{ method: 'p.A.run', line: 1 }], thread: 0, window, count: 1 });
    const from = OPTIONS.startMillis + 10_000;
    const { windows, columns } = found([at(0), at(1), at(2)], { selection: { from, to: from + 10_000 } });
    expect([windows, [...columns.window]]).toEqual([[{ from, to: from + 10_000 }], [0]]);
  });
});

test('tracks of time types have each time below its type, and those that ran longest come first', () => {
  const typedSample = fc.record({
    type: fc.constantFrom(...TYPES),
    /** What stands behind the type. */
    holder: fc.constantFrom(null, 'p.A.hold'),
    thread: fc.nat(2),
    window: fc.nat(2),
    weight: fc.integer({ min: 1, max: 1_000_000 }),
  });
  fc.assert(
    fc.property(fc.array(typedSample, { minLength: 1, maxLength: 30 }), drawn => {
      const all = drawn.map(({ type, holder, ...rest }) => ({
        ...{ metric: 1, count: 1, ...rest },
        frames: ['p.A.run', type, ...(holder === null ? [] : [holder])].map(method => ({ method, line: 0 })),
      }));
      const profile = profileOfStacks(all, { ...OPTIONS, metrics: [CPU, { ...TYPED }] });
      const tracks = answer(loadedFrom(profile, {}, { metric: TYPED.id }), 'tracks', { methods: null, own: OWN });
      expect(toldOf(tracks)).toEqual(expected(all, ({ frames }) => frames[1]!.method));
      const ran = tracks.groups.map(({ running }) => running);
      expect(ran).toEqual(ran.toSorted((a, b) => b - a));
      const running = drawn.reduce((sum, { type, weight }) => (type === ':RUN' ? sum + weight : sum), 0);
      expect(ran.reduce((sum, each) => sum + each, 0)).toBe(running);
    }),
    { numRuns: runs(200) },
  );
});
