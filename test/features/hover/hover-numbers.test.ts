// Tests the numbers of a hover: every metric, waiting as bars, both versions, links to other files, and what plain text makes of it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aroundFact, inlineReach } from '../../../server/analysis/ask.ts';
import type { LoadedData } from '../../../server/analysis/loaded-data.ts';
import type { Metric } from '../../../server/cct/profile.ts';
import { locateAll } from '../../../server/features/calls/locate.ts';
import { amountText } from '../../../server/features/hover/amount-text.ts';
import { hoverNeeds, hoverOf, methodsAround } from '../../../server/features/hover/hover.ts';
import { documentNeeds } from '../../../server/features/needs.ts';
import { plainText } from '../../../server/features/text/markdown.ts';
import { analyse } from '../../../server/metrics/analysis.ts';
import { methodAmount } from '../../../server/metrics/queries.ts';
import { TYPED } from '../../../server/model/time-types.ts';
import { documentView, documentWithData } from '../../../server/workspace/document/document-view.ts';
import { gathered } from '../../support/profiles/gathered.ts';
import { comparedByName, loadedFrom, loadedFromText } from '../../support/profiles/loaded.ts';
import { ALLOCATION, CPU, profileOfStacks, type RawSample } from '../../support/profiles/profiles.ts';
import { workspaceWithData } from '../../support/profiles/workspace-with-data.ts';

const waiting = (id: string): Metric => ({ ...ALLOCATION, id, unit: 'nanoseconds' });
const METRICS = [CPU, ALLOCATION, waiting('lock'), waiting('park'), waiting('file')];

const TEXT = 'class Shop {\n  void run() {\n    queue.take();\n  }\n}';

function hover(data: LoadedData, baseline: LoadedData | null = null): string {
  const compared = baseline && comparedByName(data, baseline);
  const document = documentView({ text: TEXT, state: { kind: 'ready', data, problems: [] }, baseline: compared });
  return hoverOf(document, TEXT.indexOf('run'))?.markdown ?? '';
}

test('every recorded metric has a line, and waiting a bar by kind', () => {
  const run = { method: 'Shop.run', line: 3 };
  const other = { method: 'Other.go', line: 1 };
  const sample = (metric: number, count: number, weight: number, frames = [run]) => ({ metric, count, weight, frames });
  const data = loadedFrom(
    profileOfStacks(
      [
        sample(0, 60, 60),
        sample(0, 40, 40, [other]),
        sample(1, 100, 3 * 1024 * 1024),
        sample(1, 100, 1024 * 1024, [run, other]),
        sample(1, 300, 12 * 1024 * 1024, [other]),
        sample(2, 20, 1_500_000_000),
        sample(3, 5, 250_000_000),
        sample(3, 5, 250_000_000, [other]),
        sample(4, 1, 700, [other]),
      ],
      { metrics: METRICS },
    ),
  );
  const sections = hover(data).split('\n\n');
  expect(sections[1]?.split('  \n')).toEqual([
    '60 % of cpu · 60 of 100 samples · 95 % interval 50–69 % (sampling error only)',
    'self: 60 % of cpu · 60 samples · 100 % of its own time',
    '25 % of alloc · 4 MiB of 16 MiB · 200 of 500 samples · 95 % interval 21–29 %',
    '100 % of lock · 1.5 s of 1.5 s · 20 of 20 samples · 95 % interval 84–100 %',
    'few samples (5) of park · 250 ms of 500 ms',
  ]);
  expect(sections).toContain('*Waiting* · 1.75 s\n- `▇▇▇▇▇▇▇▇▇▇▂` lock · 1.5 s · 20×\n- `▇▆` park · 250 ms · 5×');
});

test('what threads did in a method’s time, with the samples of threads', () => {
  const run = { method: 'Shop.run', line: 3 };
  const stack = (type: string, count: number) => ({
    metric: 1,
    count,
    weight: count,
    frames: [run, { method: type, line: 0 }],
  });
  const cpu = { metric: 0, count: 60, weight: 60, frames: [run] };
  const data = loadedFrom(
    profileOfStacks([cpu, stack(':MONITOR', 1500), stack(':RUN', 1000)], { metrics: [CPU, TYPED] }),
  );
  expect(hover(data).split('\n\n')).toContain(
    '*Of its time*: 60 % waiting for a monitor, 40 % running · 2,500 samples of threads',
  );
});

test('shares of what was recorded are no lower bounds of the time that nothing tells', () => {
  const run = { method: 'Shop.run', line: 3 };
  const typed = (weight: number, ...frames: readonly string[]) => ({
    ...{ metric: 1, count: 20, weight },
    frames: frames.map(method => ({ method, line: 0 })),
  });
  const samples = [
    { metric: 0, count: 60, weight: 60, frames: [run] },
    typed(60, 'Shop.run', ':IO'),
    typed(40, 'Shop.run', ':RUN'),
    typed(900, ':UNRECORDED'),
  ];
  expect(hover(loadedFrom(profileOfStacks(samples, { metrics: [CPU, TYPED] }))).split('\n\n')).toContain(
    '*Of its time, of what was recorded*: 60 % reading or writing, 40 % running · 40 samples of threads',
  );
});

test('other metrics are what an analysis of them says, whatever is selected', () => {
  const frame = fc.record({ method: fc.constantFrom('A.a', 'B.b', 'C.c'), line: fc.constant(1) });
  const sample: fc.Arbitrary<RawSample> = fc.record({
    frames: fc.array(frame, { minLength: 1, maxLength: 6 }),
    truncated: fc.boolean(),
    metric: fc.constantFrom(0, 1),
    thread: fc.constantFrom(0, 1),
    count: fc.integer({ min: 1, max: 5 }),
    weight: fc.integer({ min: 1, max: 100 }),
  });
  const threads = ['main', 'other'];
  const options = { metrics: [CPU, ALLOCATION], threads };
  fc.assert(
    fc.property(fc.array(sample, { minLength: 1, maxLength: 30 }), fc.boolean(), fc.boolean(), (raw, focused, some) => {
      // Something in both metrics on both threads, so that everything can be selected.
      const base = [0, 1].flatMap(thread =>
        [0, 1].map(metric => ({ frames: [{ method: 'A.a', line: 1 }], metric, thread, count: 1, weight: 1 })),
      );
      const part = { ...(focused && { focus: ['A.a'] }), ...(some && { threads: ['main'] }) };
      const data = loadedFrom(profileOfStacks([...base, ...raw], options), {}, part);
      const { analysis, profile } = data;
      const other = analyse(profile, analysis.index, { ...analysis.selection, metric: 1 });
      for (let row = 2; row < profile.methods.length; row++) {
        const [found] = aroundFact(data, { methods: [row] }, 'metrics');
        const amount = methodAmount(other, [row]);
        if (amount.count === 0) expect(found).toBeUndefined();
        else expect(found).toMatchObject({ total: amount, whole: other.whole });
      }
    }),
  );
});

test('amounts have three digits and the unit of their size', () => {
  const nanos = { unit: 'nanoseconds' } as const;
  const bytes = { unit: 'bytes' } as const;
  expect(
    [0, 7, 999, 1_000, 12_345, 999_960, 1_234_567_890, 167e9, 3_600e9].map(each => amountText(each, nanos)),
  ).toEqual(['0 ns', '7 ns', '999 ns', '1 µs', '12.3 µs', '1 ms', '1.23 s', '167 s', '60 min']);
  expect([512, 1536, 5e12].map(each => amountText(each, bytes))).toEqual(['512 bytes', '1.5 KiB', '4.55 TiB']);
  expect(amountText(12_345, { unit: 'invocations' })).toBe('12,345');
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e21, noNaN: true }), fc.constantFrom(nanos, bytes), (weight, unit) => {
      expect(amountText(weight, unit)).toMatch(/^[\d,]+(?:\.\d+)? \S+$/);
    }),
  );
});

test('a baseline stands beside what is shown', () => {
  const now = loadedFromText('Shop.run | 62@3\nOther.go | 38@1', {}, { executions: [execution('1.1')] });
  const then = loadedFromText('Shop.run | 150@4\n  Queue.take :3 | 150@9\nOther.go | 700@1');
  expect(hover(now, then)).toContain(`|  | version 1.0 | version 1.1 | change |
| --- | --- | --- | --- |
| time | 30 % | 62 % | +32 (not tested: 1 JVM before, 1 now) |
| self | 15 % | 62 % |  |
| samples | 300 of 1,000 | 62 of 100 |  |`);
  expect(hover(now, loadedFromText('Other.go | 700@1'))).toContain('| time | not seen | 62 % | new |');
});

function execution(version: string) {
  return { project: 'acme', program: 'shop', version, instance: 'i-1' };
}

test('a call says how it moved', () => {
  const data = loadedFromText('Shop.run | 50@3\n  Queue.take :3 | 50@9');
  const baseline = loadedFromText('Shop.run | 900@3\n  Queue.take :3 | 100@9');
  const compared = baseline && comparedByName(data, baseline);
  const document = documentView({ text: TEXT, state: { kind: 'ready', data, problems: [] }, baseline: compared });
  const markdown = hoverOf(document, TEXT.indexOf('take'))?.markdown;
  expect(markdown).toContain('\n\nagainst the baseline: +40 (not tested), it was 10 %\n\n');
});

test('callers and callees are linked to where they stand now, lambdas carry their lines', async () => {
  const place = await workspaceWithData(
    {
      'src/acme/Shop.java': 'package acme;\nclass Shop {\n  void run() {\n    new Queue().take();\n  }\n}\n',
      'src/acme/Qu[eu]e.java': 'package acme;\nclass Queue {\n  void take() {\n  }\n}\n',
    },
    `
acme.Main.main | 0@1
  acme.Main.lambda$main$0 :1 | 0@5
    acme.Shop.run :5 | 10@4
      acme.Queue.take :4 | 20@4
  acme.Main.lambda$main$1 :1 | 0@7
    acme.Shop.run :7 | 10@4`,
  );
  try {
    const document = place.open('src/acme/Shop.java');
    const offset = document.text.indexOf('run');
    gathered([...documentNeeds(document), ...hoverNeeds(document, offset)]);
    const { shown } = await methodsAround(document, offset, inlineReach);
    const places = await locateAll(document, shown, inlineReach.turn);
    const markdown = hoverOf(document, offset, { places })?.markdown ?? '';
    const uri = place.uri('src/acme/Qu[eu]e.java');
    expect(markdown).toContain(`*Callers*
- 75 % · 30 · \`lambda in Main.main:5\`
- 25 % · 10 · \`lambda in Main.main:7\``);
    expect(markdown).toContain(`- 50 % · 20 · \`Queue.take\` · [Qu\\[eu\\]e.java:3](<${uri}#L3>) · from line 4`);
    expect(plainText(markdown)).toContain('- 50 % · 20 · Queue.take · Qu[eu]e.java:3 · from line 4');
  } finally {
    place.remove();
  }
});

test('without Markdown tables are lines', () => {
  const table = '|  | 1.0 | 1\\|1 |\n| --- | --- | --- |\n| time | 30 % | 62 % |';
  expect(plainText(table)).toBe('1.0 · 1|1\ntime · 30 % · 62 %');
});

test('of a method without code what ran in its place', async () => {
  const place = await workspaceWithData(
    {
      'src/acme/Pay.java': 'package acme;\ninterface Pay {\n  void pay();\n}\n',
      'src/acme/Card.java': 'package acme;\nclass Card implements Pay {\n  public void pay() {}\n}\n',
      'src/acme/Cash.java': 'package acme;\nclass Cash implements Pay {\n  public void pay() {}\n}\n',
      'src/acme/Other.java': 'package acme;\nclass Other {\n  public void pay() {}\n}\n',
    },
    'acme.Card.pay | 30@3\nacme.Cash.pay | 50@3\nacme.Other.pay | 20@3',
  );
  try {
    const document = place.open('src/acme/Pay.java');
    const offset = document.text.indexOf('pay()');
    const { overrides } = await methodsAround(document, offset, inlineReach);
    expect(hoverOf(document, offset, { overrides })?.markdown).toContain(`has no code of its own

*What ran in its place*
- 50 % · 50 · \`Cash.pay\`
- 30 % · 30 · \`Card.pay\`

`);
  } finally {
    place.remove();
  }
});

test('a document without anything else says where to look', () => {
  const data = loadedFromText('Main.main | 93@1');
  const text = 'interface Pay { void pay(); }';
  const markdown = hoverOf(documentWithData(text, data), text.indexOf('pay()'))?.markdown;
  expect(markdown).toContain('has no code of its own; hover a call of it to see what ran');
});
