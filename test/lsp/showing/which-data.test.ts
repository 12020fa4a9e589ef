// Tests that the shown data and the reason for them are told without a question: in the log, in the status and with news of data; never by a popup.
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Choices, DataChanged, Status } from '../../../server/lsp/protocol.ts';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';
import { type LspClient, startServer } from '../../support/insitu/lsp-client.ts';
import { putPicture } from '../../support/insitu/lsp-store.ts';

const CAUTION = ' (generated methods told by name only)';

let scratch: ScratchRepository;
let store: string;
let client: LspClient | null = null;

beforeEach(async () => {
  scratch = new ScratchRepository();
  store = join(scratch.home, 'store');
  await putPicture(store, 'Shop.run | 120@5', { version: '1.0' });
  await putPicture(store, 'Shop.run | 40@5', { version: '1.1' }, 600);
});

afterEach(async () => {
  if (client?.process.exitCode === null) await client.stop();
  scratch.remove();
});

async function serve(folder: string, settings: object = {}): Promise<LspClient> {
  client = await startServer({
    folders: [folder],
    env: { HOME: scratch.home, XDG_CACHE_HOME: join(scratch.home, 'cache') },
    initializationOptions: { insitu: { store, project: 'acme', ...settings, notifications: true } },
  });
  return client;
}

/** Waits for what is logged of the load, with no file open. */
async function logged({ waitFor }: LspClient): Promise<string> {
  const { params } = await waitFor(
    ({ method, params: said }) => method === 'window/logMessage' && JSON.stringify(said).includes(' samples of '),
  );
  return (params as { message: string }).message;
}

const source = async (server: LspClient, operation = 'status', params: object = {}) =>
  ((await server.connection.sendRequest(`insitu/${operation}`, params)) as Status).sources[0];

test('the version of the commit checked out, then the nearest one', async () => {
  const first = scratch.commit({ 'Shop.java': 'class Shop {}\n' });
  scratch.git('tag', 'v1.0');
  const server = await serve(scratch.root);
  const shown = `acme/shop 1.0 · 1 instance · 120 samples of cpu${CAUTION}`;
  expect(await logged(server)).toBe(`insitu: ${shown}; version 1.0 is the commit checked out`);
  expect(await source(server)).toMatchObject({
    versions: ['1.0'],
    because: 'version 1.0 is the commit checked out',
    commit: first,
    codeState: expect.stringMatching(/^recorded from commit [0-9a-f]{7}, 2023-11-14$/),
    text: shown,
  });
  // On a busy machine there is one before, that the data are being read.
  const { params } = await server.waitFor(
    ({ method, params: said }) => method === 'insitu/dataChanged' && JSON.stringify(said).includes(' samples of '),
  );
  expect((params as DataChanged).text).toBe(`${shown}\nversion 1.0 is the commit checked out`);

  scratch.commit({ 'Shop.java': 'class Shop { }\n' });
  await server.connection.sendRequest('insitu/refresh', {});
  const nearest = 'version 1.0 is shown, the nearest with data: 1 commit before the one checked out';
  await expect.poll(async () => (await source(server))?.because, { timeout: 10_000 }).toBe(nearest);
  expect(await source(server)).toMatchObject({ commit: first });

  expect(await source(server, 'select', { version: '1.1' })).toMatchObject({
    versions: ['1.1'],
    because: 'version 1.1 was chosen',
    commit: null,
    codeState: 'version 1.1 is no commit and no tag in this repository',
  });
  expect(server.received.filter(({ method }) => /window\/show/.test(method))).toEqual([]);
});

test('a version that is a commit has the tag that points at it, in the status and among the executions', async () => {
  const [first, second] = ['class Shop {}\n', 'class Shop { }\n'].map(text => scratch.commit({ 'Shop.java': text }));
  await putPicture(store, 'Shop.run | 120@5', { version: first! }, 700);
  await putPicture(store, 'Shop.run | 120@5', { version: second! }, 800);
  const server = await serve(scratch.root);
  await logged(server);
  expect(await source(server)).toMatchObject({ versions: [second], tags: {} });
  scratch.git('tag', '--annotate', '--message', 'one', 'v1', first!);
  scratch.git('tag', 'v2', second!);
  expect(await source(server)).toMatchObject({ tags: { [second!]: 'v2' } });
  const compared = await source(server, 'compareWith', { version: first! });
  expect(compared?.tags).toEqual({ [second!]: 'v2', [first!]: 'v1' });
  const { tags } = (await server.connection.sendRequest('insitu/choices', {})) as Choices;
  expect(tags).toEqual({ [second!]: 'v2', [first!]: 'v1' });
});

test('what the settings say, and the newest outside of git', async () => {
  const named = await serve(scratch.root, { version: '1.0' });
  expect(await logged(named)).toContain(
    `shop 1.0 · 1 instance · 120 samples of cpu${CAUTION}; version 1.0 is what the settings say`,
  );
  await named.stop();
  const outside = await serve(scratch.home);
  expect(await logged(outside)).toContain(
    `shop 1.1 · 1 instance · 40 samples of cpu${CAUTION}; the newest version is shown`,
  );
  expect(await source(outside)).toMatchObject({ because: 'the newest version is shown', commit: null, codeState: '' });
});
