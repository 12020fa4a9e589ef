// `insitu export` of what `top` counts: of the store, and of a part of a recording.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommandLine } from '../../../server/cli/program.ts';
import { type CommandRun, insitu } from '../../support/insitu/command-line.ts';
import { numbersIn } from '../../support/insitu/numbers-in.ts';

const RECORDING = 'samples/recordings/shop-v1-jdk17-a.jfr';
const SEARCH = 'com.acme.shop.Shop.search';

let folder = '';
let place: readonly string[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-export-'));
  place = ['--store', join(folder, 'store'), '--project', 'shop'];
  const recordings = [RECORDING, 'samples/recordings/shop-v1-jdk17-b.jfr'];
  await insitu('import', ...recordings, ...place, '--program', 'shop', '--version', 'v1');
});
afterAll(() => rmSync(folder, { recursive: true }));

function exported(...args: readonly string[]): Promise<CommandRun> {
  return insitu('export', ...args, ...place);
}

/** Sum of the last numbers of collapsed stacks. */
function sumOf(collapsed: string): number {
  return collapsed.split('\n').reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

describe.each([
  [[]],
  [['--focus', SEARCH]],
  [['--threads', 'worker-*', '--threads', 'main']],
  [['--from', '2026-11-20T16:26:40', '--instance', 'shop-v1-jdk17-a']],
  [['--focus', SEARCH, '--threads', 'server-*', '--to', '2026-11-20T16:27:20']],
  [['--metric', 'alloc', '--focus', `prefix:com.acme.shop.search`, '--weights']],
  [['--recording', RECORDING, '--threads', 'worker-*']],
])('%j', options => {
  test('has the samples that top counts', async () => {
    // top takes as an option what export takes as its argument.
    const of = options.filter(each => each !== '--recording');
    const { out, status, err } = await exported(...of);
    expect([status, err.split(': ')[0]]).toEqual([0, 'info']);
    const { whole } = numbersIn(
      (await insitu('top', '--json', ...options.filter(each => each !== '--weights'), ...place)).out,
    );
    expect(sumOf(out)).toBeCloseTo(options.includes('--weights') ? whole.weight : whole.count, 0);
    expect(whole.count).toBeGreaterThan(0);
  });
});

test('stacks begin at the focus, and with the names of threads where they are wanted', async () => {
  const { out } = await exported('--focus', SEARCH);
  for (const line of out.trimEnd().split('\n')) expect(line).toMatch(/^com\.acme\.shop\.Shop\.search[; ]/);
  const named = await exported('--focus', SEARCH, '--threads', 'server-*', '--thread-names');
  for (const line of named.out.trimEnd().split('\n')) expect(line).toMatch(/^server-\d+;com\.acme\.shop\.Shop\.search/);
});

test('other formats hold every metric of the selection', async () => {
  const json = JSON.parse((await exported('--format', 'json', '--focus', SEARCH)).out);
  expect(json.metrics.map(({ id }: { id: string }) => id).sort()).toEqual(['alloc', 'cpu', 'exception', 'native']);
  const speedscope = JSON.parse((await exported('--format', 'speedscope', '--focus', SEARCH, '--metric', 'cpu')).out);
  expect(speedscope).toMatchObject({ name: 'shop/shop v1', profiles: [{ name: 'cpu', endValue: 2059 }] });
  const parts: Uint8Array[] = [];
  const output = { out: () => {}, err: () => {}, data: () => {}, bytes: (part: Uint8Array) => void parts.push(part) };
  expect(await runCommandLine(['export', '--format', 'pprof', '--focus', SEARCH, ...place], output)).toBe(0);
  expect(Buffer.concat(parts).length).toBeGreaterThan(1_000);
});

test('--threads before a file still means the names of threads', async () => {
  const before = await insitu('export', '--threads', RECORDING);
  expect(before.out).toBe((await insitu('export', RECORDING, '--thread-names')).out);
  expect(before.out).toBe((await insitu('export', RECORDING, '--threads')).out);
  expect(before.out).toMatch(/^JFR Periodic Tasks;java\.lang\.Thread\.run;/);
});

test('--threads before a file leaves the patterns after it as they are', async () => {
  const both = await insitu('export', '--threads', RECORDING, '--threads', 'worker-*');
  expect(both.out).toBe((await insitu('export', RECORDING, '--thread-names', '--threads', 'worker-*')).out);
  expect(both.out).toMatch(/^worker-/);
});

test('the last part of a recording is what top counts there', async () => {
  const part = await insitu('export', RECORDING, '--last', '10s', '--metric', 'cpu');
  const whole = numbersIn((await insitu('top', RECORDING, '--last', '10s', '--json')).out).whole;
  expect(sumOf(part.out)).toBe(whole.count);
});

test.each([
  [['--metric', 'nonsense'], 1, /metric "nonsense" was not recorded \(recorded: .*cpu/],
  [['--event', 'jdk.ExecutionSample'], 2, /--event needs a recording as it is \(name the file alone/],
  [[RECORDING, '--instance', 'a'], 2, /--instance chooses from a store/],
  [[RECORDING, '--version', 'v1'], 2, /--version chooses from a store/],
  [[RECORDING, '--metric', 'nonsense'], 1, /metric "nonsense" was not recorded \(recorded: .*cpu/],
  [['--focus', 'com.acme.shop.Shop.serch'], 1, /did you mean com\.acme\.shop\.Shop\.search\?/],
  [['--focus', SEARCH, '--metric', 'lock'], 1, /no sample of lock is in it \(choose more of the data/],
  [['missing.jfr', '--focus', SEARCH], 1, /missing\.jfr: there is no such file/],
])('%j ends with %i', async (args, status, message) => {
  const run = await exported(...args);
  expect(run.err).toMatch(message);
  expect([run.status, run.out]).toEqual([status, '']);
});
