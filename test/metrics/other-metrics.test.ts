// Checks amounts under another selection, which are summed up from cells alone, against whole analyses of it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexTree } from '../../server/cct/tree-index.ts';
import { analyse } from '../../server/metrics/analysis.ts';
import { amountOfMetric, amountOfMetricAtLines, withSelection } from '../../server/metrics/other-metrics.ts';
import { amountAtLines, methodAmount } from '../../server/metrics/queries.ts';
import { ALLOCATION, CPU, methodRows, profileOfStacks } from '../support/profiles/profiles.ts';
import { methodSets, rawSamples } from '../support/profiles/stack-oracle.ts';
import { runs } from '../support/runs.ts';

test('amounts outside of a focus, of some threads and of other metrics equal those of an analysis', () => {
  const bytes = fc.option(fc.uint8Array({ minLength: 3, maxLength: 3, max: 1 }), { nil: undefined });
  const samples = rawSamples({ metrics: 2, truncated: true });
  fc.assert(
    fc.property(
      samples,
      fc.nat(1),
      bytes,
      bytes,
      methodSets(),
      fc.nat(50),
      (raw, metric, threads, windows, names, at) => {
        const profile = profileOfStacks(raw, { metrics: [CPU, ALLOCATION] });
        const index = indexTree(profile);
        const focus = Int32Array.of(Math.min(at + 1, profile.tree.length - 1));
        const focused = analyse(profile, index, { metric: 0, focus });
        const selection = { metric, ...(threads && { threads }), ...(windows && { windows }) };
        const rows = methodRows(profile);
        const set = names.flatMap(name => rows.get(name) ?? []);
        const odd = (line: number) => line % 2 === 1;
        const [other, whole] = [withSelection(focused, selection), analyse(profile, index, selection)];
        expect(amountOfMetric(other, metric, set)).toEqual(methodAmount(whole, set));
        expect(amountOfMetricAtLines(other, metric, set, odd)).toEqual(amountAtLines(whole, set, odd));
      },
    ),
    { numRuns: runs(300) },
  );
});
