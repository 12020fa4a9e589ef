// Tests which version belongs to the code that is checked out.
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { VersionChooser } from '../../server/analysis/choose-version.ts';
import { loadData } from '../../server/analysis/select-data.ts';
import type { GitArguments } from '../../server/mapping/git/run-git.ts';
import { sourceOf } from '../../server/workspace/data/source.ts';
import { configurationFor } from '../../server/workspace/settings/configuration.ts';
import { sampleFolder } from '../oracle/oracle.ts';
import { ScratchRepository } from '../support/git/scratch-repository.ts';
import { putPicture } from '../support/insitu/lsp-store.ts';

let scratch: ScratchRepository;

beforeEach(() => {
  scratch = new ScratchRepository();
});

afterEach(() => scratch.remove());

type ChosenVersion = Awaited<ReturnType<VersionChooser['choose']>>['value'];

/** Of versions given from the oldest data to the newest. */
async function choose(versions: readonly string[], folder = scratch.root): Promise<ChosenVersion> {
  const dated = versions.map((version, i) => ({ version, startMillis: i }));
  const { value, problems } = await new VersionChooser().choose(await scratch.open(folder), dated, { program: 'shop' });
  expect(problems).toEqual([]);
  return value;
}

function checkout(...args: readonly string[]): void {
  scratch.git('checkout', '--quiet', ...args);
}

describe('the version of', () => {
  test('the commit checked out, on a branch, detached, with changed files', async () => {
    const first = scratch.commit({ 'Shop.java': 'class Shop {}' });
    const second = scratch.commit({ 'Shop.java': 'class Shop { int two; }' });
    expect(await choose([second, first])).toMatchObject({ version: second, relation: 'head' });
    checkout('--detach', first);
    expect(await choose([first, second])).toMatchObject({ version: first, relation: 'head' });
    scratch.write('Shop.java', 'class Shop { int three; }');
    scratch.write('New.java', 'class New {}');
    expect(await choose([first, second])).toMatchObject({ version: first, relation: 'head' });
  });

  test('the latest data, of two names for one commit', async () => {
    const commit = scratch.commit();
    scratch.git('tag', 'v1');
    expect((await choose(['1', commit])).version).toBe(commit);
    expect((await choose([commit, '1'])).version).toBe('1');
  });

  test('the nearest ancestor, however new the data of others are', async () => {
    const [first, second] = [scratch.commit(), scratch.commit()];
    checkout('-b', 'feature');
    scratch.commit();
    scratch.commit();
    checkout('main');
    const third = scratch.commit();
    checkout('feature');
    expect(await choose([second, first, third])).toEqual({
      version: second,
      relation: 'ancestor',
      reason: `version ${second} is shown, the nearest with data: 2 commits before the one checked out`,
    });
  });

  test('the side of a merge with the fewest commits since; of equals the later commit', async () => {
    scratch.commit({ 'base.txt': '' });
    checkout('-b', 'side');
    const side = scratch.commit({ 'side.txt': '' });
    checkout('main');
    const main = scratch.commit({ 'main.txt': '' });
    scratch.merge('side');
    // Each lies two commits back: the other side's and the merge.
    expect(await choose([main, side])).toMatchObject({ version: main, relation: 'ancestor' });
    checkout('side');
    const later = scratch.commit({ 'side.txt': 'more' });
    checkout('main');
    scratch.merge('side');
    // After `main`: two on the side and two merges; after `later`: `main` and two merges.
    expect(await choose([main, later])).toMatchObject({ version: later, relation: 'ancestor' });
    expect((await choose([later, main])).reason).toContain('3 commits before');
  });

  test('the commit nearest to where both parted, when no ancestor has data', async () => {
    scratch.commit();
    checkout('-b', 'old');
    const old = scratch.commit();
    scratch.commit();
    checkout('main');
    scratch.commit();
    checkout('-b', 'feature');
    scratch.commit();
    scratch.commit();
    checkout('main');
    const near = scratch.commit();
    const far = scratch.commit();
    checkout('feature');
    expect(await choose([near, far, old])).toEqual({
      version: near,
      relation: 'branch',
      reason: `version ${near} is shown, the nearest with data: it parted from the commit checked out 2 commits ago and is 1 commit further`,
    });
    expect((await choose([far, old])).version).toBe(far);
    expect((await choose([old])).version).toBe(old);
  });

  test('a later commit, when an older one than all data is checked out', async () => {
    const before = scratch.commit();
    const commits = Array.from({ length: 20 }, () => scratch.commit());
    checkout('--detach', before);
    expect(await choose(commits)).toEqual({
      version: commits[0],
      relation: 'branch',
      reason: `version ${commits[0]} is shown, the nearest with data: 1 commit after the one checked out`,
    });
  });

  test('a worktree is chosen by its own commit', async () => {
    const [first, second] = [scratch.commit(), scratch.commit()];
    const worktree = join(scratch.home, 'worktree');
    scratch.git('worktree', 'add', '--quiet', '--detach', worktree, first);
    expect((await choose([first, second], worktree)).version).toBe(first);
    expect((await choose([first, second])).version).toBe(second);
  });

  test('a tag that comes later is found without a new commit', async () => {
    scratch.commit();
    scratch.git('tag', '1');
    scratch.commit();
    expect((await choose(['1', '2'])).version).toBe('1');
    scratch.git('tag', '2');
    expect((await choose(['1', '2'])).version).toBe('2');
  });
});

describe('no version', () => {
  test('has a commit: nothing is said', async () => {
    scratch.commit();
    expect(await choose(['1.0', '2.0'])).toEqual({ version: null, relation: 'none', reason: '' });
    expect(await choose([])).toEqual({ version: null, relation: 'none', reason: '' });
  });

  test('can lie near a branch without commits, or in another history', async () => {
    const commit = scratch.commit();
    checkout('--orphan', 'empty');
    expect((await choose([commit])).reason).toContain('nothing is committed');
    scratch.commit();
    expect(await choose([commit])).toMatchObject({ version: null, relation: 'none' });
    expect((await choose([commit])).reason).toContain('in the history of the commit checked out');
  });

  test('is there in a shallow clone: it says what is missing', async () => {
    const first = scratch.commit();
    scratch.commit();
    const clone = join(scratch.home, 'clone');
    scratch.git('clone', '--quiet', '--depth=1', `file://${scratch.root}`, clone);
    const repository = await scratch.open(clone);
    const { value, problems } = await new VersionChooser().choose(repository, [{ version: first, startMillis: 0 }], {
      program: 'shop',
    });
    expect(value.reason).toBe('no version with data is a commit in this shallow clone; the newest is shown');
    expect(problems.map(({ remedy }) => remedy)).toEqual(['git fetch --unshallow --tags gets the whole history']);
  });
});

test('the same question again asks git for no history', async () => {
  const [first] = [scratch.commit(), scratch.commit()];
  const repository = await scratch.open();
  const asked: string[] = [];
  const run = repository.run.bind(repository);
  repository.run = (args: GitArguments, input?: string) => {
    asked.push(args[0]);
    return run(args, input);
  };
  const versions = new VersionChooser();
  const question = () => versions.choose(repository, [{ version: first!, startMillis: 0 }], { program: 'shop' });
  const answer = await question();
  expect(asked).toEqual(['for-each-ref', 'rev-parse', 'cat-file', 'rev-list', 'rev-list']);
  asked.length = 0;
  expect(await question()).toEqual(answer);
  expect(asked).toEqual(['for-each-ref', 'rev-parse', 'cat-file']);
});

describe('loading', () => {
  async function load(settings: { readonly version?: string; readonly tagPattern?: string } = {}) {
    const store = join(scratch.home, 'store');
    const configuration = configurationFor(scratch.root, { store, project: 'acme', ...settings });
    const { value, problems } = await loadData(sourceOf(configuration, null).wish, {});
    return { version: value?.selected.provenance.executions[0]?.version, problems };
  }

  beforeEach(async () => {
    for (const [i, version] of (['v1', 'v2'] as const).entries()) {
      scratch.commitFolder(sampleFolder(version));
      scratch.git('tag', version);
      await putPicture(join(scratch.home, 'store'), 'Shop.run | 20@1', { version }, (1 - i) * 60);
    }
  });

  test('takes the version of the commit checked out and says nothing', async () => {
    expect(await load()).toEqual({ version: 'v2', problems: [] });
    checkout('v1');
    expect(await load()).toEqual({ version: 'v1', problems: [] });
  });

  test('takes the nearest one with data and says so', async () => {
    scratch.commit();
    const { version, problems } = await load();
    expect(version).toBe('v2');
    expect(problems.map(({ severity, message }) => [severity, message])).toEqual([
      ['info', 'version v2 is shown, the nearest with data: 1 commit before the one checked out'],
    ]);
  });

  test('takes the version that somebody asked for', async () => {
    expect(await load({ version: 'v1' })).toEqual({ version: 'v1', problems: [] });
  });

  test('takes data of a commit by its tag, whatever the pattern of tags is, or by its short hash', async () => {
    const commit = scratch.commit();
    await putPicture(join(scratch.home, 'store'), 'Shop.run | 20@1', { version: commit }, 240);
    scratch.git('tag', '--annotate', '--message', 'x', 'release/3', commit);
    for (const version of ['release/3', commit.slice(0, 9)])
      expect(await load({ version })).toEqual({ version: commit, problems: [] });
    const tagPattern = 'release/{version}';
    for (const version of ['3', 'release/3'])
      expect(await load({ version, tagPattern })).toEqual({ version: commit, problems: [] });
    // Neither options nor other revisions are asked of git.
    for (const version of ['--all', '-h', 'HEAD', 'main', 'release/3~1'])
      expect(await load({ version })).toMatchObject({ version: undefined });
  });

  test('takes the newest data, as outside git, where no version has a commit', async () => {
    expect(await load({ tagPattern: 'release-{version}' })).toEqual({ version: 'v1', problems: [] });
    scratch.git('tag', 'release-v2');
    expect(await load({ tagPattern: 'release-{version}' })).toEqual({ version: 'v2', problems: [] });
  });
});
