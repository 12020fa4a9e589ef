// Tests what each thread did over time against naive counts over the raw stacks.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answer } from '../../server/analysis/ask.ts';
import { methodsNamed } from '../../server/analysis/named-methods.ts';
import type { AnswerTo, ParametersOf } from '../../server/analysis/questions/question-table.ts';
import type { Selection } from '../../server/analysis/selection.ts';
import { trackWindows } from '../../server/analysis/track-windows.ts';
import { threadGroupName } from '../../server/cct/thread-groups.ts';
import { TYPED } from '../../server/model/time-types.ts';
import { loadedFrom } from '../support/profiles/loaded.ts';
import { CPU, profileOfStacks, type RawSample } from '../support/profiles/profiles.ts';
import { runs } from '../support/runs.ts';

type Tracks = AnswerTo<'tracks'>;

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

type Part = Omit<ParametersOf<'tracks'>, 'methods' | 'own'>;

/** Everything that can be asked for. */
const ALL: Part = {
  unfolded: THREADS.map(name => ['main', threadGroupName(name)]),
  rows: [0, 100],
  span: [0, 1],
  pixels: 10_000,
};

/** `group window kind`, of single threads `group thread window kind`, with the weight of each. */
function toldOf({ tracks, kinds, windows, columns }: Tracks): Record<string, number> {
  const told: Record<string, number> = {};
  let [at, group] = [0, ''];
  for (const { level, name, cells } of tracks) {
    if (level === 1) group = name;
    for (const end = at + cells; at < end; at++) {
      const window = (windows[columns.window[at]!]!.from - OPTIONS.startMillis) / 10_000;
      const row = level === 1 ? [name] : [group, name];
      told[[...row, window, kinds[columns.kind[at]!]!.name].join(' ')] = columns.weight[at]!;
    }
  }
  expect(at).toBe(columns.window.length);
  return told;
}

/** A group of one thread does not unfold. */
function expected(all: readonly RawSample[], kind: (sample: RawSample) => string): Record<string, number> {
  const sums: Record<string, number> = {};
  const pool = new Set(all.flatMap(({ thread }) => (thread === 0 ? [] : [thread])));
  for (const sample of all) {
    const thread = THREADS[sample.thread!]!;
    const group = threadGroupName(thread);
    for (const row of group === thread || pool.size < 2 ? [[group]] : [[group], [group, thread]]) {
      const key = [...row, sample.window, kind(sample)].join(' ');
      sums[key] = (sums[key] ?? 0) + (sample.weight ?? sample.count!);
    }
  }
  return sums;
}

/** Of each row its windows, kinds and weights. */
function cellsOf({ tracks, columns: { window, kind, weight } }: Tracks) {
  let at = 0;
  return tracks.map(({ cells }) =>
    Array.from({ length: cells }, () => [window[at]!, kind[at]!, weight[at++]!] as const),
  );
}

describe('tracks of packages', () => {
  const found = (
    all: readonly RawSample[],
    wish: { method?: string; selection?: Selection; part?: Partial<Part> } = {},
  ) => {
    const data = loadedFrom(profileOfStacks(all, OPTIONS), {}, wish.selection);
    const methods = wish.method === undefined ? null : (methodsNamed(data.profile.methods, wish.method)[0]?.rows ?? []);
    return answer(data, 'tracks', { methods, own: OWN, ...ALL });
  };

  test('have each sample once: in its thread, window and package', () => {
    fc.assert(
      fc.property(samples, all => {
        const tracks = found(all);
        expect(toldOf(tracks)).toEqual(expected(all, kindOf));
        expect(tracks.weight).toBe(all.reduce((sum, { count }) => sum + count!, 0));
        const groups = tracks.tracks.filter(({ level }) => level === 1);
        for (const { weight, running } of tracks.tracks) expect(running).toBe(weight);
        for (const { name, weight, threads } of groups) {
          const single = tracks.tracks.filter(({ level, group }) => level === 2 && group === 'main');
          expect(threads).toBe(name === 'main' ? 0 : single.length);
          if (threads > 0) expect(single.reduce((sum, each) => sum + each.weight, 0)).toBe(weight);
        }
        expect(groups.reduce((sum, { weight }) => sum + weight, 0)).toBe(tracks.weight);
        const weights = groups.map(({ weight }) => weight);
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
            const place = key.split(' ').slice(0, -1).join(' ');
            all[place] = (all[place] ?? 0) + weight;
          }
          return all;
        };
        expect(withoutKind(told)).toEqual(withoutKind(inFocus));
      }),
      { numRuns: runs(100) },
    );
  });

  test('of some rows, a part of the time and few pixels have the sums of what they stand for', () => {
    fc.assert(
      fc.property(
        samples,
        fc.nat(4),
        fc.nat(3),
        fc.nat(9),
        fc.nat(9),
        fc.integer({ min: 1, max: 6 }),
        (all, ...drawn) => {
          const [first, count, begin, long, pixels] = drawn;
          const data = loadedFrom(profileOfStacks(all, OPTIONS));
          const span = [begin / 10, Math.min(1, (begin + 1 + long) / 10)] as const;
          const wish = { ...ALL, methods: null, own: OWN };
          const full = answer(data, 'tracks', wish);
          const part = answer(data, 'tracks', { ...wish, rows: [first, first + count], span, pixels });
          const { windows, of, isJoined } = trackWindows(full.windows, span, pixels);
          expect([part.windows, part.isJoined, part.kinds]).toEqual([windows, isJoined, full.kinds]);
          const totals = ({ tracks }: Tracks) => tracks.map(({ cells: _cells, ...total }) => total);
          expect(totals(part)).toEqual(totals(full));
          const [sums, told] = [cellsOf(full), cellsOf(part)];
          for (const row of full.tracks.keys()) {
            const joined = new Map<string, number>();
            if (row >= first && row < first + count)
              for (const [window, kind, weight] of sums[row]!) {
                const key = `${of[window]} ${kind}`;
                if (of[window]! >= 0) joined.set(key, (joined.get(key) ?? 0) + weight);
              }
            expect(new Map(told[row]!.map(([window, kind, weight]) => [`${window} ${kind}`, weight]))).toEqual(joined);
          }
        },
      ),
      { numRuns: runs(200) },
    );
  });

  test('leave windows outside of the span out', () => {
    const at = (window: number) => ({ frames: [{ method: 'p.A.run', line: 1 }], thread: 0, window, count: 1 });
    const from = OPTIONS.startMillis + 10_000;
    const { windows, columns } = found([at(0), at(1), at(2)], { selection: { from, to: from + 10_000 } });
    expect([windows, [...columns.window]]).toEqual([[{ from, to: from + 10_000 }], [0]]);
  });
});

test('tracks of time types have each time below its type, the group with the longest run time first', () => {
  const typedSample = fc.record({
    type: fc.constantFrom(...TYPES),
    /** The class behind the type. */
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
      const tracks = answer(loadedFrom(profile, {}, { metric: TYPED.id }), 'tracks', {
        methods: null,
        own: OWN,
        ...ALL,
      });
      expect(toldOf(tracks)).toEqual(expected(all, ({ frames }) => frames[1]!.method));
      const ran = tracks.tracks.flatMap(({ level, running }) => (level === 1 ? [running] : []));
      expect(ran).toEqual(ran.toSorted((a, b) => b - a));
      const running = drawn.reduce((sum, { type, weight }) => (type === ':RUN' ? sum + weight : sum), 0);
      expect(ran.reduce((sum, each) => sum + each, 0)).toBe(running);
    }),
    { numRuns: runs(200) },
  );
});
