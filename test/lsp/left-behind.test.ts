// Tests that requests which are taken back leave no work behind, and that texts that were typed over are forgotten.
import type { Writable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { InlayHintRequest, LSPErrorCodes } from 'vscode-languageserver/node';
import { hintsOf } from '../../server/features/hints/hints.ts';
import { Workspace } from '../../server/workspace/state.ts';
import { serverTimes } from '../bench/lsp-times.ts';
import { startServer } from '../support/insitu/lsp-client.ts';
import { type LspFolder, lspFolder, putPicture } from '../support/insitu/lsp-store.ts';
import { loadedFromText } from '../support/profiles/loaded.ts';

const TEXT = 'class Shop {\n  void run() {\n    helper.go();\n  }\n}\n';
const PICTURE = 'Shop.run | 20@3\n  Helper.go :3 | 60@9';

let place: LspFolder;

beforeEach(async () => {
  place = await lspFolder({ 'Shop.java': TEXT });
  await putPicture(place.store, PICTURE);
});

afterEach(() => place.remove());

test('of 200 requests that are cancelled at once hardly one is worked on, and the next is answered', async () => {
  const times = serverTimes();
  const client = await startServer({ folders: [place.folder], capabilities: {}, prepare: times.prepare });
  await times.start(client.connection);
  const uri = place.uri('Shop.java');
  client.open(uri, TEXT);
  expect(await client.hints(uri)).not.toEqual([]);
  await times.take(1);
  const range = { start: { line: 0, character: 0 }, end: { line: 10, character: 0 } };
  // The server stands still meanwhile, so that no pause of the client lets it answer what is about to be cancelled.
  client.process.kill('SIGSTOP');
  const requests = Array.from({ length: 200 }, () => {
    const source = new CancellationTokenSource();
    const params = { textDocument: { uri }, range };
    const answer = client.connection.sendRequest(InlayHintRequest.type, params, source.token);
    // At once, so that a pipe that is full never parts many requests from their cancellations.
    source.cancel();
    return answer;
  });
  await written(client.process.stdin);
  client.process.kill('SIGCONT');
  const ended = await Promise.allSettled(requests);
  const refused = ended.flatMap(each => (each.status === 'rejected' ? [each.reason.code] : []));
  expect(new Set(refused)).toEqual(new Set([LSPErrorCodes.RequestCancelled]));
  expect(await client.hints(uri)).not.toEqual([]);
  // The last request, and the requests that the server had begun before it read the cancellations.
  const worked = (await times.take(1)).length;
  expect(worked).toBeLessThan(20);
  expect(ended.length - refused.length, 'nothing is answered that was not worked on by then').toBeLessThan(worked);
  expect(await client.hints(uri)).not.toEqual([]);
  expect(await times.take(1), 'nothing is worked on later but what is asked then').toHaveLength(1);
  expect(await client.stop()).toBe(0);
});

/** Waits until what was sent is in the pipe, as far as that has room for it. */
async function written(stream: Writable | null): Promise<void> {
  for (let before = -1; stream !== null && stream.writableLength !== before; ) {
    before = stream.writableLength;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

test('of a text that was typed over nothing is kept, and nothing of a document that was closed', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const workspace = new Workspace({}, { env: {}, home: place.folder });
  workspace.apply({ kind: 'foldersChanged', folders: [place.folder] });
  const uri = place.uri('Shop.java');
  const document = { kind: 'documentChanged', uri, path: `${place.folder}/Shop.java` } as const;
  const outlines: WeakRef<object>[] = [];
  const type = (text: string) => {
    workspace.apply({ ...document, text });
    const view = workspace.view().document(uri)!;
    expect(hintsOf(view).length).toBeGreaterThan(0);
    outlines.push(new WeakRef(view.outline));
  };
  workspace.apply({ ...document, text: TEXT });
  const { source } = workspace.view().sources[0]!;
  workspace.apply({ kind: 'loadEnded', source, data: loadedFromText(PICTURE), problems: [] });
  for (let i = 0; i < 100; i++) type(`${TEXT}// ${i}\n`);
  const alive = async () => {
    // An object that was just looked at is kept to the end of the turn, and code that is being compiled for it until that is done.
    await new Promise(resolve => setTimeout(resolve, 0));
    collect();
    return outlines.filter(outline => outline.deref() !== undefined).length;
  };
  await expect.poll(alive, { timeout: 10_000 }).toBeLessThanOrEqual(2);
  workspace.apply({ kind: 'documentClosed', uri });
  void workspace.view();
  await expect.poll(alive, { timeout: 10_000 }).toBe(0);
});
