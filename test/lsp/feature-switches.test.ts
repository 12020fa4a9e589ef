// Every feature has its switch, and each switch holds at once, without a restart and without a file that is opened again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SETTINGS } from '../../server/base/config.ts';
import { hintLines } from '../support/insitu/lsp-client.ts';
import { type ShopServer, shopServer } from '../support/insitu/shop-server.ts';

const PAYMENT = `package acme;

class CardPayment {
  void pay() {

    int sum = 0;
    bank.book();
    for (int i = 0; i < 9; i++)
      sum += i;
  }
}
`;

let shop: ShopServer;
let payment = '';
beforeAll(async () => {
  shop = await shopServer({}, { 'acme/CardPayment.java': PAYMENT });
  payment = shop.place.uri('acme/CardPayment.java');
  shop.client.open(payment, PAYMENT);
});
afterAll(() => shop?.stop());

const at = (line: number, character: number) => ({ textDocument: { uri: shop.uri }, position: { line, character } });
const ask = (method: string, params: object) => shop.client.connection.sendRequest(method, params);

/** The observable outputs, as text. */
const LOOKS: Readonly<Record<string, () => Promise<string>>> = {
  hints: async () => hintLines(await shop.client.hints(shop.uri)).join('; '),
  'line hints': async () => hintLines(await shop.client.hints(payment)).join('; '),
  hover: async () => ((await shop.client.hover(shop.uri, 3, 8)) === null ? 'none' : 'some'),
  lenses: async () => {
    const lenses = await ask('textDocument/codeLens', { textDocument: { uri: shop.uri } });
    return Array.isArray(lenses) && lenses.length > 0 ? 'some' : 'none';
  },
  implementation: async () => {
    const places = await ask('textDocument/implementation', at(5, 14));
    return Array.isArray(places) && places.length > 0 ? 'some' : 'none';
  },
  commands: async () =>
    JSON.stringify(await shop.client.hints(shop.uri)).includes('insitu.callers') ? 'some' : 'none',
  samples: async () => JSON.stringify(await shop.request('status')).replace(/.*?"samples":(\d+).*/, '$1'),
};

const HINTS = '4 83% · self 17%; 5 50% → LockedQueue; 6 30% → CardPayment +1';

test.each<[keyof typeof SETTINGS, unknown, string, string, string]>([
  ['hints.methods.enabled', false, 'hints', HINTS, '5 50% → LockedQueue; 6 30% → CardPayment +1'],
  ['hints.methods.threshold', 0.9, 'hints', HINTS, '5 50% → LockedQueue; 6 30% → CardPayment +1'],
  ['hints.calls.enabled', false, 'hints', HINTS, '4 83% · self 17%; 5 20% here'],
  ['hints.calls.threshold', 0.4, 'hints', HINTS, '4 83% · self 17%; 5 50% → LockedQueue'],
  ['hints.lines.enabled', false, 'line hints', '4 17% · self 13%; 9 75% here', '4 17% · self 13%'],
  ['hints.lines.threshold', 1, 'line hints', '4 17% · self 13%; 9 75% here', '4 17% · self 13%'],
  ['hints.minimumSamples', 60, 'hints', HINTS, '4 83% · self 17%'],
  ['hints.maximumLength', 12, 'hints', HINTS, '4 83% · self…; 5 50% → Locke…; 6 30% → Ca… +1'],
  ['hints.format', 'ascii', 'hints', HINTS, '4 83% - self 17%; 5 50% -> LockedQueue; 6 30% -> CardPayment +1'],
  ['hints.commands', 'on', 'commands', 'none', 'some'],
  ['hover.enabled', false, 'hover', 'some', 'none'],
  ['lenses.enabled', true, 'lenses', 'none', 'some'],
  ['implementation.enabled', false, 'implementation', 'some', 'none'],
  ['version', '0.9', 'hints', HINTS, '4 83% · self 17%; 5 20% here; 6 75% → CardPayment'],
  ['baseline', '0.9', 'hints', HINTS, '4 83% ±0; 5 50% → LockedQueue; 6 30% → CardPayment +1'],
  ['program', 'other', 'samples', '120', '0'],
])('%s = %j', async (key, value, look, before, after) => {
  const observe = LOOKS[look]!;
  const settled = { timeout: 5_000, interval: 20 };
  await expect.poll(observe, settled).toBe(before);
  const settings = { insitu: { [key]: value } };
  await shop.client.connection.sendNotification('workspace/didChangeConfiguration', { settings });
  await expect.poll(observe, settled).toBe(after);
  await shop.client.connection.sendNotification('workspace/didChangeConfiguration', { settings: { insitu: {} } });
  await expect.poll(observe, settled).toBe(before);
});
