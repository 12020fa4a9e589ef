// Tests reading a repository: what it holds, what is missing, and that nothing in it runs.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changedFiles, committedFiles } from '../../../server/mapping/git/changed-files.ts';
import { openRepository } from '../../../server/mapping/git/git-repository.ts';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';

let scratch: ScratchRepository;

beforeEach(() => {
  scratch = new ScratchRepository();
});

afterEach(() => scratch.remove());

describe('opening', () => {
  test('outside git gives nothing and says nothing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'insitu-plain-'));
    expect(await openRepository(folder)).toEqual({ value: null, problems: [] });
    mkdirSync(join(folder, '.git'));
    expect(await openRepository(folder)).toEqual({ value: null, problems: [] });
    rmSync(folder, { recursive: true });
  });

  test('without the git program says so', async () => {
    const { value, problems } = await openRepository(scratch.root, { env: { PATH: scratch.home } });
    expect(value).toBeNull();
    expect(problems.map(({ message, remedy }) => [message, remedy !== undefined])).toEqual([
      ['git is not installed, or not on the PATH', true],
    ]);
  });

  test('takes no git from folders of the PATH that depend on where one is', async () => {
    writeFileSync(join(scratch.home, 'git'), '#!/bin/sh\necho false\n', { mode: 0o755 });
    const open = async (PATH: string) => (await openRepository(scratch.root, { env: { PATH } })).value;
    expect(await open(scratch.home)).not.toBeNull();
    expect(await open(relative(process.cwd(), scratch.home))).toBeNull();
  });

  test('starts git without hooks, watchers, prompts, locks, and what else the environment says', async () => {
    const echo = '#!/bin/sh\necho "$@" > "$HOME/said"; /usr/bin/env >> "$HOME/said"; echo false\n';
    writeFileSync(join(scratch.home, 'git'), echo, { mode: 0o755 });
    const stray = { GIT_DIR: '/nowhere', GIT_EXTERNAL_DIFF: 'run-me', PAGER: 'run-me', LD_PRELOAD: 'run-me' };
    await openRepository(scratch.root, { env: { ...stray, HOME: scratch.home, PATH: scratch.home } });
    const said = readFileSync(join(scratch.home, 'said'), 'utf8');
    expect(said).toMatch(/-c core.hooksPath=\/dev\/null -c core.fsmonitor=false .*rev-parse/);
    expect(said).toMatch(/^GIT_OPTIONAL_LOCKS=0$/m);
    expect(said).toMatch(/^GIT_TERMINAL_PROMPT=0$/m);
    expect(said).not.toMatch(/run-me|nowhere/);
  });

  test('a repository that git refuses gives a problem that says how to trust it', async () => {
    const env = { ...scratch.env, PATH: join(scratch.home, 'bin') };
    mkdirSync(env.PATH);
    const refusal = `fatal: detected dubious ownership in repository at '${scratch.root}'`;
    writeFileSync(join(env.PATH, 'git'), `#!/bin/sh\necho "${refusal}" >&2\nexit 128\n`, { mode: 0o755 });
    const { value, problems } = await openRepository(scratch.root, { env });
    expect(value).toBeNull();
    expect(problems[0]?.message).toBe('git does not read this repository because somebody else owns its files');
    expect(problems[0]?.remedy).toContain('safe.directory');
  });

  test('ends a git that does not answer', async () => {
    const env = { ...scratch.env, PATH: join(scratch.home, 'bin') };
    mkdirSync(env.PATH);
    writeFileSync(join(env.PATH, 'git'), '#!/bin/sh\nexec /bin/sleep 60\n', { mode: 0o755 });
    const { value, problems } = await openRepository(scratch.root, { env, limitMillis: 200 });
    expect(value).toBeNull();
    expect(problems[0]?.message).toBe('git gave no answer: it took too long');
  });
});

describe('HEAD', () => {
  test('is a commit, also when detached; null before the first', async () => {
    const repository = await scratch.open();
    expect(await repository.head()).toBeNull();
    const first = scratch.commit();
    const second = scratch.commit();
    expect(await repository.head()).toBe(second);
    scratch.git('checkout', '--quiet', '--detach', first);
    expect(await repository.head()).toBe(first);
  });

  test('of a worktree is its own, and so are its paths', async () => {
    const first = scratch.commit({ 'a/Shop.java': 'class Shop {}' });
    const second = scratch.commit();
    const worktree = join(scratch.home, 'other tree');
    scratch.git('worktree', 'add', '--quiet', '--detach', worktree, first);
    const repository = await scratch.open(join(worktree, 'a'));
    expect(await repository.head()).toBe(first);
    expect(await (await scratch.open()).head()).toBe(second);
    const path = repository.pathOf(join(worktree, 'a', 'Shop.java'));
    expect(path).toBe('a/Shop.java');
    expect((await repository.textAt(second, path!)).value).toBe('class Shop {}');
  });
});

describe('a text as committed', () => {
  test('is that of the commit, whatever is on disk', async () => {
    const first = scratch.commit({ 'Shop.java': 'class Shop { /* ü */ }\n' });
    const second = scratch.commit({ 'Shop.java': '\ufeffclass Shop { int two; }\r\n' });
    scratch.write('Shop.java', 'not saved in git');
    const repository = await scratch.open();
    expect(await repository.textAt(first, 'Shop.java')).toEqual({ value: 'class Shop { /* ü */ }\n', problems: [] });
    expect((await repository.textAt(second, 'Shop.java')).value).toBe('class Shop { int two; }\r\n');
  });

  test.each(['a b/ü:é.java', '-x/--help.java', 'new\nline.java', ':(glob)*.java', "it's\t$(x)`y`.java", '{1}^0.java'])(
    'under the path %j',
    async path => {
      const commit = scratch.commit({ [path]: path });
      const repository = await scratch.open();
      expect(repository.pathOf(join(scratch.root, path))).toBe(path);
      expect(await repository.textAt(commit, path)).toEqual({ value: path, problems: [] });
    },
  );

  test('has a path where the folder is reached by a link, and none outside', async () => {
    scratch.commit({ 'a/Shop.java': '' });
    const link = join(scratch.home, 'link');
    symlinkSync(join(scratch.root, 'a'), link);
    const repository = await scratch.open(scratch.root);
    expect((await openRepository(link, { env: scratch.env })).value).toBeNull();
    symlinkSync(scratch.root, join(scratch.home, 'linked root'));
    const linked = await scratch.open(join(scratch.home, 'linked root', 'a'));
    expect(linked.pathOf(join(scratch.home, 'linked root', 'a', 'Shop.java'))).toBe('a/Shop.java');
    expect(linked.pathOf(join(scratch.home, 'linked root', 'Shop.java'))).toBe('Shop.java');
    expect(repository.pathOf(join(scratch.home, 'Shop.java'))).toBeNull();
  });

  test('that is missing gives a problem that says what is missing', async () => {
    const commit = scratch.commit({ 'a/Shop.java': 'class Shop {}' });
    const repository = await scratch.open();
    const messages = async (hash: string, path: string) => {
      const { value, problems } = await repository.textAt(hash, path);
      expect(value).toBeNull();
      return problems.map(({ message }) => message);
    };
    const short = commit.slice(0, 12);
    expect(await messages(commit, 'b/Shop.java')).toEqual([`is not in commit ${short}`]);
    expect(await messages('f'.repeat(40), 'a/Shop.java')).toEqual(['commit ffffffffffff is not in this clone']);
    expect(await messages('--help', 'a')).toEqual(['"--help" is no commit\'s hash']);
    const blob = scratch.git('rev-parse', 'HEAD:a/Shop.java');
    rmSync(join(scratch.root, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    expect(await messages(commit, 'a/Shop.java')).toEqual([
      `is in commit ${short}, but its contents are not in this clone`,
    ]);
  });

  test('of a commit before the beginning of a shallow clone says that the clone is shallow', async () => {
    const first = scratch.commit({ 'Shop.java': 'class Shop {}' });
    const second = scratch.commit({ 'Shop.java': 'class Shop { int two; }' });
    const clone = join(scratch.home, 'clone');
    scratch.git('clone', '--quiet', '--depth=1', `file://${scratch.root}`, clone);
    const repository = await scratch.open(clone);
    expect(repository.shallow).toBe(true);
    expect((await repository.textAt(second, 'Shop.java')).value).toBe('class Shop { int two; }');
    const { value, problems } = await repository.textAt(first, 'Shop.java');
    expect(value).toBeNull();
    expect(problems[0]?.message).toBe(`commit ${first.slice(0, 12)} is not in this shallow clone`);
    expect(problems[0]?.remedy).toContain('--unshallow');
  });
});

describe('a hostile repository', () => {
  test('runs none of its programs, takes no lock and leaves no file', async () => {
    const trap = join(scratch.home, 'ran');
    const script = join(scratch.home, 'trap.sh');
    const commit = scratch.commit({ 'Shop.java': 'class Shop {}', '.gitattributes': '*.java diff=x filter=x\n' });
    writeFileSync(script, `#!/bin/sh\necho "$0 $*" >> '${trap}'\nexit 1\n`);
    chmodSync(script, 0o755);
    const hooks = join(scratch.root, '.git/hooks');
    for (const name of [
      'post-checkout',
      'reference-transaction',
      'post-index-change',
      'pre-auto-gc',
      'fsmonitor-watchman',
    ])
      symlinkSync(script, join(hooks, name));
    for (const key of [
      'core.fsmonitor',
      'core.pager',
      'pager.cat-file',
      'pager.rev-list',
      'core.sshCommand',
      'gpg.program',
      'diff.x.textconv',
      'diff.x.command',
      'diff.external',
      'filter.x.smudge',
      'filter.x.clean',
      'filter.x.process',
      'core.editor',
      'credential.helper',
      'alias.cat-file',
      'alias.rev-parse',
      'core.askPass',
      'core.alternateRefsCommand',
    ])
      scratch.git('config', key, key.startsWith('alias') ? `!${script}` : script);
    // The trap does catch what is less careful.
    scratch.write('Shop.java', 'class Shop { int changed; }');
    try {
      scratch.git('status');
    } catch {}
    expect(existsSync(trap)).toBe(true);
    rmSync(trap);
    const before = readdirSync(join(scratch.root, '.git'));
    const surroundings = { env: { ...scratch.env, GIT_EXTERNAL_DIFF: script, GIT_DIR: '/nowhere', PAGER: script } };
    const { value: repository } = await openRepository(scratch.root, surroundings);
    expect(await repository!.head()).toBe(commit);
    expect((await repository!.textAt(commit, 'Shop.java')).value).toBe('class Shop {}');
    expect((await repository!.tags(['1.0'])).problems).toEqual([]);
    expect((await repository!.run(['rev-list', 'HEAD'])).ok).toBe(true);
    expect((await repository!.commits([commit])).value.get(commit)).toBe(commit);
    scratch.write('Second.java', 'class Second {}');
    expect(await changedFiles(repository!, commit)).toEqual({ value: [], problems: [] });
    expect((await committedFiles(repository!, commit)).value).toHaveLength(1);
    repository!.close();
    expect(existsSync(trap)).toBe(false);
    expect(readdirSync(join(scratch.root, '.git'))).toEqual(before);
  });

  test('that promises missing objects from elsewhere is not asked for them', async () => {
    const trap = join(scratch.home, 'ran');
    const commit = scratch.commit({ 'Shop.java': 'class Shop {}' });
    const blob = scratch.git('rev-parse', 'HEAD:Shop.java');
    rmSync(join(scratch.root, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    scratch.git('config', 'remote.origin.url', `ext::sh -c touch% ${trap}`);
    scratch.git('config', 'remote.origin.promisor', 'true');
    scratch.git('config', 'extensions.partialClone', 'origin');
    scratch.git('config', 'core.repositoryFormatVersion', '1');
    scratch.git('config', 'protocol.ext.allow', 'always');
    const { value, problems } = await (await scratch.open()).textAt(commit, 'Shop.java');
    expect(value).toBeNull();
    expect(problems).toHaveLength(1);
    expect(existsSync(trap)).toBe(false);
    try {
      scratch.git('cat-file', 'blob', blob);
    } catch {}
    expect(existsSync(trap)).toBe(true);
  });

  test('inside a folder of the project is none', async () => {
    scratch.commit();
    const bare = join(realpathSync(scratch.root), 'bare');
    scratch.git('init', '--quiet', '--bare', bare);
    expect((await openRepository(bare, { env: scratch.env })).value).toBeNull();
  });
});

test('after closing, waiting requests for texts get none, and no program is started to say why', async () => {
  const commit = scratch.commit({ 'Shop.java': 'class Shop {}' });
  const path = join(scratch.home, 'git');
  writeFileSync(path, '#!/bin/sh\necho start >> "$HOME/starts"\nexec /usr/bin/git "$@"\n', { mode: 0o755 });
  const env = { ...scratch.env, PATH: `${scratch.home}:${scratch.env.PATH}` };
  const { value: repository } = await openRepository(scratch.root, { env });
  expect((await repository!.textAt(commit, 'Shop.java')).value).toBe('class Shop {}');
  const starts = () => readFileSync(join(scratch.home, 'starts'), 'utf8').split('\n').length - 1;
  const before = starts();
  const waiting = Array.from({ length: 5 }, (_, i) => repository!.textAt(commit, `Shop${i}.java`));
  repository!.close();
  for (const { value } of await Promise.all([...waiting, repository!.textAt(commit, 'Shop.java')]))
    expect(value).toBeNull();
  expect(starts()).toBe(before);
});
