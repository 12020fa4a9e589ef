// Every hint, lens, hover, implementation, hierarchy and diagnostic of the sample, with all its files open and edited, is of the protocol.
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { outlineOf } from '../../grammar/parse.ts';
import { insitu } from '../support/insitu/command-line.ts';
import { type LspClient, REFRESHING, startServer } from '../support/insitu/lsp-client.ts';
import {
  callHierarchyItem,
  codeLens,
  diagnostic,
  flawsOf,
  flawsOfList,
  hover,
  incomingCall,
  inlayHint,
  location,
  outgoingCall,
} from '../support/protocol/lsp-shapes.ts';

/** Hierarchies of all methods would take a while. */
const STRIDE = 3;

const ROOT = resolve('samples/shop/v1');
const files = globSync('src/**/*.java', { cwd: ROOT })
  .sort()
  .map(path => ({
    uri: pathToFileURL(join(ROOT, path)).href,
    // A line above everything and a statement inside: some are changed, all have moved.
    text: `// above\n${readFileSync(join(ROOT, path), 'utf8').replace(/\) \{\n/, ') {\n        int added = 1;\n')}`,
  }));

let store: string;
let client: LspClient;
beforeAll(async () => {
  store = mkdtempSync(join(tmpdir(), 'insitu-every-'));
  const whose = ['--store', store, '--project', 'shop', '--program', 'shop', '--version', 'v1'];
  await insitu('import', 'samples/recordings/shop-v1-jdk17-a.jfr', ...whose);
  client = await startServer({
    folders: [ROOT],
    capabilities: REFRESHING,
    env: { HOME: store, XDG_CACHE_HOME: join(store, 'cache') },
    initializationOptions: { store, project: 'shop', lenses: { enabled: true } },
  });
  for (const { uri, text } of files) client.open(uri, text);
});
afterAll(async () => {
  await client.stop();
  rmSync(store, { recursive: true, force: true, maxRetries: 5 });
});

const ask = (method: string, params: object) => client.connection.sendRequest<unknown>(method, params);

test('hints, lenses and diagnostics', async () => {
  let [hints, lenses] = [0, 0];
  for (const { uri } of files) {
    const shown = await client.hints(uri);
    expect(flawsOfList(inlayHint, shown), uri).toEqual([]);
    hints += shown.length;
    const answer = await ask('textDocument/codeLens', { textDocument: { uri } });
    expect(flawsOfList(codeLens, answer), uri).toEqual([]);
    lenses += Array.isArray(answer) ? answer.length : 0;
  }
  expect(hints).toBeGreaterThan(150);
  expect(lenses).toBeGreaterThan(150);
  const marked = () =>
    client.received
      .filter(({ method }) => method === 'textDocument/publishDiagnostics')
      .flatMap(({ params }) => (params as { diagnostics: unknown[] }).diagnostics);
  // Of methods that the open texts have other code for than what is on disk.
  await expect.poll(() => marked().length, { timeout: 60_000 }).toBeGreaterThan(5);
  for (const each of marked()) expect(flawsOf(diagnostic, each)).toEqual([]);
});

test('hovers, implementations and call hierarchies at methods and calls', async () => {
  let [hovers, items, calls] = [0, 0, 0];
  for (const { uri, text } of files) {
    const { declarations, callSites, lineStarts } = outlineOf(text, uri);
    const at = (offset: number) => {
      const line = lineStarts.findLastIndex(start => start <= offset);
      return { textDocument: { uri }, position: { line, character: offset - lineStarts[line]! } };
    };
    const written = callSites.filter(({ kind }) => kind !== 'implicit');
    const names = [...declarations, ...written].map(({ nameSpan }) => nameSpan.start);
    // Many requests at once, as editors send them.
    await Promise.all(
      names.map(async offset => {
        const shown = await ask('textDocument/hover', at(offset));
        if (shown === null) return;
        expect(flawsOf(hover, shown)).toEqual([]);
        hovers++;
      }),
    );
    const methods = declarations.filter(({ kind }) => kind === 'method');
    for (const { nameSpan } of methods.filter((_, i) => i % STRIDE === 0)) {
      const prepared = await ask('textDocument/prepareCallHierarchy', at(nameSpan.start));
      expect(flawsOfList(callHierarchyItem, prepared)).toEqual([]);
      for (const item of (prepared ?? []) as object[]) {
        items++;
        const below = await ask('callHierarchy/outgoingCalls', { item });
        expect(flawsOfList(outgoingCall, below)).toEqual([]);
        calls += Array.isArray(below) ? below.length : 0;
        if (items % STRIDE === 0)
          expect(flawsOfList(incomingCall, await ask('callHierarchy/incomingCalls', { item }))).toEqual([]);
      }
      const places = await ask('textDocument/implementation', at(nameSpan.start));
      expect(flawsOfList(location, places)).toEqual([]);
    }
  }
  expect(hovers).toBeGreaterThan(300);
  expect(items).toBeGreaterThan(60);
  expect(calls).toBeGreaterThan(60);
});
