// Checks that thread dumps of every notation become samples, with the states and locks that they tell of.
import { expect, test } from 'vitest';
import { memorySource } from '../../../server/ingest/byte-source.ts';
import { ProblemList } from '../../../server/ingest/problem-list.ts';
import type { DumpedThread } from '../../../server/ingest/threads/dumped-thread.ts';
import { eachDumpedThread } from '../../../server/ingest/threads/each-dumped-thread.ts';
import { readThreadDumps } from '../../../server/ingest/threads/read-threads.ts';
import { textOfProfile } from '../../support/profiles/profiles.ts';
import { ingest, profileIn } from '../../support/recordings/ingested.ts';

async function threadsIn(text: string): Promise<DumpedThread[]> {
  const threads: DumpedThread[] = [];
  const problems = new ProblemList('test');
  await eachDumpedThread(memorySource('test', Buffer.from(text)), {}, problems, {
    dump: () => {},
    thread: thread => threads.push(thread) > 0,
  });
  expect(problems.list()).toEqual([]);
  return threads;
}

const JSTACK = `2026-11-20 16:51:30
Full thread dump OpenJDK 64-Bit Server VM (25.0.3+9 mixed mode, sharing):

Threads class SMR info:
_java_thread_list=0x00007f8af400b010, length=25, elements={
0x00007f8b440189d0
}

"the "main" one" #3 [11080] prio=7 os_prio=0 cpu=545.12ms elapsed=24.36s tid=0x00007f8b440189d0 nid=11080 in Object.wait()  [0x00007f8b4abfe000]
   java.lang.Thread.State: WAITING (on object monitor)
\tat java.lang.Object.wait0(java.base@25.0.3/Native Method)
\t- waiting on <0x0000000687aa1990> (a java.lang.Thread)
\tat java.lang.Thread.join(java.base@25.0.3/Thread.java:1887)
\t- locked <0x0000000687aa1990> (a java.lang.Thread)
\tat com.acme.Main$$Lambda/0x0000000097022368.run(Unknown Source)
\tat com.acme.Main.main(Main.java:37)

   Locked ownable synchronizers:
\t- <0x0000000687aa2000> (a java.util.concurrent.ThreadPoolExecutor$Worker)

"Carrier-1" #26 [7472] daemon prio=5 os_prio=0 cpu=1630.65ms elapsed=4.44s tid=0x00007f3804394c10  [0x00007f37e45c9000]
   Carrying virtual thread #28
\tat jdk.internal.vm.Continuation.run(java.base@25.0.3/Continuation.java:251)
   Mounted virtual thread #28
\tat com.acme.V.spin(V.java:4)

   Locked ownable synchronizers:
\t- None

"GC Thread#0" os_prio=0 cpu=10.61ms elapsed=24.35s tid=0x00007f8b44073010 nid=11083 runnable

JNI global refs: 30, weak refs: 0

Found one Java-level deadlock:
=============================
"Thread-1":
\tat com.acme.Ghost.run(Ghost.java:1)
`;

test('states, priorities and locks of jstack', async () => {
  const [main, carrier, mounted, gc] = await threadsIn(JSTACK);
  expect(main).toMatchObject({ name: 'the "main" one', java: true, state: 'WAITING', priority: 7, virtual: false });
  expect(main!.frames).toEqual([
    { className: 'java.lang.Object', method: 'wait0', line: 0 },
    { className: 'java.lang.Thread', method: 'join', line: 1887 },
    { className: 'com.acme.Main$$Lambda/0x0000000097022368', method: 'run', line: 0 },
    { className: 'com.acme.Main', method: 'main', line: 37 },
  ]);
  const monitor = { of: 'monitor', id: '0x0000000687aa1990', className: 'java.lang.Thread' };
  expect(main!.locks).toEqual([
    { ...monitor, kind: 'awaited', frame: 0 },
    { ...monitor, kind: 'held', frame: 1 },
    {
      kind: 'held',
      of: 'synchronizer',
      id: '0x0000000687aa2000',
      className: 'java.util.concurrent.ThreadPoolExecutor$Worker',
      frame: -1,
    },
  ]);
  expect(carrier).toMatchObject({ name: 'Carrier-1', virtual: false, frames: [{ method: 'run' }] });
  expect(mounted).toMatchObject({ name: '', virtual: true, state: 'RUNNABLE', frames: [{ method: 'spin', line: 4 }] });
  expect(gc).toMatchObject({ name: 'GC Thread#0', java: false, frames: [] });
});

test('a series is one sample a Java thread a dump, in windows by time', async () => {
  const second = JSTACK.replace('16:51:30', '16:52:00').replace('Main.java:37', 'Main.java:38');
  const profile = await profileIn(`some log line\n${JSTACK}${second}`, { names: 'normalised' });
  expect(profile.metrics).toMatchObject([
    { id: 'wall', unit: 'samples', periodNanos: 30e9 },
    { id: 'typed', unit: 'nanoseconds', periodNanos: 30e9 },
  ]);
  expect(profile.windows.length).toBe(3);
  const [start, , last] = profile.windows.map(({ startMillis }) => startMillis);
  expect(start).toBe(Date.UTC(2026, 10, 20, 16, 51, 30));
  const main = '/the "main" one';
  expect(textOfProfile(profile, 0, true)).toBe(`com.acme.Main.main
  com.acme.Main$$Lambda.run :37
    java.lang.Thread.join
      java.lang.Object.wait0 :1887 | 1@0${main}#${start}
  com.acme.Main$$Lambda.run :38
    java.lang.Thread.join
      java.lang.Object.wait0 :1887 | 1@0${main}#${last}
com.acme.V.spin | 1@4/#${start} 1@4/#${last}
jdk.internal.vm.Continuation.run | 1@251/Carrier-1#${start} 1@251/Carrier-1#${last}`);
});

const JSON_DUMP = {
  threadDump: {
    processId: '7429',
    time: '2026-11-20T16:51:47.215748146Z',
    runtimeVersion: '25.0.3',
    threadContainers: [
      { container: '<root>', parent: null, owner: null, threads: [], threadCount: '0' },
      {
        container: 'java.util.concurrent.ThreadPerTaskExecutor@36b4cebe',
        threads: [
          {
            tid: '23',
            virtual: true,
            name: '',
            state: 'WAITING',
            parkBlocker: { object: 'java.util.concurrent.locks.ReentrantLock$NonfairSync@70f95ca0' },
            stack: ['java.base/java.lang.VirtualThread.park(VirtualThread.java:742)', 'com.acme.V.run(V.java:9)'],
            monitorsOwned: [{ depth: 1, locks: ['com.acme.V@6367fa7a'] }],
          },
        ],
      },
    ],
  },
};

test('JSON: virtual threads, containers, locks', async () => {
  const [thread] = await threadsIn(JSON.stringify(JSON_DUMP));
  expect(thread).toEqual({
    name: '',
    group: 'java.util.concurrent.ThreadPerTaskExecutor',
    virtual: true,
    java: true,
    state: 'WAITING',
    priority: null,
    osPriority: null,
    cpuMillis: null,
    elapsedMillis: null,
    condition: null,
    id: '',
    frames: [
      { className: 'java.lang.VirtualThread', method: 'park', line: 742 },
      { className: 'com.acme.V', method: 'run', line: 9 },
    ],
    truncated: false,
    locks: [
      { kind: 'held', of: 'monitor', id: '6367fa7a', className: 'com.acme.V', frame: 1 },
      {
        kind: 'awaited',
        of: 'synchronizer',
        id: '70f95ca0',
        className: 'java.util.concurrent.locks.ReentrantLock$NonfairSync',
        frame: 0,
      },
    ],
  });
});

test('JSON documents one after the other, and one that is cut off', async () => {
  const text = JSON.stringify(JSON_DUMP, null, 2);
  const dumps = await readThreadDumps(memorySource('test', Buffer.from(text + text)), { names: 'raw' });
  expect(dumps).toMatchObject({ dumps: 2, states: { WAITING: 2 }, problems: [] });
  const { profile, problems } = await ingest(text + text.slice(0, text.length - 150));
  expect(textOfProfile(profile!)).toContain('com.acme.V.run');
  expect(problems).toMatchObject([{ severity: 'warning' }]);
});

test('the text of dump_to_file', async () => {
  const text = `7429
2026-11-20T17:12:13.6Z
25.0.3+9

#28 "spin "x"" virtual RUNNABLE 2026-11-20T17:12:13.636429622Z
    at com.acme.V.main(V.java:4)

#23 "" virtual WAITING 2026-11-20T17:12:13.636734176Z
    at java.base/java.lang.VirtualThread.park(VirtualThread.java:742)
    - parking to wait for <java.util.concurrent.locks.ReentrantLock$NonfairSync@70f95ca0>
`;
  const [spin, parked] = await threadsIn(text);
  expect(spin).toMatchObject({ name: 'spin "x"', virtual: true, state: 'RUNNABLE', frames: [{ line: 4 }] });
  expect(parked!.locks).toMatchObject([{ kind: 'awaited', of: 'synchronizer', id: '70f95ca0', frame: 0 }]);
  expect((await ingest(text)).startMillis).toBe(Date.UTC(2026, 10, 20, 17, 12, 13, 600));
});

test('a line that no JVM writes is left out and reported', async () => {
  const dump = `Full thread dump\n"t" #1 prio=5 tid=0x1 nid=1\n\tat a.B.c(D.java:1)\n\tat ${'x'.repeat(70_000)}.d(D.java:2)\n`;
  const { profile, problems } = await ingest(dump);
  expect(problems).toMatchObject([
    { severity: 'warning', message: 'the line is too long for a thread dump: 70016 characters', place: 'line 4' },
  ]);
  // A frame, and what its thread does with its time.
  expect(profile?.tree.length).toBe(3);
});

test('windows are as long as was asked for, the last as long as is left', async () => {
  const second = JSTACK.replace('16:51:30', '16:51:33');
  const { windows } = await profileIn(`${JSTACK}${second}`, { windowMillis: 2000 });
  const start = Date.UTC(2026, 10, 20, 16, 51, 30);
  expect(windows).toEqual([
    { startMillis: start, endMillis: start + 2000 },
    { startMillis: start + 2000, endMillis: start + 3000 },
  ]);
  const many = await profileIn(`${JSTACK}${JSTACK.replace('2026-11-20', '2026-11-21')}`, { windowMillis: 1 });
  expect(many.windows.length).toBeLessThanOrEqual(10_000);
});
