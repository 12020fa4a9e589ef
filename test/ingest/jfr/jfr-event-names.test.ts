// The JFR reader on samples under the names of other versions and of agents: each feeds its metric once, and what is not read is named.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatProblem } from '../../../server/base/problem.ts';
import { memorySource } from '../../../server/ingest/byte-source.ts';
import type { Ingested, IngestOptions } from '../../../server/ingest/ingest.ts';
import { ingestSource } from '../../../server/ingest/read-source.ts';
import {
  type ChunkOptions,
  ChunkWriter,
  type EventType,
  methodPools,
  stackPool,
  TYPE,
  threadPool,
} from '../../support/recordings/jfr-writer.ts';

const POOLS = [
  stackPool([{ key: 1, frames: [{ method: 1, line: 13 }] }]),
  ...methodPools([{ key: 1, owner: 'com/acme/Work', name: 'inner' }]),
  threadPool([{ key: 1, name: 'main' }]),
];

type Kind = { readonly name: string; readonly metric: string; readonly fields: EventType['fields'] };

const WHERE: EventType['fields'] = [
  ['startTime', TYPE.long, 'ticks'],
  ['eventThread', TYPE.thread, 'pool'],
  ['stackTrace', TYPE.stack, 'pool'],
];
const SAMPLED: EventType['fields'] = [
  ['startTime', TYPE.long, 'ticks'],
  ['sampledThread', TYPE.thread, 'pool'],
  ['stackTrace', TYPE.stack, 'pool'],
];

/** Events of the JVM since version 9, without the prefix of their names; the weight of each is its last field. */
const JVM_KINDS: readonly Kind[] = [
  { name: 'ExecutionSample', metric: 'cpu', fields: SAMPLED },
  { name: 'NativeMethodSample', metric: 'native', fields: SAMPLED },
  { name: 'JavaExceptionThrow', metric: 'exception', fields: WHERE },
  { name: 'ObjectAllocationInNewTLAB', metric: 'alloc', fields: [...WHERE, ['tlabSize', TYPE.long]] },
  { name: 'ObjectAllocationOutsideTLAB', metric: 'alloc', fields: [...WHERE, ['allocationSize', TYPE.long]] },
  ...(['JavaMonitorEnter', 'JavaMonitorWait', 'ThreadPark', 'ThreadSleep', 'SocketRead', 'FileWrite'] as const).map(
    (name, i): Kind => ({
      name,
      metric: ['lock', 'wait', 'park', 'sleep', 'socket', 'file'][i]!,
      fields: [...WHERE, ['duration', TYPE.long]],
    }),
  ),
];

function chunk(
  options: ChunkOptions,
  events: readonly (readonly [EventType, values: readonly number[]])[],
): Uint8Array {
  const types = new Map(events.map(([type]) => [type.id, type]));
  const writer = new ChunkWriter({ ...options, events: [...types.values()] });
  for (const [{ id }, values] of events) writer.longs(id, 0, 1, ...values);
  return writer.checkpoint(POOLS).finish();
}

function read(bytes: Uint8Array, options: Partial<IngestOptions> = {}): Promise<Ingested> {
  return ingestSource(memorySource('test.jfr', bytes), { names: 'raw', ...options });
}

/** `cpu 60 of com.oracle.jdk.ExecutionSample`: count, else weight, of each metric. */
function sums({ profile }: Ingested): string[] {
  const sumOf = (column: Float64Array) => column.reduce((sum, each) => sum + each, 0);
  return (profile?.metrics ?? [])
    .map(({ id, unit, events }, i) => {
      const { count, weight } = profile!.cells[i]!;
      const amount = unit === 'samples' ? sumOf(count) : sumOf(weight);
      return `${id} ${amount} of ${events.join(' ')}`;
    })
    .sort();
}

const texts = ({ problems }: Ingested) => problems.map(({ severity, message }) => `${severity}: ${message}`);

test('every event of the JVM feeds its metric under the names of all versions, in all forms of chunks', async () => {
  const kinds = fc.array(fc.tuple(fc.constantFrom(...JVM_KINDS), fc.integer({ min: 1, max: 9000 })), {
    minLength: 1,
    maxLength: 12,
  });
  const form = fc.record({
    version: fc.constantFrom<[number, number]>([2, 0], [2, 1]),
    compressed: fc.boolean(),
    prefix: fc.constantFrom('jdk.', 'com.oracle.jdk.'),
  });
  await fc.assert(
    fc.asyncProperty(kinds, form, async (chosen, { prefix, ...options }) => {
      const expected = new Map<string, { amount: number; events: Set<string> }>();
      const events = chosen.map(([{ name, metric, fields }, weight]) => {
        const isWeighted = fields.length > 3;
        const known = expected.get(metric) ?? { amount: 0, events: new Set() };
        known.amount += isWeighted ? weight : 1;
        known.events.add(prefix + name);
        expected.set(metric, known);
        const type = { id: 300 + JVM_KINDS.findIndex(each => each.name === name), name: prefix + name, fields };
        return [type, isWeighted ? [1, weight] : [1]] as const;
      });
      const ingested = await read(chunk(options, events));
      const lines = Array.from(
        expected,
        ([metric, { amount, events: of }]) => `${metric} ${amount} of ${[...of].sort().join(' ')}`,
      );
      expect(sums(ingested)).toEqual(lines.sort());
      expect(ingested.problems).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

const cpuType = (name: string, id = 400): EventType => ({ id, name, fields: SAMPLED });
const AGENT: EventType = { id: 401, name: 'datadog.ExecutionSample', fields: [...SAMPLED, ['weight', TYPE.long]] };
const times = <T>(count: number, each: T): T[] => Array.from({ length: count }, () => each);

test('weights of an agent say how many samples its events stand for; its samples of elapsed time are no cpu', async () => {
  const wall = { ...AGENT, id: 402, name: 'datadog.MethodSample' };
  const ingested = await read(
    chunk({}, [...times(3, [AGENT, [1, 20]] as const), ...times(5, [wall, [1, 2]] as const)]),
  );
  expect(sums(ingested)).toEqual(['cpu 60 of datadog.ExecutionSample', 'wall 10 of datadog.MethodSample']);
  expect(ingested.problems).toEqual([]);
});

test('a weight that is a factor multiplies the size', async () => {
  const fields: EventType['fields'] = [...WHERE, ['size', TYPE.long], ['weight', TYPE.float]];
  const type = { id: 403, name: 'datadog.ObjectSample', fields };
  const writer = new ChunkWriter({ events: [type] });
  for (const weight of [1, 2.5]) {
    const float = new DataView(new ArrayBuffer(4));
    float.setFloat32(0, weight);
    const body = writer.body(type.id).long(0).long(1).long(1).long(100);
    writer.event(body.raw(...[0, 1, 2, 3].map(i => float.getUint8(i))));
  }
  expect(sums(await read(writer.checkpoint(POOLS).finish()))).toEqual(['alloc 350 of datadog.ObjectSample']);
});

test.each([
  ['in one chunk', 'jdk.ExecutionSample'],
  ['in one chunk', 'com.oracle.jdk.ExecutionSample'],
  ['in two chunks', 'jdk.ExecutionSample'],
])('samples of an agent beside those of the JVM count once: %s, %s', async (where, name) => {
  const [jvm, agent] = [times(6, [cpuType(name), [1]] as const), times(4, [AGENT, [1, 10]] as const)];
  const bytes =
    where === 'in one chunk' ? chunk({}, [...agent, ...jvm]) : Buffer.concat([chunk({}, jvm), chunk({}, [...agent])]);
  const ingested = await read(bytes);
  expect(sums(ingested)).toEqual([`cpu 6 of ${name}`, 'datadog.ExecutionSample 40 of datadog.ExecutionSample']);
  expect(texts(ingested)).toEqual([
    'info: 40 samples of datadog.ExecutionSample are a metric of their own: another event feeds cpu here',
  ]);
});

test('events under both names of the JVM count once', async () => {
  const [now, earlier] = [cpuType('jdk.ExecutionSample'), cpuType('com.oracle.jdk.ExecutionSample', 404)];
  const ingested = await read(chunk({}, [...times(5, [earlier, [1]] as const), ...times(2, [now, [1]] as const)]));
  expect(sums(ingested)).toEqual([
    'com.oracle.jdk.ExecutionSample 5 of com.oracle.jdk.ExecutionSample',
    'cpu 2 of jdk.ExecutionSample',
  ]);
});

test('events that more exact ones replace are counted and named', async () => {
  const sampled = { id: 405, name: 'jdk.ObjectAllocationSample', fields: [...WHERE, ['weight', TYPE.long]] } as const;
  const exact = {
    id: 406,
    name: 'jdk.ObjectAllocationInNewTLAB',
    fields: [...WHERE, ['tlabSize', TYPE.long]],
  } as const;
  const ingested = await read(chunk({}, [...times(3, [sampled, [1, 50]] as const), [exact, [1, 70]]]));
  expect(sums(ingested)).toEqual(['alloc 70 of jdk.ObjectAllocationInNewTLAB']);
  expect(texts(ingested)[0]).toContain('3 events jdk.ObjectAllocationSample were left out');
});

const OWN: EventType = { id: 20_000, name: 'com.acme.Sample', fields: WHERE };
const START: EventType = { id: 408, name: 'jdk.ThreadStart', fields: WHERE };

test('events with a stack that feed no metric are counted and named, others are not', async () => {
  const never = { id: 409, name: 'jdk.ActiveRecording', fields: WHERE } as const;
  const events = [
    ...times(2, [OWN, [0]] as const),
    ...times(5, [OWN, [1]] as const),
    ...times(3, [never, [0]] as const),
    [START, [1]] as const,
  ];
  const beside = await read(chunk({}, [...events, [cpuType('jdk.ExecutionSample'), [1]]]));
  expect(texts(beside)).toEqual([
    'info: 8 events with a stack feed no metric: com.acme.Sample (7), jdk.ThreadStart (1)',
  ]);
  // A reading with named events makes no remarks on other events.
  const wanted = await read(chunk({}, [...events, [cpuType('jdk.ExecutionSample'), [1]]]), {
    events: ['jdk.ExecutionSample'],
  });
  expect(wanted.problems).toEqual([]);
});

test('events of many types that feed no metric are one line, with the first of their names', async () => {
  const own = Array.from({ length: 15 }, (_, i): EventType => ({ id: 20_000 + i, name: `app.E${i}`, fields: WHERE }));
  const hostile = { id: 30_000, name: `app.\n\u202e${'Long'.repeat(2_000)}`, fields: WHERE };
  const events = [
    ...own.flatMap((type, i) => times(15 - i, [type, [1]] as const)),
    ...times(99, [hostile, [1]] as const),
  ];
  const { problems } = await read(chunk({}, [...events, [cpuType('jdk.ExecutionSample'), [1]]]));
  const [line] = problems.map(formatProblem);
  expect(problems).toHaveLength(1);
  expect(line).not.toMatch(/[\n\u202e]/);
  expect(line!.length).toBeLessThan(1_000);
  expect(line).toContain('Long (99), app.E0 (15), app.E1 (14), ');
  expect(line).toMatch(/^test\.jfr: 219 events with a stack feed no metric: app\.\\u000a\\u202eLong/);
  expect(line).toContain(
    'app.E10 (5) and 4 more (the setting "metrics" of insitu.json makes a metric of such an event)',
  );
});

test('the advice fits what is there', async () => {
  const remedies = async (events: readonly EventType[]) => {
    const { problems } = await read(
      chunk(
        {},
        events.map(type => [type, [1]] as const),
      ),
    );
    expect(problems.at(-1)).toMatchObject({ severity: 'warning' });
    return problems.at(-1)?.remedy;
  };
  expect(await remedies([OWN, START])).toBe('the setting "metrics" of insitu.json makes a metric of com.acme.Sample');
  expect(await remedies([START])).toBe('record for longer, under load, with settings=profile');
});
