// Checks samples by thread and by window against counts over raw stacks, for sets of methods and for all samples.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexTree } from '../../server/cct/tree-index.ts';
import { analyse } from '../../server/metrics/analysis.ts';
import { spreadOver } from '../../server/metrics/spread.ts';
import { ALLOCATION, CPU, methodRows, profileOfStacks, type RawSample } from '../support/profiles/profiles.ts';
import { amountOf, methodSets, rawSamples } from '../support/profiles/stack-oracle.ts';

test('samples of a set of methods, and all samples, by thread and by window', () => {
  fc.assert(
    fc.property(
      rawSamples({ metrics: 2 }),
      fc.nat(1),
      fc.option(methodSets()),
      fc.constantFrom('thread' as const, 'window' as const),
      (samples, metric, methods, table) => {
        const profile = profileOfStacks(samples, { metrics: [CPU, ALLOCATION] });
        const rows = methodRows(profile);
        const set = methods === null ? null : methods.flatMap(method => rows.get(method) ?? []);
        const { weight, count } = spreadOver(analyse(profile, indexTree(profile), { metric }), table, set);
        const own = samples.filter(sample => sample.metric === metric);
        const length = table === 'thread' ? profile.threads.length : profile.windows.length;
        const expected = Array.from({ length }, (_, row) => {
          const inRow = own.filter((sample: RawSample) => sample[table] === row);
          return amountOf(inRow, frames => methods === null || frames.some(({ method }) => methods.includes(method)));
        });
        expect([...weight]).toEqual(expected.map(amount => amount.weight));
        expect([...count]).toEqual(expected.map(amount => amount.count));
      },
    ),
  );
});

test('the count of a metric with weights is the number of its samples', () => {
  const frames = [{ method: 'A.run', line: 1 }];
  const samples = [
    { frames, thread: 1, window: 2, count: 3, weight: 4096 },
    { frames: [], thread: 1, window: 0, count: 1, weight: 64 },
  ];
  const profile = profileOfStacks(samples, { metrics: [ALLOCATION] });
  const analysis = analyse(profile, indexTree(profile), { metric: 0 });
  const run = [methodRows(profile).get('A.run')!];
  const columns = (of: ReturnType<typeof spreadOver>) => [[...of.weight], [...of.count]];
  expect(columns(spreadOver(analysis, 'thread', run))).toEqual([
    [0, 4096, 0],
    [0, 3, 0],
  ]);
  expect(columns(spreadOver(analysis, 'window', null))).toEqual([
    [64, 0, 4096],
    [1, 0, 3],
  ]);
});
