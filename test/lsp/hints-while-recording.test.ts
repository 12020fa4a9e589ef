// The real server beside a recorder: hints follow the window that is still open, go over to the final one, and are never gone meanwhile.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../../server/store/open-store.ts';
import { hintLines, type LspClient, startServer } from '../support/insitu/lsp-client.ts';
import { type LspFolder, lspFolder, putPicture } from '../support/insitu/lsp-store.ts';
import { profileOfText } from '../support/profiles/profiles.ts';
import { snapshotOf } from '../support/stores/snapshots.ts';

const SHOP = 'class Shop {\n  void run() {\n    queue.take();\n  }\n}\n';
const START = Date.UTC(2026, 10, 20, 16, 10, 0);

let place: LspFolder;
let client: LspClient;

beforeEach(async () => {
  place = await lspFolder({ 'Shop.java': SHOP });
  await putPicture(place.store, 'Shop.run | 100@3');
  client = await startServer({ folders: [place.folder] });
  client.open(place.uri('Shop.java'), SHOP);
});
afterEach(async () => {
  await client.stop();
  await place.remove();
});

/** A window in which something else ran, so that the share of what is open falls. */
function otherWindow(samples: number, provisional: boolean) {
  const profile = profileOfText(`Other.go | ${samples}@1`, { windows: 1, startMillis: START });
  const execution = { project: 'acme', program: 'shop', version: '1.0', instance: 'i-1' };
  return snapshotOf(profile, { execution, ...(provisional && { provisional }) });
}

test('hints follow an open window and the final one, and are never gone', async () => {
  const store = openStore(place.store).value!;
  const seen: string[] = [];
  const share = async () => {
    const lines = hintLines(await client.hints(place.uri('Shop.java')));
    if (seen.at(-1) !== lines.join()) seen.push(lines.join());
    return lines[0];
  };
  await expect.poll(share, { timeout: 20_000 }).toMatch(/^2 100%/);
  seen.splice(0);
  for (const [samples, wanted] of [
    [100, /^2 50%/],
    [300, /^2 25%/],
    [900, /^2 10%/],
  ] as const) {
    await store.live!.put(otherWindow(samples, true));
    await expect.poll(share, { timeout: 20_000, interval: 100 }).toMatch(wanted);
  }
  const { value: final } = await store.put(otherWindow(1_900, false));
  await store.live!.remove(final!.execution, final!.startMillis);
  await expect.poll(share, { timeout: 20_000, interval: 100 }).toMatch(/^2 5\.0%/);
  expect(seen.map(lines => /^2 [\d.]+%/.exec(lines)?.[0])).toEqual(['2 100%', '2 50%', '2 25%', '2 10%', '2 5.0%']);
});
