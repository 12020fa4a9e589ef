// Checks that gzip and zstd around recordings make no difference, and that bombs are refused.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { memorySource } from '../../server/ingest/byte-source.ts';
import { decompress } from '../../server/ingest/compressed.ts';
import { textOfProfile } from '../support/profiles/profiles.ts';
import { ingest, profileIn } from '../support/recordings/ingested.ts';

const TEXT = 'A.b;C.d 2\nA.b 1\n';
const recording = fileURLToPath(new URL('../../samples/recordings/shop-v1-jdk17-b.jfr', import.meta.url));

test.each([
  ['gzip', gzipSync(TEXT)],
  ['gzip in two members', Buffer.concat([gzipSync(TEXT.slice(0, 10)), gzipSync(TEXT.slice(10))])],
  ['zstd', zstdCompressSync(TEXT)],
  ['zstd in two frames', Buffer.concat([zstdCompressSync(TEXT.slice(0, 10)), zstdCompressSync(TEXT.slice(10))])],
])('%s', async (_name, bytes) => {
  expect(textOfProfile(await profileIn(bytes))).toBe('A.b | 1@0\n  C.d | 2@0');
});

test('a Flight Recorder file inside', async () => {
  const bytes = readFileSync(recording);
  const [plain, inside] = [await ingest(bytes), await ingest(zstdCompressSync(bytes))];
  expect(inside.format).toBe('jfr');
  expect(textOfProfile(inside.profile!, 0, true)).toBe(textOfProfile(plain.profile!, 0, true));
});

test('more than stands in memory', async () => {
  // Numbers keep the ratio below that of a bomb.
  const lines = Array.from({ length: 10_000 }, (_, i) => `A.m${i % 50}:${i % 7};B.n${(i * i) % 91}:${i % 11} ${i}\n`);
  const text = lines.join('');
  const times = Math.ceil((66 << 20) / text.length);
  const bytes = gzipSync(text.repeat(times), { level: 1 });
  const { value, problems } = await decompress(memorySource('test', bytes), 'gzip', {});
  expect(problems).toEqual([]);
  expect(value!.size).toBe(text.length * times);
  const part = new Uint8Array(text.length);
  expect(value!.read(text.length * (times - 1), part)).toBe(text.length);
  expect(Buffer.from(part).toString()).toBe(text);
  value!.close();
});

test('a stream that breaks off gives what came before', async () => {
  const lines = Array.from({ length: 30_000 }, (_, i) => `A.b;C.d${(i * 7919) % 30_011} 1\n`).join('');
  const bytes = gzipSync(lines);
  const { profile, problems } = await ingest(bytes.subarray(0, bytes.length - 2000));
  expect(profile!.tree.length).toBeGreaterThan(1000);
  expect(problems[0]).toMatchObject({ severity: 'warning', message: expect.stringContaining('break off') });
});

test('bombs are refused', async () => {
  const zeros = Buffer.alloc(80 << 20);
  for (const bomb of [gzipSync(zeros), zstdCompressSync(zeros)]) {
    const { profile, problems } = await ingest(bomb);
    expect(profile).toBe(null);
    expect(problems).toMatchObject([{ message: expect.stringContaining('grows to more than') }]);
  }
});

test('what is twice compressed, empty or broken at its start is refused', async () => {
  for (const bytes of [
    gzipSync(gzipSync(TEXT)),
    gzipSync(''),
    Buffer.from([0x1f, 0x8b, 8, 1, 2, 3]),
    gzipSync('hello\n'),
  ])
    expect((await ingest(bytes)).profile).toBe(null);
});

test('cancelling', async () => {
  const { value } = await decompress(memorySource('test', gzipSync(TEXT)), 'gzip', { signal: AbortSignal.abort() });
  expect(value).toBe(null);
});
