// A small chunk that grows event by event: what came before its constants waits for them, and totals count once, whatever comes between.
import { expect, test } from 'vitest';
import { mergeProfiles } from '../../server/cct/merge.ts';
import type { Profile } from '../../server/cct/profile.ts';
import { LiveReader } from '../../server/ingest/jfr/live-reader.ts';
import { toCollapsed } from '../../server/snapshot/export/collapsed.ts';
import { growing } from '../support/growing-chunk.ts';
import { ingest } from '../support/ingested.ts';
import { ChunkWriter, methodPools, type Pool, START_MILLIS, stackPool, threadPool } from '../support/jfr-writer.ts';
import { METHOD_TIMING, METHOD_TRACE, TIMING, TRACE } from '../support/method-events.ts';

const EVENTS = [METHOD_TRACE, METHOD_TIMING];
const NAMES = ['run', 'work', 'rest', 'late'];
const METHODS = methodPools(NAMES.map((name, i) => ({ key: i + 1, owner: 'A', name })));
const THREADS: Pool = threadPool([{ key: 1, name: 'one' }]);
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
  const made = new LiveReader({ metrics: [], report: message => expect(message).toBe('nothing is wrong') });
  made.begin(SPAN);
  return made;
}

/** The windows of chunks that grow by one event after the other; `rolls` tells after which a window ends, and whether the reader does. */
function readByEvent(
  chunks: readonly Uint8Array[],
  metadataEvery: number | undefined,
  rolls: (event: number) => 'end' | 'restart' | null,
): Profile {
  const ended: Profile[] = [];
  let live = reader();
  let event = 0;
  for (const bytes of chunks) {
    const chunk = growing(bytes, metadataEvery);
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
      chunk.grow(1);
    }
  }
  ended.push(live.end(SPAN.endMillis).profile);
  return mergeProfiles(ended);
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

/** A chunk whose tree is too large to be kept from window to window; totals of two methods stand behind it and before it. */
function largeTree(lastStack = 2): { chunks: Uint8Array[]; events: number } {
  const methods = Array.from({ length: 10 }, (_, i) => ({ key: i + 1, owner: 'Large', name: `m${i}` }));
  const chunk = () => new ChunkWriter({ events: EVENTS }).checkpoint([THREADS, ...methodPools(methods)]);
  const first = chunk().longs(TIMING, 100, 2, 10, 1, 4, 9).longs(TIMING, 100, 3, 10, 1, 4, 9);
  const second = chunk();
  const deep = Array.from({ length: 260 }, (_, key) => ({
    key: key + 1,
    frames: Array.from({ length: 250 }, (_, i) => ({ method: 1 + ((key + i) % 10), line: 1 + ((key * 7 + i) % 1009) })),
  }));
  for (const stack of deep) second.checkpoint([stackPool([stack])]).sample(stack.key);
  second.longs(TIMING, 200, 2, 15, 1, 4, 9).longs(TIMING, 200, 3, 15, 1, 4, 9).sample(1).sample(lastStack);
  return { chunks: [first.finish(), second.finish()], events: 4 + 2 + 2 * deep.length };
}

test('a tree that is made anew keeps the totals of its methods', async () => {
  const { chunks, events } = largeTree();
  const grown = readByEvent(chunks, undefined, event => (event === events ? 'end' : null));
  const whole = await wholeText(Buffer.concat(chunks));
  expect(whole).toContain('-;Large.m1()V:0 15');
  expect(textOf(grown)).toBe(whole);
});

test('a chunk that was read to its end is not read again for a new tree', () => {
  const chunk = growing(largeTree(9999).chunks[1]!);
  chunk.grow(Number.MAX_SAFE_INTEGER);
  const live = reader();
  live.open(chunk);
  while (live.read() !== 'finished');
  expect(live.end(SPAN.endMillis).profile.losses.withoutStack).toBe(1);
  live.giveUp();
  expect(live.isEmpty).toBe(true);
  expect(live.end(SPAN.endMillis).profile.losses.withoutStack).toBe(0);
});
