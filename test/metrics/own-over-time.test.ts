// Checks own times over time against raw stacks: each span has the samples of its windows, and all spans together have all of them.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexTree } from '../../server/cct/tree-index.ts';
import { analyse } from '../../server/metrics/analysis.ts';
import { ownOverTime } from '../../server/metrics/own-over-time.ts';
import { ownTimes } from '../../server/metrics/own-times.ts';
import { ALLOCATION, CPU, methodRows, profileOfStacks, profileOfText } from '../support/profiles/profiles.ts';
import { methodSets, rawSamples } from '../support/profiles/stack-oracle.ts';
import { runs } from '../support/runs.ts';

test('each window has the own samples that a search through raw stacks finds in it', () => {
  fc.assert(
    fc.property(rawSamples({ metrics: 2 }), methodSets(), fc.nat(1), (list, own, metric) => {
      const profile = profileOfStacks(list, { metrics: [CPU, ALLOCATION], windows: 3 });
      const rows = methodRows(profile);
      const isOwn = new Uint8Array(profile.methods.length);
      for (const name of own) if (rows.has(name)) isOwn[rows.get(name)!] = 1;
      const names = own.filter(name => rows.has(name));
      const analysis = analyse(profile, indexTree(profile), { metric });
      const methods = names.map(name => rows.get(name)!);
      const found = ownOverTime(analysis, isOwn, methods, 48);
      const counted = list.filter(sample => sample.metric === metric);
      const sumIn = (window: number, takes: (name: string | undefined) => boolean) =>
        counted
          .filter(each => (each.window ?? 0) === window)
          .filter(({ frames }) => takes(frames.findLast(({ method }) => own.includes(method))?.method))
          .reduce((sum, { weight = 0 }) => sum + weight, 0);
      expect(found.map(({ whole }) => whole)).toEqual([0, 1, 2].map(window => sumIn(window, () => true)));
      expect(found.map(span => span.own)).toEqual(
        [0, 1, 2].map(window => names.map(name => sumIn(window, each => each === name))),
      );
      const times = ownTimes(analysis, isOwn);
      for (const [at, method] of methods.entries())
        expect(found.reduce((sum, span) => sum + span.own[at]!, 0)).toBe(times.weight[method]);
    }),
    { numRuns: runs(300) },
  );
});

test('windows that follow each other are one span where there are too many', () => {
  const profile = profileOfText('acme.A.a | 1@1#0 2@1#1 4@1#2 8@1#3 16@1#4', { windows: 5 });
  const isOwn = new Uint8Array(profile.methods.length).fill(1);
  const a = methodRows(profile).get('acme.A.a')!;
  const spans = ownOverTime(analyse(profile, indexTree(profile), { metric: 0 }), isOwn, [a], 3);
  expect(spans.map(({ own, to, from }) => [...own, (to - from) / 1000])).toEqual([
    [3, 20],
    [12, 20],
    [16, 10],
  ]);
});
