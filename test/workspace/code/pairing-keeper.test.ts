// Tests that nothing is compared while it is not known what was renamed, and that each new pairing is told of.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import type { LoadedData } from '../../../server/analysis/loaded-data.ts';
import { pairKey, type Renames } from '../../../server/analysis/pairing.ts';
import { openedText } from '../../../server/mapping/recorded/profiled-text.ts';
import { PairingKeeper } from '../../../server/workspace/code/pairing-keeper.ts';
import type { DocumentView } from '../../../server/workspace/document/document-view.ts';
import { Workspace } from '../../../server/workspace/state.ts';
import { inlineDoor, loadedFromText } from '../../support/profiles/loaded.ts';

const FOLDER = '/pairing-keeper';
const PATH = join(FOLDER, 'Shop.java');
const URI = pathToFileURL(PATH).href;
const SHOP = 'class Shop { void search() {} }';
const OTHER_URI = pathToFileURL(join(FOLDER, 'Other.java')).href;

const RENAMED: Renames = new Map([
  [
    pairKey({ className: 'Shop', name: 'search', descriptor: null }),
    [{ className: 'Shop', name: 'find', descriptor: null }],
  ],
]);

let workspace: Workspace;
let keeper: PairingKeeper;
/** The questions to git; it answers when nothing holds it. */
let asked: string[];
let held: PromiseWithResolvers<void>;
let fails: boolean;
/** The answer of git about the open file. */
let renames: Renames;
let told: number;

beforeEach(() => {
  workspace = new Workspace(
    { baseline: '1', store: '/nowhere', project: 'acme' },
    { env: {}, home: FOLDER },
    () => null,
  );
  workspace.apply({ kind: 'foldersChanged', folders: [FOLDER] });
  [asked, told, fails, renames] = [[], 0, false, RENAMED];
  held = Promise.withResolvers();
  held.resolve();
  const ask = async (what: string) => {
    asked.push(what);
    await held.promise;
    if (fails) throw new Error('no git');
    return what === PATH ? renames : new Map();
  };
  const texts = {
    whenIdle: async () => {},
    followToBaseline: () => ask('hot methods'),
    followFileToBaseline: ({ path }: { path: string }) => ask(path),
  };
  keeper = new PairingKeeper(workspace, texts, inlineDoor, () => {
    told++;
  });
  open(URI, PATH);
  load(picture('search'), '2');
  load(picture('find'), '1');
});

function picture(name: string): string {
  return `Shop.${name} | 100@1\nMain.main | 100@1`;
}

/** Ends the load of the source, or of what it is compared with. */
function load(text: string, version: string): LoadedData {
  const execution = { project: 'acme', program: 'shop', version, instance: 'i-1' };
  const data = loadedFromText(text, {}, { executions: [execution] });
  const [wanted] = workspace.view().sources;
  const source = version === '1' ? wanted!.baseline!.load!.source : wanted!.source;
  workspace.apply({ kind: 'loadEnded', source, data, problems: [] });
  return data;
}

function open(uri: string, path: string): void {
  workspace.apply({ kind: 'documentChanged', uri, path, text: SHOP });
  know(uri, SHOP);
}

/** The recorded text has been found in git. */
function know(uri: string, text: string): void {
  const profiled = { ...openedText(text), from: 'commit' as const, commit: { hash: 'abc', dateMillis: null } };
  workspace.apply({ kind: 'profiledTextKnown', uri, profiled });
}

/** Names in the baseline of what Shop.search was; null while nothing is compared. */
function searchBefore(uri = URI): string[] | null {
  const { baseline, state } = workspace.view().document(uri) as DocumentView;
  if (baseline === null) return null;
  const { strings, name } = state.data!.profile.methods;
  const row = name.findIndex(each => strings[each] === 'search');
  const then = baseline.data.profile.methods;
  return baseline.pairing.rowsOf([row]).map(each => then.strings[then.name[each]!]!);
}

/** The questions to git until everything was paired. */
async function pair(): Promise<string[]> {
  keeper.sync();
  await keeper.whenDone();
  return asked.splice(0);
}

function hold(): void {
  held = Promise.withResolvers();
}

function state(): string {
  return workspace.view().sources[0]!.baseline!.compared!.pairing.state;
}

test('nothing is compared before git has told, then the renamed method is compared with its old name', async () => {
  expect(searchBefore()).toBeNull();
  hold();
  const done = pair();
  expect(state()).toBe('pending');
  expect(searchBefore()).toBeNull();
  expect(told).toBe(0);
  held.resolve();
  expect(await done).toEqual(['hot methods', PATH]);
  expect(searchBefore()).toEqual(['find']);
  expect(told).toBe(1);
});

test('what git fails to tell leaves the names to decide', async () => {
  fails = true;
  await pair();
  expect(searchBefore()).toEqual([]);
});

test('a file that is opened later is looked at alone, and compared when that is done', async () => {
  await pair();
  open(OTHER_URI, join(FOLDER, 'Other.java'));
  expect(searchBefore(OTHER_URI)).toBeNull();
  expect(searchBefore()).toEqual(['find']);
  expect(await pair()).toEqual([join(FOLDER, 'Other.java')]);
  expect(searchBefore(OTHER_URI)).toEqual(['find']);
  expect(told).toBe(2);
});

test('where the recorded text of a file is another one now, all is asked anew and earlier answers are dropped', async () => {
  await pair();
  know(URI, `${SHOP}\n`);
  renames = new Map();
  expect(searchBefore()).toBeNull();
  expect(await pair()).toEqual(['hot methods', PATH]);
  expect(searchBefore()).toEqual([]);
});

test('a file whose recorded text is still looked for is not compared', async () => {
  await pair();
  workspace.apply({ kind: 'documentChanged', uri: OTHER_URI, path: join(FOLDER, 'Other.java'), text: SHOP });
  expect(searchBefore(OTHER_URI)).toBeNull();
});

test('newer data of the same versions are compared as before until git has told anew; those of another are not', async () => {
  await pair();
  load(`${picture('search')}\nNew.one | 5@1`, '2');
  expect(searchBefore()).toEqual(['find']);
  expect(await pair()).toEqual(['hot methods', PATH]);
  expect(searchBefore()).toEqual(['find']);
  load(picture('search'), '3');
  expect(state()).toBe('pending');
  expect(searchBefore()).toBeNull();
});

test('data that come while git is asked are asked about as well', async () => {
  hold();
  const done = pair();
  await new Promise(setImmediate);
  expect(asked).toEqual(['hot methods']);
  load(`${picture('search')}\nNew.one | 5@1`, '2');
  keeper.sync();
  held.resolve();
  expect(await done).toEqual(['hot methods', PATH, 'hot methods', PATH]);
  expect(await pair()).toEqual([]);
  expect(searchBefore()).toEqual(['find']);
});

test('git can be asked anew; its earlier answers hold until then', async () => {
  await pair();
  hold();
  keeper.lookAgain();
  expect(searchBefore()).toEqual(['find']);
  held.resolve();
  expect(await pair()).toEqual(['hot methods', PATH]);
});
