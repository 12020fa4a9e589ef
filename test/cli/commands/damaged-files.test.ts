// Files that can be read only in part: every way in says so and ends with status 1, and a check decides nothing.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insitu } from '../../support/insitu/command-line.ts';
import { ChunkWriter, methodPools, stackPool, threadPool } from '../../support/recordings/jfr-writer.ts';
import { isInFull } from '../../support/runs.ts';

const SAMPLE = (name: string) => readFileSync(join('samples/formats', name));

/** @param damage gets where the hundredth event begins */
function jfr(damage: (bytes: Buffer, event: number) => void = () => {}): Buffer {
  const writer = new ChunkWriter();
  let event = 0;
  for (let i = 0; i < 200; i++) {
    if (i === 100) event = writer.offset;
    writer.sample(1, 1, i);
  }
  const pools = [
    stackPool([{ key: 1, frames: [{ method: 1, line: 3 }] }]),
    ...methodPools([{ key: 1, owner: 'com/acme/Work', name: 'run' }]),
    threadPool([{ key: 1, name: 'main' }]),
  ];
  const bytes = Buffer.from(writer.checkpoint(pools).finish());
  damage(bytes, event);
  return bytes;
}

const halfOf = (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1);
const STACKS = 'com.acme.Work.main;com.acme.Work.run 60\ncom.acme.Work.main 40\n';
const SPANS = SAMPLE('opentelemetry.log').toString();

/** Damaged files of each format of which something can be read. */
const DAMAGED: readonly (readonly [what: string, file: string, bytes: () => Buffer])[] = [
  ['a hole in a flight recording', 'hole.jfr', () => jfr((bytes, event) => bytes.fill(0, event, event + 200))],
  ['an event without a size', 'empty.jfr', () => jfr((bytes, event) => bytes.fill(0, event, event + 1))],
  ['bytes between chunks', 'between.jfr', () => Buffer.concat([jfr(), Buffer.alloc(100, 7), jfr()])],
  ['names that are missing', 'names.jfr', () => jfr(withoutNames)],
  ['a line that is no stack', 'line.txt', () => Buffer.from(`${STACKS}com.acme.Work.main;com\n`)],
  ['half of a compressed file', 'half.collapsed.gz', () => halfOf(SAMPLE('shop-cpu.collapsed.gz'))],
  ['a Kieker log that is cut off', 'cut.dat', () => Buffer.concat([SAMPLE('kieker.dat'), Buffer.from('$1;17')])],
  ['spans whose JSON is cut off', 'cut.log', () => Buffer.from(SPANS.slice(0, -20))],
  ['thread dumps whose JSON is cut off', 'cut.jsons', () => halfOf(SAMPLE('jcmd-json-jdk25.jsons'))],
];

/** The symbol with the method's name is not there any more. */
function withoutNames(bytes: Buffer): void {
  const at = bytes.indexOf('run');
  // Its entry begins with the key, and the text behind kind and length; another key leads nowhere.
  bytes.fill(99, at - 3, at - 2);
}

let folder = '';
const at = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-damaged-'));
  for (const [, file, bytes] of DAMAGED) writeFileSync(at(file), bytes());
  writeFileSync(at('whole.txt'), STACKS);
  writeFileSync(at('half.pb'), halfOf(gunzipSync(SAMPLE('shop.pb.gz'))));
});
afterAll(() => rmSync(folder, { recursive: true }));

const store = (name: string) => ['--store', at(`store of ${name}`), '--project', 'q', '--program', 'p'];

describe.each(DAMAGED)('%s', (_, name) => {
  test('is stored, exported and shown as far as it goes, with status 1 and a word', async () => {
    const file = at(name);
    const shown = [
      ['export', file],
      ['top', file],
      ['tree', '--recording', file],
    ];
    // In short one of them by turns: they read a file alike.
    const turn = DAMAGED.findIndex(([, each]) => each === name) % shown.length;
    for (const args of [['import', file, ...store(name)], ...(isInFull() ? shown : [shown[turn]!])]) {
      const { status, out, err } = await insitu(...args);
      expect([args[0], status]).toEqual([args[0], 1]);
      expect(out).not.toBe('');
      expect(err).toContain(name);
    }
  });
});

test('of half a pprof profile the samples without names are refused, not stored', async () => {
  const imported = await insitu('import', at('half.pb'), '--json', ...store('half.pb'));
  expect(imported.status).toBe(1);
  expect(JSON.parse(imported.out)).toMatchObject([{ snapshot: null }]);
  expect(imported.err).toMatch(/samples were left out: the file does not hold the locations, functions or names/);
  expect((await insitu('top', at('half.pb'))).status).toBe(1);
});

test('a check with a damaged fork decides nothing and names the file', async () => {
  writeFileSync(at('copy.txt'), STACKS);
  const check = (...forks: string[]) =>
    insitu('compare', '--before', at('whole.txt'), ...forks, '--after', at('copy.txt'), '--fail-on', 'slower > 5%');
  for (const name of ['line.txt', 'half.pb']) {
    const { status, err } = await check(at(name));
    expect([name, status]).toEqual([name, 3]);
    expect(err.trim().split('\n').at(-1)).toContain(name);
  }
  // A file that does not exist is no damage, and without a check a part is shown.
  expect((await check(at('nothing.txt'))).status).toBe(1);
  expect((await insitu('compare', at('line.txt'), at('whole.txt'))).status).toBe(1);
  expect((await insitu('compare', at('whole.txt'), at('copy.txt'))).status).toBe(0);
});
