// The server runs from its sources too, threads included, as it does during work on it.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hintLines, startServer } from '../support/insitu/lsp-client.ts';
import { type LspFolder, lspFolder, putPicture } from '../support/insitu/lsp-store.ts';
import { insituSources } from '../support/insitu/program.ts';

let place: LspFolder;
const SHOP = 'class Shop {\n  void run() {\n    queue.take();\n  }\n}\n';

beforeEach(async () => {
  place = await lspFolder({ 'Shop.java': SHOP });
});
afterEach(() => place.remove());

test('hints of a stored profile come from the sources', async () => {
  await putPicture(place.store, 'Shop.run | 20@3\n  Queue.take :3 | 80@9');
  const client = await startServer({ folders: [place.folder], start: [insituSources, 'lsp', '--stdio'] });
  try {
    client.open(place.uri('Shop.java'), SHOP);
    const hints = async (): Promise<string[]> => hintLines(await client.hints(place.uri('Shop.java')));
    await expect.poll(hints, { timeout: 40_000 }).toContain('2 100% · self 20%');
  } finally {
    await client.stop();
  }
});
