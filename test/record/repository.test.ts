// Chunk files of a JVM's repository: each chunk is read once, under whatever names it stands there.
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Repository } from '../../server/record/repository.ts';

let folder = '';
let repository: Repository;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-repository-'));
  repository = new Repository(folder);
});
afterEach(() => {
  repository.close();
  rmSync(folder, { recursive: true });
});

/** The beginning of a chunk that began then. */
function chunk(startNanos: number): Buffer {
  const bytes = Buffer.alloc(68);
  bytes.writeUInt32BE(0x464c5200);
  bytes.writeBigUInt64BE(BigInt(startNanos), 32);
  return bytes;
}

const write = (name: string, bytes: Uint8Array = new Uint8Array(0)) => writeFileSync(join(folder, name), bytes);
function files(): string[] {
  repository.look();
  return repository.files().map(file => `${file.name} ${file.startNanos()}`);
}

test('chunks come by when they began, chunks that have not begun last', () => {
  write('b.jfr', chunk(1));
  write('a.jfr', chunk(2));
  write('c.jfr');
  write('readme.txt', chunk(3));
  mkdirSync(join(folder, 'd.jfr'));
  expect(files()).toEqual(['b.jfr 1', 'a.jfr 2', 'c.jfr 0']);
  repository.done(repository.files()[0]!);
  expect(files()).toEqual(['a.jfr 2', 'c.jfr 0']);
});

test('a chunk that is written beside its name is read once, also when both names go at once', () => {
  write('a.jfr');
  expect(files()).toEqual(['a.jfr 0']);
  write('a.part');
  expect(files()).toEqual(['a.part 0']);
  write('a.part', chunk(5));
  renameSync(join(folder, 'a.part'), join(folder, 'a.jfr'));
  expect(files()).toEqual(['a.part 5']);
  rmSync(join(folder, 'a.jfr'));
  expect(files()).toEqual(['a.part 5']);
  repository.done(repository.files()[0]!);
  expect(files()).toEqual([]);
});

test('what was read is not read again under its other name', () => {
  write('a.jfr');
  write('a.part', chunk(5));
  expect(files()).toEqual(['a.part 5']);
  repository.done(repository.files()[0]!);
  renameSync(join(folder, 'a.part'), join(folder, 'a.jfr'));
  expect(files()).toEqual([]);
});
