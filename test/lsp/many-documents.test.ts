// The server's session with many documents opened in a row: the work is counted, which must grow with their number and no faster.

import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMessageConnection, type MessageConnection } from 'vscode-jsonrpc/node';
import {
  createConnection,
  InlayHintRequest,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { registerRoutes } from '../../server/lsp/routes/routing-table.ts';
import { Session } from '../../server/lsp/session.ts';
import { Loader } from '../../server/workspace/data/loader.ts';
import type { View } from '../../server/workspace/state.ts';
import { ScratchRepository } from '../support/git/scratch-repository.ts';
import { hintLines } from '../support/insitu/lsp-client.ts';
import { putPicture } from '../support/insitu/lsp-store.ts';

let scratch: ScratchRepository;
beforeEach(() => {
  scratch = new ScratchRepository();
});
afterEach(() => scratch.remove());

const text = (name: string) => `class ${name} {\n  void run() {\n    queue.take();\n  }\n}\n`;
const namesOf = (count: number) => Array.from({ length: count }, (_, i) => `C${i}`);
const uriOf = (name: string) => pathToFileURL(join(scratch.root, 'src', `${name}.java`)).href;

/** Documents that a session asked views for while so many were opened in a row and had their hints, with their recorded texts. */
async function lookedAt(count: number): Promise<number> {
  const [up, down] = [new PassThrough(), new PassThrough()];
  const server = createConnection(ProposedFeatures.all, new StreamMessageReader(up), new StreamMessageWriter(down));
  const session = new Session(server, new Loader(), { overrides: { store: join(scratch.home, 'store') } });
  let looked = 0;
  const view = session.workspace.view.bind(session.workspace);
  session.workspace.view = () => counting(view(), documents => (looked += documents));
  session.start();
  registerRoutes(session);
  server.listen();
  const client = createMessageConnection(new StreamMessageReader(down), new StreamMessageWriter(up));
  client.onRequest(() => null);
  client.listen();
  await begin(client);
  const names = namesOf(count);
  looked = 0;
  for (const name of names) await open(client, name);
  for (const name of names) expect(await hintsOf(client, name)).toEqual(['2 50% · self 50%', '3 50% → Queue']);
  await client.sendRequest('insitu/status', {});
  await client.sendRequest('shutdown');
  client.dispose();
  return looked;
}

async function begin(client: MessageConnection): Promise<void> {
  const folder = { uri: pathToFileURL(scratch.root).href, name: 'shop' };
  const capabilities = { textDocument: { inlayHint: {} } };
  await client.sendRequest('initialize', { processId: null, rootUri: null, workspaceFolders: [folder], capabilities });
  await client.sendNotification('initialized', {});
  // The data are there before.
  await open(client, 'First');
  expect(await hintsOf(client, 'First')).toEqual([]);
}

function open(client: MessageConnection, name: string): Promise<void> {
  const textDocument = { uri: uriOf(name), languageId: 'java', version: 1, text: text(name) };
  return client.sendNotification('textDocument/didOpen', { textDocument });
}

async function hintsOf(client: MessageConnection, name: string): Promise<string[]> {
  const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
  const found = await client.sendRequest(InlayHintRequest.type, { textDocument: { uri: uriOf(name) }, range });
  return hintLines(found).map(line => line.replace(/[\d.]+%/g, '50%'));
}

/** The view, which tells of every document that is asked for. */
function counting(view: View, count: (documents: number) => void): View {
  return new Proxy(view, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name, target);
      if (name === 'document' || name === 'openFile') count(1);
      if (name === 'openFiles') count(target.openFiles.length);
      return typeof found === 'function' ? found.bind(target) : found;
    },
  });
}

test('opening documents looks at each of them a few times, however many are open', async () => {
  const names = namesOf(300);
  const files = [...names, 'First'].map(name => [`src/${name}.java`, text(name)]);
  scratch.commit(Object.fromEntries(files));
  scratch.git('tag', 'v1');
  const picture = names.map(name => `${name}.run | 10@2\n  Queue.take :3 | 10@9`).join('\n');
  await putPicture(join(scratch.home, 'store'), picture, { project: 'shop', version: 'v1' });
  const [few, many] = [await lookedAt(50), await lookedAt(300)];
  expect(many / 300).toBeLessThan((2 * few) / 50);
  expect(many / 300).toBeLessThan(40);
});
