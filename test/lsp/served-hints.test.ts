// The real server over its standard streams: what it offers, when hints come, and that they follow edits, settings and new snapshots.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../server/lsp/operations/operation-table.ts';
import { hintLines, type LspClient, REFRESHING, type StartOptions, startServer } from '../support/insitu/lsp-client.ts';
import { type LspFolder, lspFolder, putPicture } from '../support/insitu/lsp-store.ts';

const SHOP = `class Shop {
  void run() {
    queue.take();
    payment.pay();
  }
}
`;

const PICTURE = `
Shop.run | 20@3
  LockedQueue.take :3 | 50@9
  CardPayment.pay :4 | 20@9
  CashPayment.pay :4 | 10@9`;

const HINTS = ['2 100% · self 20%', '3 50% → LockedQueue', '4 30% → CardPayment +1'];

let place: LspFolder;
let client: LspClient | null = null;

beforeEach(async () => {
  place = await lspFolder({ 'Shop.java': SHOP });
});

afterEach(async () => {
  if (client !== null && client.process.exitCode === null) await client.stop();
  client = null;
  await place.remove();
});

/** The server with the folder open and the Shop opened. */
async function serve(options: StartOptions = {}): Promise<LspClient> {
  client = await startServer({ folders: [place.folder], ...options });
  client.open(place.uri('Shop.java'), SHOP);
  return client;
}

/** Whether a message logs the data that are shown: it comes when they have been loaded. */
const isLoaded = ({ method, params }: { method: string; params: unknown }) =>
  method === 'window/logMessage' && JSON.stringify(params).includes(' samples of ');
const isRefresh = ({ method }: { method: string }) => method === 'workspace/inlayHint/refresh';

test('says its name', async () => {
  expect((await serve({ capabilities: {} })).serverInfo?.name).toBe('insitu');
});

test('offers the same to every client', async () => {
  const { executeCommandProvider, ...capabilities } = (await serve({ capabilities: {} })).capabilities;
  expect(executeCommandProvider).toEqual({ commands: COMMANDS });
  expect(capabilities).toMatchInlineSnapshot(`
    {
      "callHierarchyProvider": true,
      "codeActionProvider": {
        "codeActionKinds": [
          "insitu",
        ],
        "resolveProvider": false,
      },
      "codeLensProvider": {
        "resolveProvider": false,
      },
      "hoverProvider": true,
      "implementationProvider": true,
      "inlayHintProvider": {
        "resolveProvider": false,
      },
      "positionEncoding": "utf-16",
      "textDocumentSync": {
        "change": 2,
        "openClose": true,
        "save": false,
      },
      "workspace": {
        "workspaceFolders": {
          "changeNotifications": true,
          "supported": true,
        },
      },
    }
  `);
});

describe('with a snapshot', () => {
  beforeEach(() => putPicture(place.store, PICTURE));

  test('tells a client that refreshes when hints are there, and once more after the first answer', async () => {
    const server = await serve();
    await server.waitFor(isLoaded);
    await server.waitFor(isRefresh);
    expect(hintLines(await server.hints(place.uri('Shop.java')))).toEqual(HINTS);
    const before = server.received.filter(isRefresh).length;
    await server.waitFor(message => isRefresh(message) && server.received.filter(isRefresh).length > before);
  });

  test('holds the first answer for a client that does not refresh, and sends it nothing it cannot take', async () => {
    const server = await serve({ capabilities: {} });
    expect(hintLines(await server.hints(place.uri('Shop.java')))).toEqual(HINTS);
    expect(server.received.map(({ method }) => method).filter(method => method !== 'window/logMessage')).toEqual([]);
  });

  test('holds the first answer for a client that refreshes too: it may not draw later hints over an empty one', async () => {
    const server = await serve();
    expect(hintLines(await server.hints(place.uri('Shop.java')))).toEqual(HINTS);
  });

  test('a hint carries everything that any client shows', async () => {
    const server = await serve({ capabilities: {} });
    const [hint] = await server.hints(place.uri('Shop.java'), 2, 3);
    expect(hint).toEqual({
      position: { line: 2, character: 17 },
      label: [
        {
          value: '50% → LockedQueue',
          tooltip:
            '50 % of this method · 50 of 100 samples: LockedQueue.take\n20 % of this method · 20 of 100 samples: this line itself, without what it calls',
        },
      ],
      paddingLeft: true,
      data: { heat: 0.5, kind: 'call' },
    });
  });

  test('hover is Markdown, or plain text where the client wants that', async () => {
    const markdown = await serve({ capabilities: {} });
    await markdown.hints(place.uri('Shop.java'));
    const hover = await markdown.hover(place.uri('Shop.java'), 1, 8);
    expect(hover?.contents).toMatchObject({
      kind: 'markdown',
      value: expect.stringMatching(/^\*\*insitu\*\* `Shop.run`\n/),
    });
    expect(hover?.range).toEqual({ start: { line: 1, character: 7 }, end: { line: 1, character: 10 } });
    await markdown.stop();
    const plain = await serve({ capabilities: { textDocument: { hover: { contentFormat: ['plaintext'] } } } });
    await plain.hints(place.uri('Shop.java'));
    const text = await plain.hover(place.uri('Shop.java'), 1, 8);
    expect(text?.contents).toMatchObject({ kind: 'plaintext', value: expect.stringMatching(/^insitu Shop.run\n/) });
  });

  test('hints follow edits, and none stands at a wrong line', async () => {
    const server = await serve({ capabilities: {} });
    const uri = place.uri('Shop.java');
    const insert = (line: number, character: number, text: string) => ({
      range: { start: { line, character }, end: { line, character } },
      text,
    });
    const moved = (by: number) => HINTS.map(hint => hint.replace(/^\d+/, line => `${Number(line) + by}`));
    server.change(uri, 2, [insert(0, 0, '// 1\n// 2\n')]);
    expect(hintLines(await server.hints(uri))).toEqual(moved(2));
    server.change(uri, 3, [insert(4, 4, 'log(); ')]);
    expect((await server.hints(uri)).map(({ position }) => position)).toContainEqual({ line: 4, character: 24 });
    server.change(uri, 4, [insert(4, 0, '\n\n\n')]);
    const [method, ...calls] = moved(2);
    const further = calls.map(hint => hint.replace(/^\d+/, line => `${Number(line) + 3}`));
    expect(hintLines(await server.hints(uri))).toEqual([method?.replace(/ (.*) · .*/, ' ~$1 · changed'), ...further]);
  });

  test('settings of the editor hold at once', async () => {
    const server = await serve({ initializationOptions: { hints: { calls: { enabled: false } } } });
    await server.waitFor(isRefresh);
    const uri = place.uri('Shop.java');
    await server.waitFor(isLoaded);
    // Without the hint of its call, that of the line itself stands.
    expect(hintLines(await server.hints(uri))).toEqual([HINTS[0], '3 20% here']);
    const settings = { insitu: { hints: { calls: { threshold: 0.4 } } } };
    await server.connection.sendNotification('workspace/didChangeConfiguration', { settings });
    expect(hintLines(await server.hints(uri))).toEqual(HINTS.slice(0, 2));
  });

  test('asks a client for its settings', async () => {
    const server = await serve({
      capabilities: { ...REFRESHING, workspace: { configuration: true, inlayHint: { refreshSupport: true } } },
      configuration: { hints: { methods: { enabled: false } } },
    });
    await server.waitFor(({ method }) => method === 'workspace/configuration');
    await server.waitFor(isLoaded);
    expect(hintLines(await server.hints(place.uri('Shop.java')))).toEqual(HINTS.slice(1));
  });

  test('a new snapshot and a changed insitu.json are noticed', async () => {
    const server = await serve();
    const uri = place.uri('Shop.java');
    await server.waitFor(isRefresh);
    // Between the first reading and the first look of the watch.
    await expect.poll(async () => hintLines(await server.hints(uri)), { timeout: 10_000 }).toEqual(HINTS);
    await putPicture(place.store, 'Other.go | 100@1', {}, 60);
    await expect
      .poll(async () => hintLines(await server.hints(uri)), { timeout: 10_000 })
      .toEqual(['2 50% · self 10%', ...HINTS.slice(1)]);
    const settings = { project: 'acme', store: '.store', hints: { calls: { enabled: false } } };
    await writeFile(join(place.folder, 'insitu.json'), JSON.stringify(settings));
    await expect
      .poll(async () => hintLines(await server.hints(uri)), { timeout: 10_000 })
      .toEqual(['2 50% · self 10%', '3 20% here']);
  });

  test('the program is the one whose classes stand in the folder', async () => {
    await putPicture(place.store, 'Unrelated.go | 100@1', { program: 'another' });
    const server = await serve({ capabilities: {} });
    expect(hintLines(await server.hints(place.uri('Shop.java')))).toEqual(HINTS);
    expect(await server.command('insitu.status', { quiet: true })).toMatchObject({
      sources: [{ state: 'ready', project: 'acme', program: 'shop', versions: ['1.0'], samples: 100, metric: 'cpu' }],
    });
  });
});
