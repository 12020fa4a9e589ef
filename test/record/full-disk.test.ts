// A recorder whose spool stands on a full disk says so in words, and leaves no lock file.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { Recorder } from '../../server/record/recorder.ts';
import { recorderOptions } from '../support/recorders/recorder-options.ts';

vi.mock('node:fs', async original => {
  const all = await original<typeof import('node:fs')>();
  return { ...all, writeFileSync: vi.fn(all.writeFileSync) };
});

test('a recorder that starts on a full disk', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-full-'));
  const { openSync, closeSync } = await vi.importActual<typeof import('node:fs')>('node:fs');
  // As the system does: the name is there, the bytes are not.
  vi.mocked(writeFileSync).mockImplementation(path => {
    closeSync(openSync(String(path), 'wx'));
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  });
  try {
    const recorder = new Recorder(recorderOptions(folder));
    const { value, problems } = await recorder.start();
    expect(value).toBeNull();
    expect(problems).toMatchObject([
      { message: 'the spool cannot be used: its disk is full', remedy: expect.stringContaining('make room') },
    ]);
    expect(readdirSync(join(folder, 'spool'))).toEqual([]);
  } finally {
    vi.mocked(writeFileSync).mockReset();
    rmSync(folder, { recursive: true });
  }
});
