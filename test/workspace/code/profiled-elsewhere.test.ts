// Where git cannot tell what was recorded, that is said; worktrees, submodules and other branches work as any folder.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { staleDiagnostics } from '../../../server/features/diagnostics/stale-diagnostics.ts';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';
import { HINTS, hints, Opened, SHOP, said, scratch, states } from './profiled-project.ts';

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
