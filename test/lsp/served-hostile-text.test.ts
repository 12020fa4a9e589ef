// Everything that an editor shows of ours with names that would turn lines around, forge them or fill a screen.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallHierarchyItem } from 'vscode-languageserver/node';
import { putProfile } from '../support/insitu/lsp-store.ts';
import { type ShopServer, shopServer } from '../support/insitu/shop-server.ts';
import { CPU, profileOfStacks } from '../support/profiles/profiles.ts';
import { expectHarmless, FORGING, LONG, STEERING } from '../support/terminals/hostile-text.ts';

const HOSTILE = `acme.evil${FORGING.replaceAll('.', '')}|*_\`[x]<b>`;
/** insitu.json is not read where it is larger than 256 KiB. */
const LARGE = LONG.slice(0, 50_000);
const SETTINGS = {
  project: 'acme',
  store: '.store',
  [`odd${FORGING}`]: LARGE,
  lenses: { enabled: true },
  tasks: [
    { name: `t${FORGING}`, type: 'prefix', value: 'acme' },
    { name: `all${LARGE}`, type: 'regex', value: '^(?<all>[^]+)$' },
    { name: `bad${FORGING}`, type: 'regex', value: `(${LARGE}` },
  ],
};

/** Fields that programs go on with: whole, however long, and never shown as they are. */
const FOR_PROGRAMS = new Set([
  ...['className', 'descriptor', 'uri', 'targetUri', 'program', 'project', 'version', 'versions', 'instance', 'store'],
  ...['metric', 'focus', 'nearest', 'group', 'definition', 'data', 'arguments', 'id', 'token', 'commit', 'baseline'],
  ...['key', 'instances', 'file'],
]);

/** All texts of an answer that are for people; `names` are for programs in messages of our own. */
function textsIn(answer: unknown, isOurs: boolean): string[] {
  const texts: string[] = [];
  JSON.stringify(answer, (key, value) => {
    if (FOR_PROGRAMS.has(key) || (isOurs && key === 'name')) return undefined;
    if (typeof value === 'string') texts.push(value);
    return value;
  });
  return texts;
}

let server: ShopServer;
let pages: ShopServer;
beforeAll(async () => {
  const files = { 'insitu.json': JSON.stringify(SETTINGS) };
  server = await shopServer({}, files);
  pages = await shopServer({ capabilities: { window: { showDocument: { support: true } } } }, files);
  pages.answerWith(({ method }) => (method === 'window/showDocument' ? { success: true } : null));
  const run = { method: 'acme.Shop.run', line: 5 };
  const below = [`${HOSTILE}.call${STEERING}`, `acme.${LONG}.${LONG}`, `acme.X.take(L${LONG};)V`];
  const stacks = below.map((method, thread) => ({ frames: [run, { method, line: 9 }], count: 50, thread }));
  const metrics = [CPU, { ...CPU, id: `odd${FORGING}${LONG}` }];
  const above = { frames: [{ method: `${HOSTILE}.above`, line: 1 }, run], count: 40, metric: 1 };
  const threads = [`t${FORGING}`, LONG, 'main'];
  const profile = profileOfStacks([...stacks, above, { ...above, metric: 0 }], { metrics, threads, windows: 1 });
  for (const { place } of [server, pages])
    await putProfile(place.store, profile, { version: `9${STEERING}`, instance: `i${FORGING}` }, 1_000);
  for (const each of [server, pages]) {
    await each.request('select', { version: `9${STEERING}` });
    await each.client.hints(each.uri);
  }
});
afterAll(async () => {
  // Whatever was said on the way.
  for (const { method, params } of [...server.client.received, ...pages.client.received])
    for (const text of textsIn(params, false)) expectHarmless(`${method}: ${text}`);
  await Promise.all([server.stop(), pages.stop()]);
});

const onRun = () => ({ textDocument: { uri: server.uri }, position: { line: 3, character: 8 } });
const onTake = () => ({ textDocument: { uri: server.uri }, position: { line: 4, character: 12 } });
const ask = (method: string, params: object) => server.client.connection.sendRequest<unknown>(method, params);

describe('answers of the protocol', () => {
  const ofFile = () => ({ textDocument: { uri: server.uri } });
  const range = { start: { line: 3, character: 7 }, end: { line: 3, character: 8 } };
  test.each<[string, () => object]>([
    ['textDocument/inlayHint', () => ({ ...ofFile(), range: { ...range, end: { line: 9, character: 0 } } })],
    ['textDocument/codeLens', ofFile],
    ['textDocument/hover', onRun],
    ['textDocument/hover', onTake],
    ['textDocument/prepareCallHierarchy', onRun],
    ['textDocument/codeAction', () => ({ ...ofFile(), range, context: { diagnostics: [], triggerKind: 1 } })],
  ])('%s', async (method, params) => {
    const answer = await ask(method, params());
    const texts = textsIn(answer, false);
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expectHarmless(text);
  });

  test('the hover names what ran, in Markdown that none of it breaks', async () => {
    const { contents } = (await server.client.hover(server.uri, 3, 8))!;
    const text = JSON.stringify(contents);
    expect(text).toContain('\\\\\\\\u202e');
    expect(text).toMatch(/x{100}…x{100}/);
    expect(text).not.toContain('`[x]');
  });

  test('calls of the hierarchy', async () => {
    const [item] = (await ask('textDocument/prepareCallHierarchy', onRun())) as CallHierarchyItem[];
    for (const direction of ['incoming', 'outgoing']) {
      const calls = (await ask(`callHierarchy/${direction}Calls`, { item })) as object[];
      expect(calls.length).toBeGreaterThan(0);
      for (const text of textsIn(calls, false)) expectHarmless(text);
    }
  });
});

const OPERATIONS: readonly (readonly [string, () => object])[] = [
  ['status', () => ({})],
  ['metrics', () => ({ textDocument: { uri: server.uri } })],
  ['callers', onRun],
  ['callees', onRun],
  ['threads', onRun],
  ['callHierarchy', onRun],
  ['why', onRun],
  ['why', () => ({ method: { className: HOSTILE, name: 'no', descriptor: null } })],
  ['top', () => ({})],
  ['choices', () => ({})],
  ['executions', () => ({})],
  ['tasks', () => ({})],
  ['compareWith', () => ({ version: '0.9' })],
  ['moved', () => ({})],
];

describe('messages of our own, as answers, messages and pages', () => {
  test.each(OPERATIONS)('%#: %s', async (operation, params) => {
    for (const text of textsIn(await server.request(operation, params()), true)) expectHarmless(text);
    await server.client.command(`insitu.${operation}`, params());
    expectHarmless(server.lastMessage());
    const before = pages.asked.length;
    const given = JSON.parse(JSON.stringify(params()).replaceAll(server.uri, pages.uri));
    await pages.client.command(`insitu.${operation}`, given);
    for (const { method, params: shown } of pages.asked.slice(before)) {
      if (method !== 'window/showDocument') for (const text of textsIn(shown, false)) expectHarmless(text);
      else expectHarmless(readFileSync(fileURLToPath(String(shown.uri)), 'utf8'));
    }
  });

  test.each([
    ['focus', { focus: [`${FORGING}${LONG}`] }],
    ['focus', { focus: [`regex:(${FORGING}`] }],
    ['select', { threads: [FORGING] }],
    ['select', { metric: LONG }],
    ['select', { version: `${FORGING}${LONG}` }],
    ['why', { [FORGING]: LONG }],
    ['compareWith', { file: `${FORGING}${LONG}` }],
    ['compareWith', { version: `${FORGING}${LONG}` }],
  ])('%#: %s with what there is not', async (operation, params) => {
    const message = await server.request(operation, params).then(
      answer => textsIn(answer, true).join('\n'),
      (error: Error) => error.message,
    );
    expectHarmless(message);
  });

  test.each(['selectExecution', 'selectInstances', 'selectThreads', 'selectMetric', 'focus', 'compareWith'])(
    'choices of %s',
    async command => {
      const before = server.asked.length;
      await server.client.command(`insitu.${command}`);
      const asked = server.asked.slice(before);
      expect(asked.length).toBeGreaterThan(0);
      for (const text of asked.flatMap(({ params }) => textsIn(params, false))) expectHarmless(text);
    },
  );
});

test('what tasks do not yield is logged', () => {
  const logged = server.client.received.filter(({ method }) => method === 'window/logMessage');
  expect(JSON.stringify(logged)).toMatch(/unknown setting.*the expression is not valid/s);
});
