// The JFR reader on events of other recorders and of configurations, written by hand; each with what must come out.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { memorySource } from '../../../server/ingest/byte-source.ts';
import type { EventMetric, Ingested } from '../../../server/ingest/ingest.ts';
import { ingestFile } from '../../../server/ingest/read.ts';
import { ingestSource } from '../../../server/ingest/read-source.ts';
import { toCollapsed } from '../../../server/snapshot/export/collapsed.ts';
import {
  type ChunkOptions,
  ChunkWriter,
  type EventType,
  methodPools,
  type Pool,
  stackPool,
  TYPE,
  threadPool,
} from '../../support/recordings/jfr-writer.ts';
import { METHOD_TIMING, METHOD_TRACE, TIMING, TRACE } from '../../support/recordings/method-events.ts';

function read(bytes: Uint8Array, metrics: readonly EventMetric[] = []): Promise<Ingested> {
  return ingestSource(memorySource('test.jfr', bytes), { names: 'raw', metrics });
}

function stacks({ profile }: Ingested, metric: string): string {
  return toCollapsed(profile!, { frames: 'method', threads: true, metric, weights: true });
}

const metricIds = ({ profile }: Ingested) => profile?.metrics.map(metric => metric.id);
const messages = ({ problems }: Ingested) => problems.map(({ severity, message }) => `${severity}: ${message}`);

const RUNNING = 1;
const SLEEPING = 2;

/** Stack 1 is A.run calling A.work; methods 1 to 3 are run, work and rest; two threads. */
function pools(): Pool[] {
  const frames = [
    { method: 2, line: 20 },
    { method: 1, line: 10 },
  ];
  const states: Pool = {
    type: TYPE.state,
    entries: [
      [RUNNING, out => out.text('STATE_RUNNABLE')],
      [SLEEPING, out => out.text('STATE_SLEEPING')],
    ],
  };
  return [
    stackPool([
      { key: 1, frames },
      { key: 2, frames: frames.slice(1) },
      { key: 3, frames: [] },
    ]),
    ...methodPools(['run', 'work', 'rest'].map((name, i) => ({ key: i + 1, owner: 'A', name }))),
    threadPool([
      { key: 1, name: 'one' },
      { key: 2, name: 'two' },
    ]),
    states,
  ];
}

const WHERE = [
  ['startTime', TYPE.long, 'ticks'],
  ['eventThread', TYPE.thread, 'pool'],
  ['stackTrace', TYPE.stack, 'pool'],
] as const;

describe('async-profiler', () => {
  const [SAMPLE, SETTING, WALL] = [200, 201, 202];
  const events: readonly EventType[] = [
    {
      id: SAMPLE,
      name: 'jdk.ExecutionSample',
      fields: [
        ['startTime', TYPE.long, 'ticks'],
        ['sampledThread', TYPE.thread, 'pool'],
        ['stackTrace', TYPE.stack, 'pool'],
        ['state', TYPE.state, 'pool'],
      ],
    },
    {
      id: SETTING,
      name: 'jdk.ActiveSetting',
      fields: [
        ['startTime', TYPE.long, 'ticks'],
        ['id', TYPE.long],
        ['name', TYPE.string],
        ['value', TYPE.string],
      ],
    },
    {
      id: WALL,
      name: 'profiler.WallClockSample',
      fields: [
        ['startTime', TYPE.long, 'ticks'],
        ['sampledThread', TYPE.thread, 'pool'],
        ['stackTrace', TYPE.stack, 'pool'],
        ['state', TYPE.state, 'pool'],
        ['samples', TYPE.int],
      ],
    },
  ];

  function chunk(settings: readonly (readonly [id: number, name: string, value: string])[]): ChunkWriter {
    const writer = new ChunkWriter({ version: [2, 0], ninthByte: 0x80, events });
    for (const [id, name, value] of settings) {
      writer.event(writer.body(SETTING).long(0).long(id).text(name).text(value));
    }
    return writer
      .longs(SAMPLE, 0, 1, 1, RUNNING)
      .longs(SAMPLE, 0, 1, 1, SLEEPING)
      .longs(SAMPLE, 0, 2, 2, RUNNING)
      .longs(SAMPLE, 0, 2, 2, 77);
  }

  test('samples of CPU time are cpu, whatever the thread did', async () => {
    const settings = [[SAMPLE, 'event', 'cpu'] as const, [SAMPLE, 'interval', '10000000'] as const];
    const ingested = await read(chunk(settings).checkpoint(pools()).finish());
    expect(metricIds(ingested)).toEqual(['cpu']);
    expect(stacks(ingested, 'cpu')).toBe('one;A.run;A.work 2 2\ntwo;A.run 2 2\n');
  });

  test('with an engine of elapsed time beside another, samples of the default state are cpu', async () => {
    const settings = [[SAMPLE, 'event', 'itimer'] as const, [SAMPLE, 'wall', '20000000'] as const];
    const writer = chunk([...settings, [SAMPLE, 'interval', '10000000']]).longs(SAMPLE, 0, 1, 1, 0);
    const ingested = await read(writer.checkpoint(pools()).finish());
    expect(stacks(ingested, 'cpu')).toBe('one;A.run;A.work 1 1\n');
    expect(stacks(ingested, 'wall')).toBe('one;A.run;A.work 2 2\ntwo;A.run 2 2\n');
    expect(ingested.profile?.metrics.map(({ id, periodNanos }) => [id, periodNanos])).toEqual([
      ['wall', 20_000_000],
      ['cpu', 10_000_000],
    ]);
  });

  test('without settings, samples of threads that were asleep are wall', async () => {
    const settings = [[SAMPLE, 'interval', '10000000'] as const];
    const ingested = await read(chunk(settings).checkpoint(pools()).finish());
    expect(stacks(ingested, 'cpu')).toBe('one;A.run;A.work 1 1\ntwo;A.run 2 2\n');
    expect(stacks(ingested, 'wall')).toBe('one;A.run;A.work 1 1\n');
    expect(ingested.profile?.metrics.map(({ id, periodNanos }) => [id, periodNanos])).toEqual([
      ['cpu', 10_000_000],
      ['wall', 10_000_000],
    ]);
    expect(ingested.problems).toEqual([]);
  });

  test('samples of elapsed time are wall, whatever the thread did', async () => {
    const ingested = await read(
      chunk([[SAMPLE, 'event', 'wall']])
        .checkpoint(pools())
        .finish(),
    );
    expect(metricIds(ingested)).toEqual(['wall']);
    expect(stacks(ingested, 'wall')).toBe('one;A.run;A.work 2 2\ntwo;A.run 2 2\n');
  });

  test('the setting of another event does not matter, and each chunk has its own', async () => {
    const cpu = chunk([[WALL, 'event', 'wall']])
      .checkpoint(pools())
      .finish();
    const wall = chunk([[SAMPLE, 'event', 'wall']])
      .checkpoint(pools())
      .finish();
    const ingested = await read(Buffer.concat([cpu, wall, cpu]));
    expect(stacks(ingested, 'cpu')).toBe('one;A.run;A.work 2 2\ntwo;A.run 4 4\n');
    expect(stacks(ingested, 'wall')).toBe('one;A.run;A.work 4 4\ntwo;A.run 2 2\n');
  });

  test('one wall-clock event stands for several samples', async () => {
    const writer = chunk([[SAMPLE, 'event', 'cpu']]);
    for (const samples of [3, 4]) {
      writer.event(writer.body(WALL).long(0).long(1).long(1).long(SLEEPING).int(samples));
    }
    const ingested = await read(writer.checkpoint(pools()).finish());
    expect(stacks(ingested, 'wall')).toBe('one;A.run;A.work 7 7\n');
    expect(stacks(ingested, 'cpu')).toBe('one;A.run;A.work 2 2\ntwo;A.run 2 2\n');
  });
});

test.each([
  ['20 ms', 20_000_000],
  ['endChunk', 0],
  ['20 constructor', 0],
])('the period of a JDK’s samples comes from its settings: %s', async (value, periodNanos) => {
  const SETTING = 201;
  const fields = [
    ['id', TYPE.long],
    ['name', TYPE.string],
    ['value', TYPE.string],
  ] as const;
  const writer = new ChunkWriter({ events: [{ id: SETTING, name: 'jdk.ActiveSetting', fields }] }).sample(1);
  for (const [id, name, text] of [
    [TYPE.sleep, 'period', '50 ms'],
    [TYPE.executionSample, 'period', value],
    [TYPE.executionSample, 'enabled', 'true'],
  ] as const) {
    writer.event(writer.body(SETTING).long(id).text(name).text(text));
  }
  const ingested = await read(writer.checkpoint(pools()).finish());
  expect(ingested.profile?.metrics).toMatchObject([{ id: 'cpu', periodNanos }]);
});

describe('samples of CPU time of the JDK', () => {
  const [SAMPLE, LOST, LOSS] = [210, 211, 212];
  const events: readonly EventType[] = [
    {
      id: SAMPLE,
      name: 'jdk.CPUTimeSample',
      fields: [...WHERE, ['failed', TYPE.boolean], ['samplingPeriod', TYPE.long, 'ticks'], ['biased', TYPE.boolean]],
    },
    {
      id: LOST,
      name: 'jdk.CPUTimeSamplesLost',
      fields: [
        ['startTime', TYPE.long, 'ticks'],
        ['lostSamples', TYPE.int],
      ],
    },
    {
      id: LOSS,
      name: 'jdk.DataLoss',
      fields: [
        ['startTime', TYPE.long, 'ticks'],
        ['amount', TYPE.long],
      ],
    },
  ];

  test('weigh their period; failed and lost ones are counted and reported', async () => {
    const writer = new ChunkWriter({ events });
    const sample = (stack: number, failed: number, micros: number) =>
      writer.event(writer.body(SAMPLE).long(0).long(1).long(stack).raw(failed).long(micros).raw(0));
    sample(1, 0, 10_000);
    sample(1, 0, 20_000);
    sample(0, 1, 10_000);
    writer.event(writer.body(LOST).long(0).int(7)).event(writer.body(LOSS).long(0).long(4096));
    const ingested = await read(writer.checkpoint(pools()).finish());
    expect(stacks(ingested, 'cpu-time')).toBe('one;A.run;A.work 2 30000000\none;[no stack] 1 10000000\n');
    expect(ingested.profile?.metrics[0]?.periodNanos).toBe(20_000_000);
    expect(ingested.profile?.losses).toEqual({ truncatedStacks: 0, withoutStack: 1, lostSamples: 7 });
    expect(messages(ingested)).toEqual([
      'warning: the recorder dropped 4096 bytes of events',
      'warning: the recorder lost 7 samples',
      'info: the recorder could not walk the stack of 1 samples',
    ]);
  });
});

describe('events about single methods', () => {
  const MISSING = -(2n ** 63n);
  const writer = (options: ChunkOptions = {}) => new ChunkWriter({ ...options, events: [METHOD_TRACE, METHOD_TIMING] });

  test('a traced call hangs below its caller and keeps its own time', async () => {
    // rest 10 µs from 5 and from 20 inside work from 0 to 50; work again from 60 to 70; the other thread beside.
    const chunk = writer()
      .longs(TRACE, 5, 10, 1, 1, 3)
      .longs(TRACE, 20, 10, 1, 1, 3)
      .longs(TRACE, 0, 50, 1, 2, 2)
      .longs(TRACE, 60, 10, 1, 2, 2)
      .longs(TRACE, 2, 40, 2, 2, 2);
    const ingested = await read(chunk.checkpoint(pools()).finish());
    expect(stacks(ingested, 'calls')).toBe('one;A.run;A.work 2 2\none;A.run;A.work;A.rest 2 2\ntwo;A.run;A.work 1 1\n');
    expect(stacks(ingested, 'time')).toBe(
      'one;A.run;A.work 2 40000\none;A.run;A.work;A.rest 2 20000\ntwo;A.run;A.work 1 40000\n',
    );
    expect(ingested.profile?.metrics.map(({ id, unit, kind }) => `${id} ${unit} ${kind}`)).toEqual([
      'time nanoseconds exact',
      'calls invocations exact',
    ]);
    const lines = toCollapsed(ingested.profile!, { frames: 'line', threads: false, metric: 'calls' });
    expect(lines).toContain('A.run:10;A.work:20;A.rest:0 2\n');
  });

  test('recursion, and calls that end in a later chunk, are not timed twice', async () => {
    const first = writer().longs(TRACE, 2, 3, 1, 1, 2).longs(TRACE, 1, 6, 1, 1, 2).longs(TRACE, 0, 9, 1, 1, 2);
    const second = writer().longs(TRACE, 40, 10, 1, 1, 3).longs(TRACE, 0, 100, 1, 2, 2);
    const bytes = [first, second].map(chunk => chunk.checkpoint(pools()).finish());
    expect(stacks(await read(bytes[0]!), 'time')).toBe('one;A.run;A.work;A.work 3 9000\n');
    expect(stacks(await read(Buffer.concat(bytes)), 'time')).toBe(
      'one;A.run;A.work 1 81000\none;A.run;A.work;A.rest 1 10000\none;A.run;A.work;A.work 3 9000\n',
    );
    // The clock of another JVM stood at zero at another time: its calls made none of those before.
    bytes[1] = second.finish(header => header.setBigInt64(32, header.getBigInt64(32) + 60_000_000_000n));
    expect(stacks(await read(Buffer.concat(bytes)), 'time')).toContain('one;A.run;A.work 1 90000\n');
  });

  test('a traced call without a stack, or with an empty one, stands below the root', async () => {
    const chunk = writer().longs(TRACE, 0, 1, 1, 0, 2).longs(TRACE, 10, 1, 1, 3, 2).longs(TRACE, 20, 1, 0, 0, 99);
    const ingested = await read(chunk.checkpoint(pools()).finish());
    expect(stacks(ingested, 'time')).toBe('-;[no method] 1 1000\none;A.work 2 2000\n');
    expect(ingested.profile?.losses.withoutStack).toBe(2);
  });

  test('totals of a timed method are taken once, by window, without traced calls', async () => {
    const seconds = (n: number) => n * 1_000_000;
    const chunk = writer()
      .longs(TIMING, seconds(1), 2, 10, 1, 4, 9)
      .longs(TIMING, seconds(2), 2, 15, 1, 6, 20)
      .longs(TIMING, seconds(12), 2, 20, 1, 5, 20)
      .longs(TIMING, seconds(1), 1, 1000, MISSING, MISSING, MISSING)
      .longs(TIMING, seconds(1), 3, 1, 7, 7, 7)
      .longs(TRACE, 0, 7, 1, 1, 3);
    const ingested = await read(chunk.checkpoint(pools()).finish());
    expect(stacks(ingested, 'calls')).toBe('-;A.run 1000 1000\n-;A.work 20 20\none;A.run;A.work;A.rest 1 1\n');
    expect(stacks(ingested, 'time')).toBe('-;A.run 1000 0\n-;A.work 20 100000\none;A.run;A.work;A.rest 1 7000\n');
    const { profile, methodTimings } = ingested;
    const named = methodTimings!.map(({ method, ...timing }) => {
      return { name: profile!.methods.strings[profile!.methods.name[method]!], ...timing };
    });
    const [work, run] = named;
    expect(work).toEqual({
      name: 'work',
      invocations: 20,
      minimumNanos: 1000,
      averageNanos: 5000,
      maximumNanos: 20_000,
      sinceFirst: { invocations: 10, millis: 11_000 },
    });
    expect(run).toMatchObject({ name: 'run', invocations: 1000, minimumNanos: null, averageNanos: null });
    const calls = profile!.cells[profile!.metrics.findIndex(({ id }) => id === 'calls')]!;
    expect([...calls.window].sort()).toEqual([0, 0, 0, 1]);
  });

  test('totals of a method that was traced in another chunk alone are taken', async () => {
    const traced = writer().longs(TRACE, 0, 7, 1, 2, 2).longs(TIMING, 10, 2, 1, 7, 7, 7);
    const summed = writer().longs(TIMING, 100, 2, 5, 1, 4, 9);
    const bytes = Buffer.concat([traced, summed].map(chunk => chunk.checkpoint(pools()).finish()));
    // Five calls in all, of which one is known with its caller.
    expect(stacks(await read(bytes), 'calls')).toBe('-;A.work 4 4\none;A.run;A.work 1 1\n');
  });

  test('totals that begin anew, here or in another JVM, are added', async () => {
    const again = writer().longs(TIMING, 0, 2, 10, 1, 4, 9).longs(TIMING, 1, 2, 3, 1, 4, 9).checkpoint(pools());
    const other = again.finish(header => header.setBigInt64(48, 3_600_000_000n));
    const ingested = await read(Buffer.concat([again.finish(), other]));
    expect(stacks(ingested, 'time')).toBe('-;A.work 26 104000\n');
  });
});

describe('metrics by configuration', () => {
  const ORDER = 230;
  const name = 'com.acme.Order';
  const order: EventType = {
    id: ORDER,
    name,
    fields: [...WHERE, ['size', TYPE.int], ['price', TYPE.float], ['took', TYPE.long, 'ticks'], ['text', TYPE.string]],
  };

  async function readOrders(...metrics: readonly EventMetric[]): Promise<Ingested> {
    const writer = new ChunkWriter({ events: [order] });
    for (const [size, took] of [
      [5, 30],
      [7, 20],
      [-1, -20],
    ] as const) {
      const price = new DataView(new ArrayBuffer(4));
      price.setFloat32(0, size * 10.5);
      const body = writer
        .body(ORDER)
        .long(0)
        .long(1)
        .long(1)
        .integer(BigInt.asUintN(32, BigInt(size)), 4);
      for (let i = 0; i < 4; i++) body.raw(price.getUint8(i));
      writer.event(body.long(took).text('x'));
    }
    return read(writer.checkpoint(pools()).finish(), metrics);
  }

  test.each<[string, Omit<EventMetric, 'event'>, string]>([
    ['no weight', { unit: 'samples' }, '3 3'],
    ['a number', { weight: 'size', unit: 'bytes' }, '3 12'],
    ['a number with a fraction, in whole units', { weight: 'price', unit: 'bytes' }, '3 125'],
    ['a span of time', { weight: 'took', unit: 'nanoseconds' }, '3 50000'],
    ['a number of samples', { weight: 'size', unit: 'samples' }, '12 12'],
    ['a number of invocations', { weight: 'size', unit: 'invocations' }, '12 12'],
  ])('%s', async (_, how, sums) => {
    const ingested = await readOrders({ event: name, ...how });
    expect(stacks(ingested, name)).toBe(`one;A.run;A.work ${sums}\n`);
    expect(ingested.profile?.metrics).toMatchObject([{ id: name, unit: how.unit, kind: 'measured', events: [name] }]);
    expect(ingested.problems).toEqual([]);
  });

  test.each(['nothing', 'text', 'startTime', 'stackTrace'])('the weight %s is no number: reported', async weight => {
    const ingested = await readOrders({ event: name, weight, unit: 'nanoseconds' });
    expect(stacks(ingested, name)).toBe('one;A.run;A.work 3 3\n');
    expect(messages(ingested)).toEqual([`warning: ${name}.${weight} is no number: the events are counted instead`]);
  });

  test('an event that feeds a metric already keeps it', async () => {
    const bytes = new ChunkWriter().sample(1).checkpoint(pools()).finish();
    const ingested = await read(bytes, [{ event: 'jdk.ExecutionSample', weight: 'startTime', unit: 'bytes' }]);
    expect(stacks(ingested, 'cpu')).toBe('one;A.run;A.work 1 1\n');
    expect(metricIds(ingested)).toEqual(['cpu']);
    expect(messages(ingested)[0]).toContain('jdk.ExecutionSample feeds the metric cpu already');
  });

  test('the sample program’s own event, in its recordings', async () => {
    const folder = fileURLToPath(new URL('../../../samples/recordings', import.meta.url));
    for (const file of readdirSync(folder).filter(each => each.endsWith('.jfr'))) {
      const event = 'com.acme.shop.OrderPlaced';
      const metrics: EventMetric[] = [{ event, weight: 'textSize', unit: 'bytes' }];
      const { profile } = await ingestFile(join(folder, file), { names: 'normalised', metrics });
      const text = toCollapsed(profile!, { frames: 'method', threads: false, metric: event, weights: true });
      const sums = text.split('\n').map(line => line.split(' ').slice(-2).map(Number));
      const placed = sums.reduce((sum, [count]) => sum + (count ?? 0), 0);
      expect(placed).toBeGreaterThan(100);
      expect(sums.reduce((sum, [, weight]) => sum + (weight ?? 0), 0)).toBeGreaterThan(placed);
      expect(text).toContain('com.acme.shop.');
      expect(profile!.metrics.map(({ id }) => id)).toContain('cpu');
    }
  });
});
