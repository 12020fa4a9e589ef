// Reads the sentence and the list of what is missing for made programs, one by one.

import { expect, test } from 'vitest';
import { answer } from '../../../server/analysis/ask.ts';
import type { LoadedData } from '../../../server/analysis/loaded-data.ts';
import type { Metric } from '../../../server/cct/profile.ts';
import { missingIn } from '../../../server/features/overview/missing.ts';
import { overviewSentence } from '../../../server/features/overview/sentence.ts';
import { TYPED } from '../../../server/model/time-types.ts';
import { loadedFrom } from '../../support/profiles/loaded.ts';
import { ALLOCATION, CPU, profileOfStacks, type RawSample } from '../../support/profiles/profiles.ts';

const LOCK: Metric = { id: 'lock', unit: 'nanoseconds', kind: 'measured', events: [], periodNanos: 0 };
const LOAD: Metric = { ...LOCK, id: 'processor-load', kind: 'exact' };
const PROCESSORS: Metric = { ...LOAD, id: 'processors' };
const CALLS: Metric = { ...LOAD, id: 'calls', unit: 'invocations' };
const PAUSES: Metric = { ...LOAD, id: 'gc-pauses' };
const METRICS = [CPU, TYPED, LOCK, ALLOCATION, LOAD, PROCESSORS, CALLS, PAUSES];
const THREADS = ['TCP-1', 'TCP-2', 'writer', 'GC Thread#0'];

const SECOND = 1e9;

/** `cpu 40 TCP-1 acme.A.a acme.B.b`: metric, samples (of times in seconds), thread, and the stack from the root on. */
function program(...lines: readonly string[]): LoadedData {
  const samples = lines.map((line): RawSample => {
    const [id, amount, thread, ...stack] = line.split(', ');
    const metric = METRICS.findIndex(each => each.id === id);
    const isTime = METRICS[metric]!.unit === 'nanoseconds';
    const count = isTime ? 10 : Number(amount);
    return {
      ...{ metric, count, weight: isTime ? Number(amount) * SECOND : Number(amount) },
      thread: THREADS.indexOf(thread!),
      frames: stack.map(method => ({ method, line: 1 })),
    };
  });
  const used = METRICS.filter((_, metric) => samples.some(sample => sample.metric === metric));
  const rows = samples.map(sample => ({ ...sample, metric: used.indexOf(METRICS[sample.metric!]!) }));
  return loadedFrom(
    profileOfStacks(rows, { metrics: used, threads: THREADS, windows: 1, startMillis: Date.UTC(2026, 10, 20) }),
  );
}

function sentenceOf(data: LoadedData, changes: string | null = null): string {
  return overviewSentence(data, answer(data, 'overview', { rows: 5 }), changes);
}

const RUN = 'acme.Main.run';

test.each<[what: string, data: LoadedData, sentence: string]>([
  [
    'one hot method, with a library that it calls',
    program(`cpu, 740, TCP-1, ${RUN}, acme.Select.query, java.util.HashMap.get`, `cpu, 260, TCP-1, ${RUN}`),
    '74 % of CPU is Select.query, 26 % Main.run.',
  ],
  [
    'no method stands out',
    program(...Array.from({ length: 25 }, (_, i) => `cpu, 40, TCP-1, ${RUN}, acme.P${i}.work`)),
    'No method of own code takes 10 % of CPU: the hottest, P0.work, takes 4.0 %.',
  ],
  [
    'a lock convoy: a class of threads has the monitor',
    program(
      `cpu, 900, writer, ${RUN}, acme.Store.commit`,
      `typed, 88, TCP-1, ${RUN}, :RUN`,
      `typed, 12, TCP-2, ${RUN}, acme.Store.read, :MONITOR, writer`,
      `typed, 50, writer, ${RUN}, :RUN`,
    ),
    '100 % of CPU is Store.commit. Threads TCP-# spend 12 % of their time waiting for a monitor, held most by threads writer.',
  ],
  [
    'a lock whose holder has a stack',
    program(
      `cpu, 900, writer, ${RUN}, acme.Store.commit`,
      `typed, 80, TCP-1, ${RUN}, :RUN`,
      `typed, 20, TCP-2, ${RUN}, :LOCK, java.lang.Thread.run, acme.Store.commit`,
    ),
    '100 % of CPU is Store.commit. Threads TCP-# spend 20 % of their time waiting for a lock, held most in Store.commit.',
  ],
  [
    'threads that have nothing to do are not held up',
    program(
      `cpu, 100, TCP-1, ${RUN}, acme.Job.work`,
      `typed, 3, TCP-1, ${RUN}, :RUN`,
      `typed, 97, TCP-1, ${RUN}, acme.Queue.take, :WAIT`,
      'typed, 300, GC Thread#0, :WAIT',
    ),
    '100 % of CPU is Job.work.',
  ],
  [
    'waiting for data',
    program(
      `cpu, 100, TCP-1, ${RUN}`,
      `typed, 40, TCP-1, ${RUN}, :RUN`,
      `typed, 60, TCP-1, ${RUN}, acme.Wire.read, :IO`,
    ),
    '100 % of CPU is Main.run. Threads TCP-# spend 60 % of their time reading or writing.',
  ],
  [
    'time that no event tells may be in own code too',
    program(
      `cpu, 100, TCP-1, ${RUN}`,
      `typed, 10, TCP-1, ${RUN}, :RUN`,
      `typed, 30, TCP-1, ${RUN}, acme.Wire.read, :IO`,
      'typed, 60, TCP-2, :UNRECORDED',
      'typed, 900, GC Thread#0, :UNRECORDED',
    ),
    '100 % of CPU is Main.run. Threads TCP-# spend ≥ 30 % of their time reading or writing.',
  ],
  [
    'a busy machine',
    program(`cpu, 100, TCP-1, ${RUN}`, `typed, 40, TCP-1, ${RUN}, :RUN`, `typed, 40, TCP-1, ${RUN}, :LOAD, writer`),
    '100 % of CPU is Main.run. Threads TCP-# spend 50 % of their time waiting for a processor.',
  ],
  [
    'waits that events alone tell',
    program(`cpu, 100, TCP-1, ${RUN}`, `lock, 4, TCP-1, ${RUN}, acme.Store.read`),
    '100 % of CPU is Main.run. Threads wait 4 s for monitors in 10 s of recording, 4 s of it in Store.read.',
  ],
  [
    'waits too short to hold anything up',
    program(`cpu, 100, TCP-1, ${RUN}`, `lock, 0.2, TCP-1, ${RUN}, acme.Store.read`),
    '100 % of CPU is Main.run.',
  ],
  [
    'bound by the garbage collector, whose threads have no own code',
    program('cpu, 700, GC Thread#0, jdk.gc.Evacuate', `cpu, 300, TCP-1, ${RUN}, acme.Cache.put`),
    '70 % of CPU is not own code: Cache.put takes most of the rest, 30 %.',
  ],
  [
    'stopped by the garbage collector',
    program(
      `cpu, 300, TCP-1, ${RUN}`,
      'gc-pauses, 0.9, TCP-1, pause SerialOld; Metadata GC Threshold',
      'gc-pauses, 0.3, TCP-1, pause Serial',
    ),
    '100 % of CPU is Main.run. All threads stand still for 12 % of the time, for garbage collections, most of it SerialOld; Metadata GC Threshold.',
  ],
  [
    'short pauses',
    program(`cpu, 300, TCP-1, ${RUN}`, 'gc-pauses, 0.2, TCP-1, pause SerialOld; Metadata GC Threshold'),
    '100 % of CPU is Main.run.',
  ],
  [
    'idle',
    program(`cpu, 60, TCP-1, ${RUN}`, 'processor-load, 0.4, TCP-1', 'processors, 40, TCP-1'),
    'The program is mostly idle: it uses 1.0 % of its processors. 100 % of CPU is Main.run.',
  ],
  [
    'exact counts, however few',
    program(`calls, 3, TCP-1, ${RUN}`, `calls, 1, TCP-1, ${RUN}, acme.A.a`),
    '75 % of calls is Main.run, 25 % A.a.',
  ],
  ['few samples', program(`cpu, 7, TCP-1, ${RUN}`), '7 samples of CPU are too few to say what the program does.'],
])('%s', (_, data, sentence) => {
  expect(sentenceOf(data)).toBe(sentence);
});

test('findings of the comparison end the sentence', () => {
  const data = program(`cpu, 900, TCP-1, ${RUN}`);
  expect(sentenceOf(data, 'since 1.0 slower: Merge.sign, new in 5ff63f3: +29 (0 % → 29 %)')).toBe(
    '100 % of CPU is Main.run. Since 1.0 slower: Merge.sign, new in 5ff63f3: +29 (0 % → 29 %).',
  );
});

test('what is missing is said with the way to get it', () => {
  const textsOf = (data: LoadedData, hasSource: boolean | null) =>
    missingIn(data, answer(data, 'overview', { rows: 5 }), hasSource).map(({ text }) => text);
  expect(textsOf(program(`cpu, 900, TCP-1, ${RUN}`), false)).toEqual([
    'no source of acme, the hottest package',
    '900 samples of cpu: shares are uncertain',
    '1 JVM only: too few for a test between versions',
    'what part of their time threads wait was not recorded',
    'allocation was not recorded',
    'response times were not recorded',
  ]);
  const rich = program(`cpu, 9000, TCP-1, ${RUN}`, `typed, 40, TCP-1, ${RUN}, :RUN`, `alloc, 40, TCP-1, ${RUN}`);
  expect(textsOf(rich, true)).toEqual([
    '1 JVM only: too few for a test between versions',
    'response times were not recorded',
  ]);
  expect(textsOf(program(`calls, 3, TCP-1, ${RUN}`), true)).not.toContain('3 samples of calls: shares are uncertain');
  expect(textsOf(program('cpu, 9000, GC Thread#0, jdk.gc.Evacuate', `cpu, 1, TCP-1, ${RUN}`), null)[1]).toBe(
    "100 % of cpu without own code, which is all but the Java platform's (no package that ran has sources in the project)",
  );
});

test('a few samples of waiting threads are no claim about them', () => {
  const frames = ['acme.Main.run', ':MONITOR'].map(method => ({ method, line: 1 }));
  const told = (count: number) =>
    sentenceOf(loadedFrom(profileOfStacks([{ frames, count, weight: count * SECOND }], { metrics: [TYPED] })));
  expect(told(9)).not.toContain('waiting for a monitor');
  expect(told(60)).toContain('100 % of their time waiting for a monitor');
});
