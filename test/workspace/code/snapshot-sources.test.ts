// Tests that the sources in snapshots are read in a thread of its own, and asked for again where a store could not be read.
import { rename } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fingerprintsOf } from '../../../server/mapping/stale/source-fingerprints.ts';
import { openStore } from '../../../server/store/open-store.ts';
import { SnapshotSources } from '../../../server/workspace/code/snapshot-sources.ts';
import { type LspFolder, lspFolder } from '../../support/insitu/lsp-store.ts';
import { loadedFromText } from '../../support/profiles/loaded.ts';
import { profileOfText } from '../../support/profiles/profiles.ts';
import { snapshotOf } from '../../support/stores/snapshots.ts';

vi.mock('../../../server/store/open-store.ts', async original => {
  const all = await original<typeof import('../../../server/store/open-store.ts')>();
  return { ...all, openStore: vi.fn(all.openStore) };
});

const RECORDED = 'class Shop {\n  void run() {\n    pay();\n  }\n}\n';
const MOVED = `\n\n${RECORDED}`;
const EXECUTIONS = [{ project: 'p', program: 'shop', version: '1', instance: 'i' }];
const WAIT = { timeout: 60_000, interval: 500 };

let place: LspFolder;
let sources: SnapshotSources;

beforeEach(async () => {
  place = await lspFolder();
});
afterEach(async () => {
  sources.close();
  await place.remove();
});

/** Puts a snapshot with the source in, and gives the data that came from it. */
async function dataWithSources() {
  const files = [fingerprintsOf(RECORDED, 'Shop.java')];
  const store = openStore(place.store).value!;
  const put = await store.put({ ...snapshotOf(profileOfText('Shop.run | 1@3')), sources: files });
  return loadedFromText('Shop.run | 1@3', {}, { executions: EXECUTIONS, sourceEntries: [put.value!] });
}

test('a text that has what is known of the recorded one stands in; this thread opens no snapshot', async () => {
  sources = new SnapshotSources();
  const data = await dataWithSources();
  const opened = vi.mocked(openStore).mock.calls.length;
  const ask = (text: string) => sources.standInFor(place.store, data, text, 'Shop.java');
  const text = await ask(MOVED);
  expect(text?.split('\n').indexOf('    pay();')).toBe(2);
  expect(await ask('class Other {}')).toBeNull();
  expect(openStore).toHaveBeenCalledTimes(opened);
});

test('a store that could not be read is asked again later', async () => {
  sources = new SnapshotSources(200);
  const data = await dataWithSources();
  const away = `${place.store}-away`;
  await rename(place.store, away);
  const ask = () => sources.standInFor(place.store, data, MOVED, 'Shop.java');
  expect(await ask()).toBeNull();
  await rename(away, place.store);
  await vi.waitFor(async () => expect(await ask()).not.toBeNull(), WAIT);
});

test('nothing is asked of data of several versions or whose snapshots say nothing of sources, nor after the end', async () => {
  sources = new SnapshotSources();
  const data = await dataWithSources();
  const { sourceEntries } = data.provenance;
  const ask = (executions: typeof EXECUTIONS, of = sourceEntries) => {
    const other = loadedFromText('Shop.run | 1@3', {}, { executions, entries: sourceEntries, sourceEntries: of });
    return sources.standInFor(place.store, other, MOVED, 'Shop.java');
  };
  expect(await ask([...EXECUTIONS, { ...EXECUTIONS[0]!, version: '2' }])).toBeNull();
  expect(await ask(EXECUTIONS, [])).toBeNull();
  const asked = ask(EXECUTIONS);
  sources.close();
  expect(await asked).toBeNull();
});
