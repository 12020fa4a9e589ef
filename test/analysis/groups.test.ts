// Checks the time of classes, packages, threads and instances against naive counts over raw stacks.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answer } from '../../server/analysis/ask.ts';
import { loadedFrom, loadedFromText } from '../support/profiles/loaded.ts';
import { ALLOCATION, CPU, profileOfStacks } from '../support/profiles/profiles.ts';
import { amountsBy, rawSamples } from '../support/profiles/stack-oracle.ts';
import { runs } from '../support/runs.ts';

const ALL = { limit: 99, sort: 'total', platform: true } as const;

const ofClass = (method: string) => method.slice(0, method.indexOf('.'));

test('classes, threads and instances have each sample once', () =>
  fc.assert(
    fc.property(rawSamples({ metrics: 2 }), fc.boolean(), (samples, isFocused) => {
      const isFocus = ({ method }: { method: string }) => method === 'A.run';
      if (isFocused && !samples.some(({ frames }) => frames.some(isFocus))) return;
      const stacks = profileOfStacks(samples, { metrics: [CPU, ALLOCATION] });
      const jvms = [{ jvm: 'x' }, { jvm: 'y' }, {}];
      const profile = { ...stacks, windows: stacks.windows.map((window, row) => ({ ...window, ...jvms[row] })) };
      const data = loadedFrom(profile, {}, { metric: 'alloc', ...(isFocused && { focus: ['A.run'] }) });
      const own = samples.filter(({ metric }) => metric === 1);
      const looked = own.flatMap(sample => {
        const from = isFocused ? sample.frames.findIndex(isFocus) : 0;
        return from < 0 ? [] : [{ ...sample, frames: sample.frames.slice(from) }];
      });
      const rows = answer(data, 'groups', { ...ALL, by: 'class' });
      const totals = amountsBy(looked, frames => frames.map(({ method }) => ofClass(method)));
      const selves = amountsBy(looked, frames => frames.slice(-1).map(({ method }) => ofClass(method)));
      expect(Object.fromEntries(rows.map(({ name, total }) => [name, total]))).toEqual(totals);
      const running = rows.filter(({ self }) => self.count > 0);
      expect(Object.fromEntries(running.map(({ name, self }) => [name, self]))).toEqual(selves);
      const threads = answer(data, 'groups', { ...ALL, by: 'thread' });
      const names = ['main', 'pool-#', 'gc'];
      const byThread = amountsBy(looked, (_, { thread = 0 }) => [names[thread]!]);
      expect(Object.fromEntries(threads.map(({ name, total }) => [name, total]))).toEqual(byThread);
      const instances = answer(data, 'groups', { ...ALL, by: 'instance' });
      const byInstance = amountsBy(looked, (_, { window = 0 }) => [['x', 'y', ''][window]!]);
      expect(Object.fromEntries(instances.map(({ name, total }) => [name, total]))).toEqual(byInstance);
      for (const list of [rows, threads, instances]) {
        const weights = list.map(({ total }) => total.weight);
        expect(weights).toEqual(weights.toSorted((x, y) => y - x));
      }
    }),
    { numRuns: runs(300) },
  ));

test('packages, without those of the platform unless one of them is asked for', () => {
  const data = loadedFromText(`
com.acme.Main.main | 1@1
  com.acme.shop.Shop.run | 2@1
    java.util.List.sort | 4@1
      com.acme.shop.Shop$1.compare | 8@1
NoPackage.run | 3@3`);
  const of = (more: object) =>
    answer(data, 'groups', { ...ALL, by: 'package', platform: false, ...more }).map(({ name, total, self }) => [
      name,
      total.count,
      self.count,
    ]);
  expect(of({})).toEqual([
    ['com.acme', 15, 1],
    ['com.acme.shop', 14, 10],
    ['', 3, 3],
  ]);
  expect(of({ sort: 'self', limit: 1 })).toEqual([['com.acme.shop', 14, 10]]);
  expect(of({ within: 'java.util' })).toEqual([['java.util', 12, 4]]);
  expect(of({ within: 'com.acme' }).map(([name]) => name)).toEqual(['com.acme', 'com.acme.shop']);
  const hot = answer(data, 'hottest', { limit: 9, by: 'total', platform: false, within: 'com.acme.shop' });
  expect(hot.rows).toHaveLength(2);
});
