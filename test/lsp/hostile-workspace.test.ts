// The real server over a workspace of links, pipes and devices: call trees and implementations are those of any other, and the log names what was left out.
import { spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Location } from 'vscode-languageserver/node';
import type { CallHierarchy } from '../../server/lsp/protocol.ts';
import { hintLines, type LspClient, startServer } from '../support/insitu/lsp-client.ts';
import { type LspFolder, lspFolder, putPicture } from '../support/insitu/lsp-store.ts';

const SHOP = `package acme;
class Shop {
  OrderQueue queue;
  void run() {
    queue.take();
  }
}
`;
const FILES = {
  'src/acme/Shop.java': SHOP,
  'src/acme/OrderQueue.java': 'package acme;\ninterface OrderQueue {\n  void take();\n}\n',
  'src/acme/LockedQueue.java': 'package acme;\nclass LockedQueue implements OrderQueue {\n  public void take() {}\n}\n',
};
const PICTURE = `
acme.Shop.run | 20@5
  acme.LockedQueue.take :5 | 30@3
  acme.Outside.take :5 | 30@3
  acme.Pipe.take :5 | 30@3`;

let place: LspFolder;
let outside: LspFolder;
let client: LspClient;

beforeEach(async () => {
  [place, outside] = [await lspFolder(FILES), await lspFolder()];
  await putPicture(place.store, PICTURE);
});
afterEach(async () => {
  if (client.process.exitCode === null) await client.stop();
  await place.remove();
  await outside.remove();
});

const at = (path: string) => join(place.folder, path);
const position = { line: 4, character: 11 };

async function checkAnswers(): Promise<void> {
  client = await startServer({ folders: [place.folder] });
  const uri = place.uri('src/acme/Shop.java');
  client.open(uri, SHOP);
  expect(hintLines(await client.hints(uri))).not.toEqual([]);
  const textDocument = { uri };
  const tree = await client.connection.sendRequest<CallHierarchy>('insitu/callHierarchy', {
    textDocument,
    position: { line: 3, character: 8 },
    direction: 'outgoing',
  });
  const rows = tree.rows?.[0]?.rows ?? [];
  expect(rows.map(({ label, location }) => [label, location?.uri ?? null]).sort()).toEqual([
    ['LockedQueue.take', place.uri('src/acme/LockedQueue.java')],
    ['Outside.take', null],
    ['Pipe.take', null],
  ]);
  const found = await client.connection.sendRequest<Location[]>('textDocument/implementation', {
    textDocument,
    position,
  });
  expect(found.map(each => each.uri)).toEqual([place.uri('src/acme/LockedQueue.java')]);
}

/** Paths below the folder that the status names. */
async function leftOut(): Promise<string[]> {
  const { searchLimits } = (await client.command('insitu.status', { quiet: true })) as { searchLimits: string[] };
  const log = () => JSON.stringify(client.received.filter(({ method }) => method === 'window/logMessage'));
  for (const each of searchLimits) await expect.poll(log, { timeout: 10_000 }).toContain(each);
  return searchLimits.map(each => each.replace(place.folder, '').split(':')[0]!).sort();
}

test('links that lead back, out, to the whole machine or to what cannot be read', async () => {
  const text = 'package acme;\nclass Outside implements OrderQueue {\n  public void take() {}\n}\n';
  writeFileSync(join(outside.folder, 'Outside.java'), text);
  symlinkSync('loop', at('src/loop'));
  symlinkSync('Loop.java', at('src/acme/Loop.java'));
  symlinkSync('..', at('src/acme/up'));
  symlinkSync('nowhere', at('src/acme/dangling'));
  symlinkSync('/', at('src/machine'));
  symlinkSync(outside.folder, at('src/outside'));
  symlinkSync(join(outside.folder, 'Outside.java'), at('src/acme/Outside.java'));
  await checkAnswers();
  expect(await leftOut()).toEqual([
    '/src/acme/Loop.java',
    '/src/acme/Outside.java',
    '/src/loop',
    '/src/machine',
    '/src/outside',
  ]);
});

test('pipes and devices in place of sources', async () => {
  for (const name of ['Pipe.java', 'package-info.java']) spawnSync('mkfifo', [at(`src/acme/${name}`)]);
  symlinkSync('/dev/zero', at('src/acme/Zero.java'));
  await checkAnswers();
  expect(await leftOut()).toEqual(['/src/acme/Pipe.java', '/src/acme/Zero.java', '/src/acme/package-info.java']);
});
