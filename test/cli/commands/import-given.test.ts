// `insitu import` of folders, zip archives and standard input.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { zipSync } from 'fflate';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type CommandRun, insitu, withoutUnread } from '../../support/insitu/command-line.ts';
import { insituProgram } from '../../support/insitu/program.ts';
import { expectHarmless, FORGING } from '../../support/terminals/hostile-text.ts';

const RECORDING = readFileSync('samples/recordings/shop-v1-jdk17-a.jfr');
const STACKS = readFileSync('samples/formats/shop-cpu.collapsed.gz');

let folder = '';
let place: readonly string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-given-'));
  vi.stubEnv('TMPDIR', folder);
  place = ['--store', join(folder, 'store'), '--project', 'p', '--program', 'shop'];
});
afterEach(() => {
  expect(readdirSync(folder).filter(name => name.startsWith('insitu-import-'))).toEqual([]);
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function archive(files: Parameters<typeof zipSync>[0]): string {
  const path = join(folder, 'recordings.zip');
  writeFileSync(path, zipSync(files));
  return path;
}

async function instances(): Promise<string[]> {
  const { out } = await insitu('executions', '--json', ...place.slice(0, 4));
  return JSON.parse(out)
    .rows.map(({ instance }: { instance: string }) => instance)
    .toSorted();
}

test('every file of an archive is an instance of its name', async () => {
  const path = archive({ 'a/one.jfr': RECORDING, 'b/two.collapsed.gz': STACKS, '__MACOSX/a/._one.jfr': STACKS });
  const { status, out, err } = await insitu('import', path, ...place);
  expect([status, withoutUnread(err)]).toEqual([0, '']);
  expect(out).toMatch(
    /^one\.jfr as p\/shop unknown \(one\): 4,426 samples of cpu, .*\ntwo\.collapsed\.gz as .*\(two\): .*\n$/,
  );
  expect(await instances()).toEqual(['one', 'two']);
});

const OTHERS = {
  'README.md': '# Shop\n\nStarted 3 times in 2026\nseen by 12\n',
  'gc.txt': '  S0C    S1C    EC       EU\n 512.0  512.0  4096.0   1024.5\n 512.0  512.0  4096.0   2048.5\n',
  'io.txt': 'Device  tps  kB_read/s  kB_read\nsda  12.10  301.00  9912\nsdb  1.00  8.00  12\n',
  'metrics.prom': '# TYPE jvm_threads gauge\njvm_threads{state="runnable"} 12\njvm_threads{state="waiting"} 3\n',
  'table.csv': 'time;method;count\n1;run;12\n2;stop;3\n',
  // An ExportTraceServiceRequest of OpenTelemetry: a resource with an attribute.
  'trace.pb': Buffer.from('0a120a100a0e0a046e616d6512060a0473686f70', 'hex'),
};

test.each(['a folder', 'an archive'])('what is no recording in %s is left out with a line', async kind => {
  const others = kind === 'a folder' ? OTHERS : { 'README.md': OTHERS['README.md'], 'trace.pb': OTHERS['trace.pb'] };
  const files = { ...others, 'stacks.txt': 'shop.Cart.add;shop.Cart.sum 60\nshop.Cart.add 40\n' };
  const given = (all: Readonly<Record<string, string | Uint8Array>>): string => {
    if (kind === 'an archive')
      return archive(Object.fromEntries(Object.entries(all).map(([name, text]) => [name, Buffer.from(text)])));
    const at = mkdtempSync(join(folder, 'given-'));
    mkdirSync(join(at, 'inside'));
    for (const [name, text] of Object.entries({ ...all, '.hidden': 'x' })) writeFileSync(join(at, name), text);
    return at;
  };
  const { status, out, err } = await insitu('import', given(files), ...place);
  expect(out).toMatch(/^stacks\.txt as p\/shop unknown \(stacks\): 100 samples of cpu, 1 KiB\n$/);
  expect(
    err.replaceAll(/^info: .*?([^/:\n]*): left out, as this is no recording in a format that insitu knows$/gm, '$1'),
  ).toBe(`${Object.keys(others).sort().join('\n')}\n`);
  expect(status).toBe(0);
  const none = await insitu('import', given({ 'gc.txt': OTHERS['gc.txt'] }), ...place);
  expect([none.status, none.out]).toEqual([1, '']);
  expect(none.err).toMatch(/error: no file here is a recording\n$/);
});

test('a recording that is stored as another instance already is named: its samples count twice', async () => {
  const path = resolve('samples/recordings/shop-v1-jdk17-a.jfr');
  const first = await insitu('import', path, '--instance', 'one', ...place);
  expect([first.status, withoutUnread(first.err)]).toEqual([0, '']);
  // The very same once more is one entry.
  const same = await insitu('import', path, '--instance', 'one', ...place);
  expect([same.status, same.err]).toEqual([
    0,
    expect.stringMatching(/^info: .*jdk17-a\.jfr: 1 of 1 chunk was imported before\n$/),
  ]);
  expect(same.out).toMatch(/^shop-v1-jdk17-a\.jfr as p\/shop unknown \(one\): nothing new/);
  const again = await insitu('import', path, '--instance', 'two', ...place);
  expect(again.status).toBe(0);
  expect(withoutUnread(again.err)).toMatch(
    /^warning: .*jdk17-a\.jfr: the same samples are stored as instance "one" already: they count twice/,
  );
});

test('standard input, with the numbers of the file', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [insituProgram, ...args, ...place], {
      input: RECORDING,
      encoding: 'utf8',
    });
  expect(run('import', '-', '--instance', 'i-1')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^standard-input as p\/shop unknown \(i-1\): 4,426 samples of cpu, /),
  });
  const [imported] = JSON.parse(run('import', '-', '--json', '--version', '2').stdout);
  expect(imported).toMatchObject({ recording: 'standard-input', snapshot: expect.stringContaining('standard-input') });
});

test.each([
  [
    'a file that is no recording',
    { 'x.txt': Buffer.from('hello') },
    /^info: x\.txt: left out, as this is no recording.*\nerror: no file here is a recording/,
  ],
  ['no file', { 'a/': new Uint8Array(0) }, /recordings\.zip: the archive holds no file/],
  [
    'a bomb',
    { 'b.collapsed': Buffer.alloc(70 << 20, 'a') },
    /grows to more than 67108864 bytes; unpack it first if you trust/,
  ],
  ['a name that forges lines', { [`x${FORGING}`]: Buffer.from('hello') }, /this is no recording/],
])('an archive with %s is refused', async (_, files, message) => {
  const run: CommandRun = await insitu('import', archive(files), ...place);
  expect(run.err).toMatch(message);
  expectHarmless(run.err);
  expect([run.status, run.out]).toEqual([1, '']);
});

test('of a damaged archive nothing is imported', async () => {
  const path = archive({ 'one.jfr': RECORDING, 'two.collapsed.gz': STACKS });
  writeFileSync(path, readFileSync(path).subarray(0, RECORDING.length >> 2));
  const run = await insitu('import', path, ...place);
  expect(run).toMatchObject({
    status: 1,
    out: '',
    err: expect.stringMatching(/recordings\.zip: the archive cannot be read: /),
  });
});

test('windows are as long as --window says', async () => {
  const file = join(folder, 'shop.jfr');
  writeFileSync(file, RECORDING);
  const { status, err } = await insitu('import', file, ...place, '--window', '1s');
  expect([status, withoutUnread(err)]).toEqual([0, '']);
  const { out } = await insitu('export', '--format', 'json', ...place);
  const { windows } = JSON.parse(out) as { windows: { startMillis: number; endMillis: number }[] };
  expect(windows.length).toBeGreaterThan(5);
  for (const { startMillis, endMillis } of windows.slice(0, -1)) expect(endMillis - startMillis).toBe(1000);
  for (const wrong of ['0s', '1', 'x'])
    expect((await insitu('import', file, ...place, '--window', wrong)).status).toBe(2);
});
