// Documents that are no file of the workspace, or that no class names, get their hints; of two branches side by side, the one that ran is found.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CallHierarchyItem, CallHierarchyOutgoingCall } from 'vscode-languageserver/node';
import { hintLines, type LspClient, startServer } from '../support/insitu/lsp-client.ts';
import { type LspFolder, lspFolder, putPicture } from '../support/insitu/lsp-store.ts';

const LIBRARY = `package lib;
class Codec {
  void read() {
    buffer.fill();
  }
}
`;
const COMPACT = `int total = 0;
record Order(int price) {
  int tax() {
    return price / 5;
  }
}

void main() {
  add(order -> {
    order.tax();
  });
}
`;
const SHOP = `package acme;
class Shop {
  void run() {
    queue.take();
  }
}
`;
/** The branch has more lines before the method than the main line. */
const queueAt = (line: number) => `package acme;\nclass Queue {\n${'\n'.repeat(line - 3)}  void take() {\n  }\n}\n`;
const PICTURE = `
lib.Codec.read | 10@4
  lib.Buffer.fill :4 | 10@9
Hello.main :9
  Hello.lambda$main$0 :9 | 5@10
    Hello$Order.tax :10 | 15@4
acme.Shop.run
  acme.Queue.take :4 | 60@41`;

let place: LspFolder;
let client: LspClient | null = null;

beforeEach(async () => {
  place = await lspFolder({ 'Hello.java': COMPACT });
  await putPicture(place.store, PICTURE);
});

afterEach(async () => {
  if (client !== null && client.process.exitCode === null) await client.stop();
  client = null;
  await place.remove();
});

async function hintsIn(server: LspClient, uri: string, text: string): Promise<string[]> {
  server.open(uri, text);
  return hintLines(await server.hints(uri));
}

test('sources out of jars and out of an IDE answer by their package clause', async () => {
  const server = await startServer({ folders: [place.folder] });
  client = server;
  const uris = [
    'jdt://contents/lib.jar/lib/Codec.class?=acme/%5C/libs%5C/lib.jar%3Clib(Codec.class',
    'jar:file:///libs/lib-sources.jar!/lib/Codec.java',
    'zipfile:///libs/lib-sources.jar::lib/Codec.java',
    'untitled:Codec',
  ];
  for (const uri of uris) {
    expect(await hintsIn(server, uri, LIBRARY)).toEqual(['3 20% · self 10%', '4 50% → Buffer']);
    expect(await hintsIn(server, `${uri}2`, LIBRARY.replace('lib', 'other'))).toEqual([]);
  }
});

test('a compact source file is its class, on disk, in a jar and after edits', async () => {
  const server = await startServer({ folders: [place.folder] });
  client = server;
  const methods = (by: number) => [`${8 + by} 20%`, `${9 + by} 20% · self 5.0% +1`, `${10 + by} 75% → Order`];
  const expected = ['3 15% · self 15%', '4 100% here', ...methods(0)];
  const own = place.uri('Hello.java');
  expect(await hintsIn(server, own, COMPACT)).toEqual(expected);
  expect(await hintsIn(server, 'jar:file:///libs/a.jar!/Hello.java', COMPACT)).toEqual(expected);
  expect(await hintsIn(server, 'jar:file:///libs/a.jar!/Other.java', COMPACT)).toEqual([]);
  server.change(own, 2, [{ text: COMPACT.replace('void main() {', 'void helper() { }\n\nvoid main() {') }]);
  expect(hintLines(await server.hints(own))).toEqual(['3 15% · self 15%', '4 100% here', ...methods(2)]);
});

test.each([
  ['the main line whose lines fit what ran', 'main', 40, 4],
  ['the branch whose lines fit what ran', 'branch', 4, 40],
  ['that of the open document where both fit', 'branch', 40, 40],
])('of two branches side by side, a class is found in %s', async (_, ran, mainLine, branchLine) => {
  const folders = ['main', 'branch'].map(name => join(place.folder, name));
  for (const [at, folder] of folders.entries()) {
    const files = { 'Queue.java': queueAt(at === 0 ? mainLine : branchLine), 'Shop.java': SHOP };
    for (const [name, text] of Object.entries(files)) {
      const path = join(folder, 'src', 'acme', name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }
  const server = await startServer({ folders });
  client = server;
  const shop = place.uri('branch/src/acme/Shop.java');
  expect(await hintsIn(server, shop, SHOP)).toEqual(['3 60%', '4 100% → Queue']);
  const params = { textDocument: { uri: shop }, position: { line: 2, character: 8 } };
  const [item] =
    (await server.connection.sendRequest<CallHierarchyItem[] | null>('textDocument/prepareCallHierarchy', params)) ??
    [];
  const calls = await server.connection.sendRequest<CallHierarchyOutgoingCall[]>('callHierarchy/outgoingCalls', {
    item,
  });
  expect(calls.map(({ to }) => [to.name, to.uri, to.selectionRange.start.line])).toEqual([
    ['Queue.take', place.uri(`${ran}/src/acme/Queue.java`), 39],
  ]);
});
