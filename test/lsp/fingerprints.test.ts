// The real server where git does not have the recorded text: what was imported with its sources is told apart by fingerprints.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EditorAnswers, Status } from '../../server/lsp/protocol.ts';
import { ScratchRepository } from '../support/git/scratch-repository.ts';
import { insitu } from '../support/insitu/command-line.ts';
import { hintLines, type LspClient, REFRESHING, startServer } from '../support/insitu/lsp-client.ts';
import { insituProgram } from '../support/insitu/program.ts';

const RECORDING = 'samples/recordings/shop-v1-jdk17-a.jfr';
const SHOP = 'src/main/java/com/acme/shop/Shop.java';

let folder: string;
let client: LspClient | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-fingerprints-'));
});
afterEach(async () => {
  if (client !== null && client.process.exitCode === null) await client.stop();
  client = null;
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const store = () => join(folder, 'store');

async function importShop(version: string, ...more: string[]): Promise<void> {
  const whose = ['--store', store(), '--project', 'shop', '--program', 'shop', '--version', version];
  expect(await insitu('import', RECORDING, ...whose, ...more)).toMatchObject({
    status: 0,
    err: expect.not.stringMatching(/^(warning|error)/m),
  });
}

async function open(root: string, text: string): Promise<{ client: LspClient; uri: string }> {
  client = await startServer({
    folders: [root],
    env: { HOME: folder, XDG_CACHE_HOME: join(folder, 'cache') },
    capabilities: REFRESHING,
    initializationOptions: { store: store(), project: 'shop' },
  });
  const uri = pathToFileURL(join(root, SHOP)).href;
  client.open(uri, text);
  return { client, uri };
}

async function statesOf(server: LspClient, uri: string): Promise<Record<string, string>> {
  const range = { start: { line: 0, character: 0 }, end: { line: 10_000, character: 0 } };
  const ask = () =>
    server.connection.sendRequest<EditorAnswers['metrics'] | null>('insitu/metrics', { textDocument: { uri }, range });
  await expect.poll(async () => (await ask())?.declarations.length ?? 0, { timeout: 20_000 }).toBeGreaterThan(3);
  const { declarations } = (await ask())!;
  return Object.fromEntries(declarations.map(({ title, state }) => [title.replace(/^.*\.|\(.*$/g, ''), state]));
}

test('outside git methods are unchanged, moved down or changed by fingerprint, and hints follow their lines', async () => {
  const root = join(folder, 'shop');
  cpSync('samples/shop/v1', root, { recursive: true });
  await importShop('v1', '--sources', root);
  const text = readFileSync(join(root, SHOP), 'utf8');
  const plain = await open(root, text);
  const before = hintLines(await plain.client.hints(plain.uri));
  expect(before.length).toBeGreaterThan(8);
  // The recorded text may come to be known after the first hints.
  await expect
    .poll(() => statesOf(plain.client, plain.uri), { timeout: 20_000 })
    .toMatchObject({ search: 'unchanged', prices: 'unchanged' });
  await plain.client.stop();

  // Edited on disk before the editor opened it: nothing but the fingerprints tells.
  const edited = `// one\n// two\n${text.replace(/List<Product> search\([^{]*\{/, '$& limit++;')}`;
  writeFileSync(join(root, SHOP), edited);
  const later = await open(root, edited);
  await expect
    .poll(() => statesOf(later.client, later.uri), { timeout: 20_000 })
    .toMatchObject({ search: 'changed', prices: 'unchanged' });
  const after = hintLines(await later.client.hints(later.uri));
  const searchLine = 1 + text.split('\n').findIndex(line => line.includes('List<Product> search('));
  const moved = before.map(hint => hint.replace(/^\d+/, line => String(Number(line) + 2)));
  const ofSearch = (hint: string) => Math.abs(Number(hint.split(' ')[0]) - searchLine - 2) < 8;
  expect(after.filter(hint => !ofSearch(hint))).toEqual(moved.filter(hint => !ofSearch(hint)));
  expect(after.filter(ofSearch)).toEqual([expect.stringMatching(/ ~[\d.]+% · changed$/)]);
});

test('a shallow clone without the recorded commit knows by fingerprints, and says what git is missing', async () => {
  const scratch = new ScratchRepository();
  try {
    scratch.commitFolder('samples/shop/v1');
    scratch.git('tag', 'v1');
    const whose = ['--store', store(), '--project', 'shop', '--program', 'shop', '--version', 'v1'];
    // In a checkout the commit of the version tells; nobody needs to vouch for sources.
    execFileSync(process.execPath, [insituProgram, 'import', join(process.cwd(), RECORDING), ...whose], {
      cwd: scratch.root,
    });
    scratch.commit({ 'README.txt': 'later' });
    const clone = join(folder, 'clone');
    scratch.git('clone', '--quiet', '--depth', '1', '--no-tags', pathToFileURL(scratch.root).href, clone);
    const { client: server, uri } = await open(clone, readFileSync(join(clone, SHOP), 'utf8'));
    expect(await statesOf(server, uri)).toMatchObject({ search: 'unchanged' });
    const status = await server.connection.sendRequest<Status>('insitu/status', {});
    expect(status.text).toContain('in this shallow clone');
  } finally {
    scratch.remove();
  }
});
