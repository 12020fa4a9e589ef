// Tests that a command compares a renamed method, and the calls of it, with its old name where git has both texts.
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ScratchRepository } from '../support/git/scratch-repository.ts';
import { insitu } from '../support/insitu/command-line.ts';
import { putPicture } from '../support/insitu/lsp-store.ts';

const SHOP = `class Shop {
  void run() {
    hot();
  }
  void hot() {
    work(1);
  }
  void work(int number) {}
}
`;
const PICTURE = 'Shop.run | 20@3\n  Shop.hot :3 | 80@6';

let scratch: ScratchRepository;

beforeEach(() => {
  scratch = new ScratchRepository();
});

afterEach(() => scratch.remove());

/** `[line, share in the baseline]` of the hints of the second of two versions. */
async function annotated(shop: string, picture: string): Promise<(readonly [number, number | undefined])[]> {
  scratch.commit({ 'Shop.java': SHOP });
  scratch.git('tag', '1');
  scratch.commit({ 'Shop.java': shop });
  scratch.git('tag', '2');
  const store = join(scratch.home, 'store');
  await putPicture(store, PICTURE, { version: '1' }, -1000);
  await putPicture(store, picture, { version: '2' });
  scratch.write('insitu.json', JSON.stringify({ project: 'acme', program: 'shop', store }));
  const { out } = await insitu('annotate', join(scratch.root, 'Shop.java'), '--baseline', '1', '--json');
  const hints: { line: number; kind: string; change: { baseline: number } | null }[] = JSON.parse(out).rows;
  return hints.flatMap(({ line, kind, change }) => (kind === 'line' ? [] : [[line, change?.baseline]]));
}

test('a renamed method and the call of it', async () => {
  const renamed = (text: string) => text.replaceAll('hot', 'hotter');
  expect(await annotated(renamed(SHOP), renamed(PICTURE))).toEqual([
    [2, 1],
    [3, 0.8],
    [5, 0.8],
  ]);
});

test('a new method that has the old name of another', async () => {
  const renamed = SHOP.replace('void hot() {', 'void idle() {');
  const added = renamed.replace(
    '  void work',
    '  void hot(String text) {\n    for (;;) if (run == null) break;\n  }\n  void work',
  );
  expect(await annotated(added, PICTURE.replace('@6', '@9'))).toEqual([
    [2, 1],
    [3, 0],
    [8, 0],
  ]);
});

test('trees that are compared in the terminal', async () => {
  scratch.commit({ 'Shop.java': SHOP });
  scratch.git('tag', '1');
  const renamed = (text: string) => text.replaceAll('hot', 'hotter');
  scratch.commit({ 'Shop.java': renamed(SHOP) });
  scratch.git('tag', '2');
  const store = join(scratch.home, 'store');
  await putPicture(store, PICTURE, { version: '1' }, -1000);
  await putPicture(store, renamed(PICTURE).replace('20@3', '400@3'), { version: '2' });
  scratch.write('insitu.json', JSON.stringify({ project: 'acme', program: 'shop', store }));
  const options = ['--store', store, '--project', 'acme', '--program', 'shop', '--format', 'json'];
  const folder = process.cwd();
  process.chdir(scratch.root);
  const { out } = await insitu('compare', '1', '2', ...options).finally(() => process.chdir(folder));
  const { contexts }: { contexts: { method: string; state: string }[] } = JSON.parse(out);
  expect(contexts.map(({ method, state }) => [method, state]).sort()).toEqual([
    ['hotter', 'kept'],
    ['run', 'kept'],
  ]);
});

const STEM = `package acme;
class Words {
  String stem(String word) {
    for (int end = word.length(); end > 3; end--) if (suffixes.contains(word.substring(end))) return word.substring(0, end);
    return word + suffixes.nearestOf(word).toLowerCase();
  }
  void all(String text) {
    for (String word : text.split(" ")) found.add(stem(word));
  }
}
`;
const METHOD = STEM.slice(STEM.indexOf('  String stem'), STEM.indexOf('  void all'));
const IN_WORDS = 'acme.Words.all | 20@8\n  acme.Words.stem :8 | 80@4';

test.each([
  ['1', METHOD],
  ['2', METHOD],
  ['elsewhere', METHOD],
  ['2', METHOD.replace('String stem', 'public static String stem')],
])('a method that moved to another class, with %s checked out: %s', async (head, method) => {
  scratch.commit({ 'acme/Words.java': STEM, 'acme/Stemmer.java': 'package acme;\nclass Stemmer {\n}\n' });
  scratch.git('tag', '1');
  const moved = {
    'acme/Words.java': STEM.replace(METHOD, '').replace('stem(word)', 'stemmer.stem(word)'),
    'acme/Stemmer.java': `package acme;\nclass Stemmer {\n${method}}\n`,
  };
  scratch.commit(moved);
  scratch.git('tag', '2');
  scratch.git('checkout', '--quiet', '--orphan', 'other');
  scratch.git('rm', '-r', '--quiet', '--force', '.');
  scratch.commit({ 'Readme.java': 'class Readme {}' });
  scratch.git('tag', 'elsewhere');
  scratch.git('checkout', '--quiet', head);
  const store = join(scratch.home, 'store');
  await putPicture(store, IN_WORDS, { version: '1' }, -1000);
  await putPicture(store, 'acme.Words.all | 20@4\n  acme.Stemmer.stem :4 | 80@4', { version: '2' });
  const folder = process.cwd();
  process.chdir(scratch.root);
  const { out, status } = await insitu('compare', '1', '2', '--store', store, '--project', 'acme').finally(() =>
    process.chdir(folder),
  );
  expect([status, out]).toEqual([0, expect.stringMatching(/^no method or context differs/)]);
});
