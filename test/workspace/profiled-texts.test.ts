// Files of real repositories, edited, renamed and moved since they were recorded: their states, and that numbers follow.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { PartialSettings } from '../../server/base/config.ts';
import { staleDiagnostics } from '../../server/features/diagnostics/stale-diagnostics.ts';
import { stateOf, stateText } from '../../server/features/facts/code-state.ts';
import { hintsOf } from '../../server/features/hints/hints.ts';
import { ProfiledTextKeeper } from '../../server/workspace/code/profiled-text-keeper.ts';
import { RepositoryTexts } from '../../server/workspace/code/repository-texts.ts';
import type { DocumentView } from '../../server/workspace/document/document-view.ts';
import { Workspace } from '../../server/workspace/state.ts';
import { loadedFromText } from '../support/loaded.ts';
import { ScratchRepository } from '../support/scratch-repository.ts';

const SHOP = `package acme;
class Shop {
  void run() {
    queue.take(1, 2, 3);
    pay();
  }
  int pay() {
    return payment.pay(currency, amount, discount, customer, order, basket);
  }
}
`;

const PICTURE = `
acme.Shop.run | 20@4
  acme.LockedQueue.take :4 | 40@9
  acme.Shop.pay :5 | 10@8
    acme.Payment.pay :8 | 30@9`;

const HINTS = ['3 100% · self 20%', '4 40% → LockedQueue', '5 40% → pay()', '7 40% · self 25%', '8 75% → Payment'];

let scratch: ScratchRepository;
let opened: Opened[] = [];

beforeEach(() => {
  scratch = new ScratchRepository();
  opened = [];
});
afterEach(() => {
  for (const { keeper } of opened) keeper.close();
  scratch.remove();
});

/** An open workspace with data of one version. */
class Opened {
  readonly workspace: Workspace;
  readonly keeper: ProfiledTextKeeper;
  readonly #root: string;
  readonly #versions: readonly string[];

  constructor(root: string, version: string | readonly string[], settings: PartialSettings = {}) {
    this.#root = root;
    this.#versions = [version].flat();
    this.workspace = new Workspace(settings, { env: {}, home: scratch.home });
    this.workspace.apply({ kind: 'foldersChanged', folders: [root] });
    this.keeper = new ProfiledTextKeeper(this.workspace, () => {}, 0);
    opened.push(this);
  }

  async open(path: string, text?: string): Promise<DocumentView> {
    const file = join(this.#root, path);
    const change = {
      kind: 'documentChanged',
      uri: path,
      path: file,
      text: text ?? readFileSync(file, 'utf8'),
    } as const;
    this.workspace.apply(change);
    const executions = this.#versions.map(version => ({ project: 'p', program: 'shop', version, instance: 'i' }));
    const data = loadedFromText(PICTURE, {}, { executions });
    const { source } = this.workspace.view().document(path)!;
    this.workspace.apply({ kind: 'loadEnded', source: source!, data, problems: [] });
    this.keeper.sync();
    await this.keeper.whenSettled();
    return this.view(path);
  }

  async edit(path: string, text: string): Promise<DocumentView> {
    const file = join(this.#root, path);
    this.workspace.apply({ kind: 'documentChanged', uri: path, path: file, text });
    this.keeper.textChanged(path);
    await new Promise(resolve => setTimeout(resolve, 5));
    await this.keeper.whenSettled();
    return this.view(path);
  }

  view(path: string): DocumentView {
    return this.workspace.view().document(path)!;
  }
}

const states = (document: DocumentView) =>
  document.outline.declarations
    .filter(({ kind }) => kind === 'method' || kind === 'class')
    .map(({ row, name }) => `${name} ${stateOf(document, row).name}`);
const hints = (document: DocumentView) => hintsOf(document).map(({ line, text }) => `${line} ${text}`);
const said = (document: DocumentView, name: string) => {
  const row = document.outline.declarations.find(one => one.name === name)!.row;
  return stateText(stateOf(document, row));
};

describe('with many open files', () => {
  const FILES = Array.from({ length: 30 }, (_, i) => `f${i}/Shop.java`);

  /** All are being looked for. */
  async function pending(): Promise<Opened> {
    scratch.commit(Object.fromEntries(FILES.map(path => [path, SHOP])));
    scratch.git('tag', 'v1');
    const workspace = new Opened(scratch.root, '1');
    await workspace.open(FILES[0]!);
    for (const path of FILES.slice(1))
      workspace.workspace.apply({ kind: 'documentChanged', uri: path, path: join(scratch.root, path), text: SHOP });
    workspace.keeper.headMoved();
    expect(FILES.every(path => workspace.keeper.isPending(path))).toBe(true);
    return workspace;
  }

  test('the one that is asked about comes before the rest', async () => {
    const { keeper } = await pending();
    const last = FILES.at(-1)!;
    await keeper.whenKnown(last);
    expect(keeper.isPending(last)).toBe(false);
    expect(FILES.filter(path => keeper.isPending(path)).length).toBeGreaterThan(FILES.length / 2);
    await keeper.whenIdle();
    expect(FILES.filter(path => keeper.isPending(path))).toEqual([]);
  });

  test('nobody waits for one that was closed, nor for what was looked for before HEAD moved', async () => {
    const { keeper, workspace } = await pending();
    const closed = FILES.at(-1)!;
    const waiting = Promise.all([keeper.whenKnown(closed), keeper.whenKnown(FILES[5]!)]);
    workspace.apply({ kind: 'documentClosed', uri: closed });
    keeper.headMoved();
    await waiting;
    expect([closed, FILES[5]!].map(path => keeper.isPending(path))).toEqual([false, false]);
    await keeper.whenSettled();
    expect(workspace.view().openFiles.map(({ mapping }) => mapping.profiled.from)).toEqual(
      FILES.slice(1).map(() => 'commit'),
    );
  });

  test('one that cannot be found out is not looked for without end', async () => {
    const { keeper, workspace } = await pending();
    vi.spyOn(RepositoryTexts.prototype, 'textOf').mockRejectedValue(new Error('broken'));
    onTestFinished(() => void vi.restoreAllMocks());
    await keeper.whenIdle();
    expect(FILES.filter(path => keeper.isPending(path))).toEqual([]);
    const { from, problem } = workspace.view().openFiles[3]!.mapping.profiled;
    expect([from, problem?.message]).toEqual(['opened', 'what was recorded is not known: broken']);
  });
});

describe('the profiled text comes from the commit of the version', () => {
  test('unchanged since, with commits of other files in between', async () => {
    const commit = scratch.commit({ 'a/Shop.java': SHOP });
    scratch.git('tag', 'v1');
    scratch.commit({ 'Other.java': 'class Other {}' });
    const document = await new Opened(scratch.root, '1').open('a/Shop.java');
    expect(states(document)).toEqual(['Shop unchanged', 'run unchanged', 'pay unchanged']);
    expect(hints(document)).toEqual(HINTS);
    expect(stateOf(document, 1).commit).toEqual({ hash: commit, dateMillis: 1_700_000_060_000 });
  });

  test('changed in a later commit, on disk and on screen, each by its own', async () => {
    scratch.commit({ 'Shop.java': SHOP });
    scratch.git('tag', 'v1');
    scratch.commit({ 'Shop.java': `// one\n${SHOP.replace('return ', 'return 1 + ')}` });
    const later = readFileSync(join(scratch.root, 'Shop.java'), 'utf8');
    const workspace = new Opened(scratch.root, '1');
    const document = await workspace.open('Shop.java', later.replace('pay();\n', 'pay(); pay();\n'));
    expect(states(document)).toEqual(['Shop unchanged', 'run changed', 'pay changed']);
    expect(hints(document).map(text => text.split(' ·')[0])).toEqual([
      '4 ~100%',
      '5 40% → LockedQueue',
      '8 ~40%',
      '9 75% → Payment',
    ]);
    const [first] = staleDiagnostics(document);
    expect(first).toEqual({
      span: document.outline.declarations[1]!.nameSpan,
      message: expect.stringMatching(
        /^changed since it was recorded \(commit [0-9a-f]{7}, 2023-11-14, shop 1\): numbers are of the old code$/,
      ),
      code: 'changed-since-recorded',
    });
    expect(staleDiagnostics(document)).toHaveLength(2);
    expect(said(document, 'pay')).toMatch(/^changed since it was recorded \(commit [0-9a-f]{7}, 2023-11-14\)$/);
    const back = await workspace.edit('Shop.java', SHOP);
    expect(states(back)).toEqual(['Shop unchanged', 'run unchanged', 'pay unchanged']);
    expect(staleDiagnostics(back)).toEqual([]);
  });

  test('what calls something that changed is affected', async () => {
    const commit = scratch.commit({ 'Shop.java': SHOP });
    const document = await new Opened(scratch.root, commit).open('Shop.java', SHOP.replace('return ', 'return 1 + '));
    expect(states(document)).toEqual(['Shop unchanged', 'run affected', 'pay changed']);
    expect(said(document, 'run')).toMatch(/^has not changed since .*, but what it calls has: Shop\.pay$/);
    expect(hints(document)).toContain('3 100% · self 20%');
  });

  test('what calls something in another file that changed is affected too', async () => {
    const payment = 'package acme;\nclass Payment {\n  int pay() {\n\n\n\n\n    return rate * 2;\n  }\n}\n';
    const commit = scratch.commit({ 'Shop.java': SHOP, 'Payment.java': payment });
    scratch.commit({ 'Payment.java': payment.replace('* 2', '* 3') });
    const workspace = new Opened(scratch.root, commit);
    const document = await workspace.open('Shop.java');
    expect(states(document)).toEqual(['Shop unchanged', 'run unchanged', 'pay affected']);
    expect(said(document, 'pay')).toMatch(/what it calls has: Payment\.pay$/);
    await workspace.open('Payment.java', payment);
    await workspace.edit('Payment.java', payment);
    expect(states(workspace.view('Shop.java'))).toEqual(['Shop unchanged', 'run unchanged', 'pay unchanged']);
    // Closed without saving, it is what is on disk.
    workspace.workspace.apply({ kind: 'documentClosed', uri: 'Payment.java' });
    workspace.keeper.sync();
    await workspace.keeper.whenSettled();
    expect(states(workspace.view('Shop.java'))).toEqual(['Shop unchanged', 'run unchanged', 'pay affected']);
  });

  test.each(['core.autocrlf', 'none'])('line breaks of Windows make no change (%s)', async key => {
    if (key !== 'none') scratch.git('config', key, 'true');
    const windows = SHOP.replaceAll('\n', '\r\n');
    const commit = scratch.commit({ 'Shop.java': windows });
    expect(scratch.git('cat-file', 'blob', 'HEAD:Shop.java').includes('\r')).toBe(key === 'none');
    const document = await new Opened(scratch.root, commit).open('Shop.java');
    expect(document.mapped?.comparison).toBeNull();
    expect(states(document)).toEqual(['Shop unchanged', 'run unchanged', 'pay unchanged']);
    const unix = await new Opened(scratch.root, commit).open('Shop.java', SHOP);
    expect(unix.mapped?.comparison).toBeNull();
  });

  test('only committed text counts where that is wished, hints stand on screen all the same', async () => {
    const commit = scratch.commit({ 'Shop.java': SHOP });
    const text = `// one\n${SHOP.replace('return ', 'return 1 + ').replace('class Shop {', 'class Shop { int fresh() { return 2; }')}`;
    const workspace = new Opened(scratch.root, commit, { 'stale.uncommitted': false });
    const document = await workspace.open('Shop.java', text);
    expect(states(document)).toEqual(['Shop unchanged', 'fresh new', 'run unchanged', 'pay unchanged']);
    expect(hints(document)).toContain('8 40% · self 25%');
    expect(staleDiagnostics(document)).toEqual([]);
    scratch.commit({ 'Shop.java': SHOP.replace('return ', 'return 1 + ') });
    workspace.keeper.headMoved();
    await workspace.keeper.whenSettled();
    expect(states(workspace.view('Shop.java'))).toEqual(['Shop unchanged', 'fresh new', 'run affected', 'pay changed']);
  });
});

describe('files and methods are followed', () => {
  const RENAMED = SHOP.replace('class Shop', 'class Store');

  test.each(['committed', 'staged', 'untracked'])('a renamed file (%s)', async how => {
    const commit = scratch.commit({ 'a/Shop.java': SHOP, 'a/Other.java': 'class Other {}' });
    mkdirSync(join(scratch.root, 'b'));
    renameSync(join(scratch.root, 'a/Shop.java'), join(scratch.root, 'b/Store.java'));
    scratch.write('b/Store.java', RENAMED);
    if (how === 'staged') scratch.git('add', '--all');
    if (how === 'committed') scratch.commit();
    if (how === 'untracked') {
      // Nothing but the contents tells, and they are looked at in the same folder or under the same name.
      renameSync(join(scratch.root, 'b/Store.java'), join(scratch.root, 'a/Store.java'));
    }
    const path = how === 'untracked' ? 'a/Store.java' : 'b/Store.java';
    const document = await new Opened(scratch.root, commit).open(path);
    expect(document.mapped?.profiled.path).toBe('a/Shop.java');
    expect(states(document)).toEqual(['Store renamed', 'run unchanged', 'pay unchanged']);
    expect(hints(document)).toEqual(HINTS);
  });

  test('a file that is renamed in the index while others are open', async () => {
    const commit = scratch.commit({ 'a/Shop.java': SHOP, 'Other.java': 'class Other {}' });
    const workspace = new Opened(scratch.root, commit);
    await workspace.open('Other.java');
    mkdirSync(join(scratch.root, 'b'));
    scratch.git('mv', 'a/Shop.java', 'b/Store.java');
    scratch.write('b/Store.java', RENAMED);
    scratch.git('add', '--all');
    expect((await workspace.open('b/Store.java')).mapped?.profiled.path).toBe('a/Shop.java');
  });

  test('a file that was moved without telling git, among many of its name that are still there', async () => {
    const many = Array.from({ length: 120 }, (_, i) => [`m${i}/Shop.java`, `package m${i};\nclass Shop {}\n`]);
    const commit = scratch.commit({ ...Object.fromEntries(many), 'x/Shop.java': SHOP });
    mkdirSync(join(scratch.root, 'y'));
    renameSync(join(scratch.root, 'x/Shop.java'), join(scratch.root, 'y/Shop.java'));
    const document = await new Opened(scratch.root, commit).open('y/Shop.java');
    expect(document.mapped?.profiled.path).toBe('x/Shop.java');
  });

  test('a file that was moved to another folder without telling git, its type still the same', async () => {
    const commit = scratch.commit({ 'a/Shop.java': SHOP });
    mkdirSync(join(scratch.root, 'b'));
    renameSync(join(scratch.root, 'a/Shop.java'), join(scratch.root, 'b/Shop.java'));
    const document = await new Opened(scratch.root, commit).open('b/Shop.java');
    expect(states(document)).toEqual(['Shop unchanged', 'run unchanged', 'pay unchanged']);
  });

  const PAY = SHOP.slice(SHOP.indexOf('  int pay'), SHOP.lastIndexOf('}'));
  const WITHOUT_PAY = SHOP.replace(PAY, '');
  const TILL = `package acme;\nclass Till {\n${PAY}}\n`;

  test.each(['committed', 'on disk', 'on screen'])('a method that moved to another class (%s)', async how => {
    const commit = scratch.commit({ 'Shop.java': SHOP, 'Till.java': 'package acme;\nclass Till {\n}\n' });
    const workspace = new Opened(scratch.root, commit);
    if (how === 'on screen') await workspace.open('Shop.java', WITHOUT_PAY);
    else scratch.write('Shop.java', WITHOUT_PAY);
    if (how === 'committed') scratch.commit({ 'Till.java': TILL });
    await workspace.open('Till.java', 'package acme;\nclass Till {\n}\n');
    const document = await workspace.edit('Till.java', TILL);
    expect(states(document)).toEqual(['Till unchanged', 'pay moved']);
    expect(hints(document)).toEqual(['3 40% · self 25%', '4 75% → Payment']);
    expect(said(document, 'pay')).toMatch(/^moved here since .* from Shop\.java, its code is the same$/);
    const shop = await workspace.open('Shop.java', WITHOUT_PAY);
    expect(hints(shop)).toEqual(['3 100% · self 20%', '4 40% → LockedQueue', '5 40% → pay()']);
  });

  test('a method that was copied is new: the numbers are of the one that stayed', async () => {
    const commit = scratch.commit({ 'Shop.java': SHOP });
    scratch.write('Till.java', TILL);
    scratch.write('Shop.java', SHOP.replace('queue.take(1', 'queue.take(7'));
    const document = await new Opened(scratch.root, commit).open('Till.java');
    expect(states(document)).toEqual(['Till new', 'pay new']);
    expect(hints(document)).toEqual([]);
  });

  test('a type that moved to a file of its own', async () => {
    const two = `${SHOP}class Till {\n  int pay() { return 1; }\n}\n`;
    const commit = scratch.commit({ 'Till.java': two.replace('class Till', 'class TillToo') });
    scratch.write('Till.java', 'package acme;\nclass TillToo {\n  int pay() { return 1; }\n}\n');
    scratch.write('Shop.java', SHOP);
    const document = await new Opened(scratch.root, commit).open('Shop.java');
    expect(states(document)).toEqual(['Shop moved', 'run moved', 'pay moved']);
    expect(hints(document)).toEqual(HINTS);
  });
});

describe('where git cannot tell', () => {
  const unknown = ['Shop unknown', 'run unknown', 'pay unknown'];

  test('what has become a pipe or a device in the work tree is not read', async () => {
    scratch.commit({ 'Shop.java': SHOP, 'Pipe.java': 'class Pipe {}', 'Device.java': 'class Device {}' });
    scratch.git('tag', 'v1');
    for (const path of ['Pipe.java', 'Device.java']) rmSync(join(scratch.root, path));
    execFileSync('mkfifo', [join(scratch.root, 'Pipe.java')]);
    symlinkSync('/dev/zero', join(scratch.root, 'Device.java'));
    scratch.git('add', 'Device.java');
    const later = SHOP.replace('  int pay', '  void fresh() {}\n  int pay');
    const document = await new Opened(scratch.root, '1').open('Shop.java', later);
    expect(states(document)).toContain('fresh new');
  });

  test('outside git the text on disk stands for it, and nobody says that it is unchanged', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'insitu-outside-'));
    writeFileSync(join(folder, 'Shop.java'), SHOP);
    const workspace = new Opened(folder, '1');
    const document = await workspace.open('Shop.java');
    expect(states(document)).toEqual(unknown);
    expect(hints(document)).toEqual(HINTS);
    expect(said(document, 'run')).toBe(
      'state of the code unknown: the file is in no git repository, which would tell what was recorded',
    );
    const edited = await workspace.edit('Shop.java', SHOP.replace('pay();', 'pay(1);'));
    expect(states(edited)).toEqual(['Shop unknown', 'run changed', 'pay unknown']);
    expect(staleDiagnostics(edited).map(({ message }) => message)).toEqual([
      'changed since the file was opened: numbers (shop 1) are of older code',
    ]);
    rmSync(folder, { recursive: true });
  });

  test('a version that is no commit, or several versions', async () => {
    scratch.commit({ 'Shop.java': SHOP });
    const document = await new Opened(scratch.root, '7').open('Shop.java');
    expect(states(document)).toEqual(unknown);
    expect(said(document, 'run')).toMatch(/version 7 is no commit and no tag in this repository \(tag the commit/);
    const two = await new Opened(scratch.root, ['7', '8']).open('Shop.java');
    expect(said(two, 'run')).toMatch(/several versions are shown as one: 7, 8/);
  });

  test('a shallow clone says what is missing, and knows it when it has come', async () => {
    const first = scratch.commit({ 'Shop.java': SHOP });
    scratch.commit({ 'Shop.java': SHOP.replace('return ', 'return 1 + ') });
    const clone = join(scratch.home, 'clone');
    scratch.git('clone', '--quiet', '--depth=1', `file://${scratch.root}`, clone);
    const workspace = new Opened(clone, first);
    const document = await workspace.open('Shop.java');
    expect(states(document)).toEqual(unknown);
    expect(said(document, 'run')).toMatch(/shallow clone \(git fetch --unshallow/);
    scratch.git('-C', clone, 'fetch', '--quiet', '--unshallow');
    workspace.keeper.headMoved();
    await workspace.keeper.whenSettled();
    expect(states(workspace.view('Shop.java'))).toEqual(['Shop unchanged', 'run affected', 'pay changed']);
  });

  test('a file that ran and was never committed', async () => {
    const commit = scratch.commit({ 'Other.java': 'class Other {}' });
    scratch.write('generated/Shop.java', SHOP);
    const document = await new Opened(scratch.root, commit).open('generated/Shop.java');
    expect(states(document)).toEqual(unknown);
    expect(hints(document)).toEqual(HINTS);
  });

  test('no commit yet', async () => {
    scratch.write('Shop.java', SHOP);
    const document = await new Opened(scratch.root, '1').open('Shop.java');
    expect(states(document)).toEqual(unknown);
    expect(hints(document)).toEqual(HINTS);
  });
});

describe('wherever the working tree is', () => {
  test('a worktree, a detached HEAD, another branch', async () => {
    const commit = scratch.commit({ 'Shop.java': SHOP });
    const later = SHOP.replace('return ', 'return 1 + ');
    const tree = join(scratch.home, 'tree');
    scratch.git('worktree', 'add', '--quiet', '-b', 'other', tree);
    writeFileSync(join(tree, 'Shop.java'), later);
    scratch.git('-C', tree, 'commit', '--quiet', '--all', '--message', 'later');
    const workspace = new Opened(tree, commit);
    const found = ['Shop unchanged', 'run affected', 'pay changed'];
    expect(states(await workspace.open('Shop.java'))).toEqual(found);
    scratch.git('-C', tree, 'checkout', '--quiet', '--detach');
    workspace.keeper.headMoved();
    await workspace.keeper.whenSettled();
    expect(states(workspace.view('Shop.java'))).toEqual(found);
    scratch.git('checkout', '--quiet', '-b', 'third');
    const main = await new Opened(scratch.root, scratch.git('rev-parse', 'other')).open('Shop.java');
    expect(states(main)).toEqual(found);
  });

  test('a worktree inside the folder that is open', async () => {
    scratch.write('insitu.json', '{"project": "p"}');
    const commit = scratch.commit({ 'Shop.java': SHOP });
    scratch.git('worktree', 'add', '--quiet', '-b', 'other', join(scratch.root, 'trees/other'));
    rmSync(join(scratch.root, 'trees/other/insitu.json'));
    writeFileSync(join(scratch.root, 'trees/other/Shop.java'), SHOP.replace('return ', 'return 1 + '));
    const document = await new Opened(scratch.root, commit).open('trees/other/Shop.java');
    expect(states(document)).toEqual(['Shop unchanged', 'run affected', 'pay changed']);
  });

  test('a repository in which no file is open any more is closed after a while', async () => {
    scratch.write('insitu.json', '{"project": "p"}');
    const commit = scratch.commit({ 'Shop.java': SHOP });
    scratch.git('worktree', 'add', '--quiet', '-b', 'other', join(scratch.root, 'trees/other'));
    rmSync(join(scratch.root, 'trees/other/insitu.json'));
    const there = new Opened(scratch.root, commit);
    await there.open('trees/other/Shop.java');
    const hasOther = () => there.keeper.headPlaces().some(({ path }) => path.includes('/worktrees/'));
    const later = performance.now() + 100_000;
    vi.spyOn(performance, 'now').mockImplementation(() => later);
    onTestFinished(() => void vi.restoreAllMocks());
    there.keeper.sync();
    expect(hasOther()).toBe(true);
    there.workspace.apply({ kind: 'documentClosed', uri: 'trees/other/Shop.java' });
    there.keeper.sync();
    expect(hasOther()).toBe(false);
    expect(there.keeper.headPlaces()).not.toEqual([]);
    expect(states(await there.open('trees/other/Shop.java'))[0]).toBe('Shop unchanged');
  });

  test('a submodule, of which the commit around it names the commit', async () => {
    const library = new ScratchRepository();
    library.commit({ 'Shop.java': SHOP });
    scratch.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.root, 'libs/shop');
    scratch.write('insitu.json', '{"project": "p"}');
    const commit = scratch.commit();
    const file = 'libs/shop/Shop.java';
    writeFileSync(join(scratch.root, file), SHOP.replace('return ', 'return 1 + '));
    scratch.git('-C', dirname(join(scratch.root, file)), 'commit', '--quiet', '--all', '--message', 'later');
    const document = await new Opened(scratch.root, commit).open(file);
    expect(states(document)).toEqual(['Shop unchanged', 'run affected', 'pay changed']);
    library.remove();
  });
});
