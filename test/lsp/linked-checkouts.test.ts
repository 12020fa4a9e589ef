// A linked worktree and a folder that is opened through a symbolic link have the data of the project that they belong to, on all faces.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { configurationFor, configuringFolders } from '../../server/workspace/settings/configuration.ts';
import { ScratchRepository } from '../support/git/scratch-repository.ts';
import { insitu } from '../support/insitu/command-line.ts';
import { hintLines, startServer } from '../support/insitu/lsp-client.ts';
import { putPicture } from '../support/insitu/lsp-store.ts';

const MAIN = `package acme;
class Main {
  void run() {
    fib(30);
  }
  int fib(int n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
  }
}
`;
const FILE = 'web/src/Main.java';
const PICTURE = '\nacme.Main.run | 20@4\n  acme.Main.fib :4 | 80@7';
const HINTS = ['3 100% · self 20%', '4 80% → fib()', '6 80% · self 80%', '7 100% here'];

let scratch: ScratchRepository;
let store: string;
beforeEach(async () => {
  scratch = new ScratchRepository();
  store = join(scratch.home, 'store');
  const commit = scratch.commit({ [FILE]: MAIN });
  await putPicture(store, PICTURE, { project: 'shop', version: commit });
});
afterEach(() => scratch.remove());

const at = (...path: string[]) => join(scratch.home, ...path);
const projectOf = (folder: string) => configurationFor(folder, {}, {}, { env: {}, home: scratch.home }).project;

/** The hints of the file below a folder, in the terminal and in an editor that has opened the folder. */
async function hintsBelow(folder: string, path: string): Promise<string[]> {
  const { out, err } = await insitu('annotate', join(folder, path), '--json', '--store', store);
  expect(err).toBe('');
  const rows: string[] = JSON.parse(out).rows.map(
    ({ line, hint }: { line: number; hint: string }) => `${line} ${hint}`,
  );
  const client = await startServer({
    folders: [folder],
    env: { HOME: scratch.home, XDG_CACHE_HOME: at('cache') },
    initializationOptions: { store },
  });
  const uri = pathToFileURL(join(folder, path)).href;
  client.open(uri, MAIN);
  expect(hintLines(await client.hints(uri))).toEqual(rows);
  await client.stop();
  return rows;
}

test('a linked worktree belongs to the project of the main checkout, on a branch of its own', async () => {
  scratch.git('worktree', 'add', '--quiet', '../hotfix', '-b', 'hotfix');
  expect([projectOf(scratch.root), projectOf(at('hotfix', 'web'))]).toEqual(['shop', 'shop']);
  expect(await hintsBelow(at('hotfix'), FILE)).toEqual(HINTS);
});

test('a worktree without an insitu.json has that of the main checkout, and its own before that', () => {
  scratch.git('worktree', 'add', '--quiet', '../hotfix', '-b', 'hotfix');
  scratch.write('insitu.json', '{ "project": "sales", "store": "data" }');
  const settings = configurationFor(at('hotfix', 'web'), {}, {}, { env: {}, home: scratch.home });
  expect(settings).toMatchObject({ project: 'sales', store: join(scratch.root, 'data'), root: at('hotfix') });
  expect(configuringFolders(at('hotfix', 'web'))).toContain(scratch.root);
  writeFileSync(at('hotfix', 'insitu.json'), '{ "project": "own" }');
  expect(projectOf(at('hotfix', 'web'))).toBe('own');
});

test.each(['shop.git', 'shop/.bare'])('worktrees of the bare repository %s belong to shop', bare => {
  execFileSync('git', ['clone', '--quiet', '--bare', scratch.root, at('bare', bare)], { env: scratch.env });
  const add = ['worktree', 'add', '--quiet', at('bare', 'hotfix'), '-b', 'hotfix'];
  execFileSync('git', add, { cwd: at('bare', bare), env: scratch.env });
  expect(projectOf(at('bare', 'hotfix'))).toBe('shop');
});

test('a submodule has a name of its own', () => {
  scratch.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', scratch.root, 'library');
  expect(projectOf(join(scratch.root, 'library'))).toBe('library');
});

test('links to a checkout, to a folder in it, and through another repository', async () => {
  symlinkSync(scratch.root, at('current'));
  mkdirSync(at('dotfiles', '.git'), { recursive: true });
  symlinkSync(join(scratch.root, 'web'), at('dotfiles', 'web'));
  expect(projectOf(at('current'))).toBe('shop');
  expect(projectOf(at('current', 'web'))).toBe('shop');
  expect(projectOf(at('dotfiles', 'web'))).toBe('shop');
  expect(projectOf(at('dotfiles'))).toBe('dotfiles');
  expect(await hintsBelow(at('current'), FILE)).toEqual(HINTS);
  expect(await hintsBelow(at('dotfiles', 'web'), 'src/Main.java')).toEqual(HINTS);
});
