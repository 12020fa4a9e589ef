// A chunk read while it grows gives what it gives read as a whole, wherever the readings meet it, and prunes to what has samples.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeProfiles } from '../../../server/cct/merge.ts';
import type { Profile } from '../../../server/cct/profile.ts';
import { pruneProfile } from '../../../server/cct/prune.ts';
import { memorySource } from '../../../server/ingest/byte-source.ts';
import { listChunks } from '../../../server/ingest/jfr/chunk-header.ts';
import { KnownMetadata } from '../../../server/ingest/jfr/known-metadata.ts';
import { LiveReader } from '../../../server/ingest/jfr/live-reader.ts';
import { toCollapsed } from '../../../server/snapshot/export/collapsed.ts';
import { assertProfile } from '../../support/profiles/assert-profile.ts';
import { type GrowingChunk, growing } from '../../support/recordings/growing-chunk.ts';
import { ingest } from '../../support/recordings/ingested.ts';

const folder = join(import.meta.dirname, '../../../samples/recordings');
const SPAN = { startMillis: 0, endMillis: 60_000 };

/** All samples of a profile as text: per metric the stacks with lines and threads, counts and weights. */
function textOf(profile: Profile): string {
  return profile.metrics
    .map(({ id }) => id)
    .sort()
    .map(metric => `${metric}\n${toCollapsed(profile, { frames: 'full', threads: true, metric, weights: true })}`)
    .join('\n');
}

function reader(): LiveReader {
  const made = new LiveReader({
    metrics: [],
    metadata: new KnownMetadata(),
    report: message => expect(message).toBe('nothing is wrong'),
  });
  made.begin(SPAN);
  return made;
}

/** The chunks of a recording as bytes, and what its windows, taken out after each chunk and now and then between, come to. */
function readGrowing(
  chunks: readonly Uint8Array[],
  steps: readonly number[],
  restart: boolean,
  metadataEvery?: number,
): Profile {
  const ended: Profile[] = [];
  let live = reader();
  let step = 0;
  for (const bytes of chunks) {
    const chunk: GrowingChunk = growing(bytes, metadataEvery);
    live.open(chunk);
    for (let state = live.read(); state !== 'finished'; state = live.read()) {
      expect(state).not.toBe('broken');
      const by = steps[step++ % steps.length]!;
      chunk.grow(by);
      if (by % 7 !== 0) continue;
      ended.push(live.end(SPAN.endMillis).profile);
      if (!restart) continue;
      const { position } = live;
      live = reader();
      if (by % 2 === 0) chunk.changeHeader();
      live.open(chunk, position);
    }
  }
  ended.push(live.end(SPAN.endMillis).profile);
  for (const profile of ended) assertProfile(profile);
  return mergeProfiles(ended);
}

describe('a chunk that grows', () => {
  const recordings = ['shop-v1-jdk17-b.jfr', 'shop-v1-jdk25.jfr'];
  for (const name of recordings) {
    const bytes = readFileSync(join(folder, name));
    const { chunks } = listChunks(memorySource(name, bytes));
    const parts = chunks.map(({ position, available }) => bytes.subarray(position, position + available));

    test(`comes to the same as the whole: ${name}`, async () => {
      const whole = textOf((await ingest(bytes, { names: 'normalised' })).profile!);
      fc.assert(
        fc.property(
          fc.array(fc.integer({ min: 30_000, max: 600_000 }), { minLength: 3 }),
          fc.boolean(),
          fc.constantFrom(1000, undefined),
          (steps, restart, metadataEvery) => {
            expect(textOf(readGrowing(parts, [...steps, 300_000], restart, metadataEvery))).toBe(whole);
          },
        ),
        { numRuns: 2 },
      );
    });
  }

  test('a header that is being changed when reading goes on makes nothing count twice', async () => {
    const bytes = readFileSync(join(folder, 'shop-v1-jdk25.jfr'));
    const chunk = growing(bytes);
    const first = reader();
    first.open(chunk);
    chunk.grow(bytes.length >> 1);
    while (first.read() === 'grown');
    const before = first.end(SPAN.endMillis).profile;
    const { position } = first;
    const second = reader();
    chunk.changeHeader();
    second.open(chunk, position);
    expect(second.position).toBe(position);
    chunk.changeHeader();
    expect(second.read()).toBe('waiting');
    expect(second.position).toBe(position);
    expect(second.isEmpty).toBe(true);
    chunk.grow(bytes.length);
    while (second.read() !== 'finished');
    const merged = mergeProfiles([before, second.end(SPAN.endMillis).profile]);
    expect(textOf(merged)).toBe(textOf((await ingest(bytes, { names: 'normalised' })).profile!));
  });

  test('a chunk that is cut off gives what is there and says so', async () => {
    const bytes = readFileSync(join(folder, 'shop-v1-jdk25.jfr'));
    const chunk = growing(bytes);
    chunk.grow(bytes.length >> 1);
    const live = reader();
    live.open(chunk);
    while (live.read() === 'grown');
    live.giveUp();
    const { profile } = live.end(SPAN.endMillis);
    assertProfile(profile);
    expect(profile.cells[0]!.length).toBeGreaterThan(0);
  });
});

test('pruning keeps every sample and nothing else', async () => {
  const { profile: read } = await ingest(readFileSync(join(folder, 'shop-v1-jdk25.jfr')), { names: 'normalised' });
  const profile = read!;
  const [first] = profile.metrics;
  const kept = (id: string) => id === first!.id;
  const cells = profile.cells.map((each, i) =>
    kept(profile.metrics[i]!.id)
      ? each
      : {
          ...each,
          length: 0,
          node: each.node.slice(0, 0),
          thread: each.thread.slice(0, 0),
          line: each.line.slice(0, 0),
          window: each.window.slice(0, 0),
          count: each.count.slice(0, 0),
          weight: each.weight.slice(0, 0),
          weightSquares: each.weightSquares?.slice(0, 0) ?? null,
        },
  );
  const pruned = pruneProfile({ ...profile, cells });
  assertProfile(pruned);
  const wanted = { frames: 'full', threads: true, metric: first!.id, weights: true } as const;
  expect(toCollapsed(pruned, wanted)).toBe(toCollapsed(profile, wanted));
  expect(pruned.metrics.map(({ id }) => id)).toEqual([first!.id]);
  const used = new Set(pruned.tree.method);
  for (let method = 2; method < pruned.methods.length; method++) expect(used.has(method)).toBe(true);
  const names = new Set([...pruned.methods.className, ...pruned.methods.name, ...pruned.methods.descriptor]);
  for (let row = 0; row < pruned.methods.strings.length; row++) expect(names.has(row)).toBe(true);
});
