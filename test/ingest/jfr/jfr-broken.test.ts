// The JFR reader on broken and unfinished files: what is complete comes out, the rest is reported with its place.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memorySource } from '../../../server/ingest/byte-source.ts';
import type { Ingested, IngestOptions } from '../../../server/ingest/ingest.ts';
import { ingestSource } from '../../../server/ingest/read-source.ts';
import { toCollapsed } from '../../../server/snapshot/export/collapsed.ts';
import {
  ChunkWriter,
  type EventType,
  JfrBytes,
  methodPools,
  stackPool,
  TYPE,
  threadPool,
} from '../../support/recordings/jfr-writer.ts';
import { runs } from '../../support/runs.ts';

function read(bytes: Uint8Array, options: Partial<IngestOptions> = {}): Promise<Ingested> {
  return ingestSource(memorySource('test.jfr', bytes), { names: 'raw', ...options });
}

function stacks({ profile }: Ingested): string {
  return profile === null ? '(nothing)' : toCollapsed(profile, { frames: 'method', threads: true, metric: 'cpu' });
}

function chunkOf(name: string, samples: number): ChunkWriter {
  const writer = new ChunkWriter();
  for (let i = 0; i < samples; i++) writer.sample(1);
  return writer.checkpoint([
    stackPool([{ key: 1, frames: [{ method: 1, line: 1 }] }]),
    ...methodPools([{ key: 1, owner: 'p/A', name }]),
    threadPool([{ key: 1, name: 'main' }]),
  ]);
}

const messages = ({ problems }: Ingested) =>
  problems.map(problem => `${problem.severity} ${problem.place}: ${problem.message}`);

describe('what is no recording', () => {
  test.each<[string, Uint8Array, RegExp]>([
    ['nothing', new Uint8Array(0), /^error .*the file is empty/],
    ['another file', Buffer.from('PK\x03\x04 and more'), /^error byte 0: this is no recording/],
    ['four bytes', Buffer.from('FLR\0'), /ends inside a chunk header/],
    ['half a header', chunkOf('m', 1).finish().subarray(0, 40), /ends inside a chunk header/],
  ])('%s', async (_, bytes, message) => {
    const ingested = await read(bytes);
    expect(ingested.profile).toBeNull();
    expect(ingested.problems.some(problem => problem.severity === 'error')).toBe(true);
    expect(messages(ingested)[0]).toMatch(message);
  });

  test('a recording of JDK 7 or 8 is refused by name, with what to do', async () => {
    const ingested = await read(chunkOf('m', 1).finish(header => header.setUint32(4, 9)));
    expect(ingested.profile).toBeNull();
    expect(ingested.problems[0]).toMatchObject({
      severity: 'error',
      message: 'this is an Oracle JDK 7 or 8 recording (format 0.9), which is another format',
      remedy: expect.stringContaining('8u262'),
    });
  });

  test('a recording without events says that it is empty', async () => {
    const ingested = await read(new ChunkWriter().checkpoint([]).finish());
    expect(ingested.profile?.tree.length).toBe(1);
    expect(messages(ingested)).toEqual([
      'warning undefined: no events that feed a metric: the recording has no events',
    ]);
  });

  test('a recording without the wanted events says which ones it has', async () => {
    const writer = chunkOf('m', 2).sleep(1, 1, 5);
    const ingested = await read(writer.finish(), { events: ['jdk.Foo', 'jdk.Bar'] });
    expect(messages(ingested)).toEqual([
      'warning undefined: no jdk.Foo or jdk.Bar events; there are: jdk.ExecutionSample, jdk.ThreadSleep',
    ]);
    expect(ingested.problems[0]).not.toHaveProperty('remedy');
  });

  test('of many event types a dozen are named: those with a stack first, then the most frequent', async () => {
    const events = Array.from({ length: 20 }, (_, i): EventType => {
      const fields: EventType['fields'] = [['startTime', TYPE.long, 'ticks']];
      return {
        id: 200 + i,
        name: `app.E${i}`,
        fields: i < 3 ? [...fields, ['stackTrace', TYPE.stack, 'pool']] : fields,
      };
    });
    const writer = new ChunkWriter({ events });
    for (const [i, { id }] of events.entries())
      for (let n = 0; n <= i; n++) writer.longs(id, ...(i < 3 ? [1, 1] : [1]));
    const ingested = await read(writer.checkpoint([]).finish());
    const named = [2, 1, 0, 19, 18, 17, 16, 15, 14, 13, 12, 11].map(i => `app.E${i}`);
    expect(messages(ingested)).toEqual([
      'info undefined: 6 events with a stack feed no metric: app.E2 (3), app.E1 (2), app.E0 (1)',
      `warning undefined: no events that feed a metric; there are: ${named.join(', ')} and 8 more`,
    ]);
  });
});

describe('unfinished chunks', () => {
  test('give what their header covers', async () => {
    const bytes = chunkOf('m', 3).finish(header => header.setUint8(64, 5));
    const ingested = await read(Buffer.concat([bytes, Buffer.alloc(100, 7)]));
    expect(stacks(ingested)).toBe('main;p.A.m 3\n');
    expect(messages(ingested)).toEqual([
      'warning byte 0: the recorder did not finish this chunk: 3 samples could be kept',
    ]);
  });

  test('whose header was never written are searched for what they hold', async () => {
    const blank = (header: DataView) => {
      header.setUint8(64, 1);
      for (const offset of [8, 16, 24, 40]) header.setBigInt64(offset, 0n);
    };
    expect(stacks(await read(chunkOf('m', 3).finish(blank)))).toBe('main;p.A.m 3\n');
  });

  test('that hold a header alone give nothing', async () => {
    const bytes = chunkOf('m', 3).finish(header => {
      header.setUint8(64, 1);
      header.setBigInt64(8, 68n);
      header.setBigInt64(24, 0n);
    });
    const ingested = await read(bytes.slice(0, 68));
    expect(ingested.profile).toBeNull();
    expect(messages(ingested).at(-1)).toBe('error undefined: no chunk of this recording could be read');
  });
});

/** A chunk in whose data a copy of its own header stands, as flushing recorders leave it, and where. */
function chunkWithCopy(): { bytes: Uint8Array; copyAt: number } {
  const writer = new ChunkWriter();
  const copyAt = writer.sample(1).offset + 2;
  const filler = new JfrBytes({}).raw(TYPE.sleep, ...new Uint8Array(68).fill(0x11));
  const bytes = writer.event(filler).finish();
  bytes.copyWithin(copyAt, 0, 68);
  const copy = new DataView(bytes.buffer, bytes.byteOffset + copyAt);
  copy.setBigInt64(8, BigInt(copyAt + 68));
  for (const offset of [16, 24]) copy.setBigInt64(offset, 68n);
  return { bytes, copyAt };
}

describe('what looks like a chunk header inside a chunk that is cut off', () => {
  test('is taken for data where it is a copy of the own header, and the cut is told once', async () => {
    const { bytes, copyAt } = chunkWithCopy();
    expect(bytes.subarray(copyAt, copyAt + 4).toString()).toBe(bytes.subarray(0, 4).toString());
    for (const length of [copyAt + 68, copyAt + 80, bytes.length - 1]) {
      const ingested = await read(bytes.subarray(0, length));
      expect(messages(ingested).filter(message => message.includes('byte'))).toEqual([
        expect.stringMatching(
          `^warning byte 0: the chunk says it has ${bytes.length} bytes, but the file ends after ${length}: `,
        ),
      ]);
    }
  });

  test.each<[string, (header: DataView) => void]>([
    ['its metadata lie outside of it', header => header.setBigInt64(24, 10n ** 9n)],
    ['something else stands where it says that its metadata are', header => header.setBigInt64(24, 68n)],
    ['its checkpoint lies outside of it', header => header.setBigInt64(16, 10n ** 9n)],
    ['its size is too small', header => header.setBigInt64(8, 67n)],
    ['its version is unknown', header => header.setUint16(6, 10)],
  ])('is none where %s', async (_, patch) => {
    const broken = chunkOf('first', 1).finish(header => header.setBigInt64(8, 10n ** 12n));
    const ingested = await read(Buffer.concat([broken, chunkOf('second', 2).finish(patch)]));
    expect(stacks(ingested)).not.toContain('second');
    expect(messages(ingested).join('\n')).toMatch(/the file ends after/);
  });

  test('is the next chunk where it can be one, even if that is cut off as well', async () => {
    const broken = chunkOf('first', 1).finish(header => header.setBigInt64(8, 10n ** 12n));
    const second = chunkOf('second', 2).finish();
    const ingested = await read(Buffer.concat([broken, second.subarray(0, second.length - 1)]));
    expect(messages(ingested)).toEqual([
      `warning byte 0: the chunk says it has 1000000000000 bytes, but the next one starts after ${broken.length}: 1 samples could be kept`,
      expect.stringMatching(
        `^warning byte ${broken.length}: the chunk says it has ${second.length} bytes, but the file ends after ${second.length - 1}: `,
      ),
    ]);
  });
});

describe('damage', () => {
  test.each<[string, (header: DataView) => void, RegExp]>([
    ['metadata beyond the chunk', header => header.setBigInt64(24, 10n ** 15n), /did not finish/],
    [
      'metadata at a place with something else',
      header => header.setBigInt64(24, 70n),
      /^warning byte 70: the metadata is broken, so nothing in this chunk can be read: [^\n]*\n?$/,
    ],
    ['a checkpoint at a place with something else', header => header.setBigInt64(16, 70n), /checkpoint is broken/],
    [
      'a size beyond the file',
      header => header.setBigInt64(8, 10n ** 12n),
      /but the next one starts after \d+: 1 samples/,
    ],
    ['a negative size', header => header.setBigInt64(8, -5n), /but the next one starts after/],
    ['a size of zero', header => header.setBigInt64(8, 0n), /did not finish/],
    ['no ticks a second', header => header.setBigInt64(56, 0n), /^$/],
  ])('%s is reported and does not hide the next chunk', async (_, patch, message) => {
    const ingested = await read(Buffer.concat([chunkOf('first', 1).finish(patch), chunkOf('second', 2).finish()]));
    expect(stacks(ingested)).toContain('main;p.A.second 2\n');
    expect(messages(ingested).join('\n')).toMatch(message);
  });

  test('checkpoints that form a loop or lead out of the chunk end the chain', async () => {
    for (const delta of [0, 1, 40, -40, -100_000, 2 ** 40]) {
      const writer = chunkOf('m', 1);
      const ingested = await read(writer.checkpoint([], delta === 0 ? undefined : delta).finish());
      expect(ingested.profile).not.toBeNull();
      if (delta === 0) expect(stacks(ingested)).toBe('main;p.A.m 1\n');
      else expect(messages(ingested).join('\n')).toMatch(/checkpoint/);
    }
  });

  test('an event of size zero ends the scan of its chunk only', async () => {
    const first = new ChunkWriter().sample(0).raw(0);
    const ingested = await read(Buffer.concat([first.sample(0).checkpoint([]).finish(), chunkOf('m', 2).finish()]));
    expect(stacks(ingested)).toBe('-;[no stack] 1\nmain;p.A.m 2\n');
    expect(messages(ingested)).toContainEqual(expect.stringMatching(/byte \d+: an event has a size of 0 bytes/));
  });

  test('counts that the chunk cannot hold are refused before anything is allocated for them', async () => {
    for (const type of [TYPE.stack, TYPE.symbol, TYPE.thread]) {
      const lying = new ChunkWriter().sample(1);
      const body = new JfrBytes({}).long(1).long(0).long(0).long(0).raw(0).int(1).long(type).int(0x7fff_ffff);
      const at = lying.offset;
      lying.event(body);
      const ingested = await read(lying.finish(header => header.setBigInt64(16, BigInt(at))));
      expect(messages(ingested).join('\n')).toMatch(/count 2147483647 is impossible/);
    }
  });
});

describe('pools that say they have more than their checkpoint', () => {
  // The small events behind it look like entries: the symbol 5 is the text `xy`, the class 1 has the symbol 3 as its name,
  // the stack 1 three frames of a method 7.
  test.each<[string, number, readonly number[]]>([
    ['symbols', TYPE.symbol, [4, 3, 1, 0x78, 5, 3, 2, 0x78, 0x79]],
    ['classes', TYPE.class, [3, 3, 1, 3, 3, 1]],
    ['stacks', TYPE.stack, [4, 3, 0, 1, 12, 3, 7, 7, 0, 7, 7, 0, 7, 7, 0, 0]],
  ])('take no %s from the bytes behind them', async (_, type, events) => {
    const writer = new ChunkWriter().sample(1);
    const first = writer.offset;
    writer.event(new JfrBytes({}).long(1).long(0).long(0).long(0).raw(0).int(1).long(type).int(9)).raw(...events);
    const last = writer.offset;
    const pools = [
      stackPool([{ key: 1, frames: [{ method: 1, line: 1 }] }]),
      ...methodPools([{ key: 1, owner: 'p/A', name: 'm' }]),
      threadPool([{ key: 1, name: 'main' }]),
    ];
    const ingested = await read(writer.checkpoint(pools, first - last).finish());
    expect(messages(ingested)).toEqual([expect.stringMatching(/a pool is broken, the rest of its checkpoint is lost/)]);
    expect(stacks(ingested)).toBe('main;p.A.m 1\n');
  });
});

describe('methods of a type that no JVM has', () => {
  const METHOD = 55;
  const wide = Array.from({ length: 3_000 }, () => ['more', TYPE.long] as const);

  /** A chunk that ends with a method of which one byte is there, of a size that no memory behind it is left over at. */
  function chunkWith(name: string): Uint8Array {
    const writer = new ChunkWriter({
      events: [
        { id: METHOD, name, fields: [['type', TYPE.class, 'pool'], ['name', TYPE.symbol, 'pool'], ...wide] },
        {
          id: TYPE.frame,
          name: 'jdk.types.StackFrame',
          fields: [
            ['method', METHOD, 'pool'],
            ['lineNumber', TYPE.long],
            ['bytecodeIndex', TYPE.long],
          ],
        },
      ],
    });
    writer.sample(1);
    const head = writer.finish().slice(0, 68);
    while (writer.offset < 65_536 - 124) writer.sample(1);
    const checkpoint = writer.offset;
    writer.checkpoint([
      stackPool([{ key: 1, frames: [{ method: 5, line: 1 }] }]),
      threadPool([{ key: 1, name: 'main' }]),
      { type: METHOD, entries: [[5, out => out.raw(1)]] },
    ]);
    const bytes = Uint8Array.from(writer.bytes);
    bytes.set(head);
    const header = new DataView(bytes.buffer);
    header.setBigInt64(8, BigInt(bytes.length));
    header.setBigInt64(16, BigInt(checkpoint));
    return bytes;
  }

  test.each(['int', 'jdk.types.Method'])('named %s are not read beyond the chunk', async name => {
    const ingested = await read(chunkWith(name));
    expect(ingested.profile?.cells[0]?.length).toBe(1);
    expect(messages(ingested).join()).not.toContain('reading failed');
    expect(stacks(ingested)).toContain('main');
  });
});

describe('cut anywhere', () => {
  const parts = [chunkOf('a', 5).finish(), chunkOf('b', 7).finish(), chunkOf('c', 11).finish()];
  const whole = Buffer.concat(parts);
  const counts = [5, 7, 11];

  test('no chunk that is whole is lost, and nothing is thrown', async () => {
    const ends = parts.map((_, i) => parts.slice(0, i + 1).reduce((sum, part) => sum + part.length, 0));
    for (let length = 0; length < whole.length; length++) {
      const ingested = await read(whole.subarray(0, length));
      const text = stacks(ingested);
      for (const [i, end] of ends.entries()) {
        if (length >= end) expect(text).toContain(`p.A.${'abc'[i]} ${counts[i]}\n`);
      }
      if (!ends.includes(length)) expect(ingested.problems.length).toBeGreaterThan(0);
    }
  });

  test('bytes turned over anywhere never make it throw', async () => {
    const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(changes, async list => {
        const bytes = Uint8Array.from(whole);
        for (const [at, value] of list) bytes[at] = value;
        const ingested = await read(bytes);
        expect(ingested.problems.every(problem => !problem.message.startsWith('reading failed'))).toBe(true);
      }),
      { numRuns: runs(300) },
    );
  });
});
