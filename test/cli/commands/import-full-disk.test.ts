// `insitu import` where the disk with the temporary folder is full: a word, nothing left behind, and the other recordings are imported.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { zipSync } from 'fflate';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { insitu } from '../../support/insitu/command-line.ts';

vi.mock('node:fs', async original => {
  const all = await original<typeof import('node:fs')>();
  return { ...all, writeSync: vi.fn(all.writeSync) };
});

const STACKS = 'samples/formats/shop-cpu.collapsed.gz';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-full-'));
  vi.stubEnv('TMPDIR', folder);
});
afterEach(() => {
  vi.mocked(writeSync).mockReset();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function fill(): void {
  vi.mocked(writeSync).mockImplementation(() => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  });
}

function refusal(given: string): string {
  return `error: ${given}: the disk with the temporary folder ${folder} is full (make room there, or name a folder of another disk in TMPDIR)\n`;
}

test('an archive', async () => {
  const archive = join(folder, 'recordings.zip');
  const stacks = readFileSync(STACKS);
  writeFileSync(archive, zipSync({ 'one.collapsed.gz': stacks, 'two.collapsed.gz': stacks }));
  const target = ['--store', join(folder, 'store'), '--project', 'p', '--program', 'shop'];
  fill();
  const { status, out, err } = await insitu('import', archive, STACKS, ...target);
  expect([status, err]).toEqual([1, refusal(archive)]);
  expect(out).toMatch(/^shop-cpu\.collapsed\.gz as p\/shop/);
  expect(readdirSync(folder).sort()).toEqual(['recordings.zip', 'store']);
  vi.mocked(writeSync).mockReset();
  expect(await insitu('import', archive, ...target)).toMatchObject({ status: 0 });
});

test('standard input', async () => {
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')!;
  Object.defineProperty(process, 'stdin', { ...stdin, get: () => Readable.from([readFileSync(STACKS)]) });
  onTestFinished(() => void Object.defineProperty(process, 'stdin', stdin));
  fill();
  const { status, err } = await insitu('import', '-', '--store', join(folder, 'store'), '--program', 'shop');
  expect([status, err]).toEqual([1, refusal('-')]);
  expect(readdirSync(folder)).toEqual([]);
});
