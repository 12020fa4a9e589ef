// A temporary folder is listed when something in it has come or gone, and not for each process.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PerfFolders } from '../../server/record/perf-folders.ts';

describe('folders of performance data', () => {
  let folder: string;
  let listed = 0;
  const list = (path: string) => {
    listed++;
    return readdirSync(path);
  };
  const changedAt = (seconds: number) => utimesSync(folder, seconds, seconds);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'insitu-perf-'));
    listed = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('of each user are found, and nothing else', () => {
    for (const name of ['hsperfdata_one', 'hsperfdata_two', 'other']) mkdirSync(join(folder, name));
    expect(new PerfFolders().of(folder)).toHaveLength(2);
    expect([...new PerfFolders().of(folder)].sort()).toEqual([
      join(folder, 'hsperfdata_one'),
      join(folder, 'hsperfdata_two'),
    ]);
  });

  test('are listed once while nothing changes, and anew when something does', () => {
    const folders = new PerfFolders(list, () => 2_000_000);
    changedAt(1_000);
    expect(folders.of(folder)).toEqual([]);
    expect(folders.of(folder)).toEqual([]);
    expect(listed).toBe(1);
    mkdirSync(join(folder, 'hsperfdata_one'));
    changedAt(1_500);
    expect(folders.of(folder)).toEqual([join(folder, 'hsperfdata_one')]);
    expect(folders.of(folder)).toHaveLength(1);
    expect(listed).toBe(2);
  });

  test('are listed again where the last change is so young that another would not be told from it', () => {
    const folders = new PerfFolders(list, () => 1_000_500);
    changedAt(1_000);
    folders.of(folder);
    mkdirSync(join(folder, 'hsperfdata_one'));
    changedAt(1_000);
    expect(folders.of(folder)).toHaveLength(1);
    expect(listed).toBe(2);
  });

  test('of a folder that is not there are an error', () => {
    expect(() => new PerfFolders().of(join(folder, 'gone'))).toThrow(/ENOENT/);
  });
});
