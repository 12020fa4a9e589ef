// Recordings that could be read only in part: their numbers are printed, the exit status says that they are not all.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insitu } from '../../support/insitu/command-line.ts';

const WHOLE = 'samples/recordings/shop-v1-jdk17-b.jfr';
const OTHER = 'samples/recordings/shop-v1-jdk17-a.jfr';

let folder: string;
let half: string;
let unfinished: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-half-'));
  [half, unfinished] = [join(folder, 'half.jfr'), join(folder, 'unfinished.jfr')];
  const bytes = readFileSync(WHOLE);
  writeFileSync(half, bytes.subarray(0, bytes.length >> 1));
  // The generation of a chunk that the JVM still writes.
  writeFileSync(unfinished, bytes.with(64, 1));
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['top', () => ['top', '--recording', half]],
  ['a tree', () => ['tree', '--recording', half]],
  ['the version before', () => ['compare', half, OTHER]],
  ['the version after', () => ['compare', OTHER, half]],
])('half a recording in %s', async (_, args) => {
  const { status, out, err } = await insitu(...args());
  expect(status).toBe(1);
  expect(out).toContain('com.acme.shop');
  expect(err).toMatch(/^warning: .*half\.jfr: byte \d+: the chunk says it has \d+ bytes, but the file ends after/m);
});

test('a whole recording, and one that goes on', async () => {
  expect((await insitu('top', '--recording', WHOLE)).status).toBe(0);
  const { status, err } = await insitu('top', '--recording', unfinished);
  expect([status, err]).toEqual([0, expect.stringContaining('the recorder did not finish this chunk')]);
});
