// The page of pictures beside an editor: addresses, its questions by both ways, what it opens and changes there, and its end.
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PictureAddress, Status, ViewAnswerMessage, ViewStart } from '../../../server/lsp/protocol.ts';
import type { Answers, Hits, Opened, State, Used } from '../../../server/views/view-messages.ts';
import { lspFolder, putPicture } from '../../support/insitu/lsp-store.ts';
import { type ShopServer, shopServer } from '../../support/insitu/shop-server.ts';

const ENV = { SSH_CONNECTION: '' };
const methodsWith = (more: object) => ({
  ...{ ask: 'answer', answer: 'top' },
  parameters: { platform: true, limit: 500, ...more },
});
const METHODS = methodsWith({});

let shop: ShopServer;
beforeAll(async () => {
  shop = await shopServer({ env: ENV, capabilities: { window: { showDocument: { support: true } } } });
});
afterAll(() => shop?.stop());

const onRun = () => ({ textDocument: { uri: shop.uri }, position: { line: 3, character: 8 } });

async function asked<A>(question: object): Promise<A> {
  const answer = (await shop.request('view', { question })) as ViewAnswerMessage;
  return ('json' in answer ? answer.json : answer) as A;
}

/** Opens an address as a browser does, and returns a function that asks. */
async function browse(address: string): Promise<(question: object) => Promise<Response>> {
  const { origin, hash } = new URL(address);
  const code = new URLSearchParams(hash.slice(1)).get('code');
  const post = (path: string, body: object, more: Record<string, string> = {}) =>
    fetch(`${origin}${path}`, { method: 'POST', headers: { Origin: origin, ...more }, body: JSON.stringify(body) });
  const { token } = (await (await post('/session', { code })).json()) as { token: string };
  return question => post('/ask', question, { Authorization: `Bearer ${token}` });
}

describe('addresses', () => {
  test('lead to a page that asks about the data of the hints', async () => {
    const { address, ssh } = (await shop.request('viewAddress')) as PictureAddress;
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#code=[\w-]{43}$/);
    expect(ssh).toBeNull();
    const page = await browse(address);
    const state = (await (await page({ ask: 'state' })).json()) as State;
    expect(state).toMatchObject({ program: 'shop', project: 'acme', look: { metric: 'cpu' }, editor: true });
    expect(await (await page(METHODS)).json()).toEqual(await asked(METHODS));
    expect((await page({ ask: 'nothing' })).status).toBe(400);
  });

  test('name the method at the cursor, as the key that tables have', async () => {
    const { address } = (await shop.request('viewAddress', onRun())) as PictureAddress;
    const of = new URLSearchParams(new URL(address).hash.slice(1)).get('of');
    const { rows } = await asked<Answers['top']>(METHODS);
    expect(rows.find(({ method }) => method.id === of)?.method).toMatchObject({ className: 'acme.Shop', name: 'run' });
    const blueprint = (await shop.request('viewAddress', { ...onRun(), view: 'blueprint' })) as PictureAddress;
    expect(blueprint.address).toMatch(new RegExp(`&view=blueprint&method=${of}$`));
    const whole = (await shop.request('viewAddress', { view: 'blueprint' })) as PictureAddress;
    expect(whole.address).toMatch(/#code=[\w-]+&view=blueprint$/);
    expect((await shop.request('viewStart', onRun())) as ViewStart).toEqual({ of });
    const nowhere = { textDocument: { uri: shop.uri }, position: { line: 8, character: 0 } };
    expect(await shop.request('viewStart', nowhere)).toEqual({ of: null });
  });

  test('are opened outside by the command, and told in any case; by a request neither', async () => {
    const before = shop.asked.length;
    await shop.request('showPicture');
    expect(shop.asked).toHaveLength(before);
    const { address } = (await shop.client.command('insitu.showPicture')) as PictureAddress;
    expect(shop.asked.at(-1)).toMatchObject({
      method: 'window/showDocument',
      params: { uri: address, external: true },
    });
    expect(shop.lastMessage()).toContain(address);
    const count = shop.asked.length;
    const other = (await shop.client.command('insitu.viewAddress')) as PictureAddress;
    expect(shop.asked).toHaveLength(count);
    expect(shop.lastMessage()).toContain(other.address);
  });
});

describe('the page', () => {
  test('knows which methods are of the project: those in packages with sources', async () => {
    await expect
      .poll(async () =>
        (await asked<Hits>({ ask: 'hits', look: {}, search: 'a' })).rows.every(
          ({ method }) => method.library === !method.className.startsWith('acme.'),
        ),
      )
      .toBe(true);
  });

  test('gets pictures as bytes', async () => {
    const picture = {
      ...{ ask: 'picture', look: {}, direction: 'down', of: null, root: [], form: 'metric', order: 'weight' },
      operations: { recursion: false, aggregate: false, library: false },
      ...{ window: [0, 1], rows: [0, 9], least: [0.001], most: 1000, search: null, baseline: false },
    };
    const answer = (await shop.request('view', { question: picture })) as { base64: string };
    const bytes = Buffer.from(answer.base64, 'base64');
    const header = JSON.parse(bytes.toString('utf8', 4, 4 + bytes.readUInt32LE(0)));
    expect(header).toMatchObject({ unit: 'samples', whole: { count: 120 }, boxes: 7, root: { method: null } });
    const { self, cut, below, outside } = header.sums;
    expect(self + cut + below + outside).toBe(120);
  });

  test('shows the text of a method, with the samples of its lines', async () => {
    const { rows } = await asked<Answers['top']>(methodsWith({ search: 'shop.run' }));
    const source = { ask: 'answer', answer: 'methodSource', parameters: { method: `id:${rows[0]!.method.id}` } };
    await expect
      .poll(() => asked(source))
      .toMatchObject({
        file: 'acme/Shop.java',
        missing: null,
        rows: [
          { line: 4, text: '  void run() {', total: { count: 0 } },
          { line: 5, text: '    queue.take();', total: { count: 70 }, self: { count: 20 } },
          { line: 6, text: '    payment.pay();', total: { count: 30 }, self: { count: 0 } },
          { line: 7, text: '  }' },
        ],
      });
  });

  test('says what became of the code of methods', async () => {
    const keyOf = async (search: string) => (await asked<Answers['top']>(methodsWith({ search }))).rows[0]!.method.id;
    const [run, bank] = [await keyOf('shop.run'), await keyOf('bank')];
    // This workspace is no repository: its recorded text is not known.
    const states = [
      [run, 'unknown'],
      [bank, 'missing'],
      ['AAAAAAAA', 'missing'],
    ];
    await expect.poll(() => asked({ ask: 'states', look: {}, of: [run, bank, 'AAAAAAAA'] })).toEqual({ states });
  });

  test('opens a method at its place in the text on screen', async () => {
    const { rows } = await asked<Answers['top']>(methodsWith({ search: 'shop.run' }));
    shop.answerWith(() => ({ success: true }));
    expect(await asked<Opened>({ ask: 'open', look: {}, of: rows[0]!.method.id })).toEqual({
      opened: true,
      reason: null,
    });
    const start = { line: 3, character: 7 };
    expect(shop.asked.at(-1)).toMatchObject({
      method: 'window/showDocument',
      params: { uri: shop.uri, external: false, selection: { start, end: { line: 3, character: 10 } } },
    });
    shop.answerWith(() => null);
    const bank = (await asked<Answers['top']>(methodsWith({ search: 'bank' }))).rows[0]!.method.id;
    expect(await asked<Opened>({ ask: 'open', look: {}, of: bank })).toMatchObject({ opened: false });
  });

  test('changes what hints show, and is told of changes there', async () => {
    const before = await asked<State>({ ask: 'state' });
    const known = { ask: 'state', revision: 'revision' in before ? before.revision : '' };
    expect(await asked(known)).toEqual({ same: true });
    expect(await asked<Used>({ ask: 'use', look: { focus: ['acme.Shop.run'] } })).toEqual({ used: true, reason: null });
    await expect
      .poll(async () => ((await shop.request('status')) as Status).sources[0]?.focus)
      .toEqual(['acme.Shop.run']);
    await expect.poll(() => asked(known)).toMatchObject({ look: { focus: ['acme.Shop.run'] } });
    expect(await asked<Used>({ ask: 'use', look: { focus: ['acme.Shop.gone'] } })).toMatchObject({ used: false });
    expect(await asked<Used>({ ask: 'use', look: {} })).toEqual({ used: true, reason: null });
    await expect.poll(async () => ((await shop.request('status')) as Status).sources[0]?.focus).toEqual([]);
  });

  test('is refused what it asks wrongly, with the reason', async () => {
    expect(await asked({ ask: 'answer', answer: 'groups', parameters: {} })).toMatchObject({
      error: { message: expect.stringContaining('this parameter is missing') },
    });
    expect(await asked(methodsWith({ search: '/(/' }))).toMatchObject({
      error: { message: expect.stringContaining('is no expression') },
    });
    expect(await asked(methodsWith({ threads: ['none*'] }))).toMatchObject({
      error: { message: expect.stringContaining('no thread fits "none*"') },
    });
  });
});

test('a page chooses among the programs of several folders', async () => {
  const own = await shopServer({ env: ENV, capabilities: { workspace: { workspaceFolders: true } } });
  const bank = await lspFolder({
    'insitu.json': '{ "project": "bank", "store": ".store" }',
    'bank/Teller.java': 'package bank;\n\nclass Teller {\n  void pay() {\n  }\n}\n',
  });
  try {
    await putPicture(bank.store, 'bank.Teller.pay | 9@4', { project: 'bank', program: 'teller' });
    const askOf = async <A>(question: object): Promise<A> =>
      ((await own.request('view', { question })) as { json: A }).json;
    type Known = Exclude<State, { same: true }>;
    const state = (source?: string) => askOf<Known>({ ask: 'state', ...(source !== undefined && { source }) });
    const [alone] = (await state()).sources;
    expect(alone).toMatchObject({ name: 'shop' });
    const event = { added: [{ uri: pathToFileURL(bank.folder).href, name: 'bank' }], removed: [] };
    await own.client.connection.sendNotification('workspace/didChangeWorkspaceFolders', { event });
    await expect.poll(async () => (await state()).sources.map(({ name }) => name)).toEqual(['shop', 'teller']);
    const [first, second] = (await state()).sources;
    expect(await state()).toMatchObject({ program: 'shop', source: first!.key });
    expect(await state(second!.key)).toMatchObject({ program: 'teller', source: second!.key });
    expect(await state('closed')).toMatchObject({ program: 'shop', source: first!.key });
    const table = await askOf<Answers['top']>({ ...METHODS, source: second!.key });
    expect(table.rows.map(({ method, total }) => [method.className, total.count])).toEqual([['bank.Teller', 9]]);
    const use = { ask: 'use', look: { focus: ['bank.Teller.pay'] }, source: second!.key };
    expect(await askOf<Used>(use)).toEqual({ used: false, reason: 'open a file of this program first' });
    own.client.open(bank.uri('bank/Teller.java'), 'package bank;\n\nclass Teller {\n  void pay() {\n  }\n}\n');
    await expect.poll(() => askOf<Used>(use)).toEqual({ used: true, reason: null });
    await expect.poll(async () => (await state(second!.key)).look.focus).toEqual(['bank.Teller.pay']);
    expect((await state(first!.key)).look.focus).toBeUndefined();
  } finally {
    await own.stop();
    await bank.remove();
  }
});

test('the web server ends with the language server', async () => {
  const own = await shopServer({ env: ENV });
  const { address } = (await own.request('viewAddress')) as PictureAddress;
  expect((await fetch(new URL('/', address))).status).toBe(200);
  await own.stop();
  await expect(fetch(new URL('/', address))).rejects.toThrow();
});

test('over SSH nothing is opened, and the line is told that leads the port through', async () => {
  const own = await shopServer({
    env: { SSH_CONNECTION: '10.0.0.9 50000 10.0.0.1 22' },
    capabilities: { window: { showDocument: { support: true } } },
  });
  try {
    const { address, ssh } = (await own.client.command('insitu.showPicture')) as PictureAddress;
    const { port } = new URL(address);
    expect(ssh).toBe(`ssh -N -L ${port}:127.0.0.1:${port} 10.0.0.1`);
    expect(own.lastMessage()).toContain(ssh);
    expect(own.asked).toEqual([]);
  } finally {
    await own.stop();
  }
});
