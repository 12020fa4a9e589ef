// Importing recordings from the editor: into the store, with progress, shown where that is no surprise, and given up when cancelled.
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Status } from '../../../server/lsp/protocol.ts';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';
import { REFRESHING, startServer } from '../../support/insitu/lsp-client.ts';
import { lspFolder } from '../../support/insitu/lsp-store.ts';
import { type ShopServer, shopServer } from '../../support/insitu/shop-server.ts';
import { misfits } from '../../support/protocol/message-types.ts';

let shop: ShopServer | null = null;
afterEach(async () => {
  await shop?.stop();
  shop = null;
});

const snapshots = async ({ place }: ShopServer) =>
  (await readdir(place.store, { recursive: true })).filter(name => name.endsWith('.cct')).length;
const statusOf = async (server: ShopServer) => ((await server.request('status')) as Status).sources[0];

test('a recording becomes a snapshot of the shown program, and is shown as it is the newest', async () => {
  shop = await shopServer({ capabilities: REFRESHING });
  const file = join(shop.place.folder, 'new.collapsed');
  await writeFile(file, 'acme.Main.main;acme.Shop.run 70\nacme.Main.main 30\n');
  await shop.request('top');
  const answer = await shop.client.command('insitu.importRecording', { files: ['new.collapsed'], version: '2.0' });
  expect(misfits(answer, 'ImportAnswer')).toEqual([]);
  expect(answer).toMatchObject({ imported: 1, program: 'shop', version: '2.0' });
  expect(await snapshots(shop)).toBe(3);
  expect(await statusOf(shop)).toMatchObject({ program: 'shop', versions: ['2.0'], samples: 100 });
  expect(shop.lastMessage()).toContain('insitu: 1 recording imported as shop 2.0');
  const progress = shop.client.received
    .filter(({ method }) => method === '$/progress')
    .map(({ params }) => JSON.stringify(params));
  expect(progress.join('\n')).toContain('insitu: importing recordings');
});

test('one of another program is not shown in its place; what cannot be read is a problem', async () => {
  shop = await shopServer();
  await writeFile(join(shop.place.folder, 'other.collapsed'), 'Other.go 70\n');
  await shop.request('top');
  const files = [shop.place.uri('other.collapsed'), 'missing.jfr'];
  expect(await shop.request('importRecording', { files, program: 'other' })).toMatchObject({
    imported: 1,
    program: 'other',
    version: 'unknown',
    problems: [expect.stringContaining('missing.jfr')],
  });
  expect(await statusOf(shop)).toMatchObject({ program: 'shop', versions: ['1.0'] });
  await expect(shop.request('importRecording', { files: [''] })).rejects.toThrow('files.0: "" is not allowed');
});

test('cancelled, nothing is imported', async () => {
  shop = await shopServer();
  await writeFile(join(shop.place.folder, 'new.collapsed'), 'acme.Main.main;acme.Shop.run 70\n'.repeat(200_000));
  await shop.request('top');
  const { CancellationTokenSource } = await import('vscode-jsonrpc/node');
  const source = new CancellationTokenSource();
  const answer = shop.client.connection.sendRequest(
    'insitu/importRecording',
    { files: ['new.collapsed'] },
    source.token,
  );
  setTimeout(() => source.cancel(), 30);
  await expect(answer).rejects.toMatchObject({ code: -32800 });
  expect(await snapshots(shop)).toBe(2);
});

test('without a version it is the commit that is checked out; without a program, and none known, it is refused', async () => {
  const scratch = new ScratchRepository();
  const client = await startServer({
    folders: [scratch.root],
    env: { ...scratch.env, XDG_CACHE_HOME: join(scratch.home, 'cache') },
    initializationOptions: { store: join(scratch.home, 'store') },
  });
  const importing = (given: object) =>
    client.connection.sendRequest('insitu/importRecording', { files: ['new.collapsed'], ...given });
  try {
    scratch.write('new.collapsed', 'acme.Main.main;acme.Shop.run 70\n');
    await expect(importing({})).rejects.toThrow('"program" is missing');
    expect(await importing({ program: 'shop' })).toMatchObject({ imported: 1, version: 'unknown' });
    const head = scratch.commit();
    expect(await importing({})).toMatchObject({ imported: 1, program: 'shop', version: head, problems: [] });
    expect(await importing({ version: '1.4' })).toMatchObject({ version: '1.4' });
  } finally {
    await client.stop();
    scratch.remove();
  }
});

test('of several folders the one with the document gets it, and its numbers are shown', async () => {
  shop = await shopServer();
  const other = await lspFolder({
    'insitu.json': JSON.stringify({ project: 'bank', store: '.store', program: 'teller' }),
    'Teller.java': 'class Teller {\n  void pay() {\n  }\n}\n',
  });
  try {
    const recording = join(other.folder, 'new.collapsed');
    await writeFile(recording, 'Teller.pay 70\n');
    const uri = other.uri('Teller.java');
    shop.client.open(uri, 'class Teller {\n  void pay() {\n  }\n}\n');
    const wish = { textDocument: { uri }, files: [recording], version: '3' };
    expect(await shop.request('importRecording', wish)).toMatchObject({ imported: 1, program: 'teller' });
    expect(await snapshots(shop)).toBe(2);
    const { sources } = (await shop.request('status')) as Status;
    expect(sources.map(({ project, versions, samples }) => [project, versions, samples])).toEqual([
      ['acme', ['1.0'], 120],
      ['bank', ['3'], 70],
    ]);
  } finally {
    await shop.stop();
    await other.remove();
  }
});
