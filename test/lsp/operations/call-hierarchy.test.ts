// Call trees by message and command: the rows of a call hierarchy with numbers and places, unfolded level by level, and as a page.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallHierarchy, CallHierarchyRow } from '../../../server/lsp/protocol.ts';
import { type ShopServer, shopServer } from '../../support/insitu/shop-server.ts';
import { misfits } from '../../support/protocol/message-types.ts';

let shop: ShopServer;
beforeAll(async () => {
  shop = await shopServer({ capabilities: { window: { showDocument: { support: true } } } });
});
afterAll(() => shop?.stop());

const onRun = () => ({ textDocument: { uri: shop.uri }, position: { line: 3, character: 8 } });

async function tree(parameters: object): Promise<CallHierarchy> {
  const answer = await shop.request('callHierarchy', parameters);
  expect(misfits(answer, 'CallHierarchy')).toEqual([]);
  return answer as CallHierarchy;
}

const lines = (rows: readonly CallHierarchyRow[] | null, indent = ''): string[] =>
  (rows ?? []).flatMap(({ label, share, written, location, fromRanges, rows: inner }) => [
    `${indent}${label} | ${share?.text ?? '-'} of ${share?.of ?? '-'}${written ? ' written' : ''} | ${
      location === null ? 'nowhere' : `${location.uri.split('/').at(-1)}:${location.range.start.line + 1}`
    } | ${fromRanges.map(({ start }) => start.line + 1).join(' ')}`,
    ...lines(inner, `${indent}  `),
  ]);

test('a level at a time, to any depth, by the item of a row', async () => {
  const { direction, rows } = await tree({ ...onRun(), direction: 'outgoing' });
  expect(direction).toBe('outgoing');
  expect(lines(rows)).toEqual([
    'Shop.run() | 83% of 120 | Shop.java:4 | ',
    '  LockedQueue.take | 50% of 100 | nowhere | 5',
    '  CardPayment.pay | 20% of 100 | nowhere | 6',
    '  CashPayment.pay | 10% of 100 | nowhere | 6',
  ]);
  const card = rows[0]!.rows![1]!;
  expect(card).toMatchObject({ kind: 'method', certain: false, rows: null, share: { count: 20 } });
  expect(card.methods).toEqual([{ className: 'acme.CardPayment', name: 'pay', descriptor: null }]);
  const below = await tree({ item: card.item });
  expect(lines(below.rows)).toEqual(['Bank.book | 25% of 20 | nowhere | ']);
  expect(lines((await tree({ item: below.rows[0]!.item })).rows)).toEqual([]);
});

test('upwards, by the name of a method, several levels at once', async () => {
  const method = { className: 'acme.Bank', name: 'book', descriptor: null };
  const { rows } = await tree({ method, direction: 'incoming', depth: 3 });
  expect(lines(rows)).toEqual([
    'Bank.book | 4.2% of 120 | nowhere | ',
    '  CardPayment.pay | 100% of 5 | nowhere | ',
    '    Shop.run | 100% of 5 | Shop.java:4 | 6',
    '      Main.main | 100% of 5 | Main.java:4 | 5',
  ]);
  expect(rows[0]!.share?.interval).not.toBeNull();
});

test('items of the call hierarchy will do, whether it is on or off', async () => {
  const [item] = await shop.client.connection.sendRequest<object[]>('textDocument/prepareCallHierarchy', onRun());
  const answer = await tree({ item, direction: 'incoming' });
  expect(lines(answer.rows)).toEqual(['Main.main | 100% of 100 | Main.java:4 | 5']);
});

test('nothing where no method stands; what makes no sense is refused', async () => {
  expect(await shop.request('callHierarchy', { ...onRun(), position: { line: 0, character: 0 } })).toBeNull();
  expect(await shop.request('callHierarchy', { method: { className: 'acme.Gone', name: 'gone' } })).toBeNull();
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  for (const wrong of [
    {},
    { ...onRun(), depth: 5 },
    { ...onRun(), direction: 'up' },
    { item: 7 },
    { item: { uri: shop.uri, selectionRange: range, data: { path: [] } } },
  ])
    await expect(shop.request('callHierarchy', wrong), JSON.stringify(wrong)).rejects.toThrow(
      /insitu\/callHierarchy: /,
    );
});

test('the command shows three levels as a page with links', async () => {
  shop.answerWith(() => ({ success: true }));
  await shop.client.connection.sendRequest('workspace/executeCommand', {
    command: 'insitu.callHierarchy',
    arguments: [onRun()],
  });
  const shown = shop.asked.findLast(({ method }) => method === 'window/showDocument');
  const page = readFileSync(fileURLToPath(String(shown?.params.uri)), 'utf8');
  expect(page).toContain('# What Shop.run() calls\n');
  expect(page.split('\n').filter(line => line.startsWith('|'))).toEqual([
    '| share | samples | method | where |',
    '| ---: | ---: | --- | --- |',
    `| 83% | 100 | Shop.run() | [Shop.java:4](<${shop.uri}#L4>) |`,
    '| 50% | 50 | └ LockedQueue.take |  |',
    '| 20% | 20 | └ CardPayment.pay |  |',
    '| 25% | 5 | \u00a0\u00a0\u00a0\u00a0└ Bank.book |  |',
    '| 10% | 10 | └ CashPayment.pay |  |',
  ]);
});
