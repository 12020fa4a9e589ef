// Checks own times against raw stacks that are searched by hand: each sample belongs to its innermost own frame.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexTree, nodesOfMethod } from '../../server/cct/tree-index.ts';
import { type Amount, analyse } from '../../server/metrics/analysis.ts';
import { focusNodes } from '../../server/metrics/focus.ts';
import { amountAt } from '../../server/metrics/method-times.ts';
import { type OwnTimes, ownTimes } from '../../server/metrics/own-times.ts';
import {
  ALLOCATION,
  CPU,
  methodRows,
  profileOfStacks,
  profileOfText,
  type RawFrame,
} from '../support/profiles/profiles.ts';
import { amountsBy, methodSets, rawSamples } from '../support/profiles/stack-oracle.ts';
import { runs } from '../support/runs.ts';

const [NONE, OUTSIDE] = ['without own code', 'called from outside'];

/** By method, and by the names above for samples that belong to none; nothing for what has no samples. */
function tableOf(rows: ReadonlyMap<string, number>, own: OwnTimes): Record<string, Amount> {
  const all: [string, Amount][] = [
    ...Array.from(rows, ([name, row]): [string, Amount] => [name, amountAt(own, row)]),
    [NONE, own.none],
    [OUTSIDE, own.outside],
  ];
  return Object.fromEntries(all.filter(([, { count }]) => count > 0));
}

function bytesOf(rows: ReadonlyMap<string, number>, length: number, own: readonly string[]): Uint8Array {
  const bytes = new Uint8Array(length);
  for (const name of own) if (rows.has(name)) bytes[rows.get(name)!] = 1;
  return bytes;
}

test('each sample belongs to its innermost own frame within the focus', () => {
  fc.assert(
    fc.property(
      rawSamples({ metrics: 2 }),
      methodSets(),
      fc.nat(1),
      fc.option(methodSets()),
      (list, own, metric, focus) => {
        const profile = profileOfStacks(list, { metrics: [CPU, ALLOCATION] });
        const index = indexTree(profile);
        const rows = methodRows(profile);
        const isOwn = bytesOf(rows, profile.methods.length, own);
        const nodes = focusNodes(
          profile,
          index,
          (focus ?? []).flatMap(name => (rows.has(name) ? [nodesOfMethod(index, rows.get(name)!)] : [])),
        );
        const analysis = analyse(profile, index, { metric, ...(focus !== null && { focus: nodes }) });
        const from = (frames: readonly RawFrame[]) =>
          focus === null ? 0 : frames.findIndex(({ method }) => focus.includes(method));
        const counted = list.filter(sample => sample.metric === metric && from(sample.frames) >= 0);
        const naive = amountsBy(counted, frames => {
          const at = frames.findLastIndex(({ method }) => own.includes(method));
          return [at < 0 ? NONE : at < from(frames) ? OUTSIDE : frames[at]!.method];
        });
        const times = ownTimes(analysis, isOwn);
        const found = tableOf(rows, times);
        expect(found).toEqual(naive);
        const ofThread = Array.from({ length: profile.threads.length }, (_, row) => row).map(row =>
          counted
            .filter(({ thread, frames }) => thread === row && !frames.some(({ method }) => own.includes(method)))
            .reduce((all, { weight = 1 }) => all + weight, 0),
        );
        expect([...times.noneOfThread]).toEqual(ofThread);
        const sum = Object.values(found).reduce((all, { count }) => all + count, 0);
        expect(sum).toBe(analysis.whole.count);
      },
    ),
    { numRuns: runs(500) },
  );
});

test('in typed time the part behind a type belongs to the frame above it', () => {
  const profile = profileOfText(`
acme.Shop.run
  acme.Shop.take | 1@5
    java.Lock.lock
      :MONITOR | 2@5
        acme.Journal.append
          acme.Journal.flush | 4@5
      java.Lock.spin | 8@5
  :RUN | 16@5
java.Ref.run
  :WAIT
    acme.Journal.append | 32@5`);
  const rows = methodRows(profile);
  const own = [...rows.keys()].filter(name => name.startsWith('acme.'));
  const analysis = analyse(profile, indexTree(profile), { metric: 0 });
  const found = tableOf(rows, ownTimes(analysis, bytesOf(rows, profile.methods.length, own)));
  expect(Object.fromEntries(Object.entries(found).map(([name, { count }]) => [name, count]))).toEqual({
    'acme.Shop.run': 16,
    'acme.Shop.take': 15,
    [NONE]: 32,
  });
});

test('a thread of own code that waits for a task of its pool belongs to no own code, a task to its own', () => {
  const profile = profileOfText(`
acme.PoolThread.run
  java.util.concurrent.ThreadPoolExecutor.runWorker
    java.util.concurrent.ThreadPoolExecutor.getTask
      java.util.Queue.take
        :PARK | 1@5
    acme.Task.run | 2@5
      java.util.TimerThread.mainLoop | 4@5
        acme.Task.tick | 8@5
  java.util.concurrent.ForkJoinPool.awaitWork | 16@5
  java.Lock.lock | 32@5`);
  const rows = methodRows(profile);
  const own = ['acme.PoolThread.run', 'acme.Task.run', 'acme.Task.tick'];
  const analysis = analyse(profile, indexTree(profile), { metric: 0 });
  const times = ownTimes(analysis, bytesOf(rows, profile.methods.length, own));
  expect(own.map(name => times.count[rows.get(name)!])).toEqual([32, 2, 8]);
  expect(times.none.count).toBe(21);
});
