// Checks the buckets of aspects against raw stacks: each sample counts once, for the first aspect of its stack, in its window, by its time type.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answer } from '../../../server/analysis/ask.ts';
import type { LoadedData } from '../../../server/analysis/loaded-data.ts';
import type { AnswerTo, ParametersOf } from '../../../server/analysis/questions/question-table.ts';
import type { Selection } from '../../../server/analysis/selection.ts';
import { TYPED } from '../../../server/model/time-types.ts';
import { loadedFrom, loadedFromText } from '../../support/profiles/loaded.ts';
import { CPU, profileOfStacks, type RawSample } from '../../support/profiles/profiles.ts';
import { runs } from '../../support/runs.ts';

type Wish = ParametersOf<'aspects'>;
type Answer = AnswerTo<'aspects'>;

const FRAMES = ['A.run', 'A.go', 'B.run', 'B.go(I)', 'B.go(J)', 'C.hop', 'D.leaf'];
const TYPES = [':RUN', ':MONITOR', ':PARK'];
const START = 1_700_000_000_000;
const WINDOWS = 5;

const samples = fc.array(
  fc
    .record({
      methods: fc.array(fc.constantFrom(...FRAMES), { maxLength: 9, size: 'max' }),
      type: fc.constantFrom(...TYPES),
      behind: fc.array(fc.constantFrom(...FRAMES, ':RUN'), { maxLength: 2 }),
      metric: fc.nat(1),
      thread: fc.nat(2),
      window: fc.nat(WINDOWS - 1),
      count: fc.integer({ min: 1, max: 4 }),
      weight: fc.integer({ min: 1, max: 1000 }),
      truncated: fc.integer({ min: 0, max: 9 }),
    })
    .map(({ methods, type, behind, metric, count, weight, truncated, ...where }): RawSample => {
      const names = metric === 0 ? methods : [...methods, type, ...behind];
      const isCut = truncated === 0 && metric === 0 && names.length > 0 && names.length < 4;
      const frames = names.map((method, at) => ({ method, line: at % 2 }));
      return { ...where, frames, metric, count, weight: metric === 0 ? count : weight, truncated: isCut };
    }),
  { minLength: 1, maxLength: 30 },
);

/** Names without descriptors: an aspect has all overloads. */
const NAMES = ['A.run', 'A.go', 'B.run', 'B.go', 'C.hop', 'D.leaf'];
type Drawn = { readonly name: string; readonly methods: readonly string[] };
const aspectsOf = (most: number): fc.Arbitrary<readonly Drawn[]> =>
  fc
    .array(fc.subarray(NAMES, { minLength: 1, maxLength: 3 }), { maxLength: most })
    .map(sets => sets.map((methods, at) => ({ name: `x${at}`, methods })));

function written({ name, methods }: Drawn) {
  return { name, value: methods.join(' | ') };
}

/** Data in which every name is known, whatever was drawn. */
function loaded(all: readonly RawSample[], metric: number, selection: Selection = {}): LoadedData {
  const known = FRAMES.map(method => ({ frames: [{ method, line: 0 }], count: 0, weight: 0 }));
  const profile = profileOfStacks([...all, ...known], { metrics: [CPU, TYPED], windows: WINDOWS, startMillis: START });
  return loadedFrom(profile, {}, { metric: metric === 0 ? 'cpu' : TYPED.id, ...selection });
}

function ask(data: LoadedData, wish: Partial<Wish>): Answer {
  return answer(data, 'aspects', { given: [], saved: [], names: null, spans: 99, ...wish });
}

function namesOf({ frames }: RawSample): string[] {
  return frames.map(({ method }) => method.replace(/\(.*/, ''));
}

function sum(all: readonly RawSample[]) {
  return {
    weight: all.reduce((total, { weight }) => total + weight!, 0),
    count: all.reduce((total, { count }) => total + count!, 0),
  };
}

describe('against a count over raw stacks', () => {
  test('buckets and rest are all samples, each once, in all spans, and each has its query', () => {
    fc.assert(
      fc.property(
        samples,
        fc.nat(1),
        aspectsOf(5),
        fc.option(fc.constantFrom('..A.run', '..C.hop or ..B.run', 'let own = A; ..own where not ..D.leaf')),
        fc.constantFrom(undefined, ['pool-*']),
        fc.constantFrom(undefined, ['B.run']),
        fc.nat(5),
        fc.integer({ min: 1, max: WINDOWS }),
        (all, metric, drawn, path, threads, focus, given, spans) => {
          const saved = drawn.slice(given).map(written);
          const look = { ...(path !== null && { path }), ...(threads && { threads }), ...(focus && { focus }) };
          let data: LoadedData;
          try {
            data = loaded(all, metric, { ...look, aspects: saved });
          } catch {
            // A focus that never ran is refused.
            return;
          }
          const found = ask(data, { given: drawn.slice(0, given).map(written), saved, spans });
          // A focus cuts stacks; what the thread did is the same.
          const below = (each: RawSample): RawSample & { type: string | undefined } => {
            const at = focus === undefined ? 0 : namesOf(each).indexOf('B.run');
            const type = namesOf(each).find(name => TYPES.includes(name));
            return { ...each, frames: each.frames.slice(Math.max(0, at)), type };
          };
          const inFocus = (each: RawSample) => focus === undefined || namesOf(each).includes('B.run');
          const isOnPath = (each: RawSample): boolean => {
            const names = namesOf(each);
            if (path === '..A.run') return names.includes('A.run');
            if (path === '..C.hop or ..B.run') return names.includes('C.hop') || names.includes('B.run');
            if (path === null) return true;
            return !names.includes('D.leaf') && names.some(name => name.startsWith('A.'));
          };
          const counted = all
            .filter(each => each.truncated !== true && (threads === undefined || each.thread === 1))
            .filter(inFocus)
            .map(below)
            .filter(isOnPath);
          const ofMetric = counted.filter(each => each.metric === metric);
          const order: readonly Drawn[] =
            path?.startsWith('let') === true ? [{ name: 'own', methods: ['A.run', 'A.go'] }, ...drawn] : drawn;
          const belongs = (each: RawSample, at: number) =>
            namesOf(each).some(name => order[at]!.methods.includes(name));
          const bucketOf = (each: RawSample): number => {
            const at = order.findIndex((_, place) => belongs(each, place));
            return at < 0 ? order.length : at;
          };
          expect(found.rows.map(({ name }) => name)).toEqual(order.map(({ name }) => name));
          const buckets = [...found.rows, found.rest];
          const step = Math.ceil(WINDOWS / spans);
          for (const [at, bucket] of buckets.entries()) {
            const own = ofMetric.filter(each => bucketOf(each) === at);
            expect(bucket.amount).toEqual(sum(own));
            expect(bucket.overTime).toEqual(
              found.spans.map((_, span) => sum(own.filter(each => Math.floor(each.window! / step) === span)).weight),
            );
            const typed = counted.filter(each => each.metric === 1 && bucketOf(each) === at);
            expect(Object.fromEntries(bucket.threads!.types.map(({ type, weight }) => [type, weight]))).toEqual(
              Object.fromEntries(
                TYPES.map(type => [type, sum(typed.filter(each => each.type === type)).weight] as const).filter(
                  ([, weight]) => weight > 0,
                ),
              ),
            );
          }
          const { query, amount } = buckets[given % buckets.length]!;
          const filtered = loaded(all, metric, { ...look, aspects: saved, path: query! });
          expect(filtered.analysis.onPath, query!).toEqual(amount);
          for (const [at, row] of found.rows.entries()) {
            expect(row.total).toEqual(sum(ofMetric.filter(each => belongs(each, at))));
            const own = ofMetric.filter(each => bucketOf(each) === at);
            const also = order.flatMap(({ name }, other) => {
              const amount = sum(own.filter(each => other > at && belongs(each, other)));
              return amount.count > 0 ? [{ name, amount }] : [];
            });
            expect(row.also).toEqual(also);
          }
          expect(found.counted).toEqual(sum(ofMetric));
          expect(found.counted).toEqual(data.analysis.onPath ?? data.analysis.whole);
          const places = [...order.keys()];
          expect(found.several).toEqual(
            sum(ofMetric.filter(each => places.filter(place => belongs(each, place)).length > 1)),
          );
          expect(found.spans.map(({ weight }) => weight)).toEqual(
            found.spans.map((_, span) => buckets.reduce((total, { overTime }) => total + overTime[span]!, 0)),
          );
        },
      ),
      { numRuns: runs(100) },
    );
  });
});

const LINKED = ['io', 'mid', 'top'];
/** Aspects that name methods and aspects before them, in any order; each may be absent. */
const linkedOf = (least: number) =>
  fc
    .record({
      sets: fc.tuple(
        ...LINKED.map((_, at) =>
          fc.subarray(['A.run', 'B.run', 'C.hop', 'D.leaf', ...LINKED.slice(0, at)], { minLength: 1, maxLength: 2 }),
        ),
      ),
      order: fc.shuffledSubarray([0, 1, 2], { minLength: least }),
    })
    .map(({ sets, order }) => order.map(at => ({ name: LINKED[at]!, value: sets[at]!.join(' | ') })));

test('the query of each bucket selects the bucket: aspects that name, replace and filter by each other', () => {
  let asked = 0;
  fc.assert(
    fc.property(
      samples,
      linkedOf(3),
      linkedOf(0),
      fc.constantFrom(undefined, '..io', '..mid or ..A.run', 'let own = io; ..own', '..top where not ..io'),
      fc.option(fc.shuffledSubarray([...LINKED, 'own'])),
      fc.nat(4),
      (all, saved, given, path, names, nested) => {
        const filteredBy = (query: string | undefined) => {
          const ofCpu = all.filter(({ metric }) => metric === 0);
          return loaded(ofCpu, 0, { aspects: saved, ...(query !== undefined && { path: query }) });
        };
        const outer = ask(filteredBy(path), { given, saved, names });
        const checked = (found: Answer): readonly string[] =>
          [...found.rows, found.rest].flatMap(({ query, amount }) => {
            if (query === null) return [];
            asked++;
            expect(filteredBy(query).analysis.onPath, query).toEqual(amount);
            return [query];
          });
        const queries = checked(outer);
        const inner = queries[nested % queries.length]!;
        checked(ask(filteredBy(inner), { given, saved, names: LINKED }));
      },
    ),
    { numRuns: runs(30) },
  );
  expect(asked).toBeGreaterThan(30);
});

const PICTURE = `
acme.Web.handle | 1@1#0
  acme.Log.info | 2@1#0
    acme.Json.write | 4@1#1
  acme.Json.write | 8@1#1
    acme.Log.info | 16@1#2
`;
const LOGGING = { name: 'logging', value: '*Log.*' };
const JSON_ = { name: 'json', value: 'acme.Json' };

const counts = ({ rows, rest }: Answer) => [...rows.map(({ name, amount }) => [name, amount.count]), rest.amount.count];

describe('which aspects there are', () => {
  const data = loadedFromText(PICTURE);

  test('the order decides, whichever frame is nearer to the root', () => {
    expect(counts(ask(data, { saved: [LOGGING, JSON_] }))).toEqual([['logging', 22], ['json', 8], 1]);
    expect(counts(ask(data, { saved: [JSON_, LOGGING] }))).toEqual([['json', 28], ['logging', 2], 1]);
    expect(counts(ask(data, { saved: [JSON_, LOGGING], names: ['logging'] }))).toEqual([['logging', 22], 9]);
    expect(ask(data, { saved: [JSON_], names: ['json', 'no', 'json'] })).toMatchObject({
      rows: [{ name: 'json' }],
      unknown: ['no'],
    });
    expect(counts(ask(data, {}))).toEqual([31]);
    expect(ask(data, {}).rest.query).toBe('*');
  });

  test('given ones stand before saved ones and replace those of their name, in queries too', () => {
    const given = [{ name: 'json', value: 'acme.Web' }];
    const found = ask(data, { given, saved: [LOGGING, JSON_] });
    expect(counts(found)).toEqual([['json', 31], ['logging', 0], 0]);
    expect(found.rows.map(({ query }) => query)).toEqual([
      'let json = acme.Web; ..json',
      'let json = acme.Web; ..logging and not ..json',
    ]);
    expect(found.rest.query).toBe('let json = acme.Web; let earlier = json | logging; not ..earlier');
    const wish = { view: null, refine: null, least: 0, most: 9 } as const;
    const cost = answer(data, 'paths', { ...wish, query: '..json', aspects: [...given, JSON_] });
    expect(cost).toMatchObject({ answer: { amount: { count: 31 } } });
  });

  test('a query that names more than one earlier aspect, or one that names another', () => {
    const given = [
      { name: 'both', value: 'json | logging' },
      { name: 'earlier', value: 'acme.No*' },
      { name: 'web', value: 'acme.Web' },
      LOGGING,
      JSON_,
    ];
    const { rows } = ask(data, { given });
    expect(rows[2]!.query).toBe(
      'let json = acme.Json; let logging = *Log.*; let both = json | logging; let web = acme.Web; ..web and not ..both',
    );
    expect(rows.map(({ methods, query }) => [methods, query === null])).toEqual([
      [2, false],
      [0, true],
      [1, false],
      [1, false],
      [1, false],
    ]);
  });

  test('mistakes, and parts that fit nothing', () => {
    const saved = [
      { name: 'bad', value: 'acme.Web |' },
      { name: 'two words', value: 'acme.Web' },
      { name: 'part', value: '*Log.* | *Nothing.*' },
      { name: 'none', value: 'com.*' },
    ];
    const found = ask(data, { saved });
    expect(counts(found)).toEqual([['bad', 0], ['two words', 0], ['part', 22], ['none', 0], 9]);
    expect(found.rows.map(({ unmatched }) => unmatched)).toEqual([[], [], ['*Nothing.*'], ['com.*']]);
    expect(found.rows[0]!.mistake).toMatchObject({ from: 10, message: 'something is missing after "|"' });
    expect(found.rest.query).toBe('not ..part');
  });
});
