// Checks that whatever a path leads to is answered with a problem, at once: pipes, devices, folders, links that lead nowhere.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { ingestFile } from '../../server/ingest/read.ts';

const folder = mkdtempSync(join(tmpdir(), 'insitu-odd-'));
afterAll(() => rmSync(folder, { recursive: true }));

function made(name: string, make: (path: string) => void): string {
  const path = join(folder, name);
  make(path);
  return path;
}

test.each([
  ['a folder', folder, /a folder, not a file/],
  ['nothing', join(folder, 'nothing'), /no such file/],
  ['an empty file', made('empty.jfr', path => writeFileSync(path, '')), /the file is empty/],
  ['a device', '/dev/null', /a pipe or a device, not a file/],
  ['an endless device', '/dev/zero', /a pipe or a device, not a file/],
  ['a pipe without a writer', made('pipe', path => spawnSync('mkfifo', [path])), /a pipe or a device, not a file/],
  ['a link to itself', made('loop', path => symlinkSync('loop', path)), /leads back to itself/],
  ['a cut zstd file', made('cut.zst', path => writeFileSync(path, cutInside())), /breaks off before anything/],
])('%s', async (_what, path, message) => {
  const { profile, problems } = await ingestFile(path, { names: 'raw' });
  expect(profile).toBe(null);
  expect(problems).toMatchObject([
    { severity: 'error', file: path, message: expect.stringMatching(message), remedy: expect.stringMatching(/./) },
  ]);
});

/** The start of a frame whose first block has not ended. */
function cutInside(): Buffer {
  const whole = zstdCompressSync(Array.from({ length: 2000 }, (_, i) => `A.b;C.d${(i * 7919) % 2003} 1\n`).join(''));
  return whole.subarray(0, whole.length >> 1);
}
