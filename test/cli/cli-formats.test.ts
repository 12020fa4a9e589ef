// Every sample of every format through the commands that a user tries first: import, top, why, export.
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { Profile } from 'pprof-format';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommandLine } from '../../server/cli/program.ts';
import { insitu } from '../support/insitu/command-line.ts';
import { numbersIn } from '../support/insitu/numbers-in.ts';
import {
  ChunkWriter,
  type EventType,
  methodPools,
  stackPool,
  TYPE,
  threadPool,
} from '../support/recordings/jfr-writer.ts';
import { isInFull, sampled } from '../support/runs.ts';

const samples = fileURLToPath(new URL('../../samples/formats/', import.meta.url));
const files = readdirSync(samples).filter(name => name !== 'README.md');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-formats-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function storeOf(name: string): string[] {
  return ['--store', join(folder, name), '--project', 'p', '--program', 'shop'];
}

const FORMATS = ['collapsed', 'speedscope', 'json'];
/** Exports know nothing of the format that was read: in short each file is written in one way, by turns. */
const exportsOf = (file: string) => (isInFull() ? FORMATS : [FORMATS[files.indexOf(file) % FORMATS.length]!]);

describe.each(files)('%s', name => {
  const file = samples + name;
  const store = () => storeOf(`store-${name}`);

  test('import, top and why', async () => {
    const imported = await insitu('import', file, ...store());
    expect(imported.status).toBe(0);
    expect(imported.err).not.toMatch(/^(?:error|warning)/m);
    expect(imported.out).toMatch(
      /^\S+ as \S+\/shop unknown \([\w-]+\): (?:[\d,]+ samples of \S+, |[\d,]+ calls, |[\d,.]+ (?:min|[mµn]?s|[GMK]iB|bytes) of \S+, |[\d,]+ of weight, )+\d+ KiB\n$/,
    );

    const top = await insitu('top', '--platform', '--limit', '1', '--json', ...store());
    expect(top).toMatchObject({ status: 0 });
    const { rows: methods, whole } = numbersIn(top.out);
    expect(whole.count).toBeGreaterThan(0);
    expect(methods[0].total.part).toBeGreaterThan(0);

    const spec = `${methods[0].className}#${methods[0].method}`;
    const why = await insitu('why', spec, ...store());
    expect(why).toMatchObject({ status: 0, out: expect.stringContaining(methods[0].method) });
  });

  test.each(exportsOf(name))('export as %s', async format => {
    const { status, out } = await insitu('export', file, '--format', format);
    expect(status).toBe(0);
    if (format === 'collapsed') expect(out).toMatch(/^(?:.* \d+\n)+$/);
    else
      expect(JSON.parse(out)).toMatchObject(format === 'json' ? { format: 'insitu-profile' } : { exporter: 'insitu' });
  });
});

test.each(sampled(files))('%s as pprof reads back as it was', async name => {
  const file = samples + name;
  const parts: Uint8Array[] = [];
  const output = { out: () => {}, err: () => {}, data: () => {}, bytes: (part: Uint8Array) => void parts.push(part) };
  const status = await runCommandLine(['export', file, '--format', 'pprof'], output);
  expect(status).toBe(0);
  const packed = Buffer.concat(parts);
  const { sampleType, sample } = Profile.decode(gunzipSync(packed));
  expect([sampleType.length > 0, sample.length > 0]).toEqual([true, true]);
  const again = join(folder, `${name}.pb.gz`);
  writeFileSync(again, packed);
  const collapsed = async (path: string) => (await insitu('export', path, '--threads')).out;
  expect(await collapsed(again)).toBe(await collapsed(file));
});

test('export --weights has the sum of the weights in place of the count', async () => {
  const recording = 'samples/recordings/shop-v1-jdk17-a.jfr';
  const [counts, weights] = await Promise.all(
    [[], ['--weights']].map(async more => (await insitu('export', recording, '--metric', 'alloc', ...more)).out),
  );
  const bytes = new Map(
    weights!
      .trimEnd()
      .split('\n')
      .map(line => [line.replace(/ \d+$/, ''), Number(/\d+$/.exec(line))]),
  );
  const stacks = counts!
    .trimEnd()
    .split('\n')
    .map(line => line.replace(/ \d+$/, ''));
  expect([...bytes.keys()]).toEqual(stacks);
  const { out } = await insitu('export', recording, '--metric', 'alloc', '--format', 'json');
  const { metrics, cells } = JSON.parse(out);
  expect(metrics).toMatchObject([{ id: 'alloc' }]);
  const sum = cells[0].weight.reduce((all: number, each: number) => all + each, 0);
  expect([...bytes.values()].reduce((all, each) => all + each, 0)).toBe(sum);
});

test('export --event says which samples of the event it leaves out', async () => {
  const [sample, running, sleeping] = [200, 1, 2];
  const fields: EventType['fields'] = [
    ['startTime', TYPE.long, 'ticks'],
    ['sampledThread', TYPE.thread, 'pool'],
    ['stackTrace', TYPE.stack, 'pool'],
    ['state', TYPE.state, 'pool'],
  ];
  const writer = new ChunkWriter({ version: [2, 0], events: [{ id: sample, name: 'jdk.ExecutionSample', fields }] });
  writer.longs(sample, 0, 1, 1, running).longs(sample, 0, 1, 1, sleeping).longs(sample, 0, 1, 1, sleeping);
  writer.checkpoint([
    stackPool([{ key: 1, frames: [{ method: 1, line: 10 }] }]),
    ...methodPools([{ key: 1, owner: 'A', name: 'run' }]),
    threadPool([{ key: 1, name: 'one' }]),
    {
      type: TYPE.state,
      entries: [
        [running, out => out.text('STATE_RUNNABLE')],
        [sleeping, out => out.text('STATE_SLEEPING')],
      ],
    },
  ]);
  const recording = join(folder, 'wall.jfr');
  writeFileSync(recording, writer.finish());
  const event = ['--event', 'jdk.ExecutionSample'];
  expect(await insitu('export', recording, ...event)).toEqual({
    status: 0,
    out: 'A.run 1\n',
    err: `info: ${recording}: 2 samples of wall are left out (--metric wall writes them)\n`,
  });
  const wall = await insitu('export', recording, ...event, '--metric', 'wall');
  expect(wall).toEqual({ status: 0, out: 'A.run 2\n', err: '' });
});

test('a snapshot is told by its content, not by its name', async () => {
  const store = storeOf('renamed');
  await insitu('import', `${samples}shop-cpu-threads.collapsed`, ...store);
  const inside = readdirSync(store[1]!, { recursive: true, encoding: 'utf8' }).find(name => name.endsWith('.cct'));
  const renamed = join(folder, 'renamed.jfr');
  copyFileSync(join(store[1]!, inside ?? ''), renamed);
  const { status, out } = await insitu('export', renamed, '--normalise');
  expect(status).toBe(0);
  expect(out).toBe((await insitu('export', `${samples}shop-cpu-threads.collapsed`, '--normalise')).out);

  const misnamed = join(folder, 'stacks.cct');
  copyFileSync(`${samples}shop-cpu-threads.collapsed`, misnamed);
  const { out: direct } = await insitu('export', `${samples}shop-cpu-threads.collapsed`);
  expect((await insitu('export', misnamed)).out).toBe(direct);
});

test('stacks without times were taken when their file was written: the newest version is the last one written', async () => {
  const store = storeOf('times');
  const written = { '2.0': '2026-03-01T10:00:00Z', '1.0': '2026-02-01T10:00:00Z' };
  for (const [version, time] of Object.entries(written)) {
    const copy = join(folder, `stacks-${version}.collapsed.gz`);
    copyFileSync(`${samples}shop-cpu.collapsed.gz`, copy);
    utimesSync(copy, new Date(time), new Date(time));
    expect(await insitu('import', copy, '--version', version, ...store)).toMatchObject({ status: 0 });
  }
  const { out } = await insitu('executions', ...store);
  expect(out).toMatch(/2\.0 +stacks-2\.0 +2026-03-01 10:00:00 \+00:00/);
  expect(out).toMatch(/1\.0 +stacks-1\.0 +2026-02-01 10:00:00 \+00:00/);
  expect((await insitu('top', ...store)).out).toMatch(/^p\/shop 2\.0/);
});

test.each([
  ['shop.pb.gz', 'shop'],
  ['shop-cpu.collapsed.gz', 'shop-cpu'],
  ['shop-cpu-time-weights.collapsed.zst', 'shop-cpu-time-weights'],
])('the instance of %s is %s', async (name, instance) => {
  const { out } = await insitu('import', samples + name, ...storeOf(`instance-${name}`));
  expect(out).toContain(`(${instance})`);
});

test('top has the response times of calls that a log timed', async () => {
  const { out } = await insitu('top', `${samples}kieker.dat`, '--metric', 'time', '--sort', 'total');
  const rows = out
    .trimEnd()
    .split('\n')
    .map(line => line.trim().split(/ {2,}/));
  expect(rows[1]).toEqual(['time', 'self', 'duration', 'mean', 'p50', 'p95', 'calls/s', 'samples', 'method']);
  expect(rows[2]).toEqual([
    ...['62%', '7.7%', '4 µs', '4 µs', '4 µs', '4 µs', '1,000', '4'],
    'com.acme.shop.load.Behaviour$1.act(Session)',
  ]);
  const { out: json } = await insitu('top', `${samples}kieker.dat`, '--metric', 'time', '--json');
  const timed: { method: string; times: object }[] = numbersIn(json).rows;
  expect(timed.find(({ method }) => method === 'order')?.times).toMatchObject({ count: 1, mean: 3500 });
});

test('the README names every sample', () => {
  const text = readFileSync(`${samples}README.md`, 'utf8');
  for (const name of files) expect(text).toContain(`\`${name}\``);
});
