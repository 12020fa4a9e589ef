// Tests finding the commit that a version was built from.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commitOfVersion, commitsOfVersions, tagsOfVersions } from '../../../server/mapping/git/version-commits.ts';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';

const scratch = new ScratchRepository();
const commits: string[] = [];

beforeAll(() => {
  for (let i = 0; i < 8; i++) commits.push(scratch.commit({ 'Shop.java': `class Shop { int i = ${i}; }` }));
  const tag = (name: string, commit: number) => scratch.git('tag', name, commits[commit]!);
  tag('1.0', 0);
  tag('v1.1', 1);
  tag('shop-1.2', 2);
  tag('shop/1.3', 3);
  tag('till-1.4', 4);
  tag('both', 5);
  tag('vboth', 6);
  tag('release/shop/$&', 6);
  tag('release/shop/1.0', 7);
  scratch.git('tag', '--annotate', '--message', 'two', '2.0', commits[4]!);
  scratch.git('tag', 'two', '2.0');
  scratch.git('tag', 'text', 'HEAD:Shop.java');
  scratch.git('branch', '3.0', commits[1]!);
  scratch.git('branch', 'abcdef1', commits[1]!);
});

afterAll(() => scratch.remove());

describe('a version that git describe gave', () => {
  test.each([
    ['a hash behind a tag', (hash: string) => `v1.0-12-g${hash.slice(0, 7)}`, 3],
    ['a changed work tree', (hash: string) => `v1.0-1-g${hash.slice(0, 8)}-dirty`, 3],
    ['a hash alone', (hash: string) => `${hash.slice(0, 10)}-dirty`, 3],
    ['a changed tag', () => '1.1-dirty', 1],
    ['a tag that is gone', (hash: string) => `gone-2-1-g${hash}`, 3],
  ])('%s', async (_, versionOf, expected) => {
    const names = { program: 'shop' };
    const { value, problems } = await commitOfVersion(await scratch.open(), versionOf(commits[3]!), names);
    expect(commits.indexOf(value ?? '')).toBe(expected);
    expect(problems).toEqual([]);
  });
});

describe('a version that is a tag', () => {
  test.each([
    ['1.0', 0],
    ['1.1', 1],
    ['v1.1', 1],
    ['1.2', 2],
    ['1.3', 3],
    ['both', 5],
    ['2.0', 4],
    ['two', 4],
    ['shop-1.2', 2],
  ])('%s', async (version, expected) => {
    const { value, problems } = await commitOfVersion(await scratch.open(), version, { program: 'shop' });
    expect(commits.indexOf(value ?? '')).toBe(expected);
    expect(problems).toEqual([]);
  });

  test.each([
    'no such',
    '1.4',
    '3.0',
    '1.',
    '',
    '1.*',
    '*',
    'text',
    'main',
    'HEAD',
    '1.0~1',
    '1.0^',
    '../heads/main',
    '--all',
    'a\nb',
    '1.0\n',
    '\0',
    '@{0}',
    '1.0^{commit}',
    'v',
    '..',
    '2.0:Shop.java',
    'x.lock',
    'shop',
    '-1.0',
    'ü',
  ])('and not %j', async version => {
    const found = await commitOfVersion(await scratch.open(), version, { program: 'shop' });
    expect(found).toEqual({ value: null, problems: [] });
  });

  test('named by a pattern, which stands for the usual names', async () => {
    const names = { program: 'shop', tagPattern: 'release/{program}/{version}' };
    const repository = await scratch.open();
    expect((await commitOfVersion(repository, '1.0', names)).value).toBe(commits[7]);
    expect((await commitOfVersion(repository, '$&', names)).value).toBe(commits[6]);
    expect((await commitOfVersion(repository, '1.1', names)).value).toBeNull();
    expect((await commitOfVersion(repository, commits[2]!, names)).value).toBe(commits[2]);
  });
});

describe('a version that is a hash', () => {
  test('is called by the first tag that points at its commit', async () => {
    const annotated = commits[4]!;
    const short = commits[7]!.slice(0, 12);
    const versions = [annotated, short, scratch.git('rev-parse', 'HEAD:Shop.java'), 'f'.repeat(40), '2.0'];
    const { value, problems } = await tagsOfVersions(await scratch.open(), versions);
    expect([...value]).toEqual([
      [annotated, '2.0'],
      [short, 'release/shop/1.0'],
    ]);
    expect(problems).toEqual([]);
  });

  test('full, shortened, in capitals, or that of an annotated tag', async () => {
    const repository = await scratch.open();
    const tag = scratch.git('rev-parse', 'refs/tags/2.0');
    const given = [commits[3]!, commits[3]!.slice(0, 7), commits[3]!.slice(0, 20), commits[3]!.toUpperCase()];
    for (const version of given)
      expect((await commitOfVersion(repository, version, { program: 'shop' })).value).toBe(commits[3]);
    expect((await commitOfVersion(repository, tag, { program: 'shop' })).value).toBe(commits[4]);
  });

  test('too short, unknown, of something else, or only the name of a branch is none', async () => {
    const repository = await scratch.open();
    const text = scratch.git('rev-parse', 'HEAD:Shop.java');
    for (const version of [commits[3]!.slice(0, 6), 'f'.repeat(40), text, 'abcdef1', `${commits[3]}0`])
      expect(await commitOfVersion(repository, version, { program: 'shop' })).toEqual({ value: null, problems: [] });
  });

  test('that two commits begin with is none', async () => {
    // Found by trying: these two times give hashes with the same first seven digits.
    const emptyTree = scratch.gitWithInput('', 'hash-object', '-t', 'tree', '-w', '--stdin');
    const made = [1_700_017_158, 1_700_019_733].map(seconds => {
      const person = `author <author@example.com> ${seconds} +0000`;
      const input = `tree ${emptyTree}\nauthor ${person}\ncommitter ${person}\n\n`;
      return scratch.gitWithInput(input, 'hash-object', '-t', 'commit', '-w', '--stdin');
    });
    expect(made[0]!.slice(0, 7)).toBe(made[1]!.slice(0, 7));
    const repository = await scratch.open();
    expect((await commitOfVersion(repository, made[0]!.slice(0, 7), { program: 'shop' })).value).toBeNull();
    expect((await commitOfVersion(repository, made[0]!.slice(0, 12), { program: 'shop' })).value).toBe(made[0]);
  });

  test('comes before a tag of that name', async () => {
    const short = commits[3]!.slice(0, 8);
    scratch.git('tag', short, commits[0]!);
    expect((await commitOfVersion(await scratch.open(), short, { program: 'shop' })).value).toBe(commits[3]);
    scratch.git('tag', 'fedcba98', commits[0]!);
    expect((await commitOfVersion(await scratch.open(), 'fedcba98', { program: 'shop' })).value).toBe(commits[0]);
  });
});

test('many versions are found at once', async () => {
  const versions = [...Array.from({ length: 400 }, (_, i) => `none-${i}`), '1.0', commits[5]!, '1.3'];
  const { value, problems } = await commitsOfVersions(await scratch.open(), versions, { program: 'shop' });
  expect(problems).toEqual([]);
  expect([...value]).toEqual([
    ['1.0', commits[0]],
    [commits[5], commits[5]],
    ['1.3', commits[3]],
  ]);
});
