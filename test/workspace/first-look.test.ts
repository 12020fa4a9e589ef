// Tests that hints made without the tree are those of the whole data, and that first looks come before loads, whole or not at all.
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { hintsOf } from '../../server/features/hints/hints.ts';
import { canBeHintedWithoutTree, hasTree } from '../../server/features/hints/without-tree.ts';
import { ingestFile } from '../../server/ingest/read.ts';
import { HintWriter } from '../../server/lsp/wire/hint-to-lsp.ts';
import { openedText } from '../../server/workspace/code/profiled-text.ts';
import { DataKeeper } from '../../server/workspace/data/data-keeper.ts';
import {
  FirstLooks,
  lookKey,
  makeGate,
  openGate,
  openLook,
  waitAtGate,
  withoutTree,
} from '../../server/workspace/data/first-look.ts';
import { prepareData } from '../../server/workspace/data/load-data.ts';
import { completeData, type LoadedData, type TransferableData } from '../../server/workspace/data/loaded-data.ts';
import { Loader, type LoadHandle, type LoadResult } from '../../server/workspace/data/loader.ts';
import type { Source } from '../../server/workspace/data/source.ts';
import { type DocumentView, documentView } from '../../server/workspace/document/document-view.ts';
import { KeptMapping } from '../../server/workspace/document/kept-mapping.ts';
import { Workspace } from '../../server/workspace/state.ts';
import { provenanceOf } from '../support/loaded.ts';
import { type LspFolder, lspFolder, putPicture } from '../support/lsp-store.ts';
import { profileOfText } from '../support/profiles.ts';

/** What another thread does comes late on a busy machine. */
const PATIENT = { timeout: 15_000 };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-first-look-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function dataOf(picture: string): TransferableData {
  return prepareData(profileOfText(picture), provenanceOf(), null).value!;
}

/** The data as another start of the program finds them. */
function keptAndFound(data: TransferableData): TransferableData {
  const looks = new FirstLooks(folder, 'build');
  looks.keep('key', withoutTree(data));
  return openLook(looks.find('key')!, data.selected.provenance);
}

/** All that a client gets. */
function answered(document: DocumentView): string {
  const extras = { commands: true, graphics: false };
  return JSON.stringify(new HintWriter().write(hintsOf(document), document, extras));
}

describe('a first look', () => {
  test('gives the hints of the whole data wherever it says so, with edited texts too', {
    timeout: 120_000,
  }, async () => {
    const { profile } = await ingestFile('samples/recordings/shop-v1-jdk17-a.jfr', { names: 'normalised' });
    const data = prepareData(profile!, provenanceOf(), null).value!;
    const [whole, look] = [completeData(data), completeData(keptAndFound(data))];
    let [most, same, other] = [0, 0, 0];
    for (const file of globSync('samples/shop/v1/src/main/java/**/*.java')) {
      const profiled = readFileSync(file, 'utf8');
      const middle = profiled.indexOf(';', profiled.length / 2) + 1;
      const edited = `${profiled.slice(0, middle)}\n log();\n${profiled.slice(middle)}`;
      for (const text of [profiled, edited]) {
        const view = (shown: LoadedData) => {
          const mapping = new KeptMapping(openedText(profiled));
          return documentView({ text, mapping, state: { kind: 'ready', data: shown, problems: [] } });
        };
        const [seen, known] = [view(look), view(whole)];
        const [ofLook, ofWhole] = [answered(seen), answered(known)];
        expect([hasTree(seen), hasTree(known)]).toEqual([false, true]);
        expect(canBeHintedWithoutTree(seen)).toBe(canBeHintedWithoutTree(known));
        if (!canBeHintedWithoutTree(seen)) {
          if (ofLook !== ofWhole) other++;
          continue;
        }
        expect(ofLook, file).toBe(ofWhole);
        most = Math.max(most, ofLook.length);
        if (ofLook !== '[]') same++;
      }
    }
    expect(most).toBeGreaterThan(5_000);
    expect(same).toBeGreaterThan(40);
    // What is refused would have been wrong.
    expect(other).toBeGreaterThan(3);
  });

  test('holds nothing that grows with the tree, and shares no memory that moves away', () => {
    const stack = Array.from({ length: 300 }, (_, i) => `${'  '.repeat(i)}A.run :1 | ${i}@1`).join('\n');
    const data = dataOf(stack);
    const look = withoutTree(data);
    expect(data.folded.profile.tree.length).toBeGreaterThan(300);
    const columns = [look.folded.profile.tree.method, look.folded.sites.siteOfNode, look.selected.analysis.totalCount];
    expect(columns.map(({ length }) => length)).toEqual([0, 0, 0]);
    expect(look.selected.values.total).toEqual(data.selected.values.total);
    expect(look.selected.values.total.count.buffer).not.toBe(data.selected.values.total.count.buffer);
  });
});

test('who waits for hints goes on when they have been answered, once and for all, and when nobody asks for any', () => {
  const gate = makeGate();
  expect(waitAtGate(gate, 1)).toBe(false);
  openGate(gate);
  expect(waitAtGate(gate, 60_000)).toBe(true);
  expect(waitAtGate(gate, 60_000)).toBe(true);
});

describe('kept first looks', () => {
  test('are found by their key and build alone, and not when they are damaged', () => {
    const looks = new FirstLooks(folder, 'build');
    expect(looks.find('key')).toBeNull();
    looks.keep('key', withoutTree(dataOf('Shop.run | 20@1')));
    expect(looks.find('key')).not.toBeNull();
    expect(looks.find('other')).toBeNull();
    expect(new FirstLooks(folder, 'newer').find('key')).toBeNull();
    const [name] = readdirSync(folder);
    const file = join(folder, name!);
    const bytes = readFileSync(file);
    for (const at of [0, 9, bytes.length >> 1, bytes.length - 1]) {
      const damaged = Uint8Array.from(bytes);
      damaged[at]! ^= 1;
      writeFileSync(file, damaged);
      expect(looks.find('key')).toBeNull();
    }
    for (const length of [0, 7, 8, 100]) {
      writeFileSync(file, bytes);
      truncateSync(file, length);
      expect(looks.find('key')).toBeNull();
    }
  });

  test('are the latest ones, and a folder that cannot be written to keeps none', () => {
    const looks = new FirstLooks(join(folder, 'looks'), 'build');
    const look = withoutTree(dataOf('Shop.run | 20@1'));
    for (let i = 0; i < 20; i++) looks.keep(`${i}`, look);
    expect(readdirSync(join(folder, 'looks')).length).toBeLessThan(10);
    expect(looks.find('19')).not.toBeNull();
    writeFileSync(join(folder, 'file'), '');
    const nowhere = new FirstLooks(join(folder, 'file'), 'build');
    nowhere.keep('key', look);
    expect(nowhere.find('key')).toBeNull();
  });

  test('are of whole snapshots that change no more', () => {
    const source: Source = { store: '/s', project: 'p', program: null, version: null, metric: null, root: '/' };
    const entry = (hash: string, live = {}) => ({
      key: hash,
      execution: provenanceOf().executions[0]!,
      hash,
      startMillis: 0,
      bytes: 1,
      ...live,
    });
    const of = (...entries: ReturnType<typeof entry>[]) => ({ ...provenanceOf(), entries });
    const key = lookKey(source, of(entry('a'), entry('b')));
    expect(key).toBe(lookKey(source, of(entry('b'), entry('a'))));
    expect(
      new Set([key, lookKey(source, of(entry('a'))), lookKey({ ...source, metric: 'cpu' }, of(entry('a')))]).size,
    ).toBe(3);
    expect(lookKey({ ...source, part: { threads: ['main'] } }, of(entry('a')))).toBeNull();
    expect(lookKey({ ...source, file: '/x.cct' }, of(entry('a')))).toBeNull();
    expect(lookKey(source, of(entry('a'), entry('b', { liveMillis: 1 })))).toBeNull();
  });
});

describe('a load', () => {
  const text = 'class Shop { void run() { helper.go(); } }';
  let place: LspFolder;
  let source: Source;
  beforeEach(async () => {
    place = await lspFolder();
    await putPicture(place.store, 'Shop.run | 20@1\n  Helper.go :1 | 60@9');
    source = { store: place.store, project: 'acme', program: null, version: null, metric: null, root: place.folder };
  });
  afterEach(() => place.remove());

  /** What a new process gets: the first look, then the result. */
  async function started(wanted = source): Promise<{ look: TransferableData | null; result: LoadResult }> {
    const loader = new Loader({ folder, fewestNodes: 2 });
    const { firstLook, result } = loader.load(wanted, () => {});
    const look = (await firstLook) ?? null;
    loader.readOn();
    const found = { look, result: await result };
    // What is kept is written when the result has been sent.
    if (found.look === null)
      await vi.waitFor(
        () => expect(readdirSync(folder).filter(name => name.endsWith('.look'))).not.toEqual([]),
        PATIENT,
      );
    loader.close();
    return found;
  }

  function hintsWith(data: TransferableData): string {
    return answered(documentView({ text, state: { kind: 'ready', data: completeData(data), problems: [] } }));
  }

  test('is seen before it has ended when the very same was loaded before', { timeout: 120_000 }, async () => {
    const first = await started();
    expect(first.look).toBeNull();
    const again = await started();
    expect(hintsWith(again.look!)).toBe(hintsWith(first.result!.value!));
    expect(hintsWith(again.look!)).toContain('100% · self');
    expect(again.look!.selected.provenance).toEqual(again.result!.value!.selected.provenance);
    expect((await started({ ...source, metric: 'cpu' })).look).toBeNull();
    await putPicture(place.store, 'Shop.run | 7@1', { instance: 'i-2' }, 60);
    expect((await started()).look).toBeNull();
  });
});

describe('what is seen of a source', () => {
  const uri = 'file:///one/Shop.java';

  function seeing(baseline: string | null = null) {
    const { promise: firstLook, resolve: see } = Promise.withResolvers<TransferableData | null>();
    const { promise: result, resolve: end } = Promise.withResolvers<LoadResult>();
    const load = (): LoadHandle => ({ firstLook, result, cancel: () => end(null) });
    const settings = { program: 'shop', ...(baseline !== null && { baseline }) };
    const workspace = new Workspace(settings, { env: { INSITU_STORE: '/s' }, home: '/h' });
    const seen: Source[] = [];
    const observer = { started() {}, progress() {}, ended() {}, seen: (source: Source) => void seen.push(source) };
    const keeper = new DataKeeper(workspace, { load }, observer);
    workspace.apply({ kind: 'foldersChanged', folders: ['/one'] });
    workspace.apply({ kind: 'documentChanged', uri, path: '/one/Shop.java', text: 'class Shop { void run() {} }' });
    keeper.sync();
    const document = () => workspace.view().document(uri)!;
    return { workspace, keeper, seen, document, see, end };
  }

  test('is for hints alone, until the data are there', async () => {
    const { workspace, keeper, seen, document, see, end } = seeing();
    const data = dataOf('Shop.run | 20@1');
    expect(document().firstLook).toBeNull();
    const { key } = workspace.view().sources[0]!;
    const awaited = keeper.whenSeen(key);
    see(withoutTree(data));
    await awaited;
    await keeper.whenSeen(key);
    expect(seen).toHaveLength(1);
    expect(document().state).toMatchObject({ kind: 'loading', data: null });
    expect(document().mapped).toBeNull();
    expect(hintsOf(document().firstLook!).map(hint => hint.text)).toEqual(['100% · self 100%']);
    end({ value: data, problems: [] });
    await keeper.whenIdle();
    expect(document().firstLook).toBeNull();
    expect(hintsOf(document()).map(hint => hint.text)).toEqual(['100% · self 100%']);
  });

  test('is nothing where shares are compared, and gone with a load that was cancelled', async () => {
    const compared = seeing('0.9');
    compared.see(withoutTree(dataOf('Shop.run | 20@1')));
    await vi.waitFor(() => expect(compared.seen).toHaveLength(1));
    expect(compared.document().firstLook).toBeNull();
    const cancelled = seeing();
    cancelled.see(withoutTree(dataOf('Shop.run | 20@1')));
    await vi.waitFor(() => expect(cancelled.document().firstLook).not.toBeNull());
    cancelled.end(null);
    await cancelled.keeper.whenIdle();
    expect(cancelled.document().firstLook).toBeNull();
  });
});
