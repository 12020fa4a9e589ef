// Tests the times that the system tells of the threads of a process: of this one, whose own clock says how long it ran.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SchedulerTimes } from '../../server/record/scheduler-times.ts';
import { usableProcessors } from '../../server/record/usable-processors.ts';

const RUN_MILLIS = 400;

test('times of this process are those of its own clock', async () => {
  const times = new SchedulerTimes(process.pid);
  times.look();
  times.take();
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  while (performance.now() - began < RUN_MILLIS);
  const { threads: told, processors } = times.take();
  const { user, system } = process.cpuUsage(cpu);
  const main = told.find(({ thread }) => thread === process.pid)!;
  expect(main.untilMillis - main.fromMillis).toBeGreaterThanOrEqual(RUN_MILLIS - 1);
  const run = told.reduce((sum, { runNanos }) => sum + runNanos, 0);
  expect(run / 1000).toBeGreaterThan(0.9 * (user + system) - 20_000);
  expect(run / 1000).toBeLessThan(1.1 * (user + system) + 20_000);
  const [could] = processors;
  expect(could!.nanos / 1e6 / (could!.untilMillis - could!.fromMillis)).toBe(usableProcessors(process.pid));
  for (const { fromMillis, untilMillis, runNanos, queueNanos } of told) {
    expect(queueNanos).toBeGreaterThanOrEqual(0);
    expect(runNanos + queueNanos).toBeLessThanOrEqual((untilMillis - fromMillis + 50) * 1e6);
  }
});

test('of a process that is gone nothing is told, and a look in between asks nothing', async () => {
  const gone = new SchedulerTimes(2 ** 30);
  gone.look();
  expect(gone.take()).toEqual({ threads: [], processors: [] });
  const times = new SchedulerTimes(process.pid);
  times.look();
  await pause(20);
  // It is too early for another look.
  times.look();
  const [first] = times.take().threads;
  expect(first!.untilMillis - first!.fromMillis).toBeGreaterThanOrEqual(19);
});

test('a process may use the processors that it is bound to', async () => {
  const [bound] = /^Cpus_allowed_list:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))!.slice(1);
  const child = spawn('taskset', ['-c', bound!, 'sleep', '30']);
  try {
    expect(usableProcessors(process.pid)).toBeLessThanOrEqual(availableParallelism());
    expect(usableProcessors(process.pid)).toBeGreaterThan(0);
    await expect.poll(() => usableProcessors(child.pid!)).toBeLessThanOrEqual(1);
  } finally {
    child.kill();
  }
});

test('nothing is known of the processors of a process that is gone', () => {
  expect(usableProcessors(2 ** 30)).toBeNull();
});
