// Tests which methods are listed as moved against a baseline: both sides' methods, exactly the ones that moved enough.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inlineReach } from '../../../server/analysis/ask.ts';
import type { LoadedData } from '../../../server/analysis/loaded-data.ts';
import { changeText } from '../../../server/capabilities/compare/words.ts';
import { movedMethods } from '../../../server/features/compare/moved-methods.ts';
import { methodLabel } from '../../../server/features/text/runtime-names.ts';
import { comparedByName, loadedFromText } from '../../support/profiles/loaded.ts';
import { runs } from '../../support/runs.ts';

async function moved(now: string, before: string, limit = 100): Promise<string[]> {
  const data = loadedFromText(now);
  const baseline = comparedByName(data, loadedFromText(before));
  const { rows } = await movedMethods(data, baseline, { limit }, inlineReach);
  return rows.map(row => `${nameOf(row, data, baseline.data)} ${changeText(row.change)}`);
}

function nameOf({ method, isGone }: { method: number; isGone: boolean }, data: LoadedData, before: LoadedData): string {
  return `${isGone ? 'gone ' : ''}${methodLabel((isGone ? before : data).profile.methods, method)}`;
}

const BEFORE = `
Shop.run(I) :1 | 100@5
  Queue.take :3 | 300@9
Shop.gone | 490@1
  Old.step :2 | 110@4`;

test('regressions first, what only the baseline has last, what is followed by name once', async () => {
  const now = 'Shop.run(J) :1 | 100@5\n  Queue.take :13 | 700@9\nShop.fresh | 200@1';
  expect(await moved(now, BEFORE)).toEqual([
    'Shop.run +40',
    'Queue.take +40',
    'Shop.fresh new',
    'gone Old.step gone',
    'gone Shop.gone gone',
  ]);
  expect(await moved(now, BEFORE, 3)).toEqual(['Shop.run +40', 'Queue.take +40', 'gone Shop.gone gone']);
});

test('equal data, and data without samples, list nothing', async () => {
  expect(await moved(BEFORE, BEFORE)).toEqual([]);
  expect(await moved('Shop.run | 0@1', BEFORE)).toEqual([]);
});

test('methods that do not fit are neither listed nor counted', async () => {
  const data = loadedFromText('Shop.run | 400@5\nShop.same | 500@1\nOld.same | 100@1');
  const baseline = comparedByName(data, loadedFromText(`${BEFORE}\nShop.same | 1000@1`));
  const { methods } = data.profile;
  const { methods: then } = baseline.data.profile;
  const fits = (row: number, isGone: boolean) => methodLabel(isGone ? then : methods, row).startsWith('Shop.');
  const { rows, unmoved } = await movedMethods(data, baseline, { limit: 100, fits }, inlineReach);
  expect(rows.map(row => nameOf(row, data, baseline.data))).toEqual(['Shop.run', 'gone Shop.gone']);
  expect(unmoved).toBe(1);
});

test('is what naive counts of both sides say', async () => {
  const names = Array.from({ length: 12 }, (_, i) => `T${i}.m${i}`);
  const samples = fc.array(fc.oneof(fc.nat(3), fc.nat(400), fc.constant(0), fc.nat(40_000)), {
    minLength: names.length,
    maxLength: names.length,
  });
  await fc.assert(
    fc.asyncProperty(samples, samples, async (now, then) => {
      const picture = (counts: number[]) => names.map((name, i) => `${name} | ${counts[i]}@1`).join('\n');
      const sum = (counts: number[]) => counts.reduce((a, b) => a + b, 0);
      const [all, allThen] = [sum(now), sum(then)];
      if (all === 0 || allThen === 0) return;
      const expected = names.flatMap((name, i) => {
        const [share, before] = [now[i]! / all, then[i]! / allThen];
        return Math.abs(share - before) >= 0.001 ? [name] : [];
      });
      const data = loadedFromText(picture(now));
      const baseline = comparedByName(data, loadedFromText(picture(then)));
      const { rows, unmoved } = await movedMethods(data, baseline, { limit: 100 }, inlineReach);
      const found = rows.map(row => nameOf(row, data, baseline.data).replace('gone ', ''));
      expect(found.toSorted()).toEqual(expected.toSorted());
      const sampled = names.filter((_, i) => now[i]! > 0 || then[i]! > 0);
      expect(unmoved).toBe(sampled.length - expected.length);
      const grown = rows.map(({ change }) => change.current - change.baseline);
      expect(grown).toEqual(grown.toSorted((a, b) => b - a));
    }),
    { numRuns: runs(200) },
  );
});
