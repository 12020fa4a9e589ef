// Thread dumps of a JVM: when they were taken, what is kept of them on disk, and a JVM that does not answer.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endOpenWindows } from '../../server/record/abandoned-windows.ts';
import { noJvm } from '../../server/record/jvms.ts';
import { readSpooled, Spool } from '../../server/record/spool.ts';
import { ThreadDumps } from '../../server/record/thread-dumps.ts';
import { decodeSnapshot } from '../../server/snapshot/decode.ts';
import { encodeSnapshot } from '../../server/snapshot/encode.ts';
import { profileOfText } from '../support/profiles/profiles.ts';
import { typedNanos } from '../support/profiles/typed-nanos.ts';
import { samplesOf } from '../support/recorders/recording-shop.ts';
import { EXECUTION, snapshotOf } from '../support/stores/snapshots.ts';

/** As a JVM east of Greenwich writes it. */
const DUMP = `2031-01-02 03:04:05
Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode):

"main" #1 prio=5 os_prio=0 cpu=1.00ms elapsed=1.00s tid=0x00007f0000000000 nid=0x1 runnable  [0x00007f0000000000]
   java.lang.Thread.State: RUNNABLE
\tat com.acme.Shop.run(Shop.java:12)
\tat com.acme.Shop.main(Shop.java:5)
`;
const REDACTION = { pattern: /Shop/g, threads: 'all' } as const;

let folder = '';
let told: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-dumps-'));
  told = [];
});

afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

const file = () => join(folder, '1.dumps');

function dumps(own: Partial<ConstructorParameters<typeof ThreadDumps>[0]> = {}): ThreadDumps {
  return new ThreadDumps({
    jvm: noJvm('shop'),
    everyMillis: 1,
    file,
    hasRoom: () => true,
    report: problems => told.push(...problems.map(({ message }) => message)),
    ask: async () => ({ value: DUMP, problems: [] }),
    ...own,
  });
}

test('a dump is as old as the question, whatever zone its JVM lives in', async () => {
  const before = Date.now();
  const taken = dumps();
  taken.take();
  await vi.waitFor(() => expect(taken.bytes).toBeGreaterThan(0), 30_000);
  const profile = await taken.profile();
  expect(samplesOf(profile, 'wall')).toBe(1);
  expect(profile!.windows[0]!.startMillis).toBeGreaterThanOrEqual(before);
  expect(profile!.windows.at(-1)!.endMillis).toBeLessThanOrEqual(Date.now() + 1);
  taken.forget();
  expect(existsSync(file())).toBe(false);
});

test('the first interval of a window begins with the last dump of the window before', async () => {
  let seconds = 1;
  let window = 1;
  const taken = dumps({
    file: () => join(folder, `${window}.dumps`),
    ask: async () => {
      seconds++;
      const times = `cpu=${(100 * seconds).toFixed(2)}ms elapsed=${seconds.toFixed(2)}s`;
      return { value: DUMP.replace('cpu=1.00ms elapsed=1.00s', times), problems: [] };
    },
  });
  const sums: (readonly [number, number])[] = [];
  for (; window <= 3; window++) {
    for (let dump = 0; dump < 2; dump++) {
      const before = taken.bytes;
      await vi.waitFor(() => {
        if (taken.bytes === before) taken.take();
        expect(taken.bytes).toBeGreaterThan(before);
      }, 30_000);
    }
    const profile = (await taken.profile())!;
    const run = typedNanos(profile).get('main')!.get(':RUN')!;
    sums.push([samplesOf(profile, 'wall'), Math.round(run / 1e6)]);
    taken.forget();
  }
  // Two dumps each; one interval, then two of a second, of which a tenth is run.
  expect(sums).toEqual([
    [2, 100],
    [2, 200],
    [2, 200],
  ]);
});

test('a JVM that does not answer holds nothing up, and is asked one question at a time', async () => {
  let asked = 0;
  let answer: (value: { value: string; problems: [] }) => void = () => undefined;
  const taken = dumps({
    ask: () => {
      asked++;
      return new Promise(resolve => {
        answer = resolve;
      });
    },
  });
  for (let look = 0; look < 5; look++) {
    taken.take();
    await nextTurn();
  }
  expect(asked).toBe(1);
  expect(await taken.profile()).toBe(null);
  // It answers while the window is being written: that belongs to the next one.
  answer({ value: DUMP, problems: [] });
  await nextTurn();
  expect(existsSync(file())).toBe(false);
  taken.forget();
  expect(existsSync(file())).toBe(true);
});

test('a dump that cannot be kept is told of, and ends nothing', async () => {
  const tight = dumps({ hasRoom: bytes => bytes < 10 });
  tight.take();
  await vi.waitFor(() => expect(told).toEqual(['a thread dump is lost: there are too many of this window']), 30_000);
  told = [];
  const nowhere = dumps({ file: () => join(folder, 'missing', '1.dumps') });
  nowhere.take();
  await vi.waitFor(() => expect(told).toEqual([expect.stringContaining('a thread dump is lost: ENOENT')]), 30_000);
});

test('dumps that a killed recorder has left go out with its window, redacted, and leave no file', async () => {
  const spool = new Spool(folder, 'spool');
  const note = { sequence: 3, execution: EXECUTION, startMillis: 1000, position: null };
  spool.saveOpen(note, encodeSnapshot({ ...snapshotOf(profileOfText('com.acme.Order.place | 2@7')) }));
  writeFileSync(spool.dumpsOf(2), DUMP);
  writeFileSync(spool.dumpsOf(3), DUMP);
  const options = { isOver: () => true, isForGood: true, redaction: REDACTION };
  const { closed, problems } = await endOpenWindows(spool, options);
  expect(problems).toEqual([]);
  const { profile } = decodeSnapshot(readSpooled(closed[0]!.path)!.snapshot).value!;
  expect(samplesOf(profile, 'cpu')).toBe(2);
  expect(samplesOf(profile, 'wall')).toBe(1);
  expect(profile.methods.strings.join(' ')).not.toContain('Shop');
  for (const spooled of closed) spool.remove(spooled);
  spool.removeIfEmpty();
  expect(existsSync(spool.folder)).toBe(false);
});

test('dumps of a window that had nothing else go out as well', async () => {
  const spool = new Spool(folder, 'spool');
  spool.saveOpen({ sequence: 1, execution: EXECUTION, startMillis: 1000, position: null }, new Uint8Array(0));
  writeFileSync(spool.dumpsOf(1), DUMP);
  const { closed } = await endOpenWindows(spool, { isOver: () => true, isForGood: true, redaction: REDACTION });
  const { header, profile } = decodeSnapshot(readSpooled(closed[0]!.path)!.snapshot).value!;
  expect(header.execution).toEqual(EXECUTION);
  expect(samplesOf(profile, 'wall')).toBe(1);
});

test('owners of locks of java.util.concurrent are asked for on demand alone', async () => {
  const asked: string[] = [];
  const ask: NonNullable<ConstructorParameters<typeof ThreadDumps>[0]['ask']> = async (_, command) => {
    asked.push(command);
    return { value: DUMP, problems: [] };
  };
  dumps({ ask }).take();
  dumps({ ask, ownedSynchronizers: true }).take();
  await vi.waitFor(() => expect(asked).toEqual(['Thread.print', 'Thread.print -l']));
});

test('intervals vary between half and one and a half of what was asked for', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  let asked = 0;
  const taken = dumps({
    everyMillis: 1000,
    ask: async () => {
      asked++;
      return { value: null, problems: [] };
    },
  });
  const intervals: number[] = [];
  for (let millis = 0, last = 0, before = 0; intervals.length < 200; millis++) {
    taken.take();
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
    if (asked > before) {
      if (before > 0) intervals.push(millis - last);
      [last, before] = [millis, asked];
    }
    vi.advanceTimersByTime(1);
  }
  expect(Math.min(...intervals)).toBeGreaterThanOrEqual(500);
  expect(Math.min(...intervals)).toBeLessThan(600);
  expect(Math.max(...intervals)).toBeLessThanOrEqual(1501);
  expect(Math.max(...intervals)).toBeGreaterThan(1400);
});
