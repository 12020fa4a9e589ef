// Times of threads joined with samples and waits, against a naive sum over rows and windows.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ProfileBuilder, ROOT_NODE } from '../../../server/cct/builder.ts';
import { processorsRow } from '../../../server/cct/processor-time.ts';
import type { Metric } from '../../../server/cct/profile.ts';
import { addScheduledTime, ScheduledThreads } from '../../../server/ingest/jfr/scheduled-time.ts';
import { WindowPlan } from '../../../server/ingest/jfr/windows.ts';
import { toCollapsed } from '../../../server/snapshot/export/collapsed.ts';

const CPU: Metric = { id: 'cpu', unit: 'samples', kind: 'sampled', events: [], periodNanos: 0 };
const LOCK: Metric = { id: 'lock', unit: 'nanoseconds', kind: 'measured', events: [], periodNanos: 0 };
const SECOND = 1e9;

/** Two windows of ten seconds; threads 1 and 2 of the system are `worker-1` and `worker-2`, 3 is `main`. */
function scene() {
  const builder = new ProfileBuilder('raw');
  const scheduled = new ScheduledThreads();
  const rows = ['worker-1', 'worker-2', 'main'].map((name, at) => {
    const row = builder.threads.thread('', name, false);
    scheduled.named.set(at + 1, { row, className: name.replace(/\d/, '#') });
    return row;
  });
  const method = (name: string) => builder.child(ROOT_NODE, builder.methods.method('A', name, null, 0), 0);
  const typed = (threads: readonly ThreadTime[]) => {
    const windows = new WindowPlan(0, 20_000);
    addScheduledTime(builder, { threads, processors: [] }, scheduled, windows, 0);
    const profile = builder.finish(windows.windows());
    if (!profile.metrics.some(({ id }) => id === 'typed')) return [];
    const text = toCollapsed(profile, { frames: 'full', metric: 'typed', threads: true, weights: true });
    return text
      .trim()
      .split('\n')
      .map(line => line.replace(/(?::0)? \d+ (\d+)$/, (_, nanos) => ` ${Number(nanos) / SECOND}`))
      .sort();
  };
  return { builder, rows, method, scheduled, typed };
}

type ThreadTime = Parameters<typeof addScheduledTime>[1]['threads'][number];

const time = (thread: number, run: number, queue: number, from = 0, until = 10): ThreadTime => ({
  thread,
  fromMillis: from * 1000,
  untilMillis: until * 1000,
  runNanos: run * SECOND,
  queueNanos: queue * SECOND,
});

test('processor time is divided among samples, waiting for one among the classes that ran', () => {
  const { builder, rows, method, typed } = scene();
  const cpu = builder.metric(CPU);
  const [a, b] = [method('a'), method('b')];
  builder.add(cpu, a, rows[0]!, 7, 0, 3);
  builder.add(cpu, b, rows[0]!, 8, 0, 1);
  builder.add(cpu, b, rows[2]!, 8, 0, 1);
  expect(typed([time(1, 4, 2), time(2, 0, 0), time(3, 6, 0)])).toEqual([
    'main;:UNRECORDED 4',
    'main;A.b:8;:RUN 6',
    'worker-1;:UNRECORDED 4',
    'worker-1;A.a:7;:LOAD:0;main 1.5',
    'worker-1;A.a:7;:RUN 3',
    'worker-1;A.b:8;:LOAD:0;main 0.5',
    'worker-1;A.b:8;:RUN 1',
    'worker-2;:UNRECORDED 10',
  ]);
});

test('waits that last longer than the rest of a window are shortened, and say who had the monitor', () => {
  const { builder, rows, method, scheduled, typed } = scene();
  const lock = builder.metric(LOCK);
  const a = method('a');
  builder.add(lock, a, rows[1]!, 7, 0, 1, 12 * SECOND);
  const wait = { address: 1, thread: 2, name: 'worker-#', owner: 3, ownerName: 'main' };
  const place = { node: a, thread: rows[1]!, line: 7, window: 0 };
  const noted = { place, metric: 'lock', nanosPerTick: SECOND / 10, parts: [], isCrossing: false };
  scheduled.wait({ ...noted, nanos: 9 * SECOND, monitor: { ...wait, from: 100, until: 190 } });
  scheduled.wait({ ...noted, nanos: 3 * SECOND, monitor: { ...wait, from: 200, until: 230, owner: 0 } });
  expect(typed([time(2, 1, 1)])).toEqual([
    'worker-2;:LOAD 1',
    'worker-2;:RUN 1',
    'worker-2;A.a:7;:MONITOR 2',
    'worker-2;A.a:7;:MONITOR:0;main 6',
  ]);
});

test('a wait in several windows is in each of them, and in none before the first', () => {
  const { builder, rows, method, scheduled } = scene();
  const park = builder.metric({ ...LOCK, id: 'park' });
  const a = method('a');
  const place = { node: a, thread: rows[1]!, line: 7, window: 0 };
  // One of 16 seconds, which began 3 seconds before the first window, and one of a second.
  builder.add(park, a, rows[1]!, 7, 0, 1, 16 * SECOND);
  builder.add(park, a, rows[1]!, 7, 0, 1, SECOND);
  const parts = [
    { window: 0, from: 0, until: 10 },
    { window: 1, from: 10, until: 13 },
  ];
  scheduled.wait({
    place,
    metric: 'park',
    nanos: 16 * SECOND,
    nanosPerTick: SECOND,
    parts,
    isCrossing: true,
    monitor: null,
  });
  const windows = new WindowPlan(0, 20_000);
  addScheduledTime(builder, { threads: [time(2, 0, 0, 0, 20)], processors: [] }, scheduled, windows, 0);
  const { metrics, cells } = builder.finish(windows.windows());
  const { window, weight, count } = cells[metrics.findIndex(({ id }) => id === 'typed')]!;
  // Both waits are of one stack: together they cannot be longer than the window.
  const sums = [...window].map((at, cell) => [at, Math.round(weight[cell]! / SECOND), count[cell]]);
  expect(sums.sort()).toEqual([
    [0, 10, 2],
    [1, 3, 0],
    [1, 7, 1],
  ]);
});

test('threads that no sample has named, and times of nothing, add nothing', () => {
  expect(scene().typed([time(9, 1, 1)])).toEqual([]);
  expect(scene().typed([])).toEqual([]);
});

test('processor time goes to the windows in which the JVM could use it', () => {
  const { builder, scheduled } = scene();
  const windows = new WindowPlan(0, 20_000);
  const processors = [
    { fromMillis: 0, untilMillis: 8000, nanos: 16 * SECOND },
    { fromMillis: 8000, untilMillis: 12_000, nanos: 2 * SECOND },
  ];
  addScheduledTime(builder, { threads: [time(1, 4, 0)], processors }, scheduled, windows, 0);
  const profile = builder.finish(windows.windows());
  const { window, weight, node } = profile.cells[processorsRow(profile)]!;
  expect([...node]).toEqual([ROOT_NODE, ROOT_NODE]);
  expect([...window].map((at, cell) => [at, weight[cell]! / SECOND])).toEqual([
    [0, 17],
    [1, 1],
  ]);
});

test('whatever is told, types of a thread add up to its time, window by window', () => {
  const nanos = fc.integer({ min: 0, max: 9 });
  const told = fc.record({
    thread: fc.integer({ min: 1, max: 4 }),
    run: nanos,
    queue: nanos,
    from: nanos,
    length: nanos,
  });
  const sample = fc.record({
    thread: fc.integer({ min: 0, max: 2 }),
    window: fc.integer({ min: 0, max: 1 }),
    count: nanos,
  });
  fc.assert(
    fc.property(
      fc.array(told, { maxLength: 6 }),
      fc.array(sample, { maxLength: 6 }),
      fc.array(sample),
      (times, cpu, waits) => {
        const { builder, rows, method, scheduled } = scene();
        const [metric, lock, a] = [builder.metric(CPU), builder.metric(LOCK), method('a')];
        for (const { thread, window, count } of cpu) builder.add(metric, a, rows[thread]!, 1, window, count);
        for (const { thread, window, count } of waits)
          builder.add(lock, a, rows[thread]!, 1, window, 1, count * SECOND);
        // A thread has no more time than there is.
        const given = times.map(({ thread, run, queue, from, length }) => {
          const most = Math.max(1, run + queue);
          return time(thread, (run * length) / most, (queue * length) / most, from, from + length);
        });
        const windows = new WindowPlan(0, 20_000);
        addScheduledTime(builder, { threads: given, processors: [] }, scheduled, windows, 0);
        const { metrics, cells, threads } = builder.finish(windows.windows());
        const typed = cells[metrics.findIndex(({ id }) => id === 'typed')];
        for (const [at, row] of rows.entries())
          for (const window of [0, 1]) {
            const [from, until] = [window * 10, window * 10 + 10];
            const own = given.filter(({ thread }) => thread === at + 1);
            const alive = own.reduce(
              (sum, { fromMillis, untilMillis }) =>
                sum + Math.max(0, Math.min(until, untilMillis / 1000) - Math.max(from, fromMillis / 1000)),
              0,
            );
            let found = 0;
            for (let cell = 0; cell < (typed?.length ?? 0); cell++)
              if (threads.name[typed!.thread[cell]!] === threads.name[row] && typed!.window[cell] === window)
                found += typed!.weight[cell]! / SECOND;
            expect(found).toBeCloseTo(alive, 6);
          }
      },
    ),
  );
});
