// Recording from the editor with a real JVM: what was recorded is shown, and a recorder ends by itself when the server is killed.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { processIds, procText } from '../../server/base/linux-processes.ts';
import type { JvmsMessage, RecordAnswer, Status, StopRecordingAnswer } from '../../server/lsp/protocol.ts';
import { needs } from '../support/engines/needs.ts';
import { type LspClient, REFRESHING, startServer } from '../support/insitu/lsp-client.ts';
import { misfits } from '../support/protocol/message-types.ts';
import {
  compiledShop,
  ends,
  type Process,
  samplesOf,
  startShop,
  stored,
  storeOf,
  until,
} from '../support/recorders/recording-shop.ts';

const SHOP = join(import.meta.dirname, '../../samples/shop/v1');
const MAIN = join(SHOP, 'src/main/java/com/acme/shop/Main.java');

let folder = '';
const running: Process[] = [];
let client: LspClient;
/** The offers to a person, and the part of the text by which the person picks one. */
let offered: string[] = [];
let wanted = '';

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-from-editor-'));
  client = await startServer({
    folders: [SHOP],
    capabilities: REFRESHING,
    prepare: connection =>
      connection.onRequest('window/showMessageRequest', ({ actions }: { actions: { title: string }[] }) => {
        offered = actions.map(({ title }) => title);
        return actions.find(({ title }) => title.includes(wanted)) ?? null;
      }),
    env: { HOME: folder, XDG_STATE_HOME: join(folder, 'state'), XDG_CACHE_HOME: join(folder, 'cache') },
    initializationOptions: { store: storeOf(folder), project: 'acme', program: 'shop' },
  });
});
afterEach(async () => {
  for (const each of running.splice(0)) await ends(each, 'SIGKILL');
  if (client.process.exitCode === null && client.process.signalCode === null) await client.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function ask<T>(operation: string, type: string, params: object = {}): Promise<T> {
  const answer: T = await client.connection.sendRequest(`insitu/${operation}`, params);
  expect(misfits(answer, type)).toEqual([]);
  return answer;
}
const status = () => ask<Status>('status', 'Status');

/** The recorder of a JVM, as the machine sees it; null when there is none. */
function recorderOf({ pid }: Process): number | null {
  return (
    processIds().find(
      each =>
        procText(each, 'cmdline')?.includes(`\0record\0`) && procText(each, 'cmdline')?.includes(`\0--pid\0${pid}\0`),
    ) ?? null
  );
}

const snapshots = () =>
  readdirSync(storeOf(folder), { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.cct'));

needs('jdk17', 'a JVM that is recorded from the editor', jdk => {
  beforeAll(() => compiledShop(jdk));

  function shopRunning(): Process {
    const shop = startShop(jdk, folder, 100);
    running.push(shop);
    return shop;
  }

  async function recorded(shop: Process, more: object = {}): Promise<RecordAnswer> {
    const listed = () => ask<JvmsMessage>('jvms', 'JvmsMessage');
    await until('the JVM can be recorded', async () =>
      (await listed()).some(({ pid, refusal }) => pid === shop.pid && refusal === null),
    );
    return ask<RecordAnswer>('record', 'RecordAnswer', { pid: shop.pid, ...more });
  }

  test('is listed, recorded, shown, and stored when it is told to end; going back shows what was shown before', async () => {
    const shop = shopRunning();
    const { recording, problems } = await recorded(shop, { version: '1', tier: 'base' });
    expect(problems).toEqual([]);
    expect(recording).toMatchObject({ pid: shop.pid, program: 'shop', version: '1', tier: 'base', state: 'recording' });
    const again = await ask<RecordAnswer>('record', 'RecordAnswer', { pid: shop.pid });
    expect(again).toMatchObject({ recording: null, problems: [expect.stringContaining('recorded already')] });
    const listed = await ask<JvmsMessage>('jvms', 'JvmsMessage');
    expect(listed.find(({ pid }) => pid === shop.pid)).toMatchObject({
      name: 'com.acme.shop.Main',
      arguments: '--seconds 100 --threads 2 --seed 1',
      recorded: true,
    });
    client.open(pathToFileURL(MAIN).href, '');
    const shown = () => status().then(({ sources }) => sources[0]!);
    await until(
      'it is shown',
      async () => (await shown()).part.includes(recording!.instance) && (await shown()).samples > 0,
    );
    const { samples: before } = await shown();
    await until('it grows', async () => (await shown()).samples > before);
    expect(JSON.stringify(client.received.map(({ params }) => params))).not.toContain('--seed 1');
    expect((await status()).recordings).toHaveLength(1);
    const stopped = await ask<StopRecordingAnswer>('stopRecording', 'StopRecordingAnswer', { back: true });
    expect(stopped).toEqual({ stopped: 1, problems: [] });
    expect(recorderOf(shop)).toBeNull();
    expect(snapshots()).toEqual([expect.not.stringContaining('-live')]);
    expect((await status()).recordings).toEqual([]);
    await until('what was shown before is shown', async () => (await shown()).part === '');
  });

  test('a server that is killed leaves no recorder behind, and the last window in the store', async () => {
    const shop = shopRunning();
    await recorded(shop, { version: '1' });
    await until('it has samples', async () => samplesOf(await stored(folder), 'cpu') > 20);
    expect(recorderOf(shop)).not.toBeNull();
    client.process.kill('SIGKILL');
    await until('the recorder has ended', () => recorderOf(shop) === null);
    expect(snapshots()).toEqual([expect.not.stringContaining('-live')]);
    expect(samplesOf(await stored(folder), 'cpu')).toBeGreaterThan(20);
    expect(
      readdirSync(join(folder, 'state'), { recursive: true, encoding: 'utf8' }).filter(name =>
        /open|closed/.test(name),
      ),
    ).toEqual([]);
  });

  test('the command asks which one; a JVM that ends is told of, and one that is gone is refused', async () => {
    const shop = shopRunning();
    await until('the JVM can be recorded', async () =>
      (await ask<JvmsMessage>('jvms', 'JvmsMessage')).some(({ pid, refusal }) => pid === shop.pid && refusal === null),
    );
    wanted = ` · ${shop.pid} · `;
    const answer = await client.command('insitu.record');
    expect(offered.find(title => title.includes(wanted))).toMatch(/^com\.acme\.shop\.Main --seconds 100 .* · since 20/);
    expect(answer).toMatchObject({ recording: { pid: shop.pid, program: 'shop', version: 'unknown' }, problems: [] });
    await client.waitFor(
      ({ method, params }) => method === '$/progress' && JSON.stringify(params).includes('recording'),
    );
    await ends(shop, 'SIGTERM');
    await until('its recording has ended too', async () => (await status()).recordings.length === 0);
    await client.waitFor(({ params }) => `${JSON.stringify(params)}`.includes('has ended, and its recording with it'));
    await client.waitFor(({ method, params }) => method === '$/progress' && JSON.stringify(params).includes('"end"'));
    await expect(client.connection.sendRequest('insitu/record', { pid: shop.pid })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('has ended'),
    });
  });
});
