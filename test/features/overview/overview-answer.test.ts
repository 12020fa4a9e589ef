// Checks that the overview has the numbers of the answers that it leads to.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inlineReach } from '../../../server/analysis/ask.ts';
import type { LoadedData } from '../../../server/analysis/loaded-data.ts';
import { defaultSettings } from '../../../server/base/config.ts';
import type { AnswerContext } from '../../../server/features/answers/answer.ts';
import { threads } from '../../../server/features/answers/parts.ts';
import { top } from '../../../server/features/answers/top.ts';
import { overview } from '../../../server/features/overview/door.ts';
import { loadedFrom } from '../../support/profiles/loaded.ts';
import { ALLOCATION, CPU, profileOfStacks } from '../../support/profiles/profiles.ts';
import { rawSamples } from '../../support/profiles/stack-oracle.ts';
import { runs } from '../../support/runs.ts';

function contextOf(data: LoadedData): AnswerContext {
  const unused = () => {
    throw new Error('not asked for');
  };
  return {
    settings: defaultSettings(),
    reach: inlineReach,
    fileOfSetting: () => null,
    reader: 'command line',
    data: async () => data,
    baseline: async () => null,
    withCodeOf: unused,
    withChangesOf: unused,
    document: unused,
    fileOf: async () => null,
    filesOf: unused,
    typeCalled: unused,
    places: async () => new Map(),
    executions: async () => ({ store: '', project: '', rows: [], problems: [] }),
  };
}

test('rows equal the rows of "top", and each part the rows of "top" of its metric', async () => {
  await fc.assert(
    fc.asyncProperty(rawSamples({ metrics: 2, truncated: true }), async list => {
      const profile = profileOfStacks(list, { metrics: [CPU, ALLOCATION] });
      const data = loadedFrom(profile);
      const context = contextOf(data);
      const found = await overview.answer(context, {});
      const hottest = await top.answer(context, { limit: 5 });
      expect(found.rows.map(({ method, own, total }) => ({ method, own, total }))).toEqual(
        hottest.rows.map(({ method, own, total }) => ({ method, own, total })),
      );
      const allocated = loadedFrom(profile, {}, { metric: 'alloc' });
      if (allocated.analysis.whole.count === 0) {
        expect(found.allocation).toBeNull();
        return;
      }
      const allocating = await top.answer(contextOf(allocated), { limit: 5 });
      const plain = ({ share, weight, count }: { share: number; weight: number; count: number | null }) => ({
        ...{ share, weight, count },
      });
      expect(found.allocation!.rows.map(({ method, share }) => ({ id: method.id, ...plain(share) }))).toEqual(
        allocating.rows.map(({ method, own }) => ({ id: method.id, ...plain(own) })),
      );
      const all = await threads.answer(context, {});
      expect(all.rows.reduce((sum, { share }) => sum + share.weight, 0)).toBe(found.origin.weight);
    }),
    { numRuns: runs(200) },
  );
});

test('a part of the data has the overview of that part', async () => {
  const list = [
    { frames: [{ method: 'acme.A.a', line: 1 }], count: 80, thread: 0, window: 0 },
    { frames: [{ method: 'acme.B.b', line: 1 }], count: 60, thread: 1, window: 1 },
  ];
  const data = loadedFrom(profileOfStacks(list, { threads: ['x', 'y'] }), {}, { threads: ['y'] });
  const { sentence, rows } = await overview.answer(contextOf(data), {});
  expect(sentence).toBe('100 % of CPU is B.b.');
  expect(rows.map(({ overTime }) => overTime)).toEqual([[null, 1, null]]);
});
