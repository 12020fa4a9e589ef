// Tests predictions: terms of edits against sums written by hand, what is unknown, and callers against brute force.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PredictedFile } from '../../../server/analysis/prediction/prediction.ts';
import { GrowingTimes } from '../../../server/cct/times.ts';
import { predictFile } from '../../../server/features/prediction/predict-file.ts';
import { responseTimesText } from '../../../server/features/text/times-text.ts';
import { openedText } from '../../../server/mapping/recorded/profiled-text.ts';
import { callCost, interval80 } from '../../../server/metrics/call-cost.ts';
import { responseTimesOf } from '../../../server/metrics/response-times.ts';
import { documentWithData } from '../../../server/workspace/document/document-view.ts';
import { KeptMapping } from '../../../server/workspace/document/kept-mapping.ts';
import { loadedFrom } from '../../support/profiles/loaded.ts';
import { methodRows, profileOfText } from '../../support/profiles/profiles.ts';
import { data, MS, predicted, predictedOf, RECORDED, TIMES, type Timed, terms } from './edited-shop.ts';
import written from './fits.json' with { type: 'json' };

describe('an edit', () => {
  test('without any effect predicts nothing', async () => {
    expect((await predicted(text => text.replace('load();', 'load(); // first'))).methods).toEqual([]);
    expect((await predicted(text => text)).methods).toEqual([]);
  });

  test('a new call costs what its callee takes', async () => {
    const found = await predicted(text => text.replace('    save();', '    save();\n    rank("a");'));
    expect(terms(found)).toEqual([['Shop.rank', 'added', 1, 1, 3]]);
    expect(found.methods[0]).toMatchObject({
      name: 'run',
      measured: 50 * MS,
      change: 3 * MS,
      reliability: 'likely',
      unknown: 0,
    });
  });

  test('in a loop as often as a call that was measured there', async () => {
    const found = await predicted(text => text.replace('find(word);', 'find(word);\n      rank(word);'));
    expect(terms(found)).toEqual([['Shop.rank', 'added', 5, 5, 3]]);
    expect(found.methods[0]!.terms[0]!.around).toEqual(['5 times (measured by find)']);
    expect(found.methods[0]!.change).toBeCloseTo(15 * MS, 3);
  });

  test('in nested loops with literal bounds, the product', async () => {
    const loops = '    for (int i = 0; i < 4; i++)\n      for (int j = 1; j <= 3; j++) rank("a");\n    save();';
    const found = await predicted(text => text.replace('    save();', loops));
    expect(terms(found)).toEqual([['Shop.rank', 'added', 12, 12, 3]]);
  });

  test('in a loop of which nothing is known: unknown, never a number', async () => {
    const found = await predicted(text => text.replace('    save();', '    while (open()) rank("a");\n    save();'));
    const [rank] = found.methods[0]!.terms.filter(({ callee }) => callee === 'Shop.rank');
    expect(rank).toMatchObject({ times: null, around: ['× ?'], reason: 'it is not known how often it runs' });
    const [open] = found.methods[0]!.terms.filter(({ callee }) => callee === 'open');
    expect(open).toMatchObject({ cost: null, reason: 'its calls were not timed' });
    expect(found.methods[0]).toMatchObject({ unknown: 2, change: null, reliability: 'unknown' });
  });

  test('in a branch: both ends', async () => {
    const found = await predicted(text =>
      text.replace('    save();', '    if (words.isEmpty()) rank("a");\n    save();'),
    );
    expect(terms(found)).toContainEqual(['Shop.rank', 'added', 0, 1, 3]);
    expect(found.methods[0]!.reliability).toBe('rough');
  });

  test('has an interval of its own, and one of the mean that is as sure as the method was from run to run', async () => {
    const adding = (text: string) => text.replace('    save();', '    save();\n    rank("a");');
    const uneven = TIMES.flatMap(([method, caller, count, millis]): Timed[] =>
      method === 'run'
        ? [
            ['run', 0, count / 2, millis - 20],
            ['run', 0, count / 2, millis + 20],
          ]
        : [[method, caller, count, millis]],
    );
    const [even, found] = [(await predicted(adding)).methods[0]!, (await predicted(adding, uneven)).methods[0]!];
    expect(found.interval).toEqual(even.interval);
    // An edit that only adds makes no method faster.
    expect(found.interval![0]).toBeGreaterThan(0);
    const width = ([low, high]: readonly [number, number]) => (high - low) / MS;
    // 80 % of a mean of ten runs with a deviation of 20 ms, beside which the term is small.
    expect(width(found.mean!)).toBeCloseTo((2 * 1.2816 * 20) / Math.sqrt(10), 0);
    expect(width(even.mean!)).toBeCloseTo(width(even.interval!), 1);
  });

  test('a call that is gone takes its measured cost away', async () => {
    const found = await predicted(text => text.replace('    save();\n', ''));
    expect(terms(found)).toEqual([['Shop.save', 'removed', -1, -1, 12]]);
    expect(found.methods[0]).toMatchObject({ change: -12 * MS, reliability: 'measured' });
  });

  test('a call that moves into a loop runs more often', async () => {
    const found = await predicted(text =>
      text.replace('    load();\n', '').replace('      find(word);', '      load();\n      find(word);'),
    );
    expect(terms(found)).toEqual([['Shop.load', 'more or less often', 4, 4, 8]]);
    expect(found.methods[0]!.change).toBeCloseTo(32 * MS, 3);
  });

  test('without response times nothing is predicted', async () => {
    const loaded = loadedFrom(profileOfText('Shop.run | 10@3'));
    const document = documentWithData(RECORDED, loaded, undefined, 'Shop.java');
    expect(await predictFile(document, loaded)).toEqual({
      methods: [],
      callers: [],
      unpredicted: [],
      obstacle: 'notTimed',
    });
  });

  test.each(['opened', 'fingerprints'] as const)(
    'against a text that only stands in (%s) nothing is predicted',
    async from => {
      const loaded = data();
      const mapping = new KeptMapping({ ...openedText(RECORDED.replace('load();', '')), from });
      const document = documentWithData(RECORDED, loaded, undefined, 'Shop.java', { mapping });
      expect(await predictFile(document, loaded)).toEqual({
        methods: [],
        callers: [],
        unpredicted: [],
        obstacle: 'textUnknown',
      });
    },
  );
});

describe('callers', () => {
  test('take their part of the change by how often they call', async () => {
    const found = await predicted(
      text => text.replace('void save() {}', 'void save() { load(); }'),
      [...TIMES.filter(([method]) => method !== 'save'), ['save', 'run', 20, 5]],
    );
    const change = found.methods.find(({ name }) => name === 'save')!.change!;
    expect(change).toBeCloseTo(8 * MS, 3);
    expect(found.callers.map(({ change: of }) => of)).toEqual([2 * change]);
  });

  test('by sums of calls whose callers are not known is rough', async () => {
    const loaded = data();
    const rows = methodRows(loaded.profile);
    const times = new GrowingTimes();
    times.addCall(rows.get('Shop.run')!, 0, 0, 50 * MS);
    times.addSums(rows.get('Shop.rank')!, 1, 0, { count: 5_000, sum: 5_000 * 3 * MS, least: MS, greatest: 9 * MS });
    const summed = loadedFrom({ ...loaded.profile, times: times.finish()! });
    const found = await predictedOf(RECORDED, text => text.replace('save();', 'save();\n    rank("");'), summed);
    expect(found.methods[0]).toMatchObject({ change: 3 * MS, reliability: 'rough' });
    expect(found.methods[0]!.terms[0]!.cost!.rule).toBe('sums');
    const [timed] = responseTimesOf(summed.profile, [[rows.get('Shop.rank')!]]);
    expect(responseTimesText(timed!)).toMatch(/ · 5,000 calls .*callers not known$/);
  });

  test('of calls that overlap in time nothing is known', async () => {
    const found = await predicted(
      text => text.replace('void save() {}', 'void save() { load(); }'),
      [...TIMES.filter(([method]) => method !== 'find'), ['find', 'run', 50, 60]],
    );
    expect(found.callers.map(({ change }) => change)).toEqual([null]);
  });

  test('recursion ends', async () => {
    const found = await predicted(
      text => text.replace('void save() {}', 'void save() { load(); }'),
      [...TIMES, ['run', 'save', 5, 1], ['save', 'save', 3, 1]],
    );
    expect(found.callers.length).toBeLessThanOrEqual(1);
  });
});

/** Far above what an edit of these sizes takes, far below a cost that grows with the square of the size. */
const MOST_MILLIS = 4_000;

describe('an edit of any size', () => {
  const loop = (times: number) => `for (int i = 0; i < ${times}; i++) `;
  const branches = (count: number, last: string) =>
    `${Array.from({ length: count }, (_, i) => `if (words.size() == ${i}) { find("${i}"); } else `).join('')}${last}`;

  test.each<readonly [string, (last: string) => string, { readonly told: string | RegExp }]>([
    ['3,000 branches', last => branches(3_000, last), { told: 'Shop.rank' }],
    ['10,000 branches', last => branches(10_000, last), { told: /its code has more than 200,000 characters/ }],
    ['2,000 nested loops', last => `${loop(2).repeat(2_000)}${last}`, { told: 'Shop.rank' }],
    ['200 nested loops of 10⁹ runs', last => `${loop(1e9).repeat(200)}${last}`, { told: 'Shop.rank' }],
    ['20,000 nested loops', last => `${'while (more()) '.repeat(20_000)}${last}`, { told: /200,000 characters/ }],
    ['5,000 chained calls', last => `load()${'.next()'.repeat(5_000)}; ${last}`, { told: 'Shop.rank' }],
    ['3,000 nested calls', last => `${'id('.repeat(3_000)}1${')'.repeat(3_000)}; ${last}`, { told: 'Shop.rank' }],
    ['5,000 cases', last => `switch (a()) { ${'case 1: b();'.repeat(5_000)} default: ${last} }`, { told: 'Shop.rank' }],
    [
      '600 calls more',
      last => last.replace('rank("");', 'rank("");'.repeat(600)),
      { told: /more than 500 of its calls/ },
    ],
  ])('%s', async (_, code, { told }) => {
    const recorded = RECORDED.replace('save();', `save();\n${code('')};`);
    const before = process.cpuUsage();
    const found = await predictedOf(
      recorded,
      text => text.replace(`save();\n${code('')};`, `save();\n${code('rank("");')}`),
      data(),
    );
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(MOST_MILLIS);
    expectNumbers(found);
    if (typeof told === 'string') expect(found.methods[0]!.terms.map(({ callee }) => callee)).toContain(told);
    else
      expect(found).toMatchObject({ methods: [], unpredicted: [{ name: 'run', reason: expect.stringMatching(told) }] });
  });

  test('in more loops than anybody counts, or for longer than anybody waits, is unknown', async () => {
    const around = async (code: string) => {
      const found = await predicted(text => text.replace('    save();', `    save();\n${code}`));
      expectNumbers(found);
      return found.methods[0]!.terms[0]!;
    };
    const reason = 'it is not known how often it runs';
    expect(await around(`${loop(1).repeat(60)}rank("");`)).toMatchObject({ times: null, reason });
    expect((await around(`${loop(1).repeat(60)}rank("");`)).around.at(-1)).toBe('in more than 50 loops');
    const often = await around(`${loop(1e6).repeat(3)}rank("");`);
    expect(often).toMatchObject({ times: null, reason });
    expect(often.around.at(-1)).toBe('more than 10¹² times');
  });

  test('of methods that call each other without end, or more often than can be counted', async () => {
    const count = 3_000;
    const step = (_: unknown, i: number) => `void step${i}() { ${loop(9)}{ step${i + 1}(); step${i + 1}(); } }`;
    const steps = Array.from({ length: count }, step).join('\n');
    const cost = async (last: string) => {
      const found = await predicted(text =>
        text
          .replace('    save();', '    save();\n    step0();')
          .replace('  void load', `  ${steps}\n  ${last}\n  void load`),
      );
      expectNumbers(found);
      return found.methods[0]!.terms[0]!;
    };
    expect(await cost(`void step${count}() { rank(""); }`)).toMatchObject({ callee: 'step0', cost: null });
    expect(await cost(`void step${count}() { rank(""); step0(); }`)).toMatchObject({
      ...{ callee: 'step0', cost: null },
      reason: 'it calls itself',
    });
  });

  test('costs of a few such methods are the sum of their calls', async () => {
    const bodies =
      'void a() { b(); rank(""); }\n  void b() { rank(""); c(); c(); }\n  void c() { rank(""); rank(""); }';
    const found = await predicted(text =>
      text.replace('    save();', '    save();\n    a();').replace('  void load', `  ${bodies}\n  void load`),
    );
    expect(terms(found)).toEqual([['a', 'added', 1, 1, 18]]);
  });
});

/** No number is missing or endless, whatever the edit. */
function expectNumbers({ methods, callers }: PredictedFile): void {
  for (const { change, interval, terms: all } of methods)
    for (const value of [
      ...[change ?? 0, ...(interval ?? [])],
      ...all.flatMap(({ times, cost }) => [times?.least ?? 0, times?.most ?? 0, cost?.mean ?? 0]),
    ])
      expect(value).toSatisfy(Number.isFinite);
  for (const { change } of callers) expect(change ?? 0).toSatisfy(Number.isFinite);
}

/** Rate, mean and number of calls of each window, and what the other program makes of them. */
const fits = written.map(({ points, ...fit }) => ({
  ...fit,
  points: points.map(([rate, mean, calls]) => [rate!, mean!, calls!] as const),
}));

describe('the cost of a call', () => {
  const times = (means: readonly number[], rates: readonly number[]) => {
    const one = { count: 100, sum: 0, deviation: 1, least: 0, greatest: 0, p10: null, p50: null, p95: null };
    const mean = means.reduce((a, b) => a + b, 0) / means.length;
    const windows = means.map((each, at) => ({
      ...one,
      mean: each,
      perSecond: rates[at]!,
      startMillis: at,
      endMillis: at + 1,
    }));
    return { ...one, count: 100 * means.length, mean, perSecond: 1, callers: [], windows };
  };

  test('follows the load where that explains it better than the mean', () => {
    const rates = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    const linear = callCost(
      times(
        rates.map(rate => 10 + 2 * rate),
        rates,
      ),
      null,
    );
    expect(linear).toMatchObject({ rule: 'load' });
    expect(linear.mean).toBeCloseTo(21, 9);
    expect(linear.shared).toBeCloseTo(0, 9);
    expect(
      callCost(
        times(
          rates.map((_, at) => 20 + (at % 2)),
          rates,
        ),
        null,
      ).rule,
    ).toBe('all');
    expect(callCost(times([1, 2, 3], [1, 2, 3]), null).rule).toBe('all');
  });

  test('fits as exact fractions in another program do (fits.py)', () => {
    for (const { points, isLine, mean, residual, rSquared } of fits) {
      const count = points.reduce((sum, [, , calls]) => sum + calls, 0);
      const given = times(
        points.map(([, each]) => each),
        points.map(([rate]) => rate),
      );
      const windows = given.windows.map((window, at) => ({ ...window, count: points[at]![2] }));
      const all = points.reduce((sum, [, each, calls]) => sum + calls * each, 0) / count;
      const found = callCost({ ...given, count, mean: all, windows }, null);
      expect(found.rule).toBe(isLine ? 'load' : 'all');
      if (!isLine) continue;
      expect(found.mean).toBeCloseTo(mean, 6);
      expect(found.shared / residual).toBeCloseTo(1, 6);
      expect(found.rSquared).toBeCloseTo(rSquared, 9);
    }
  });

  test('of a method that calls itself is that of the calls from elsewhere', () => {
    const one = {
      count: 100,
      sum: 100 * 30,
      deviation: 0,
      least: 0,
      greatest: 0,
      p10: null,
      p50: null,
      p95: null,
      perSecond: 1,
    };
    const callers = [
      { ...one, mean: 30, caller: 7 },
      { ...one, sum: 100 * 10, mean: 10, caller: 5 },
    ];
    const given = { ...one, count: 200, sum: 4_000, mean: 20, callers, windows: [] };
    expect(callCost(given, null, [5])).toMatchObject({ mean: 30, rule: 'all', calls: 100 });
    expect(callCost(given, 7, [5])).toMatchObject({ mean: 30, rule: 'caller' });
    // Of others, callers that differ make it less sure.
    expect(callCost(given, null)).toMatchObject({ mean: 20, shared: 200, single: 0 });
  });

  test('the interval holds the mean and grows with the variance', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 1e9, noNaN: true }),
        fc.double({ min: 0, max: 2, noNaN: true }),
        (mean, spread) => {
          const [low, high] = interval80(mean, (spread * mean) ** 2);
          expect(low).toBeLessThanOrEqual(high);
          expect(low).toBeGreaterThan(0);
          const [lower, higher] = interval80(mean, ((spread + 1) * mean) ** 2);
          expect(higher / lower).toBeGreaterThan(high / low);
        },
      ),
    );
  });
});
