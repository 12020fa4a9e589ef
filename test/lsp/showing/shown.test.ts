// Tests the view of a user whose editor knows nothing of insitu: pages that it opens, messages, choices, and a notification for clients that want it.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import type { Status } from '../../../server/lsp/protocol.ts';
import { putPicture } from '../../support/insitu/lsp-store.ts';
import { choosing, type ShopServer, shopServer } from '../../support/insitu/shop-server.ts';

let shop: ShopServer | null = null;
afterEach(async () => {
  await shop?.stop();
  shop = null;
});

async function serve(...given: Parameters<typeof shopServer>): Promise<ShopServer> {
  shop = await shopServer(...given);
  return shop;
}

const onRun = ({ uri }: ShopServer) => ({ textDocument: { uri }, position: { line: 3, character: 8 } });

/** Days pass between two runs. */
const withoutAge = (text: string) => text.replace(/ · last sample \d+ \w+ ago/, '');

describe('pages', () => {
  test('are private read-only files that the editor opens, with links to the sources, and gone at the end', async () => {
    const server = await serve({ capabilities: { window: { showDocument: { support: true } } } });
    server.answerWith(() => ({ success: true }));
    await server.client.command('insitu.top', { limit: 2, sort: 'total' });
    const [opened] = server.asked;
    expect(opened).toMatchObject({ method: 'window/showDocument', params: { external: false, takeFocus: true } });
    const path = fileURLToPath(String(opened?.params.uri));
    expect([statSync(dirname(path)).mode & 0o777, statSync(path).mode & 0o777]).toEqual([0o700, 0o400]);
    // Files that are not open are found when the index is complete.
    const text = readFileSync(path, 'utf8').replace(/\[Main\.java:4\]\(<[^>]*>\)/, '');
    expect(withoutAge(text)).toBe(`# Hottest methods

shop 1.0 · 120 samples of cpu are 100 % · the newest version is shown

4 of 6 rows are left out.

| total | samples | self | own | method | where |
| ---: | ---: | ---: | ---: | --- | --- |
| 100% | 120 | 17% | 17% | Main.main |  |
| 83% | 100 | 17% | 17% | Shop.run | [Shop.java:4](<${server.uri}#L4>) |
`);
    await server.client.command('insitu.why', onRun(server));
    await server.client.command('insitu.threads', onRun(server));
    expect(server.asked).toHaveLength(3);
    expect(server.lastMessage()).toBe('');
    await server.client.stop();
    expect(existsSync(dirname(path))).toBe(false);
  });

  test('have a file for each text, because editors do not read again what they show', async () => {
    const server = await serve({ capabilities: { window: { showDocument: { support: true } } } });
    server.answerWith(() => ({ success: true }));
    for (const limit of [1, 2, 1, 3]) await server.client.command('insitu.top', { limit });
    const paths = server.asked.map(({ params }) => fileURLToPath(String(params.uri)));
    expect(paths.map(path => basename(path))).toEqual(['top.md', 'top-2.md', 'top.md', 'top-3.md']);
    const rows = paths.map(path => readFileSync(path, 'utf8').match(/^\|/gm)?.length);
    expect(rows).toEqual([3, 4, 3, 5]);
  });

  test('are told as a message where the editor opens nothing, or says that it could not', async () => {
    const server = await serve();
    await server.client.command('insitu.callees', onRun(server));
    expect(withoutAge(server.lastMessage())).toBe(`insitu: Callees of a method: Shop.run
of all: 83%
self: 17%
of its time · samples · of all · self · lines · method
50% · 50 · 42% · 42% · 5 · LockedQueue.take
20% · 20 · 17% · 13% · 6 · CardPayment.pay
10% · 10 · 8.3% · 8.3% · 6 · CashPayment.pay
shop 1.0 · 120 samples of cpu are 100 % · the newest version is shown`);
    await server.client.command('insitu.why', { ...onRun(server), quiet: true });
    expect(server.lastMessage()).toContain('Callees of a method');
    await server.stop();
    const refusing = await serve({ capabilities: { window: { showDocument: { support: true } } } });
    await refusing.client.command('insitu.executions');
    expect(refusing.lastMessage()).toMatch(
      /^insitu: Recorded executions\n(?:[^\n]*\n){3}shop · 1\.0 · i-1 · 2026-11-20/,
    );
  });

  test('show names from recordings as they are', async () => {
    const server = await serve({ capabilities: { window: { showDocument: { support: true } } } });
    const hostile = 'acme.[x]<b>`*_.run | 500@3';
    await putPicture(server.place.store, hostile, { version: '2.0' }, 60);
    await server.request('select', { version: '2.0' });
    await server.client.command('insitu.top');
    const page = readFileSync(fileURLToPath(String(server.asked[0]?.params.uri)), 'utf8');
    expect(page).toContain('\\[x\\]\\<b\\>\\`\\*\\_.run |');
  });
});

describe('choices', () => {
  test('are offered with shares, at most eight, and taken', async () => {
    const server = await serve();
    server.answerWith(choosing('shop 0.9'));
    await server.client.command('insitu.selectExecution');
    expect(server.asked[0]?.params).toMatchObject({
      message: 'insitu: which version is to be shown?',
      actions: [
        { title: 'What the settings say' },
        { title: 'shop 1.0 · 2026-11-20 16:00:10 +00:00 (shown)' },
        { title: 'shop 0.9 · 2026-11-20 15:43:30 +00:00' },
      ],
    });
    expect(server.lastMessage()).toBe(
      'insitu: acme/shop 0.9 · 1 instance · 120 samples of cpu (generated methods told by name only)',
    );
    server.answerWith(choosing('What'));
    await server.client.command('insitu.selectExecution');
    server.answerWith(choosing('17%'));
    await server.client.command('insitu.focus');
    expect(server.asked.at(-1)?.params).toMatchObject({
      actions: expect.arrayContaining([{ title: '17% pay by Card' }, { title: '8.3% pay by Cash' }]),
    });
    expect(server.lastMessage()).toContain('20 samples of cpu · focus pay by Card');
    server.answerWith(choosing('83%'));
    await server.client.command('insitu.clearFocus');
    await server.client.command('insitu.focus');
    expect(server.lastMessage()).toContain('focus acme.Shop.run');
    await server.client.command('insitu.clearFocus');
    const titles: string[] = [];
    server.answerWith(
      ({ params }) => void titles.push(...(params.actions as { title: string }[]).map(each => each.title)),
    );
    for (const name of ['selectInstances', 'selectWindows', 'selectThreads', 'selectMetric', 'compareWith'])
      await server.client.command(`insitu.${name}`);
    expect(titles).toEqual([
      'All instances',
      'i-1',
      'All the time',
      '2026-11-20 16:00:00 to 16:00:10 +00:00 · 100%',
      'All threads',
      '100% main',
      'What the settings say',
      'cpu (shown)',
      'Nothing',
      '0.9',
    ]);
  });

  test('nothing is asked when the wish is clear or the command is quiet', async () => {
    const server = await serve();
    await server.client.command('insitu.selectMetric', { metric: 'cpu' });
    await server.client.command('insitu.selectExecution', { quiet: true });
    await server.client.command('insitu.compareWith', { version: '0.9' });
    expect(server.asked).toEqual([]);
    expect(server.lastMessage()).toContain('compared with version 0.9');
  });
});

describe('newer data', () => {
  test('are offered once to a user who chose a version, never forced, and told in the status', async () => {
    const server = await serve();
    const status = async () => (await server.request('status')) as Status;
    await server.request('select', { version: '0.9' });
    await expect.poll(async () => (await status()).sources[0]?.newer).toMatch(/^shop 1\.0 was recorded/);
    expect(server.asked).toEqual([]);
    await putPicture(server.place.store, 'acme.Shop.run | 50@5', { version: '1.5' }, 60);
    await server.request('refresh');
    await expect.poll(() => server.asked.length, { timeout: 10_000 }).toBe(1);
    expect(server.asked[0]?.params).toMatchObject({
      message: 'insitu: shop 1.5 was recorded at 2026-11-20 16:01:00 +00:00',
      actions: [{ title: 'Show it' }, { title: 'Keep' }],
    });
    await expect
      .poll(async () => (await status()).sources[0])
      .toMatchObject({ versions: ['0.9'], newer: expect.stringContaining('shop 1.5') });
    await putPicture(server.place.store, 'acme.Shop.run | 60@5', { version: '1.5' }, 120);
    await server.request('refresh');
    server.answerWith(choosing('Show it'));
    await putPicture(server.place.store, 'acme.Shop.run | 70@5', { version: '1.6' }, 180);
    await server.request('refresh');
    await expect.poll(async () => (await status()).sources[0]?.versions, { timeout: 10_000 }).toEqual(['1.6']);
    expect(server.asked).toHaveLength(2);
    expect((await status()).sources[0]?.newer).toBeNull();
  });
});

test('clients that want it are told when numbers change, others are not', async () => {
  const server = await serve({
    initializationOptions: { insitu: { notifications: true, hints: { calls: { enabled: false } } } },
  });
  const told = () => server.client.received.filter(({ method }) => method === 'insitu/dataChanged');
  await server.client.waitFor(({ method }) => method === 'insitu/dataChanged');
  await server.request('focus', { focus: ['acme.Shop.run'] });
  // The message of the load before may come after the question.
  await expect
    .poll(() => told().at(-1)?.params, { timeout: 10_000 })
    .toEqual({ text: expect.stringContaining('focus acme.Shop.run') });
  expect(JSON.stringify(server.client.received)).not.toContain('unknown setting');
});
