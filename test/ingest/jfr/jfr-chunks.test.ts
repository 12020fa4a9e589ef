// The JFR reader on chunks written by hand: versions, encodings, odd keys, broken links; each with what must come out.
import { describe, expect, test } from 'vitest';
import { memorySource } from '../../../server/ingest/byte-source.ts';
import type { Ingested } from '../../../server/ingest/ingest.ts';
import { listChunks } from '../../../server/ingest/jfr/chunk-header.ts';
import { Cursor, PADDING } from '../../../server/ingest/jfr/cursor.ts';
import { KnownMetadata } from '../../../server/ingest/jfr/known-metadata.ts';
import { ingestSource } from '../../../server/ingest/read-source.ts';
import { toCollapsed } from '../../../server/snapshot/export/collapsed.ts';
import { assertProfile } from '../../support/profiles/assert-profile.ts';
import {
  type ChunkOptions,
  ChunkWriter,
  type EventType,
  type Integer,
  methodPools,
  type Pool,
  START_MILLIS,
  stackPool,
  type TextEncoding,
  TYPE,
  threadPool,
} from '../../support/recordings/jfr-writer.ts';

function read(bytes: Uint8Array, events: readonly string[] = []): Promise<Ingested> {
  return ingestSource(memorySource('test.jfr', bytes), { names: 'raw', events });
}

function stacks(ingested: Ingested, metric = 'cpu', weights = false): string {
  if (ingested.profile === null) return '(nothing)';
  return toCollapsed(ingested.profile, { frames: 'full', threads: true, metric, weights });
}

/** Three methods, two stacks and one thread: what most chunks here hold. */
function usualPools(encoding: TextEncoding = 'utf8'): Pool[] {
  return [
    stackPool([
      {
        key: 1,
        frames: [
          { method: 12, line: 7 },
          { method: 11, line: 31 },
        ],
      },
      {
        key: 2,
        truncated: true,
        frames: [
          { method: 13, line: -1 },
          { method: 11, line: 35 },
        ],
      },
    ]),
    ...methodPools(
      [
        { key: 11, owner: 'p/A', name: 'run' },
        { key: 12, owner: 'p/B$1', name: 'log', descriptor: '(I)V' },
        { key: 13, owner: 'p/C', name: 'native_é' },
      ],
      encoding,
    ),
    threadPool([{ key: 1, name: 'main' }]),
  ];
}

const USUAL = ['main;[truncated];p.A.run()V:35;p.C.native_é()V:-1 1', 'main;p.A.run()V:31;p.B$1.log(I)V:7 2', ''].join(
  '\n',
);

function usualChunk(options: ChunkOptions = {}, encoding: TextEncoding = 'utf8'): ChunkWriter {
  return new ChunkWriter(options).sample(1).sample(2).sample(1).checkpoint(usualPools(encoding));
}

describe('every form of the format gives the same stacks', () => {
  test.each<[string, ChunkOptions]>([
    ['2.1', {}],
    ['2.0', { version: [2, 0] }],
    ['1.0', { version: [1, 0] }],
    ['fixed-width integers', { compressed: false }],
    ['fixed-width integers in 1.0', { compressed: false, version: [1, 0] }],
    ['sizes padded to four bytes', { sizeWidth: 4 }],
    ['sizes padded to eight bytes', { sizeWidth: 8 }],
    ['a ninth byte with its high bit set', { ninthByte: 0x80 }],
  ])('%s', async (_, options) => {
    const ingested = await read(usualChunk(options).finish());
    expect(ingested.problems).toEqual([]);
    expect(stacks(ingested)).toBe(USUAL);
  });

  test.each<TextEncoding>(['utf8', 'latin1', 'utf16'])('names in %s', async encoding => {
    expect(stacks(await read(usualChunk({}, encoding).finish()))).toBe(USUAL);
  });

  test('names in UTF-16 with fixed-width integers', async () => {
    expect(stacks(await read(usualChunk({ compressed: false }, 'utf16').finish()))).toBe(USUAL);
  });

  test('names that refer to the string pool', async () => {
    const names: Pool = { type: TYPE.string, entries: [[1, out => out.text('pooled')]] };
    const pools = [...usualPools().filter(pool => pool.type !== TYPE.symbol), names];
    const symbols: Pool = {
      type: TYPE.symbol,
      entries: [
        [45, out => out.text('-', 'pool', 1)],
        [47, out => out.text('p/A')],
      ],
    };
    const bytes = new ChunkWriter()
      .sample(1)
      .checkpoint([...pools, symbols])
      .finish();
    expect(stacks(await read(bytes))).toBe('main;p.A.pooled:31;?.?:7 1\n');
  });
});

describe('keys', () => {
  test('beyond 2^53 stay apart', async () => {
    const high = 2n ** 63n;
    const frame = { method: high + 1n, line: 5 };
    const pools = [
      stackPool([
        { key: high, frames: [frame] },
        { key: high + 1n, frames: [frame, frame] },
      ]),
      ...methodPools([
        { key: high, owner: 'Wrong', name: 'wrong' },
        { key: high + 1n, owner: 'Right', name: 'right' },
      ]).map(pool => ({ ...pool, entries: pool.entries.map(entry => entry) })),
      threadPool([
        { key: 2n ** 62n, name: 'wrong' },
        { key: 2n ** 62n + 1n, name: 'right' },
      ]),
    ];
    for (const compressed of [true, false]) {
      const writer = new ChunkWriter({ compressed }).sample(high + 1n, 2n ** 62n + 1n).checkpoint(pools);
      expect(stacks(await read(writer.finish()))).toMatch(/^right;.*:5;.*:5 1\n$/);
    }
  });

  test.each([true, false])('of every length lead to what they stand for (compressed: %s)', async compressed => {
    // Keys of methods, and four times as large those of what they refer to, on both sides of each length that an integer can have.
    const keys = [5, 7, 12, 14, 19, 21, 26, 28, 33, 35, 40, 47, 54, 61].flatMap(bits => [
      2n ** BigInt(bits) - 1n,
      2n ** BigInt(bits),
    ]);
    const methods = keys.map((key, i) => ({
      key,
      owner: `C${i}`,
      name: `m${i}`,
      descriptor: `(L${i};)V`,
      modifiers: i << (i % 12),
    }));
    const frames = keys.map((key, i) => ({ method: key, line: i + 1 }));
    const pools = [stackPool([{ key: 1, frames }]), ...methodPools(methods), threadPool([{ key: 1, name: 't' }])];
    const { profile } = await read(new ChunkWriter({ compressed }).sample(1).checkpoint(pools).finish());
    const { strings, className, name, descriptor, flags } = profile!.methods;
    // Leaf first in the stack, root first in the tree; the first two rows are no methods of the recording.
    const rows = methods.toReversed().map((_, i) => methods.findIndex(each => each.name === strings[name[i + 2]!]));
    expect(new Set(rows).size).toBe(methods.length);
    for (const [i, row] of rows.entries()) {
      const at = i + 2;
      const { owner, descriptor: wanted, modifiers } = methods[row]!;
      expect([strings[className[at]!], strings[descriptor[at]!]]).toEqual([owner, wanted]);
      expect(flags[at]! & 0xffff).toBe(modifiers & 0xffff);
    }
  });

  test('that never come, or are null, leave the sample without stack or thread', async () => {
    const ingested = await read(usualChunk().sample(0, 0).sample(99, 98).finish());
    expect(stacks(ingested)).toBe(`-;[no stack] 2\n${USUAL}`);
    expect(ingested.profile?.losses).toEqual({ truncatedStacks: 1, withoutStack: 2, lostSamples: 0 });
    expect(ingested.problems.map(problem => problem.message)).toEqual([
      'the chunk does not hold the names of 1 methods or threads of its samples',
      '1 samples refer to stacks that the chunk does not hold',
    ]);
  });

  test('of methods that never come', async () => {
    const pools = [
      stackPool([
        {
          key: 1,
          frames: [
            { method: 5, line: 3 },
            { method: 0, line: -1 },
          ],
        },
      ]),
    ];
    expect(stacks(await read(new ChunkWriter().sample(1).checkpoint(pools).finish()))).toBe(
      '-;[no method]:-1;[no method]:3 1\n',
    );
  });

  test('seen twice take the value of the earliest checkpoint, and of the last entry in it', async () => {
    const threads = (...names: string[]) => threadPool(names.map(name => ({ key: 1, name })));
    const writer = usualChunk().checkpoint([threads('late')]);
    expect(stacks(await read(writer.finish()))).toBe(USUAL);
    const twice = new ChunkWriter()
      .sample(0)
      .checkpoint([threads('first', 'second')])
      .checkpoint([threads('third')]);
    expect(stacks(await read(twice.finish()))).toBe('second;[no stack] 1\n');
  });
});

test('stacks without frames, whole and cut off', async () => {
  const pools = [
    stackPool([
      { key: 1, frames: [] },
      { key: 2, truncated: true, frames: [] },
    ]),
  ];
  const bytes = new ChunkWriter().sample(1).sample(2).sample(0).checkpoint(pools).finish();
  expect(stacks(await read(bytes))).toBe('- 1\n-;[no stack] 1\n-;[truncated] 1\n');
});

test('a span in ticks becomes nanoseconds, and metrics stay apart', async () => {
  const ingested = await read(usualChunk().sleep(1, 1, 250).sleep(1, 1, 50).finish());
  expect(stacks(ingested, 'sleep', true)).toBe('main;p.A.run()V:31;p.B$1.log(I)V:7 2 300000\n');
  expect(stacks(ingested)).toBe(USUAL);
  const { metrics, cells } = ingested.profile!;
  expect(metrics.map(({ id, unit }) => `${id} ${unit}`)).toEqual(['cpu samples', 'sleep nanoseconds']);
  expect(cells[1]!.weightSquares).toEqual(new Float64Array([250_000 ** 2 + 50_000 ** 2]));
});

test('an event that no rule knows becomes a metric of its own when it is asked for', async () => {
  const ingested = await read(usualChunk().sleep(1, 1, 250).finish(), ['jdk.ThreadSleep']);
  expect(ingested.profile?.metrics.map(metric => metric.id)).toEqual(['sleep']);
});

test('samples fall into windows of ten seconds', async () => {
  const bytes = new ChunkWriter()
    .sample(1, 1, 9999)
    .sample(1, 1, 10_000)
    .sample(1, 1, 99_999)
    .checkpoint(usualPools())
    .finish();
  const { profile, startMillis, endMillis } = await read(bytes);
  expect([startMillis, endMillis]).toEqual([START_MILLIS, START_MILLIS + 30_000]);
  expect(profile?.windows.map(window => window.startMillis - START_MILLIS)).toEqual([0, 10_000, 20_000]);
  expect([...profile!.cells[0]!.window]).toEqual([0, 1, 2]);
});

describe('chunks stand alone', () => {
  test('and may come from different writers', async () => {
    const other = new ChunkWriter({ version: [2, 0], compressed: false });
    const pools = [
      stackPool([{ key: 1, frames: [{ method: 12, line: 1 }] }]),
      ...methodPools([{ key: 12, owner: 'q/Z', name: 'z' }]),
      threadPool([{ key: 1, name: 'other' }]),
    ];
    const bytes = Buffer.concat([usualChunk().finish(), other.sample(1).checkpoint(pools).finish()]);
    expect(stacks(await read(bytes))).toBe(`${USUAL}other;q.Z.z()V:1 1\n`);
  });

  test('and the metadata of one never count for another, though they stand in the same place of the same memory', async () => {
    const chunk = Buffer.from(usualChunk().finish());
    const renamed = Buffer.from(chunk);
    renamed.write('jdk.ExecutionSumple', chunk.indexOf('jdk.ExecutionSample'), 'latin1');
    expect(stacks(await read(chunk))).toBe(USUAL);
    expect((await read(renamed)).profile?.metrics).toEqual([]);
    expect(stacks(await read(chunk))).toBe(USUAL);
  });

  test('and metadata that come again are read once, wherever they stand', () => {
    const bytes = Buffer.concat([usualChunk().finish(), usualChunk().sample(1).finish()]);
    const { chunks } = listChunks(memorySource('test.jfr', bytes));
    // One memory for all chunks, as reading a file has it.
    const memory = Buffer.alloc(bytes.length + PADDING);
    const metadata = new KnownMetadata();
    const layouts = [...chunks, ...chunks].map(({ position, available, compressed, metadataOffset }) => {
      memory.fill(0).set(bytes.subarray(position, position + available));
      return metadata.read(new Cursor(memory, available, compressed), metadataOffset);
    });
    expect(chunks[1]!.metadataOffset).not.toBe(chunks[0]!.metadataOffset);
    expect(layouts.map(each => each === layouts[0])).toEqual([true, true, true, true]);
  });

  test('and one that is overwritten with something else does not hide the next', async () => {
    const first = usualChunk().finish();
    first.fill(0x55);
    const ingested = await read(Buffer.concat([usualChunk().finish(), first, usualChunk().finish()]));
    expect(stacks(ingested)).toBe(USUAL.replaceAll(/2\n/g, '4\n').replaceAll(/1\n/g, '2\n'));
    expect(ingested.problems).toMatchObject([{ severity: 'warning', place: expect.stringMatching(/^byte \d+$/) }]);
  });
});

describe('the JVM that wrote a chunk', () => {
  const INFORMATION = 230;
  const STRINGS: EventType['fields'] = ['jvmName', 'jvmVersion', 'jvmArguments'].map(name => [name, TYPE.string]);
  const NUMBERS: EventType['fields'] = [
    ['jvmStartTime', TYPE.long],
    ['pid', TYPE.long],
  ];
  const written = (pid: Integer, startMillis: Integer, fields: EventType['fields'] = [...STRINGS, ...NUMBERS]) => {
    const name = 'jdk.JVMInformation';
    const chunk = usualChunk({
      events: [{ id: INFORMATION, name, fields: [['startTime', TYPE.long, 'ticks'], ...fields] }],
    });
    const body = chunk.body(INFORMATION).long(0).text('OpenJDK 64-Bit Server VM').text('').text('');
    return chunk.event(fields.length > 3 ? body.long(startMillis).long(pid) : body).finish();
  };
  const jvms = async (...chunks: readonly Uint8Array[]) => {
    const { profile, problems } = await read(Buffer.concat(chunks));
    expect(problems).toEqual([]);
    assertProfile(profile!);
    return profile!.windows.map(({ jvm }) => jvm);
  };

  test('is told by its process and its start', async () => {
    expect(await jvms(written(7421, START_MILLIS + 5))).toEqual(Array(3).fill('7421-20231114T221320.005Z'));
  });

  test('is not known where the recording does not tell, or tells what cannot be', async () => {
    const unknown = Array(3).fill(undefined);
    expect(await jvms(usualChunk().finish())).toEqual(unknown);
    expect(await jvms(written(7421, START_MILLIS, STRINGS))).toEqual(unknown);
    expect(await jvms(written(0, START_MILLIS))).toEqual(unknown);
    expect(await jvms(written(7421, 0))).toEqual(unknown);
    expect(await jvms(written(7421, 2n ** 62n))).toEqual(unknown);
  });

  test('is that of the other chunks where one does not tell', async () => {
    const chunks = [usualChunk().finish(), written(1, START_MILLIS), usualChunk().finish()];
    expect(new Set(await jvms(...chunks))).toEqual(new Set(['1-20231114T221320.000Z']));
  });

  test('has windows of its own in a file of several', async () => {
    const [a, b] = [written(1, START_MILLIS), written(2, START_MILLIS)];
    const { profile } = await read(Buffer.concat([b, a, b]));
    assertProfile(profile!);
    // All samples stand in the first window: the others of each would be empty.
    expect(profile!.windows.map(({ jvm }) => jvm)).toEqual(['1-20231114T221320.000Z', '2-20231114T221320.000Z']);
    const byWindow = [0, 0];
    profile!.cells[0]!.window.forEach((window, at) => {
      byWindow[window]! += profile!.cells[0]!.count[at]!;
    });
    expect(byWindow).toEqual([3, 6]);
  });
});
