// Importing recordings from the editor: into the store, with progress, shown where that is no surprise, and given up when cancelled.
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Status } from '../../server/lsp/protocol.ts';
import { REFRESHING } from '../support/lsp-client.ts';
import { misfits } from '../support/message-types.ts';
import { type ShopServer, shopServer } from '../support/shop-server.ts';

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
  await shop.request('hotMethods');
  const answer = await shop.client.command('insitu.importRecording', { files: ['new.collapsed'], version: '2.0' });
  expect(misfits(answer, 'ImportAnswer')).toEqual([]);
  expect(answer).toMatchObject({ imported: 1 });
  expect(await snapshots(shop)).toBe(3);
  expect(await statusOf(shop)).toMatchObject({ program: 'shop', versions: ['2.0'], samples: 100 });
  expect(shop.lastMessage()).toContain('insitu: 1 recording imported');
  const progress = shop.client.received
    .filter(({ method }) => method === '$/progress')
    .map(({ params }) => JSON.stringify(params));
  expect(progress.join('\n')).toContain('insitu: importing recordings');
});

test('one of another program is not shown in its place; what cannot be read is a problem', async () => {
  shop = await shopServer();
  await writeFile(join(shop.place.folder, 'other.collapsed'), 'Other.go 70\n');
  await shop.request('hotMethods');
  const files = [shop.place.uri('other.collapsed'), 'missing.jfr'];
  expect(await shop.request('importRecording', { files, program: 'other' })).toMatchObject({
    imported: 1,
    problems: [expect.stringContaining('missing.jfr')],
  });
  expect(await statusOf(shop)).toMatchObject({ program: 'shop', versions: ['1.0'] });
  await expect(shop.request('importRecording', { files: [''] })).rejects.toThrow('"files"');
});

test('cancelled, nothing is imported', async () => {
  shop = await shopServer();
  await writeFile(join(shop.place.folder, 'new.collapsed'), 'acme.Main.main;acme.Shop.run 70\n'.repeat(200_000));
  await shop.request('hotMethods');
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
