// insitu.json in the editor: mistakes stand at their text, follow typing and the file on disk, and it may name no other machine unasked.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Diagnostic, PublishDiagnosticsParams } from 'vscode-languageserver/node';
import type { Status } from '../../server/lsp/protocol.ts';
import { choosing, type ShopServer, shopServer } from '../support/insitu/shop-server.ts';

let shop: ShopServer | null = null;
let state = '';
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'insitu-state-'));
});
afterEach(async () => {
  await shop?.stop();
  shop = null;
  rmSync(state, { recursive: true });
});

/** The last published diagnostics of insitu.json; null before the first. */
function published({ client, place }: ShopServer): readonly Diagnostic[] | null {
  const uri = place.uri('insitu.json');
  const all = client.received.filter(({ method }) => method === 'textDocument/publishDiagnostics');
  const own = all.map(({ params }) => params as PublishDiagnosticsParams).filter(params => params.uri === uri);
  return own.at(-1)?.diagnostics ?? null;
}

test('mistakes are marked on disk and while typing', async () => {
  const text =
    '{\n  "project": "acme", "store": ".store",\n  "hints": { "minimumSamples": "many" }, // why\n  "projekt": 1\n}';
  shop = await shopServer({ env: { XDG_STATE_HOME: state } }, { 'insitu.json': text });
  const server = shop;
  await expect.poll(() => published(server)?.length).toBe(2);
  expect(published(server)?.[0]).toEqual({
    range: { start: { line: 2, character: 31 }, end: { line: 2, character: 37 } },
    severity: 2,
    source: 'insitu',
    code: 'configuration',
    message: '"hints.minimumSamples" must be a whole number from 1 to 1000000',
  });
  expect(published(server)?.[1]?.message).toMatch(/^unknown setting "projekt" \(did you mean "project"\?\)/);
  const uri = server.place.uri('insitu.json');
  await server.client.connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'jsonc', version: 1, text },
  });
  server.client.change(uri, 2, [{ text: '{ "$schema": "x", "project": }' }]);
  await expect
    .poll(() => published(server)?.map(({ message }) => message))
    .toEqual(['not valid JSON: a value is missing']);
  await server.client.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  await expect.poll(() => published(server)?.length).toBe(2);
  await writeFile(join(server.place.folder, 'insitu.json'), '{ "project": "acme", "store": ".store" }');
  await server.request('refresh');
  await expect.poll(() => published(server)?.length, { timeout: 10_000 }).toBe(0);
});

test('a store beyond this machine is refused until somebody allows it, and then remembered', async () => {
  const files = { 'insitu.json': '{ "project": "acme", "store": "s3://profiles/acme" }' };
  shop = await shopServer({ env: { XDG_STATE_HOME: state, XDG_DATA_HOME: state } }, files);
  const server = shop;
  await expect.poll(() => server.asked.length).toBe(1);
  expect(server.asked[0]?.params).toMatchObject({
    message: expect.stringContaining('names a store beyond this machine: s3://profiles/acme'),
    actions: [{ title: 'Use it' }, { title: 'No' }],
  });
  await expect
    .poll(() => published(server)?.[0]?.message)
    .toMatch(/^"store" of a workspace file may only be a folder of this machine until you allow/);
  const store = async () => ((await server.request('status')) as Status).sources[0]?.store;
  expect(await store()).toBe(join(state, 'insitu'));
  // Another location of the same file is asked about anew.
  server.answerWith(choosing('Use it'));
  await writeFile(join(server.place.folder, 'insitu.json'), '{ "project": "acme", "store": "s3://profiles/other" }');
  await server.request('refresh');
  await expect.poll(() => store(), { timeout: 10_000 }).toBe('s3://profiles/other');
  await expect.poll(() => published(server)).toEqual([]);
  expect(server.asked).toHaveLength(2);
  expect(JSON.parse(readFileSync(join(state, 'insitu', 'allowed.json'), 'utf8'))).toEqual([
    { folder: server.place.folder, location: 's3://profiles/other' },
  ]);
});

test('credentials in it are refused without a question', async () => {
  const files = { 'insitu.json': '{ "project": "acme", "store": "https://me:secret@profiles.example/acme" }' };
  shop = await shopServer({ env: { XDG_STATE_HOME: state, XDG_DATA_HOME: state } }, files);
  const server = shop;
  await expect
    .poll(() => published(server)?.[0]?.message)
    .toMatch(/^"store" of a workspace file must not carry credentials/);
  expect(server.asked).toEqual([]);
});
