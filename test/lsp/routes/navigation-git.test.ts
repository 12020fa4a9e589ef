// Call hierarchy in a git repository: files that nobody opened are seen as they were recorded, and found again after a checkout.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CallHierarchyItem, CallHierarchyOutgoingCall } from 'vscode-languageserver/node';
import type { EditorAnswers } from '../../../server/lsp/protocol.ts';
import { OTHER, SHOP, ShopInGit } from '../../support/git/shop-in-git.ts';
import type { LspClient } from '../../support/insitu/lsp-client.ts';
import { putPicture } from '../../support/insitu/lsp-store.ts';

const PICTURE = `
Shop.run
  Other.hot :4
    Other.work :3 | 50@8
  Other.warm :5
    Other.work :6 | 30@8`;

let shop: ShopInGit;
let client: LspClient;

beforeEach(() => {
  shop = new ShopInGit();
});

afterEach(() => shop.remove());

/** `name | detail | place` of what Shop.run calls. */
async function calls(): Promise<string[]> {
  const [item] =
    (await client.connection.sendRequest<CallHierarchyItem[] | null>('textDocument/prepareCallHierarchy', {
      textDocument: { uri: shop.uri },
      position: { line: 2, character: 8 },
    })) ?? [];
  if (item === undefined) return [];
  const found = await client.connection.sendRequest<CallHierarchyOutgoingCall[]>('callHierarchy/outgoingCalls', {
    item,
  });
  return found.map(({ to: { name, detail, uri: where, selectionRange } }) => {
    return `${name} | ${detail} | ${where.split('/').at(-1)} ${selectionRange.start.line + 1}`;
  });
}

test('a file that is not open is compared with the text of the commit that was recorded', async () => {
  const commit = shop.scratch.commit({ 'Shop.java': SHOP, 'Other.java': OTHER });
  await putPicture(shop.store, PICTURE, { version: commit });
  shop.scratch.commit({ 'Other.java': `// one\n// two\n${OTHER.replace('work(2);', 'work(2); work(3);')}` });
  client = await shop.serve(SHOP);
  expect(await calls()).toEqual([
    'Other.hot | 63 % · 50 samples | Other.java 4',
    'Other.warm | 38 % · 30 samples · ~ perhaps not here | Other.java 7',
  ]);
});

test('a checkout that moves a file is followed', async () => {
  const commit = shop.scratch.commit({ 'Shop.java': SHOP, 'Other.java': OTHER });
  await putPicture(shop.store, PICTURE, { version: commit });
  shop.scratch.git('mv', 'Other.java', 'Moved.java');
  shop.scratch.commit();
  shop.scratch.git('checkout', '--quiet', 'HEAD~1');
  client = await shop.serve(SHOP);
  expect((await calls())[0]).toBe('Other.hot | 63 % · 50 samples | Other.java 2');
  shop.scratch.git('checkout', '--quiet', 'main');
  await expect
    .poll(async () => (await calls())[0], { timeout: 10_000, interval: 100 })
    .toBe('Other.hot | 63 % · 50 samples | Moved.java 2');
});

test('a method renamed in a file that nobody opened is the same method against a baseline', async () => {
  shop.scratch.commit({ 'Shop.java': SHOP, 'Other.java': OTHER });
  shop.scratch.git('tag', '1');
  const renamed = (text: string) => text.replaceAll('hot(', 'hotter(');
  shop.scratch.commit({ 'Shop.java': renamed(SHOP), 'Other.java': renamed(OTHER) });
  shop.scratch.git('tag', '2');
  await putPicture(shop.store, PICTURE, { version: '1' }, -1000);
  await putPicture(shop.store, `${PICTURE.replace('Other.hot', 'Other.hotter')}\nMain.main | 120@1`, { version: '2' });
  client = await shop.serve(SHOP);
  await client.connection.sendRequest('insitu/compareWith', { version: '1' });
  const { rows } = await client.connection.sendRequest<EditorAnswers['moved']>('insitu/moved', {});
  const compared = rows.map(({ method: { label }, change: { baseline, current } }) => [label, baseline, current]);
  expect(compared).toEqual(expect.arrayContaining([['Other.hotter', 0.625, 0.25]]));
  expect(compared.map(([label]) => label)).not.toContain('Other.hot');
});
