// Tests typed time: the formula for processors against fractions, dumps against a naive count, and profiles of published studies.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KeptParts } from '../../../server/analysis/kept-parts.ts';
import { prioritiesOf, timedThread, typedParts } from '../../../server/ingest/threads/typed-time.ts';
import { ingest } from '../../support/recordings/ingested.ts';
import {
  cost,
  dumps,
  GO,
  many,
  paths,
  RUN,
  runnable,
  START,
  type Thread,
  thousandths,
  typed,
} from '../../support/recordings/typed-dumps.ts';
import { dumpedThread } from './dumped.ts';

/** The shares of a thread beside so many runnable threads of higher and of equal priority, itself included. */
function processorShares(processors: number, higher: number, equal: number) {
  const of = (count: number, priority: number) =>
    Array.from({ length: count }, () => timedThread(dumpedThread({ priority })));
  const parts = typedParts([...of(equal, 5), ...of(higher, 10)], { processors, priorities: 'obeyed' }, () => false)[0]!;
  const share = (type: string) => parts.find(part => part.type === type)?.share ?? 0;
  return { run: share(':RUN'), load: share(':LOAD'), prio: share(':PRIO') };
}

describe('waiting for a processor', () => {
  test('one processor with priorities that are obeyed: the higher ones run, equal ones take turns', () => {
    // Higher runnable threads, equal ones with itself → parts in running, waiting for equal and for higher priority.
    const table: (readonly [number, number, readonly [number, number, number]])[] = [
      [0, 1, [1, 0, 0]],
      [0, 2, [1 / 2, 1 / 2, 0]],
      [0, 5, [1 / 5, 4 / 5, 0]],
      [1, 1, [0, 0, 1]],
      [3, 4, [0, 0, 1]],
    ];
    for (const [higher, equal, [run, load, prio]] of table)
      expect(processorShares(1, higher, equal)).toEqual({ run, load, prio });
    expect(processorShares(2, 1, 4)).toEqual({ run: 1 / 4, load: 1 / 2, prio: 1 / 4 });
  });

  test('equals the definition in whole fractions', () => {
    const number = fc.integer({ min: 0, max: 40 });
    fc.assert(
      fc.property(number, number, number, (p, h, e) => {
        const [processors, equal] = [p + 1, e + 1];
        const { run, load, prio } = processorShares(processors, h, equal);
        if (h >= processors) {
          expect([run, load, prio]).toEqual([0, 0, 1]);
          return;
        }
        // In units of 1/equal.
        const runs = Math.min(equal, processors - h);
        const loads = equal - Math.min(equal, processors);
        const close = (part: number, units: number) => Math.abs(part * equal - units) < 1e-9;
        expect([close(run, runs), close(load, loads), close(prio, equal - runs - loads)]).toEqual([true, true, true]);
      }),
    );
  });

  test('the parts of a thread add up to one, whatever is known', () => {
    const thread = fc.record({
      state: fc.constantFrom('RUNNABLE', 'BLOCKED', 'WAITING', 'TIMED_WAITING', 'unknown' as const),
      priority: fc.option(fc.integer({ min: 1, max: 10 })),
      condition: fc.constantFrom(null, 'runnable', 'waiting on condition'),
    });
    const machine = fc.record({
      processors: fc.option(fc.constantFrom(0.5, 1, 2, 16)),
      priorities: fc.constantFrom('obeyed', 'ignored', null),
    });
    fc.assert(
      fc.property(fc.array(thread, { maxLength: 9 }), machine, fc.boolean(), (drawn, about, isMeasured) => {
        const threads = drawn.map(each => timedThread(dumpedThread(each as Parameters<typeof dumpedThread>[0])));
        for (const parts of typedParts(threads, about as Parameters<typeof typedParts>[1], () => isMeasured)) {
          expect(parts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
          expect(parts.every(({ share }) => share > 0)).toBe(true);
        }
      }),
    );
  });

  test('priorities are obeyed where the system tells threads of different priority apart', () => {
    const of = (...pairs: readonly (readonly [number, number | null])[]) =>
      prioritiesOf(pairs.map(([priority, osPriority]) => timedThread(dumpedThread({ priority, osPriority }))));
    expect(of([5, 0], [10, 0])).toBe('ignored');
    expect(of([5, 0], [10, -5])).toBe('obeyed');
    expect(of([5, 0], [5, 0])).toBe(null);
    expect(of([5, null], [10, null])).toBe(null);
  });
});

describe('thread dumps', () => {
  test('behind a monitor stands the path on the holder’s stack at the same instant', async () => {
    const blocked = { state: 'BLOCKED (on object monitor)', stack: GO, lock: 'waiting to lock <0x0a> (a app.Lock)' };
    const holder = (...inside: string[]) => ({
      state: 'RUNNABLE',
      stack: [...inside, ...GO],
      lock: 'locked <0x0a> (a app.Lock)',
    });
    const data = await typed(
      dumps(
        [holder('java.util.Date.getField'), ...many(839, blocked)],
        [holder('app.Account.book'), ...many(55, blocked)],
        // The holder is in no dump.
        [
          blocked,
          ...many(14, { state: 'RUNNABLE', stack: ['app.Account.read', ...GO] }),
          ...many(89, { state: 'RUNNABLE', stack: RUN }),
        ],
      ),
    );
    expect(cost(data, '* CompanyRunnable.run')).toBe(1);
    expect(cost(data, 'CompanyRunnable.run ..TransactionManager.go')).toBe(0.911);
    expect(cost(data, 'CompanyRunnable.run ..TransactionManager.go ..:MONITOR')).toBe(0.895);
    expect(cost(data, 'TransactionManager.go ..:MONITOR CompanyRunnable.run')).toBe(0.894);
    expect(cost(data, '..:MONITOR CompanyRunnable.run ..Date.getField')).toBe(0.839);
  });

  test('a thread in Object.wait holds no monitor, also where the JVM does not know which it waits in', async () => {
    const WAIT = ['java.lang.Object.wait', 'app.Consumer.take', 'app.Consumer.run', ...START];
    const series = dumps([
      { name: 'holder', state: 'TIMED_WAITING (sleeping)', stack: RUN, lock: 'locked <0x0a> (a app.Lock)' },
      { name: 'blocked', state: 'BLOCKED (on object monitor)', stack: GO, lock: 'waiting to lock <0x0a> (a app.Lock)' },
      {
        name: 'waiting',
        state: 'WAITING (on object monitor)',
        stack: WAIT,
        lock: 'waiting on <no object reference available>',
      },
    ]);
    const data = await typed(series.replace(/(at app\.Consumer\.take.*\n)/, '$1\t- locked <0x0a> (a app.Lock)\n'));
    expect(cost(data, '* ..:MONITOR', ['blocked-*'])).toBe(1);
    expect(cost(data, '* ..:MONITOR CompanyRunnable.run', ['blocked-*'])).toBe(1);
  });

  test('processors are shared, and behind the wait stand the classes of threads that run', async () => {
    const spin = { state: 'RUNNABLE', stack: ['app.Spin.run', ...START] };
    const other = { state: 'RUNNABLE', stack: ['app.Other.work', 'app.Other.run', ...START] };
    const data = await typed(dumps([spin, spin, other, other]), { processors: 2 });
    expect(cost(data, '* ..:RUN')).toBe(0.5);
    expect(cost(data, '* ..:LOAD')).toBe(0.5);
    // Each waits behind three others, which run as much as it does.
    expect(cost(data, 'Spin.run :LOAD Spin.run')).toBe(0.083);
    expect(cost(data, 'Spin.run :LOAD Other.run')).toBe(0.167);
  });

  test('what two dumps measure stands before the estimate', async () => {
    const at = (cpu: number, elapsed: number): Thread => ({
      heading: `prio=5 os_prio=0 cpu=${cpu}.00ms elapsed=${elapsed}.00s`,
      state: 'RUNNABLE',
      stack: ['app.Spin.run', ...START],
    });
    const data = await typed(dumps([at(1000, 10)], [at(1250, 11)]), { processors: 8 });
    expect(cost(data, '* ..:RUN')).toBe(0.25);
    expect(cost(data, '* ..:LOAD')).toBe(0.75);
  });

  test('threads that wait in the operating system are runnable by their state alone', async () => {
    const data = await typed(
      dumps([
        { state: 'RUNNABLE', stack: ['sun.nio.ch.EPoll.wait', 'app.Reader.run', ...START] },
        { state: 'RUNNABLE', stack: ['app.Spin.run', ...START] },
      ]),
      { processors: 1 },
    );
    expect(cost(data, 'Reader.run ..:WAIT')).toBe(0.5);
    expect(cost(data, 'Spin.run :RUN')).toBe(0.5);
  });

  test('folded libraries leave the types of their frames visible', async () => {
    const data = await typed(
      dumps([{ state: 'WAITING (on object monitor)', stack: ['java.lang.Object.wait', 'app.Worker.run', ...START] }]),
    );
    const { methods } = data.profile;
    const library = new KeptParts().libraryOf(methods, ['app']);
    const isLibrary = (name: string) => library[methods.name.findIndex(at => methods.strings[at] === name)];
    expect([isLibrary(':WAIT'), isLibrary('wait')]).toEqual([0, 1]);
  });

  test('without the number of processors nothing is guessed', async () => {
    const text = dumps([{ state: 'RUNNABLE', stack: ['app.Spin.run', ...START] }]);
    expect(cost(await typed(text), 'Spin.run :RUNNABLE')).toBe(1);
    const data = await typed(text);
    expect(() => cost(data, '* ..:RUN')).toThrow(
      /no thread has time of the type.*there are :RUNNABLE; insitu import --processors N/,
    );
  });
});

test('many threads that want a processor are told of in little time and few cells', async () => {
  const many = Array.from({ length: 100_000 }, (_, i) => timedThread(dumpedThread({ priority: 1 + (i % 10) })));
  const before = process.cpuUsage();
  expect(typedParts(many, { processors: 4, priorities: 'obeyed' }, () => false)).toHaveLength(many.length);
  // A look at all others for each of them takes minutes.
  expect(process.cpuUsage(before).user).toBeLessThan(10e6);
  const threads = Array.from({ length: 1000 }, (_, i) => ({
    state: 'RUNNABLE',
    stack: [`app.Spin${i}.run`, ...START],
  }));
  const { profile } = await ingest(dumps(threads), { processors: 4 });
  const at = profile!.metrics.findIndex(({ id }) => id === 'typed');
  const { weight } = profile!.cells[at]!;
  // A second a thread.
  expect(weight.reduce((a, b) => a + b)).toBeCloseTo(1000 * 1e9, -3);
  expect(weight.length).toBeLessThan(1000 * 110);
});

test('of more threads than any JVM has, the time is not told, and that is said', async () => {
  const dump = (threads: number) =>
    `Full thread dump\n${Array.from({ length: threads }, (_, i) => `"t${i}" #1 prio=5 tid=0x1 nid=1 runnable\n\tat a.B.c(D.java:7)\n`).join('')}`;
  const { profile, problems } = await ingest(`${dump(100_001)}${dump(2)}`, { names: 'normalised' });
  expect(problems.map(({ message }) => message)).toContainEqual(
    'what threads do with their time is not told of 1 dump with more than 100000 threads',
  );
  const sums = profile!.metrics.map(({ id }, at) => [
    id,
    profile!.cells[at]!.count.reduce((sum, each) => sum + each, 0),
  ]);
  expect(sums).toEqual([
    ['wall', 100_003],
    ['typed', 2],
  ]);
});

describe('profiles of a published study, rebuilt as dumps', () => {
  test('threads of a mail server wait for a monitor that others hold while they end messages', async () => {
    const SERVE = ['mail.SMTPServiceThread.run', ...START];
    const FINISH = ['mail.SMTPServiceThread.finalizeMsg', ...SERVE];
    const blocked = (id: string): Thread => ({
      state: 'BLOCKED (on object monitor)',
      stack: FINISH,
      lock: `waiting to lock <0x${id}> (a mail.Queue)`,
    });
    const holder = (id: string, stack: readonly string[]): Thread => ({
      ...runnable('mail.Queue.count', ...stack),
      lock: `locked <0x${id}> (a mail.Queue)`,
    });
    const data = await typed(
      dumps(
        [holder('0a', FINISH), ...many(14, blocked('0a')), ...many(30, runnable(...FINISH))],
        [holder('0b', SERVE), ...many(5, blocked('0b')), ...many(47, runnable(...SERVE))],
        // The holder of the monitor is not in the dump.
        many(2, blocked('0c')),
      ),
    );
    expect(cost(data, '* SMTPServiceThread.run')).toBe(1);
    expect(cost(data, '* SMTPServiceThread.run SMTPServiceThread.finalizeMsg')).toBe(0.52);
    expect(cost(data, '* SMTPServiceThread.run SMTPServiceThread.finalizeMsg :MONITOR')).toBe(0.21);
    expect(cost(data, 'SMTPServiceThread.finalizeMsg :MONITOR SMTPServiceThread.run')).toBe(0.19);
    expect(cost(data, 'SMTPServiceThread.finalizeMsg :MONITOR ..SMTPServiceThread.finalizeMsg')).toBe(0.14);
  });

  test('senders wait behind threads of higher priority, whose classes are told', async () => {
    const sender: Thread = { ...runnable('mail.SMTP_sender.run', ...START), name: 'sender' };
    const ahead = (frame: string): Thread => ({
      ...runnable(frame, ...START),
      name: 'ahead',
      heading: 'prio=10 os_prio=-5',
    });
    const data = await typed(
      dumps(
        [ahead('mail.EventQueueServer.run'), ...many(607, sender)],
        [ahead('java.lang.ref.Reference$ReferenceHandler.run'), ...many(131, sender)],
        [ahead('java.lang.ref.Finalizer$FinalizerThread.run'), ...many(124, sender)],
        [ahead('mail.Clock.run'), ...many(2, sender)],
        many(136, { ...sender, state: 'WAITING (parking)' }),
      ),
      { processors: 1 },
    );
    const view = ['sender-*'];
    expect(cost(data, 'SMTP_sender.run', view)).toBe(1);
    expect(cost(data, 'SMTP_sender.run :PRIO', view)).toBe(0.864);
    const { rows, whole } = paths(data, 'SMTP_sender.run :PRIO', view, 'down');
    expect(rows!.map(({ name, amount }) => [name, thousandths(amount, whole)])).toEqual([
      ['mail.EventQueueServer.run', 0.607],
      ['java.lang.ref.Reference$ReferenceHandler.run', 0.131],
      ['java.lang.ref.Finalizer$FinalizerThread.run', 0.124],
    ]);
  });
});
