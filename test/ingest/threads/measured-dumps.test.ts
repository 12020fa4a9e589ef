// Tests processor time that dumps measure: of simulated threads, whose times are known, and of threads that begin and end between dumps.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Profile } from '../../../server/cct/profile.ts';
import { toCollapsed } from '../../../server/snapshot/export/collapsed.ts';
import { typedNanos } from '../../support/profiles/typed-nanos.ts';
import { ingest } from '../../support/recordings/ingested.ts';
import { runs } from '../../support/runs.ts';

type Seen = { readonly id: number; readonly runs: boolean; readonly cpuMillis: number; readonly elapsedMillis: number };

/** Dumps at moments that only `elapsed=` tells to less than a second. */
function text(series: readonly (readonly Seen[])[]): string {
  const thread = ({ id, runs, cpuMillis, elapsedMillis }: Seen) =>
    [
      `"t${'abcdefghij'[id]}" #${id} prio=5 os_prio=0 cpu=${cpuMillis.toFixed(2)}ms elapsed=${(elapsedMillis / 1000).toFixed(2)}s tid=0x${id + 1} nid=0x${id} ${runs ? 'runnable' : 'waiting on condition'}  [0x0]`,
      `   java.lang.Thread.State: ${runs ? 'RUNNABLE' : 'TIMED_WAITING (sleeping)'}`,
      `\tat ${runs ? 'app.Task.work' : 'app.Task.rest'}(Task.java:7)`,
      '\tat app.Task.run(Task.java:3)',
      '\tat java.lang.Thread.run(Thread.java:840)',
      '',
    ].join('\n');
  return series
    .map(threads => `2026-11-20 16:00:00\nFull thread dump OpenJDK (17):\n\n${threads.map(thread).join('\n')}`)
    .join('\n');
}

const read = async (series: readonly (readonly Seen[])[], processors = 4) =>
  (await ingest(text(series), { processors })).profile!;

/** `ta Task.work :RUN 40`, in milliseconds. */
function cellsOf(profile: Profile): string[] {
  return toCollapsed(profile, { frames: 'full', metric: 'typed', threads: true, weights: true })
    .trim()
    .split('\n')
    .map(line =>
      line
        .replace(/java\.lang\.Thread\.run:840;/, '')
        .replace(/(?::0)? \d+ ([\d.]+)$/, (_, nanos) => ` ${Math.round(Number(nanos) / 1e6)}`),
    )
    .sort();
}

/** A thread that runs and rests in turns; times are tens of milliseconds, as dumps tell them. */
const thread = fc.record({
  runs: fc.integer({ min: 0, max: 9 }),
  rests: fc.integer({ min: 0, max: 9 }),
  begin: fc.integer({ min: 1, max: 50 }),
});

test('running time of each thread is what its dumps measure, and all types add up to its life between them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(thread, { minLength: 1, maxLength: 4 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 2, maxLength: 12 }),
      async (threads, steps) => {
        const moments = steps.map((_, at) => 60 + steps.slice(0, at).reduce((sum, step) => sum + step, 0));
        const seen = (id: number, at: number): Seen => {
          const { runs: on, rests: off, begin } = threads[id]!;
          const elapsed = at - begin;
          const isRunning = (tick: number) => tick % Math.max(1, on + off) < on;
          const cpu = Array.from({ length: elapsed }, (_, tick) => tick).filter(isRunning).length;
          return { id, runs: isRunning(elapsed), cpuMillis: 10 * cpu, elapsedMillis: 10 * elapsed };
        };
        const profile = await read(moments.map(at => threads.map((_, id) => seen(id, at))));
        const typed = typedNanos(profile);
        const [first, last] = [moments[0]!, moments.at(-1)!];
        for (const id of threads.keys()) {
          const own = typed.get(`t${'abcd'[id]}`)!;
          const run = seen(id, last).cpuMillis - seen(id, first).cpuMillis;
          expect((own.get(':RUN') ?? 0) / 1e6).toBeCloseTo(run, 3);
          expect([...own.values()].reduce((sum, nanos) => sum + nanos, 0) / 1e6).toBeCloseTo(10 * (last - first), 3);
        }
      },
    ),
    { numRuns: runs(60) },
  );
});

test('a thread that runs for four tenths and rests for six waits for no processor', async () => {
  const dumps = Array.from({ length: 200 }, (_, at): Seen[] => {
    const elapsed = 1000 + 370 * at + 10 * (at % 7);
    return [{ id: 0, runs: elapsed % 100 < 40, cpuMillis: 40 * Math.floor(elapsed / 100), elapsedMillis: elapsed }];
  });
  const own = typedNanos(await read(dumps)).get('ta')!;
  const all = [...own.values()].reduce((sum, nanos) => sum + nanos, 0);
  const part = (type: string) => (own.get(type) ?? 0) / all;
  expect(Math.abs(part(':RUN') - 0.4)).toBeLessThan(0.02);
  expect(part(':LOAD')).toBeLessThan(0.05);
  expect(Math.abs(part(':WAIT') - 0.6)).toBeLessThan(0.05);
});

test('a thread that is never seen running ran in its outermost own frame', async () => {
  const at = (cpuMillis: number, elapsedMillis: number): Seen[] => [{ id: 0, runs: false, cpuMillis, elapsedMillis }];
  expect(cellsOf(await read([at(0, 1000), at(300, 2000)]))).toEqual([
    'ta;app.Task.run:0;:RUN 300',
    'ta;app.Task.run:3;app.Task.rest:7;:WAIT 700',
  ]);
});

test('a thread that wants a processor in all dumps and runs for a part waits for one in the others', async () => {
  const at = (cpuMillis: number, elapsedMillis: number): Seen[] => [{ id: 0, runs: true, cpuMillis, elapsedMillis }];
  expect(cellsOf(await read([at(0, 1000), at(300, 2000)]))).toEqual([
    'ta;app.Task.run:3;app.Task.work:7;:LOAD 700',
    'ta;app.Task.run:3;app.Task.work:7;:RUN 300',
  ]);
});

test('a thread that begins between two dumps lives from then on, one that ends is missing from its last dump on', async () => {
  const old = (elapsedMillis: number): Seen => ({ id: 0, runs: false, cpuMillis: 0, elapsedMillis });
  const young: Seen = { id: 1, runs: true, cpuMillis: 250, elapsedMillis: 500 };
  const { profile, problems } = await ingest(text([[old(1000)], [old(2000), young], [old(3000)]]), { processors: 4 });
  expect(cellsOf(profile!)).toEqual([
    'ta;app.Task.run:3;app.Task.rest:7;:WAIT 2000',
    'tb;app.Task.run:3;app.Task.work:7;:LOAD 250',
    'tb;app.Task.run:3;app.Task.work:7;:RUN 250',
  ]);
  expect(problems.map(({ message }) => message)).toContainEqual(
    '1 thread ended between two dumps: its last interval is missing, and threads that lived between two dumps are not seen, so that times are lower bounds',
  );
});

test('another thread at the same address is a new one', async () => {
  const at = (cpuMillis: number, elapsedMillis: number): Seen[] => [
    { id: 0, runs: true, cpuMillis, elapsedMillis },
    { id: 1, runs: false, cpuMillis: 0, elapsedMillis: elapsedMillis + 5000 },
  ];
  // Of the first the second dump knows nothing: it began 200 ms before.
  const [first, second] = [at(900, 1000), at(100, 200)];
  const series = [first, [second[0]!, { ...first[1]!, elapsedMillis: 7000 }]];
  expect(typedNanos(await read(series)).get('ta')).toEqual(
    new Map([
      [':LOAD', 100e6],
      [':RUN', 100e6],
    ]),
  );
});
