// Code actions on names of methods and calls that ran: nothing elsewhere, nothing unasked, and their commands work.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CodeAction } from 'vscode-languageserver/node';
import type { Status } from '../../../server/lsp/protocol.ts';
import { type ShopServer, shopServer } from '../../support/insitu/shop-server.ts';

let shop: ShopServer;
beforeAll(async () => {
  shop = await shopServer();
});
afterAll(() => shop?.stop());

async function actions(line: number, from: number, to = from, context: object = {}): Promise<CodeAction[]> {
  const range = { start: { line, character: from }, end: { line, character: to } };
  const params = { textDocument: { uri: shop.uri }, range, context: { diagnostics: [], ...context } };
  const found = await shop.client.connection.sendRequest('textDocument/codeAction', params);
  return found as CodeAction[];
}

const titles = (found: readonly CodeAction[]) => found.map(({ title }) => title);
const ON_RUN = [
  'insitu: make Shop.run 100 %',
  'insitu: why this number',
  'insitu: who calls this at run time',
  'insitu: count its calls for a minute',
];

test('stand on methods and calls that ran, for whom asks for them', async () => {
  await shop.client.hints(shop.uri);
  expect(titles(await actions(3, 8))).toEqual(ON_RUN);
  expect(titles(await actions(3, 7, 10, { only: ['insitu'], triggerKind: 1 }))).toEqual(ON_RUN);
  expect(titles(await actions(4, 11))[0]).toBe('insitu: make LockedQueue.take 100 %');
  expect(titles(await actions(5, 14))[0]).toBe('insitu: make CardPayment.pay and 1 more 100 %');
  expect((await actions(3, 8)).map(({ kind }) => kind)).toEqual(['insitu', 'insitu', 'insitu', 'insitu']);
  expect(await actions(3, 8, 8, { triggerKind: 2 })).toEqual([]);
  expect(await actions(3, 8, 8, { only: ['quickfix', 'source'] })).toEqual([]);
  expect(await actions(3, 7, 14)).toEqual([]);
  expect(await actions(4, 5)).toEqual([]);
  expect(await actions(2, 8)).toEqual([]);
});

test('make their method 100 %, and offer the way back', async () => {
  const [focus] = await actions(5, 14);
  await shop.client.command(focus?.command?.command ?? '', ...(focus?.command?.arguments ?? []));
  expect(((await shop.request('status')) as Status).sources[0]).toMatchObject({
    focus: ['acme.CardPayment.pay', 'acme.CashPayment.pay'],
    samples: 30,
  });
  expect(shop.lastMessage()).toContain('focus acme.CardPayment.pay or acme.CashPayment.pay');
  const [clear] = await actions(5, 14);
  expect(clear?.title).toBe('insitu: clear focus');
  await shop.client.command(clear?.command?.command ?? '', ...(clear?.command?.arguments ?? []));
  const [, why, callers] = await actions(3, 8);
  for (const { command } of [why!, callers!])
    await shop.client.command(command!.command, ...(command!.arguments ?? []));
  expect(shop.lastMessage()).toContain('Callers of a method: Shop.run');
});

test('show only the stacks of a call, and all again', async () => {
  const [, only] = await actions(4, 11);
  expect(only?.title).toBe('insitu: only stacks with this call');
  await shop.client.command(only?.command?.command ?? '', ...(only?.command?.arguments ?? []));
  const path = 'acme.Shop.run acme.LockedQueue.take';
  const [source] = ((await shop.request('status')) as Status).sources;
  expect(source).toMatchObject({ chosen: { path }, samples: 120 });
  expect(source?.text).toContain(`42 % on the path (50 samples) · path ${path}`);
  expect(titles(await actions(4, 11))).not.toContain('insitu: only stacks with this call');
  const drop = (await actions(3, 8)).find(({ title }) => title === 'insitu: drop the path');
  await shop.client.command(drop?.command?.command ?? '', ...(drop?.command?.arguments ?? []));
  expect(((await shop.request('status')) as Status).sources[0]?.chosen.path).toBeUndefined();
});

test('offer to replace a focus by what runs outside of it', async () => {
  await shop.request('focus', { focus: ['acme.Bank.book'] });
  const outside = await actions(4, 11);
  expect(titles(outside).slice(0, 2)).toEqual(['insitu: make LockedQueue.take 100 %', 'insitu: clear focus']);
  expect(titles(await actions(3, 8))[0]).toBe('insitu: make Shop.run 100 %');
  expect(titles(await actions(2, 8))).toEqual(['insitu: clear focus']);
  await shop.client.command(outside[0]?.command?.command ?? '', ...(outside[0]?.command?.arguments ?? []));
  expect(((await shop.request('status')) as Status).sources[0]).toMatchObject({ focus: ['acme.LockedQueue.take'] });
  await shop.request('clearFocus');
});

test('show the difference as a blueprint where a version is compared with', async () => {
  await shop.request('compareWith', { version: '0.9' });
  try {
    const title = 'insitu: show the difference as a blueprint';
    await expect.poll(async () => titles(await actions(3, 8)), { timeout: 20_000 }).toEqual([...ON_RUN, title]);
    const slower = { range: { start: { line: 3, character: 7 }, end: { line: 3, character: 10 } }, message: 'slower' };
    const context = {
      diagnostics: [
        { ...slower, code: 'regression' },
        { ...slower, code: 'other' },
      ],
    };
    const action = (await actions(3, 8, 8, context)).find(each => each.title === title);
    expect(action?.diagnostics).toEqual(context.diagnostics.slice(0, 1));
    expect(action?.command?.command).toBe('insitu.showPicture');
    await shop.client.command(action!.command!.command, ...(action!.command!.arguments ?? []));
    expect(shop.lastMessage()).toMatch(/&view=blueprint&method=[\w-]{8} /);
  } finally {
    await shop.request('compareWith', {});
  }
});

test('are switched off while the server runs', async () => {
  const settings = (enabled: boolean) => ({ settings: { insitu: { codeActions: { enabled } } } });
  await shop.client.connection.sendNotification('workspace/didChangeConfiguration', settings(false));
  expect(await actions(3, 8)).toEqual([]);
  await shop.client.connection.sendNotification('workspace/didChangeConfiguration', settings(true));
  expect(titles(await actions(3, 8))).toEqual(ON_RUN);
});

test('fill the menu of IntelliJ, which asks in the way of light bulbs', async () => {
  const other = await shopServer({ clientInfo: { name: 'IntelliJ IDEA Community Edition' } });
  const mine = shop;
  shop = other;
  try {
    await other.client.hints(other.uri);
    expect(titles(await actions(3, 8, 8, { triggerKind: 2 }))).toEqual(ON_RUN);
    expect(await actions(3, 8, 8, { triggerKind: 2, only: ['quickfix'] })).toEqual([]);
  } finally {
    shop = mine;
    await other.stop();
  }
});

test('take what ran behind a method without code as one', async () => {
  const files = {
    'acme/Queue.java': 'package acme;\n\ninterface Queue {\n  void take();\n  void idle();\n}\n',
    'acme/LockedQueue.java': 'package acme;\n\nclass LockedQueue implements Queue {\n  public void take() {\n  }\n}\n',
  };
  const other = await shopServer({}, files);
  const mine = shop;
  shop = { ...other, uri: other.uri.replace('Shop.java', 'Queue.java') };
  try {
    await other.client.hints(other.uri);
    await other.client.open(shop.uri, files['acme/Queue.java']);
    const behind = ['insitu: make what ran behind Queue.take 100 %', ...ON_RUN.slice(1)];
    await expect.poll(async () => titles(await actions(3, 8)), { timeout: 20_000 }).toEqual(behind);
    expect(await actions(4, 8)).toEqual([]);
    const [focus] = await actions(3, 8);
    await other.client.command(focus?.command?.command ?? '', ...(focus?.command?.arguments ?? []));
    expect(((await other.request('status')) as Status).sources[0]).toMatchObject({
      focus: ['acme.LockedQueue.take'],
      samples: 50,
    });
    expect(titles(await actions(3, 8))[0]).toBe('insitu: clear focus');
  } finally {
    shop = mine;
    await other.stop();
  }
});
