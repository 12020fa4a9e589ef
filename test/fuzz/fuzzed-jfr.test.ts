// Fuzzing the JFR reader: real and handmade recordings with bits turned over, pieces cut, lengths set to extremes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { memorySource } from '../../server/ingest/byte-source.ts';
import type { Ingested } from '../../server/ingest/ingest.ts';
import { ingestSource } from '../../server/ingest/read-source.ts';
import { assertProfile } from '../support/profiles/assert-profile.ts';
import { ChunkWriter, methodPools, stackPool, threadPool } from '../support/recordings/jfr-writer.ts';
import { cpuSeconds, workFor } from '../support/runs.ts';
import { anyDamages, type Damage, noiseBehind } from './damages.ts';
import { seededRandom } from './jfr-random.ts';

const folder = fileURLToPath(new URL('../../samples/recordings', import.meta.url));
/** Processor time for each kind of damage. */
const SECONDS = 4;
const seed = Number(process.env.INSITU_SEED ?? Date.now() % 1_000_000);

function handmade(): Uint8Array {
  const writer = new ChunkWriter();
  for (let i = 0; i < 20; i++) writer.sample(1 + (i % 3), 1 + (i % 2), i * 1000);
  return writer
    .checkpoint([
      stackPool(
        [1, 2, 3].map(key => ({
          key,
          truncated: key === 2,
          frames: [
            { method: key, line: 4 },
            { method: 1, line: -1 },
          ],
        })),
      ),
      ...methodPools(
        [1, 2, 3].map(key => ({ key, owner: `p/C${key}`, name: `m${key}` })),
        'utf16',
      ),
    ])
    .checkpoint([threadPool([1, 2].map(key => ({ key, name: `thread-${key}` })))])
    .finish();
}

/** The smallest sample recording; damage anywhere in it is read in tens of milliseconds. */
function real(): Uint8Array {
  const files = readdirSync(folder).filter(name => name.endsWith('.jfr'));
  const all = files.map(name => readFileSync(join(folder, name)));
  return all.reduce((least, bytes) => (bytes.length < least.length ? bytes : least));
}

const damages: Readonly<Record<string, Damage>> = {
  ...anyDamages,
  'random bytes behind a header': noiseBehind(68),
  'header fields at extremes': (bytes, random) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const extremes = [
      0n,
      1n,
      67n,
      68n,
      -1n,
      2n ** 31n,
      2n ** 32n + 5n,
      2n ** 53n,
      2n ** 63n - 1n,
      BigInt(bytes.length),
    ];
    view.setBigInt64(8 * (1 + random(7)), extremes[random(extremes.length)]!);
    return bytes;
  },
};

function check(ingested: Ingested, what: string): void {
  expect(
    ingested.problems.filter(problem => problem.message.startsWith('reading failed')),
    what,
  ).toEqual([]);
  expect(ingested.profile === null && ingested.problems.every(problem => problem.severity !== 'error'), what).toBe(
    false,
  );
  if (ingested.profile !== null) assertProfile(ingested.profile);
}

describe.each([
  ['a handmade chunk', handmade()],
  ['a real recording', real()],
])('%s', (_, original) => {
  test.each(Object.entries(damages))(`%s (seed ${seed})`, async (name, damage) => {
    const random = seededRandom(seed);
    let slowest = 0;
    const isOver = workFor(SECONDS);
    for (let rounds = 0; rounds < 5 || !isOver(); rounds++) {
      const bytes = damage(Uint8Array.from(original), random);
      const before = process.cpuUsage();
      check(
        await ingestSource(memorySource('fuzz.jfr', bytes), { names: 'normalised', timeTypes: rounds % 2 === 0 }),
        `${name}, round ${rounds}`,
      );
      slowest = Math.max(slowest, cpuSeconds(before));
    }
    // Seconds of processor time, no measurement: damage must not turn a file of a megabyte into minutes of work.
    expect(slowest).toBeLessThan(10);
    expect(process.memoryUsage.rss()).toBeLessThan(2 ** 30);
  });
});
