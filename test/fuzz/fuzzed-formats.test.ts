// Fuzzing the readers of further formats: sample files with bits turned over, pieces cut, numbers set to extremes, and huge files.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { NOTATIONS } from '../ingest/threads/notations.ts';
import { patient } from '../support/patience.ts';
import { ingest } from '../support/recordings/ingested.ts';
import { workFor } from '../support/runs.ts';
import { anyDamages, type Damage, noiseBehind } from './damages.ts';
import { seededRandom } from './jfr-random.ts';

const folder = fileURLToPath(new URL('../../samples/formats/', import.meta.url));
const hostile = fileURLToPath(new URL('hostile-formats.ts', import.meta.url));
const seed = Number(process.env.INSITU_SEED ?? Date.now() % 1_000_000);
/** Processor time for each original. */
const SECONDS = 3;

/** As they are, and without what is around them, so that damage reaches the readers. */
const samples = readdirSync(folder)
  .filter(name => name !== 'README.md')
  .flatMap((name): [string, Uint8Array][] => {
    const bytes = readFileSync(folder + name);
    if (name.endsWith('.gz'))
      return [
        [name, bytes],
        [`inside ${name}`, gunzipSync(bytes)],
      ];
    if (name.endsWith('.zst'))
      return [
        [name, bytes],
        [`inside ${name}`, zstdDecompressSync(bytes)],
      ];
    return [[name, bytes]];
  });
/** Notations of thread dumps that no sample file has. */
const WRITTEN = ['jhsdb jstack', 'ThreadInfo of JDK 8', 'a log as JSON', 'Spring Boot, JSON'];
const originals = [...samples, ...WRITTEN.map((name): [string, Uint8Array] => [name, Buffer.from(NOTATIONS[name]!)])];

const EXTREMES = [
  '-1',
  '0',
  '9223372036854775808',
  '1e999',
  '99999999999999999999999999',
  '\0',
  '(',
  ';',
  '"',
  '\u2028',
];

const damages: Readonly<Record<string, Damage>> = {
  ...anyDamages,
  'random bytes behind a start': noiseBehind(30),
  'extremes for a few bytes': (bytes, random) => {
    const at = random(bytes.length);
    const extreme = Buffer.from(EXTREMES[random(EXTREMES.length)]!);
    return Buffer.concat([bytes.subarray(0, at), extreme, bytes.subarray(at + random(12))]);
  },
};

describe.each(originals)('%s', (_, original) => {
  test(`damaged (seed ${seed})`, async () => {
    const random = seededRandom(seed);
    const kinds = Object.entries(damages);
    const isOver = workFor(SECONDS);
    for (let round = 0; round < kinds.length || !isOver(); round++) {
      const [name, damage] = kinds[round % kinds.length]!;
      const { problems } = await ingest(damage(Uint8Array.from(original), random), { names: 'normalised' });
      const failures = problems.filter(problem => problem.message.startsWith('reading failed'));
      expect(failures, `${name}, round ${round}`).toEqual([]);
    }
  });
});

const names: string[] = JSON.parse(execFileSync(process.execPath, [hostile], { encoding: 'utf8' }));
/** Each takes seconds: three a run, others with another seed; all of them with INSITU_FUZZ_ALL set. */
const chosen = process.env.INSITU_FUZZ_ALL ? names : [0, 7, 14].map(step => names[(seed + step) % names.length]!);
/**
 * Processor time: two seconds to begin, and for each megabyte some four times what honest files take, the making of the file
 * included. A reader that goes over parts of a file again and again needs minutes.
 */
const MAX_SECONDS = 2;
const MAX_SECONDS_A_MEGABYTE = 0.6;

test.each(chosen)('%s: within 1 GB and in time', name => {
  const answer = execFileSync(process.execPath, [hostile, name], { encoding: 'utf8', timeout: patient(110_000) });
  const { megabytes, fileMegabytes, seconds, problems } = JSON.parse(answer);
  expect(megabytes).toBeLessThan(1000);
  expect(seconds).toBeLessThan(MAX_SECONDS + MAX_SECONDS_A_MEGABYTE * fileMegabytes);
  for (const { message } of problems) expect(message).not.toMatch(/^reading failed/);
});
