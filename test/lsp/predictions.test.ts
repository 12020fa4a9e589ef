// The real server in a git repository with response times: what it predicts while a text is typed that nobody has saved.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CodeAction, Hover, PublishDiagnosticsParams } from 'vscode-languageserver/node';
import { ScratchRepository } from '../support/git/scratch-repository.ts';
import { hintLines, type LspClient, REFRESHING, startServer } from '../support/insitu/lsp-client.ts';
import { deadline } from '../support/patience.ts';
import { PREDICTED_SHOP, putPredictedShop, RANKING_SHOP } from '../support/profiles/predicted-shop.ts';

let scratch: ScratchRepository;
let client: LspClient | null = null;

beforeEach(() => {
  scratch = new ScratchRepository();
});
afterEach(async () => {
  if (client !== null && client.process.exitCode === null) await client.stop();
  client = null;
  scratch.remove();
});

const uri = () => pathToFileURL(join(scratch.root, 'Shop.java')).href;

const put = (version: string, runMillis: number, afterSeconds: number): Promise<void> =>
  putPredictedShop(join(scratch.home, 'store'), version, runMillis, { afterSeconds });

/** The server with `PREDICTED_SHOP` open, which is what was recorded last, with runs of 50 ms. */
async function serve(settings: object = {}, afterSeconds = 0): Promise<LspClient> {
  await put(scratch.commit({ 'Shop.java': PREDICTED_SHOP }), 50, afterSeconds);
  const store = join(scratch.home, 'store');
  client = await startServer({
    folders: [scratch.root],
    env: { HOME: scratch.home, XDG_CACHE_HOME: join(scratch.home, 'cache') },
    capabilities: { ...REFRESHING, workspace: { ...REFRESHING.workspace, configuration: false } },
    initializationOptions: { store, project: 'acme', ...settings },
  });
  client.open(uri(), PREDICTED_SHOP);
  return client;
}

const predicted = async (server: LspClient) => hintLines(await server.hints(uri())).filter(line => /≈|× \?/.test(line));

/** Predictions come behind the numbers, and hints are asked for again then. */
const shown = (server: LspClient) => expect.poll(() => predicted(server), { timeout: 20_000 });

async function hoverAt(server: LspClient, line: number, character: number): Promise<string> {
  const found = await server.connection.sendRequest<Hover>('textDocument/hover', {
    textDocument: { uri: uri() },
    position: { line, character },
  });
  return (found.contents as { value: string }).value;
}

test('says what a call costs while it is typed, and takes it back when it is gone', async () => {
  const server = await serve();
  expect(await predicted(server)).toEqual([]);
  server.change(uri(), 2, [{ text: RANKING_SHOP }]);
  await shown(server).toEqual(['2 ≈ +15 ms likely', '4 ≈ +15 ms likely', '6 ≈ +15 ms likely']);
  const method = await hoverAt(server, 1, 8);
  expect(method).toContain('**predicted** ≈ +15 ms, likely of 50 ms; 80 %:');
  expect(method).toContain(
    '- `Shop.rank` added on line 6, × 5, 5 times (measured by find): 3 ms a call of all callers, 10 calls in 1 window',
  );
  expect(await hoverAt(server, 5, 7)).toContain('**predicted** of this call');
  expect(await hoverAt(server, 3, 5)).toContain('**predicted** of this loop, line 4');
  server.change(uri(), 3, [{ text: PREDICTED_SHOP }]);
  await shown(server).toEqual([]);
});

test('keeps what it said while a method is unfinished, for two seconds, then says nothing', async () => {
  const server = await serve();
  server.change(uri(), 2, [{ text: RANKING_SHOP }]);
  await shown(server).toEqual(['2 ≈ +15 ms likely', '4 ≈ +15 ms likely', '6 ≈ +15 ms likely']);
  server.change(uri(), 3, [{ text: RANKING_SHOP.replace('load();', 'load(') }]);
  await shown(server).toEqual(['2 (≈ +15 ms likely)']);
  await shown(server).toEqual([]);
  server.change(uri(), 4, [{ text: RANKING_SHOP }]);
  await shown(server).toEqual(['2 ≈ +15 ms likely', '4 ≈ +15 ms likely', '6 ≈ +15 ms likely']);
});

test('says how well earlier predictions held', async () => {
  await put(scratch.commit({ 'Shop.java': PREDICTED_SHOP }), 50, 0);
  const edited = RANKING_SHOP;
  await put(scratch.commit({ 'Shop.java': edited }), 66, 100);
  const server = await serve({}, 200);
  server.change(uri(), 2, [{ text: edited }]);
  await shown(server).not.toEqual([]);
  // Earlier predictions are looked up meanwhile, by a process of its own.
  await server.waitFor(({ method }) => method === 'workspace/inlayHint/refresh', 20_000);
  for (const isOver = deadline(20_000); !isOver(); await new Promise(resolve => setTimeout(resolve, 100)))
    if ((await hoverAt(server, 1, 8)).includes('*Earlier predictions*')) break;
  expect(await hoverAt(server, 1, 8)).toContain('*Earlier predictions*: 2 of 2 within × 1.4, ');
});

test('asks how often a loop runs of which nothing is known, and counts what the settings say', async () => {
  const server = await serve();
  const edited = PREDICTED_SHOP.replace('    load();', '    load();\n    for (String each : words) rank(each);');
  server.change(uri(), 2, [{ text: edited }]);
  await shown(server).toEqual(['2 ≈ + ? unknown', '4 3 ms × ?']);
  expect(await hoverAt(server, 3, 6)).toContain('`Shop.run for (String each : words)`');
  await server.connection.sendNotification('workspace/didChangeConfiguration', {
    settings: {
      insitu: {
        store: join(scratch.home, 'store'),
        project: 'acme',
        predict: { iterations: { 'Shop.run for (String each : words)': '4' } },
      },
    },
  });
  await shown(server).toEqual(['2 ≈ +12 ms likely', '4 ≈ +12 ms likely']);
});

test('a code action keeps in the project how often a loop runs, beside other settings', async () => {
  const file = join(scratch.root, 'insitu.json');
  scratch.write('insitu.json', '{\n  // Ours.\n  "metric": "cpu"\n}\n');
  const server = await serve();
  server.change(uri(), 2, [
    { text: PREDICTED_SHOP.replace('    load();', '    load();\n    for (String each : words) rank(each);') },
  ]);
  await shown(server).toEqual(['2 ≈ + ? unknown', '4 3 ms × ?']);
  const at = { line: 3, character: 32 };
  const [action] = await server.connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
    ...{ textDocument: { uri: uri() }, range: { start: at, end: at }, context: { diagnostics: [] } },
  });
  expect(action?.title).toBe('insitu: say how often Shop.run for (String each : words) runs');
  const [given] = action!.command!.arguments as [object];
  expect(action?.command?.command).toBe('insitu.iterations');
  await expect(server.connection.sendRequest('insitu/iterations', given)).rejects.toThrow(/"times" is missing/);
  const kept = await server.connection.sendRequest('insitu/iterations', { ...given, times: 4 });
  expect(kept).toEqual({ file, loop: 'Shop.run for (String each : words)', times: 4, outer: null });
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('  // Ours.\n  "metric": "cpu",\n');
  expect(JSON.parse(text.replace('// Ours.', ''))).toMatchObject({
    predict: { iterations: { 'Shop.run for (String each : words)': '4' } },
  });
  await shown(server).toEqual(['2 ≈ +12 ms likely', '4 ≈ +12 ms likely']);
  await expect(
    server.connection.sendRequest('insitu/iterations', { textDocument: { uri: uri() }, position: at, times: 4 }),
  ).rejects.toThrow(/no loop of which it is not known/);
});

test('an answered inner loop says which outer one is missing', async () => {
  scratch.write('insitu.json', '{ "metric": "cpu" }\n');
  const server = await serve();
  const loops = '    for (String each : java.util.Set.copyOf(words)) for (char one : each.toCharArray()) rank(each);';
  server.change(uri(), 2, [{ text: PREDICTED_SHOP.replace('    load();', `    load();\n${loops}`) }]);
  await shown(server).toEqual(['2 ≈ + ? unknown', '4 3 ms × ?']);
  const place = { textDocument: { uri: uri() }, position: { line: 3, character: 90 } };
  const inner = 'Shop.run for (char one : each.toCharArray())';
  const outer = 'Shop.run for (String each : java.util.Set.copyOf(words))';
  expect(await server.connection.sendRequest('insitu/iterations', { ...place, times: 7 })).toMatchObject({
    ...{ loop: inner, times: 7, outer },
  });
  await shown(server).toEqual(['2 ≈ + ? unknown', '4 3 ms × ?']);
  expect(await server.connection.sendRequest('insitu/iterations', { ...place, times: 2 })).toMatchObject({
    ...{ loop: outer, times: 2, outer: null },
  });
  await shown(server).toEqual(['2 ≈ +42 ms likely', '4 ≈ +42 ms likely']);
});

test('an answer counts for a new outer loop with the header of a loop that was counted', async () => {
  scratch.write('insitu.json', '{ "metric": "cpu" }\n');
  const server = await serve();
  const loops = '    for (String each : words) for (char one : each.toCharArray()) rank(each);';
  server.change(uri(), 2, [{ text: PREDICTED_SHOP.replace('    load();', `    load();\n${loops}`) }]);
  await shown(server).toEqual(['2 ≈ + ? unknown', '4 3 ms × ?']);
  const place = { textDocument: { uri: uri() }, position: { line: 3, character: 64 } };
  const answer = (times: number) => server.connection.sendRequest('insitu/iterations', { ...place, times });
  expect(await answer(7)).toMatchObject({ loop: 'Shop.run for (char one : each.toCharArray())', times: 7 });
  expect(await answer(2)).toMatchObject({ loop: 'Shop.run for (String each : words)', times: 2 });
  await shown(server).toEqual(['2 ≈ +42 ms likely', '4 ≈ +42 ms likely']);
});

test('counts with what is assumed of a method until that is taken back', async () => {
  const server = await serve();
  server.change(uri(), 2, [{ text: RANKING_SHOP }]);
  await shown(server).toContain('6 ≈ +15 ms likely');
  const assume = (time: string | null) => server.connection.sendRequest('insitu/assume', { method: 'Shop.rank', time });
  expect(await assume('20 ms')).toEqual({ assumed: { 'Shop.rank': '20 ms' } });
  await shown(server).toContain('6 ≈ +100 ms rough');
  await expect(assume('soon')).rejects.toThrow(/"time" must be a time such as "5 ms"/);
  expect(await assume(null)).toEqual({ assumed: {} });
  await shown(server).toContain('6 ≈ +15 ms likely');
});

test('is silent about what costs next to nothing, and when it is switched off', async () => {
  const server = await serve({ predict: { enabled: false } });
  server.change(uri(), 2, [{ text: RANKING_SHOP }]);
  // A hover waits for predictions.
  expect(await hoverAt(server, 1, 8)).not.toContain('predicted');
  expect(await predicted(server)).toEqual([]);
  await expect(server.connection.sendRequest('insitu/prediction', { file: 'Shop.java' })).rejects.toThrow(
    /predictions are switched off/,
  );
});

test.each([
  ['5,000 chained calls', `load()${'.refresh()'.repeat(5_000)};`],
  ['20,000 nested loops', `${'while (more()) '.repeat(20_000)}rank("");`],
])('%s take no hint and no diagnostic of the file with them', async (_, code) => {
  const server = await serve();
  server.change(uri(), 2, [{ text: PREDICTED_SHOP.replace('    load();', `    load();\n    ${code}`) }]);
  await expect
    .poll(async () => hintLines(await server.hints(uri())), { timeout: 20_000 })
    .toEqual(expect.arrayContaining(['2 ≈ ?', expect.stringMatching(/^9 .*%/), expect.stringMatching(/^10 .*%/)]));
  expect(await hoverAt(server, 1, 8)).toContain('**not predicted** ');
  const failures = server.received.filter(
    ({ method, params }) => method === 'window/logMessage' && /failed/.test(JSON.stringify(params)),
  );
  expect(failures).toEqual([]);
});

test('marks a method beyond the limit of its pattern, until it is below', async () => {
  const server = await serve({
    predict: { limit: { 'Shop.r*': '+10 %', '*': '+1 s' } },
    diagnostics: { stale: false },
  });
  const published = () =>
    server.received
      .filter(({ method }) => method === 'textDocument/publishDiagnostics')
      .map(({ params }) => params as PublishDiagnosticsParams);
  server.change(uri(), 2, [{ text: RANKING_SHOP }]);
  await server.waitFor(() => published().length >= 1);
  expect(published()[0]!.diagnostics).toMatchObject([
    { range: { start: { line: 1, character: 7 } }, severity: 2, code: 'predicted' },
  ]);
  expect(published()[0]!.diagnostics[0]!.message).toMatch(
    /^predicted ≈ \+15 ms, likely of 50 ms, 80 %: .* to .*; the limit is \+10 %$/,
  );
  server.change(uri(), 3, [{ text: PREDICTED_SHOP.replace('load();', 'load();\n    rank("");') }]);
  await server.waitFor(() => published().length >= 2);
  expect(published()[1]!.diagnostics).toEqual([]);
});
