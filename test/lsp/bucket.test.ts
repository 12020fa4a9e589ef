// The real server beside a store in a bucket: what is put there shows in open files by itself, each window once.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openStore } from '../../server/store/open-store.ts';
import { hintLines, type LspClient, startServer } from '../support/insitu/lsp-client.ts';
import { type LspFolder, lspFolder } from '../support/insitu/lsp-store.ts';
import { profileOfText } from '../support/profiles/profiles.ts';
import { type MemoryEngine, startMemoryEngine } from '../support/stores/memory-engine.ts';
import { snapshotOf } from '../support/stores/snapshots.ts';

const SHOP = 'class Shop {\n  void run() {\n    queue.take();\n  }\n}\n';
const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };
/** Windows are so long, in seconds: the server asks after each of their ends. */
const WINDOW = 3;

let place: LspFolder;
let engine: MemoryEngine;
let client: LspClient;

beforeEach(async () => {
  place = await lspFolder({ 'Shop.java': SHOP });
  engine = await startMemoryEngine();
  for (const [name, value] of Object.entries(CREDENTIALS)) vi.stubEnv(name, value);
});
afterEach(async () => {
  await client.stop();
  await engine.end();
  await place.remove();
  vi.unstubAllEnvs();
});

test('windows that are put into a bucket show in an open file', async () => {
  const startMillis = Date.now() - 2 * WINDOW * 1000;
  const store = openStore(engine.store).value!;
  const execution = { project: 'acme', program: 'shop', version: '1.0', instance: 'i-1' };
  const put = async (picture: string, window: number) => {
    const profile = profileOfText(picture, { windows: 1, startMillis: startMillis + window * WINDOW * 1000 });
    expect((await store.put(snapshotOf(profile, { execution }))).value).not.toBeNull();
  };
  await put('Shop.run | 50@3', 0);
  await put('Shop.run | 50@3', 1);
  const initializationOptions = { store: engine.store, project: 'acme' };
  client = await startServer({ folders: [place.folder], initializationOptions, env: CREDENTIALS });
  client.open(place.uri('Shop.java'), SHOP);
  const share = async () => hintLines(await client.hints(place.uri('Shop.java')))[0];
  await expect.poll(share, { timeout: 30_000 }).toMatch(/^2 100%/);
  await put('Other.go | 100@1', 2);
  await expect.poll(share, { timeout: 45_000 }).toMatch(/^2 50%/);
  await put('Other.go | 200@1', 3);
  await expect.poll(share, { timeout: 45_000 }).toMatch(/^2 25%/);
});
