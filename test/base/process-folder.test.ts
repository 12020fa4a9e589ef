// Temporary folders that killed processes left behind are removed, and nothing else.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeProcessFolder } from '../../server/base/process-folder.ts';

test('a new folder clears away those of processes that are gone; links and others stay', () => {
  const parent = mkdtempSync(join(tmpdir(), 'insitu-process-folder-'));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const { pid: gone } = spawnSync(process.execPath, ['--version']);
  const running = `insitu-pages-${process.ppid}-abcdef`;
  const [link, other] = [`insitu-pages-${gone}-linked`, `insitu-pages-${gone}`];
  for (const name of [`insitu-pages-${gone}-abcdef`, running, other, 'target']) mkdirSync(join(parent, name));
  for (const name of [`insitu-pages-${gone}-abcdef`, 'target']) writeFileSync(join(parent, name, 'why.md'), '');
  symlinkSync(join(parent, 'target'), join(parent, link));
  const made = basename(makeProcessFolder('pages', parent));
  expect(made).toMatch(new RegExp(`^insitu-pages-${process.pid}-`));
  expect(readdirSync(parent).sort()).toEqual([made, running, link, other, 'target'].sort());
  expect(readdirSync(join(parent, 'target'))).toEqual(['why.md']);
});
