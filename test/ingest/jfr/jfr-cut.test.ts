// Real recordings cut off at random places: nothing is thrown, and no chunk that is still whole loses a sample.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { memorySource } from '../../../server/ingest/byte-source.ts';
import type { Ingested } from '../../../server/ingest/ingest.ts';
import { listChunks } from '../../../server/ingest/jfr/chunk-header.ts';
import { ingestSource } from '../../../server/ingest/read-source.ts';
import { toCollapsed } from '../../../server/snapshot/export/collapsed.ts';
import { seededRandom } from '../../fuzz/jfr-random.ts';
import { assertProfile } from '../../support/profiles/assert-profile.ts';

const folder = fileURLToPath(new URL('../../../samples/recordings', import.meta.url));
const files = readdirSync(folder).filter(name => name.endsWith('.jfr'));
const whole = Buffer.concat(files.map(name => readFileSync(join(folder, name))));
const CUTS = 50;
const seed = Number(process.env.INSITU_SEED ?? Date.now() % 1_000_000);

const read = (length: number): Promise<Ingested> =>
  ingestSource(memorySource('cut.jfr', whole.subarray(0, length)), { names: 'raw', events: ['jdk.ExecutionSample'] });

/** Counts by collapsed line. */
function countsOf({ profile }: Ingested): Map<string, number> {
  const text = profile === null ? '' : toCollapsed(profile, { frames: 'full', threads: true, metric: 'cpu' });
  const lines = text.split('\n').filter(line => line !== '');
  return new Map(
    lines.map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

describe(`cut at ${CUTS} random places (seed ${seed})`, () => {
  const ends = listChunks(memorySource('all.jfr', whole)).chunks.map(chunk => chunk.position + chunk.available);

  test('there are several chunks, and the last ends with the file', () => {
    expect(ends.length).toBeGreaterThanOrEqual(files.length);
    expect(ends.at(-1)).toBe(whole.length);
  });

  test('every chunk before the cut is there, and the cut is reported once, with its place', async () => {
    const random = seededRandom(seed);
    const wholeChunks = new Map<number, Map<string, number>>();
    for (let i = 0; i < CUTS; i++) {
      const length = 1 + random(whole.length - 1);
      const end = ends.findLast(each => each <= length) ?? 0;
      if (!wholeChunks.has(end)) wholeChunks.set(end, end === 0 ? new Map() : countsOf(await read(end)));
      const ingested = await read(length);
      if (ingested.profile !== null) assertProfile(ingested.profile);
      const counts = countsOf(ingested);
      for (const [line, count] of wholeChunks.get(end)!)
        expect(counts.get(line) ?? 0, line).toBeGreaterThanOrEqual(count);
      const placed = ingested.problems.filter(problem => problem.place?.startsWith('byte '));
      expect(placed.length, `${length}: ${placed.map(problem => problem.message).join('; ')}`).toBe(
        length > end ? 1 : 0,
      );
    }
  });
});
