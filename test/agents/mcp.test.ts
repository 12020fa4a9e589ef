// `insitu mcp` as coding agents use it: the official client over stdio, on the recordings of the sample.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reachInTurns } from '../../server/analysis/ask.ts';
import { Cancelled } from '../../server/base/pause.ts';
import { AnswersOnDisk } from '../../server/cli/answers-on-disk.ts';
import { callers } from '../../server/features/answers/calls.ts';
import { type Agent, startAgent } from '../support/insitu/agent.ts';
import { insitu } from '../support/insitu/command-line.ts';

const SHOP = 'src/main/java/com/acme/shop/Shop.java';

let folder = '';
let client: Agent['client'];
let call: Agent['call'];
const ajv = new Ajv2020({ strict: false });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-mcp-'));
  const place = ['--store', join(folder, 'store'), '--project', 'shop', '--program', 'shop'];
  await insitu('import', 'samples/recordings/shop-v1-jdk17-a.jfr', ...place, '--version', 'v1');
  await insitu('import', 'samples/recordings/shop-v2-jdk17.jfr', ...place, '--version', 'v2');
  ({ client, call } = await startAgent('--root', 'samples/shop/v1', ...place, '--version', 'v1'));
});

afterAll(async () => {
  await client.close();
  rmSync(folder, { recursive: true });
});

test('lists read-only tools whose schemas are JSON Schema 2020-12', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('annotatedFile');
  for (const { inputSchema, outputSchema, annotations } of tools) {
    expect(annotations?.readOnlyHint).toBe(true);
    expect(ajv.compile(Object(inputSchema))).toBeTypeOf('function');
    expect(ajv.compile(Object(outputSchema))).toBeTypeOf('function');
  }
});

test('the list of tools costs at most 7,000 tokens, and describes each parameter', async () => {
  const { tools } = await client.listTools();
  // The part of a tool that agents give their model; four characters are about a token.
  const given = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  expect(JSON.stringify(given).length / 4).toBeLessThanOrEqual(7_000);
  const described = new Set<string>();
  for (const { inputSchema } of tools)
    for (const [parameter, { type, anyOf, enum: values, description }] of Object.entries(
      Object(inputSchema.properties),
    ) as [string, Record<string, unknown>][]) {
      expect([parameter, type ?? anyOf ?? values]).not.toEqual([parameter, undefined]);
      expect(JSON.stringify({ type, anyOf })).not.toContain('null');
      if (description !== undefined) described.add(parameter);
      expect([...described]).toContain(parameter);
    }
});

test('a session finds the hottest method, its callers, its file with hints and what moved', async () => {
  const { data: hot, text } = await call('top', { limit: 5 });
  const [{ method }] = hot.rows;
  expect(hot.rows).toHaveLength(5);
  expect(hot.leftOut).toBe(hot.total - 5);
  expect(hot.origin).toMatchObject({ project: 'shop', program: 'shop', versions: ['v1'] });
  expect(text).toContain(`${hot.origin.samples} samples`);
  const { data: around } = await call('callees', { method: method.key });
  expect(around.subject.key).toBe(method.key);
  const shop = hot.rows.find((row: { method: { place: { file: string } | null } }) => row.method.place !== null);
  expect(shop.method.place.line).toBeGreaterThan(0);
  const { data: file } = await call('annotatedFile', { file: SHOP });
  expect(file.rows.length).toBeGreaterThan(2);
  for (const { line, hint } of file.rows) expect([line > 0, hint !== '']).toEqual([true, true]);
  const { data: moved } = await call('moved', { baseline: 'v2', limit: 3 });
  expect(moved.rows).toHaveLength(3);
  expect(moved.origin.baseline).toMatch(/^shop\/shop v2 · 1 instance · /);
  expect(moved.rows[0].change.verdict).toBe('notTested');
});

test('the hints of a file and the callers are those of the terminal', async () => {
  const place = ['--store', join(folder, 'store'), '--project', 'shop', '--program', 'shop', '--version', 'v1'];
  const { out } = await insitu('annotate', `samples/shop/v1/${SHOP}`, '--json', ...place);
  const { data } = await call('annotatedFile', { file: SHOP, limit: 60 });
  expect(data.rows).toEqual(JSON.parse(out).rows);
  const listed = JSON.parse((await insitu('callers', 'Shop.search', '--json', ...place)).out);
  const { data: callers } = await call('callers', { method: 'Shop.search' });
  expect(withoutPlaceAndAge(callers)).toEqual(withoutPlaceAndAge(listed));
});

/** The terminal stands in another folder than the agent, so its places and the relation to the code differ. */
function withoutPlaceAndAge(data: unknown): unknown {
  const others = ['ageMinutes', 'place', 'code'];
  return JSON.parse(JSON.stringify(data, (key, value) => (others.includes(key) ? undefined : value)));
}

test('a call path, its refinements and the classes of threads are those of the terminal', async () => {
  const place = ['--store', join(folder, 'store'), '--project', 'shop', '--program', 'shop', '--version', 'v1'];
  const { data } = await call('paths', { query: '* ..Shop.search', refine: 'down', least: 1 });
  const { out } = await insitu('query', '* ..Shop.search', '--refine', 'down', '--min', '1', '--json', ...place);
  const printed = JSON.parse(out);
  expect(data.cost).toEqual(printed.cost);
  expect(data.rows).toEqual(printed.rows.slice(0, 20));
  const { data: classes } = await call('threads', { limit: 2 });
  const { data: ofThread } = await call('paths', { query: '*', threads: [classes.rows[0].name] });
  expect(ofThread.cost.of).toBe(classes.rows[0].share.count);
});

test('groups, tasks and windows are those of the terminal', async () => {
  const place = ['--store', join(folder, 'store'), '--project', 'shop', '--program', 'shop', '--version', 'v1'];
  const { data } = await call('groups', { by: 'class', limit: 5 });
  const { out } = await insitu('top', '--by', 'class', '--limit', '5', '--json', ...place);
  expect(data.rows).toEqual(JSON.parse(out).rows);
  const { data: windows } = await call('timeline', { limit: 60 });
  const sum = windows.rows.reduce((total: number, row: { share: { count: number } }) => total + row.share.count, 0);
  expect([sum, windows.leftOut]).toEqual([windows.origin.samples, 0]);
  const [{ method, own }] = windows.rows[0].hottest;
  expect((await call('timeline', { method, limit: 1 })).data.rows[0].hottest).toEqual([]);
  expect(own.count).toBeLessThanOrEqual(own.of);
  expect((await call('tasks')).data.rows).toEqual([]);
});

test('every answer fits its own output schema and the limits', async () => {
  const { tools } = await client.listTools();
  const more: Record<string, Record<string, unknown>> = {
    callers: { method: 'Shop.search' },
    callees: { method: 'Shop.search' },
    methodSource: { method: 'Shop.search' },
    comparedSource: { method: 'Shop.search', baseline: 'v2' },
    codeChanges: { baseline: 'v2' },
    completePath: { query: '* ..Shop.se' },
    compare: { baseline: 'v2', limit: 1_000 },
    why: { method: 'Shop.search' },
    responseTimes: { method: 'Shop.search' },
    annotatedFile: { file: SHOP },
    prediction: { file: SHOP },
    moved: { baseline: 'v2', limit: 1_000 },
    groups: { by: 'package' },
    paths: { query: '*', refine: 'extended', limit: 1_000 },
    top: { platform: true, limit: 1_000 },
    aspects: { aspects: [{ name: 'search', value: '*.search.*' }] },
  };
  for (const { name, outputSchema } of tools) {
    // The sample is no repository of its own.
    if (name === 'changedMethods') continue;
    const { data, text, isError } = await call(name, more[name]);
    expect([name, isError]).toEqual([name, false]);
    expect([name, ajv.validate(Object(outputSchema), data), ajv.errors]).toEqual([name, true, null]);
    expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThanOrEqual(24 * 1024);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(24 * 1024);
    if (data.rows !== undefined) expect(data.rows.length + data.leftOut).toBe(data.total);
  }
});

test('a call that is cancelled leaves the server able to answer', async () => {
  const stop = new AbortController();
  const cancelled = client.callTool({ name: 'top', arguments: {} }, { signal: stop.signal });
  stop.abort();
  await expect(cancelled).rejects.toThrow();
  expect((await call('loadedData')).isError).toBe(false);
});

test('a call that is cancelled asks nothing further', async () => {
  const place = { store: join(folder, 'store'), project: 'shop', program: 'shop', version: 'v1' };
  const home = new AnswersOnDisk({ ...place, root: 'samples/shop/v1' });
  const stop = new AbortController();
  const context = home.context(undefined, reachInTurns(stop.signal));
  const answered = callers.answer(context, { method: 'Shop.search' });
  stop.abort();
  await expect(answered).rejects.toThrow(Cancelled);
  home.close();
});

test('a thousand calls are answered', async () => {
  const answers = Array.from({ length: 1_000 }, () => call('executions', { limit: 1 }));
  for (const { data } of await Promise.all(answers)) expect(data.total).toBe(2);
});

test('response times of a method whose calls were timed, and none where there are samples alone', async () => {
  const place = ['--store', join(folder, 'store'), '--project', 'shop', '--program', 'traced', '--version', 'v1'];
  await insitu('import', 'samples/formats/kieker.dat', ...place);
  const { data, text } = await call('responseTimes', { method: 'Shop.order', program: 'traced' });
  expect(data.times).toMatchObject({ count: 1, mean: 3500, p50: 3500, greatest: 3500 });
  expect(data.rows).toMatchObject([{ caller: { key: 'com.acme.shop.load.Behaviour$1.act(Session)' } }]);
  expect(data.windows).toHaveLength(1);
  expect(text).toContain('mean 3.5 µs');
  const { data: sampled } = await call('responseTimes', { method: 'Shop.search' });
  expect(sampled).toMatchObject({ times: null, total: 0, rows: [], windows: [] });
});
