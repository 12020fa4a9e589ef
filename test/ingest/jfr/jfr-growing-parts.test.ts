// A small chunk that grows event by event: what came before its constants waits for them, and totals count once, whatever comes between.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mergeProfiles } from '../../../server/cct/merge.ts';
import { MethodTableBuilder } from '../../../server/cct/method-table.ts';
import type { Profile } from '../../../server/cct/profile.ts';
import type { ChunkBytes } from '../../../server/ingest/jfr/chunk-tail.ts';
import { KnownMetadata } from '../../../server/ingest/jfr/known-metadata.ts';
import { MethodTexts } from '../../../server/ingest/jfr/known-texts.ts';
import { LiveReader } from '../../../server/ingest/jfr/live-reader.ts';
import { toCollapsed } from '../../../server/snapshot/export/collapsed.ts';
import { growing } from '../../support/recordings/growing-chunk.ts';
import { chunksOf } from '../../support/recordings/growing-repository.ts';
import { ingest } from '../../support/recordings/ingested.ts';
import {
  ChunkWriter,
  methodPools,
  type Pool,
  START_MILLIS,
  stackPool,
  threadPool,
} from '../../support/recordings/jfr-writer.ts';
import { METHOD_TIMING, METHOD_TRACE, TIMING, TRACE } from '../../support/recordings/method-events.ts';

const EVENTS = [METHOD_TRACE, METHOD_TIMING];
const NAMES = ['run', 'work', 'rest', 'late'];
const METHODS = methodPools(NAMES.map((name, i) => ({ key: i + 1, owner: 'A', name })));
const THREADS: Pool = threadPool([{ key: 1, name: 'one' }]);
const RECORDING = readFileSync(join(import.meta.dirname, '../../../samples/recordings/shop-v1-jdk17-b.jfr'));
const SPAN = { startMillis: START_MILLIS, endMillis: START_MILLIS + 60_000 };

function stacks(...keys: readonly number[]): Pool {
  return stackPool(
    keys.map(key => ({
      key,
      frames: [
        { method: key, line: 10 + key },
        { method: 1, line: 1 },
      ],
    })),
  );
}

/** Samples, traced calls and totals whose stacks and methods stand behind them, the methods last of all. */
function mixedChunk(): Uint8Array {
  return new ChunkWriter({ events: EVENTS })
    .sample(2)
    .longs(TRACE, 10, 20, 1, 3, 4)
    .longs(TRACE, 5, 50, 1, 2, 3)
    .longs(TIMING, 100, 2, 10, 1, 4, 9)
    .checkpoint([THREADS, stacks(2)])
    .sample(3)
    .longs(TIMING, 200, 2, 15, 1, 4, 9)
    .checkpoint([stacks(3)])
    .longs(TRACE, 60, 7, 1, 3, 2)
    .checkpoint(METHODS)
    .longs(TIMING, 300, 2, 20, 1, 4, 9)
    .longs(TIMING, 300, 1, 8, 1, 2, 9)
    .sample(2)
    .finish();
}

function textOf(profile: Profile): string {
  const shown = profile.metrics.map(({ id }) => id).sort();
  return shown
    .map(metric => `${metric}\n${toCollapsed(profile, { frames: 'full', threads: true, metric, weights: true })}`)
    .join('');
}

function reader(): LiveReader {
  const metadata = new KnownMetadata();
  const made = new LiveReader({ metrics: [], metadata, report: message => expect(message).toBe('nothing is wrong') });
  made.begin(SPAN);
  return made;
}

/**
 * The windows of chunks that grow by one event after the other; `rolls` tells after which a window ends, and whether the reader does.
 * @param bytes by how many they grow at least
 */
function readByEvent(
  chunks: readonly Uint8Array[],
  metadataEvery: number | undefined,
  rolls: (event: number) => 'end' | 'restart' | null,
  bytes = 1,
): Profile {
  const ended: Profile[] = [];
  let live = reader();
  let event = 0;
  for (const each of chunks) {
    const chunk = growing(each, metadataEvery);
    live.open(chunk);
    for (; live.read() !== 'finished'; event++) {
      const roll = rolls(event);
      if (roll !== null) ended.push(live.end(SPAN.endMillis).profile);
      if (roll === 'restart') {
        const { position, totals } = live;
        live = reader();
        live.resume(totals);
        live.open(chunk, position);
      }
      chunk.grow(bytes);
    }
  }
  ended.push(live.end(SPAN.endMillis).profile);
  return mergeProfiles(ended);
}

/** A finished chunk. */
function memoryChunk(bytes: Uint8Array): ChunkBytes {
  return {
    read(position, target) {
      const part = bytes.subarray(position, position + target.length);
      target.set(part);
      return part.length;
    },
  };
}

const wholeText = async (bytes: Uint8Array) => textOf((await ingest(bytes, { names: 'normalised' })).profile!);

test('the whole chunk has traced calls at their stacks, and totals of a method that was not traced', async () => {
  const whole = await wholeText(mixedChunk());
  expect(whole).toContain('A.rest()V:13;A.late()V:0 1');
  expect(whole).toContain('-;A.run()V:0 8');
  expect(whole).not.toContain('no stack');
});

test.each([undefined, 1, 2, 3])(
  'read event by event it comes to the same, metadata after every %s events',
  async every => {
    const whole = await wholeText(mixedChunk());
    expect(textOf(readByEvent([mixedChunk()], every, () => null))).toBe(whole);
    expect(textOf(readByEvent([mixedChunk()], every, event => (event % 2 === 0 ? 'end' : null)))).toBe(whole);
  },
);

test.each([1, 2, 3])('nothing counts twice when reading begins anew after every %s events', async every => {
  const rolls = (event: number) => (event % every === 0 ? 'restart' : 'end');
  const next = new ChunkWriter({ events: EVENTS })
    .longs(TIMING, 900, 1, 12, 1, 2, 9)
    .checkpoint([THREADS, ...METHODS])
    .finish();
  const chunks = [mixedChunk(), next];
  expect(textOf(readByEvent(chunks, undefined, rolls))).toBe(await wholeText(Buffer.concat(chunks)));
});

const MANY = 10_500;

/** Threads under names without numbers, which would make them one; in parts, since what writes checkpoints takes no more at once. */
function manyThreads(): Pool[] {
  const letters = (digit: string) => String.fromCharCode(97 + Number.parseInt(digit, 26));
  const threads = Array.from({ length: MANY }, (_, i) => ({
    key: i + 1,
    name: i.toString(26).replaceAll(/./g, letters),
  }));
  return inParts(threads).map(part => threadPool(part));
}

function inParts<T>(all: readonly T[]): T[][] {
  return Object.values(Object.groupBy(all, (_, i) => Math.floor(i / 500))).map(part => part!);
}

/** A chunk with too many threads for its tables to be kept from window to window; totals of two methods stand behind it and before it. */
function largeTables(lastStack = 2): Uint8Array[] {
  const chunk = () => new ChunkWriter({ events: EVENTS }).checkpoint([...METHODS, stacks(2, 3)]);
  const first = chunk().checkpoint([THREADS]).longs(TIMING, 100, 2, 10, 1, 4, 9).longs(TIMING, 100, 3, 10, 1, 4, 9);
  const second = chunk();
  for (const pool of manyThreads()) second.checkpoint([pool]);
  for (let i = 0; i < MANY; i++) second.sample(2 + (i % 2), 1 + i);
  second.longs(TIMING, 200, 2, 15, 1, 4, 9).longs(TIMING, 200, 3, 15, 1, 4, 9).sample(3).sample(lastStack);
  return [first.finish(), second.finish()];
}

test('tables that are made anew keep the totals of their methods', async () => {
  const chunks = largeTables();
  const grown = readByEvent(chunks, undefined, () => 'end', 1500);
  const whole = await wholeText(Buffer.concat(chunks));
  expect(whole).toContain('-;A.work()V:0 15');
  expect(textOf(grown)).toBe(whole);
});

test('a chunk that was read to its end is not read again for new tables', () => {
  const chunk = growing(largeTables(9999)[1]!);
  chunk.grow(Number.MAX_SAFE_INTEGER);
  const live = reader();
  live.open(chunk);
  while (live.read() !== 'finished');
  expect(live.end(SPAN.endMillis).profile.losses.withoutStack).toBe(1);
  live.giveUp();
  expect(live.isEmpty).toBe(true);
  expect(live.end(SPAN.endMillis).profile.losses.withoutStack).toBe(0);
});

/** Reads a whole chunk. */
function readChunk(live: LiveReader, bytes: Uint8Array): void {
  const chunk = growing(bytes);
  live.open(chunk);
  chunk.grow(Number.MAX_SAFE_INTEGER);
  while (live.read() !== 'finished');
}

/** Reads a whole chunk and ends the window. */
function windowOf(live: LiveReader, bytes: Uint8Array): string {
  readChunk(live, bytes);
  return textOf(live.end(SPAN.endMillis).profile);
}

/** A chunk of samples at many places. */
function wideChunk(): Uint8Array {
  const frames = (line: number) => [2, 3].map(method => ({ method, line }));
  const wide = inParts(Array.from({ length: 3000 }, (_, i) => ({ key: i + 1, frames: frames(i) })));
  const writer = new ChunkWriter({ events: EVENTS }).checkpoint([THREADS, ...METHODS]);
  for (const part of wide) writer.checkpoint([stackPool(part)]);
  for (let i = 0; i < 3000; i++) writer.sample(1 + i);
  return writer.finish();
}

test('a chunk goes on in a tree without what the chunk before it had', async () => {
  const next = new ChunkWriter({ events: EVENTS })
    .checkpoint([THREADS, ...METHODS, stacks(2, 3)])
    .sample(2)
    .sample(3)
    .checkpoint([stacks(4)])
    .sample(4)
    .sample(2)
    .sample(3)
    .finish();
  const live = reader();
  const chunks = [wideChunk(), next];
  readChunk(live, chunks[0]!);
  const chunk = growing(next);
  live.open(chunk);
  for (let event = 0; event < 4; event++) {
    chunk.grow(1);
    live.read();
  }
  const windows = [live.end(SPAN.endMillis).profile];
  for (; live.read() !== 'finished'; chunk.grow(1)) windows.push(live.end(SPAN.endMillis).profile);
  windows.push(live.end(SPAN.endMillis).profile);
  expect(textOf(mergeProfiles(windows))).toBe(await wholeText(Buffer.concat(chunks)));
});

test('stacks and threads of windows and chunks that have ended are forgotten', () => {
  const live = reader();
  const few = new ChunkWriter({ events: EVENTS })
    .checkpoint([THREADS, ...METHODS, stacks(2, 3)])
    .sample(2)
    .sample(3);
  const before = windowOf(live, few.finish());
  const { size } = live;
  expect(windowOf(live, wideChunk()).split('\n').length).toBeGreaterThan(3000);
  expect(live.size).toEqual({ ...size, nodes: 1 });
  windowOf(live, largeTables()[1]!);
  expect(live.size.threads).toBeLessThanOrEqual(size.threads);
  expect(windowOf(live, few.finish())).toBe(before);
  expect(live.size).toEqual(size);
});

test('texts of programs that come and go are not kept for ever', () => {
  const known = () => new MethodTexts(new MethodTableBuilder(), 'normalised').plain;
  const before = known();
  const chunk = new ChunkWriter({ events: EVENTS }).checkpoint([THREADS]);
  for (let key = 1; key <= 110; key++) {
    const name = String(key).repeat(50_000 / String(key).length);
    const [method, ...pools] = methodPools([{ key, owner: 'A', name }]);
    chunk.checkpoint([method!, ...pools, stackPool([{ key, frames: [{ method: key, line: 1 }] }])]).sample(key);
  }
  const live = reader();
  readChunk(live, chunk.finish());
  expect(before.bytes).toBeGreaterThan(4 << 20);
  expect(known()).toBe(before);
  live.end(SPAN.endMillis);
  expect(known()).not.toBe(before);
});

test.each([1, 200_000])(
  'read about %s bytes at a time, by a new reader each time, it comes to the same',
  async most => {
    const bytes = chunksOf(RECORDING)[0]!;
    const ended: Profile[] = [];
    let [position, steps] = [0, 0];
    let totals: LiveReader['totals'] = [];
    for (let state = ''; state !== 'finished'; steps++) {
      const live = reader();
      live.begin({ startMillis: 0, endMillis: Number.MAX_SAFE_INTEGER });
      live.resume(totals);
      live.open(memoryChunk(bytes), position);
      state = live.read(most);
      ({ position, totals } = live);
      ended.push(live.end(Number.MAX_SAFE_INTEGER).profile);
    }
    expect(steps).toBeGreaterThan(4);
    const whole = (await ingest(bytes, { names: 'normalised' })).profile!;
    expect(textOf(mergeProfiles(ended))).toBe(textOf(whole));
  },
);
