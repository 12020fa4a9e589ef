// Tests which of the sums that a JVM tells of its methods are kept, by the method and by the moment.
import { expect, test } from 'vitest';
import { MethodTableBuilder } from '../../../server/cct/method-table.ts';
import { MethodTimings } from '../../../server/ingest/jfr/method-timings.ts';

test('sums are left out by their method and the moment at which the JVM told them, and the next ones go on from them', () => {
  const table = new MethodTableBuilder();
  const [search, other] = ['search', 'other'].map(name => table.method('com.acme.Shop', name, '()V', 0));
  const timings = new MethodTimings();
  timings.goOn([], table);
  timings.leaveOut((filter, millis) => filter === 'com.acme.Shop::search' && millis >= 2_000 && millis < 3_000);
  for (const [millis, invocations] of [
    [1_000, 10],
    [2_000, 30],
    [2_500, 70],
    [3_000, 150],
  ] as const)
    for (const method of [search!, other!]) timings.add(method, { window: 0, millis }, invocations, 1, 2, 3);
  expect(timings.list()).toMatchObject([
    { method: search, invocations: 90, sinceFirst: { invocations: 80, millis: 2_000 } },
    { method: other, invocations: 150, sinceFirst: { invocations: 140, millis: 2_000 } },
  ]);
});
