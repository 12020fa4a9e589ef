// Tests the holders of a monitor, read from recordings of two chunks: imported as a file, and followed while it is written.
import { expect, test } from 'vitest';
import type { Profile } from '../../../server/cct/profile.ts';
import { KnownMetadata } from '../../../server/ingest/jfr/known-metadata.ts';
import { LiveReader } from '../../../server/ingest/jfr/live-reader.ts';
import { toCollapsed } from '../../../server/snapshot/export/collapsed.ts';
import { growing } from '../../support/recordings/growing-chunk.ts';
import { ingest } from '../../support/recordings/ingested.ts';
import {
  ChunkWriter,
  type EventType,
  methodPools,
  START_MILLIS,
  stackPool,
  TYPE,
} from '../../support/recordings/jfr-writer.ts';

/** Ticks of a unit, a fifth of a second: chunks are short, so that each is one window. */
const UNIT = 200_000;
const CHUNK_MILLIS = 6000;

const ENTER: EventType = {
  id: 300,
  name: 'jdk.JavaMonitorEnter',
  fields: [
    ['startTime', TYPE.long, 'ticks'],
    ['duration', TYPE.long, 'ticks'],
    ['eventThread', TYPE.thread, 'pool'],
    ['stackTrace', TYPE.stack, 'pool'],
    ['previousOwner', TYPE.thread, 'pool'],
    ['address', TYPE.long],
  ],
};

/** As JVMs describe threads: with their numbers in the operating system. */
const THREAD: EventType = {
  id: TYPE.thread,
  name: 'java.lang.Thread',
  fields: [
    ['osName', TYPE.string],
    ['javaName', TYPE.string],
    ['virtual', TYPE.boolean],
    ['osThreadId', TYPE.long],
  ],
};

const NAMES = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

type Wait = readonly [thread: number, from: number, until: number, owner: number];

/** A chunk of 30 units, in the order in which the buffers of its threads were written. */
function chunk(number: number, waits: readonly Wait[]): Uint8Array {
  const writer = new ChunkWriter({ events: [ENTER, THREAD] });
  for (const [thread, from, until, owner] of waits)
    writer.longs(ENTER.id, from * UNIT, (until - from) * UNIT, thread, 1, owner, 77);
  writer.checkpoint([
    stackPool([{ key: 1, frames: [{ method: 1, line: 13 }] }]),
    ...methodPools([{ key: 1, owner: 'A', name: 'a' }]),
    {
      type: TYPE.thread,
      entries: NAMES.map(
        (name, key) =>
          [
            key,
            out =>
              out
                .text('', 'null')
                .text(name)
                .raw(0)
                .long(1000 + key),
          ] as const,
      ),
    },
  ]);
  return writer.finish(header => {
    header.setBigInt64(32, BigInt(START_MILLIS + CHUNK_MILLIS * number) * 1_000_000n);
    header.setBigInt64(40, BigInt(CHUNK_MILLIS) * 1_000_000n);
    header.setBigInt64(48, BigInt(30 * UNIT * number));
  });
}

const CHUNKS = [
  chunk(0, [
    [3, 5, 29, 2],
    [2, 0, 10, 1],
  ]),
  chunk(1, [
    [5, 31, 55, 9],
    [4, 20, 50, 3],
  ]),
];

/** `two one 10`: thread, holder, units. */
function monitorsIn(profile: Profile): string[] {
  const text = toCollapsed(profile, { frames: 'full', metric: 'typed', threads: true, weights: true });
  return text
    .split('\n')
    .filter(line => line.includes(':MONITOR'))
    .map(line =>
      line.replace(/^(\w+);A\.a\(\)V:13;:MONITOR(?::0)?;?(.*?)(?::0)? \d+ ([\d.]+)$/, (_, thread, holder, nanos) => {
        return `${thread} ${holder === '' ? '?' : holder} ${Math.round(Number(nanos) / 2e8)}`;
      }),
    )
    .sort();
}

test('an imported wait is split at owners of earlier chunks too, whatever the order of the events', async () => {
  const { profile } = await ingest(Buffer.concat(CHUNKS), { names: 'normalised', timeTypes: true });
  expect(monitorsIn(profile!)).toEqual([
    'five four, then nine 5',
    'five three 19',
    // The wait is that of its own chunk alone.
    'four three 20',
    'three one 5',
    'three two 19',
    'two one 10',
  ]);
});

test('a wait that is followed is cut at its window, and split at owners of the window before too', () => {
  const live = new LiveReader({
    metrics: [],
    metadata: new KnownMetadata(),
    report: message => expect(message).toBe(''),
  });
  const windows = CHUNKS.map((bytes, number) => {
    const span = {
      startMillis: START_MILLIS + CHUNK_MILLIS * number,
      endMillis: START_MILLIS + CHUNK_MILLIS * (number + 1),
    };
    live.begin(span);
    const growingChunk = growing(bytes);
    live.open(growingChunk);
    for (let state = live.read(); state !== 'finished'; state = live.read()) growingChunk.grow(50);
    const threads = NAMES.map((_, key) => ({
      thread: 1000 + key,
      fromMillis: span.startMillis,
      untilMillis: span.endMillis,
      runNanos: 0,
      queueNanos: 0,
    }));
    return live.end(span.endMillis, { threads, processors: [] }).profile;
  });
  expect(windows.map(monitorsIn)).toEqual([
    ['three one 5', 'three two 19', 'two one 10'],
    ['five four, then nine 5', 'five three 19', 'four three 20'],
  ]);
});
