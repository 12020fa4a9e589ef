// Tests `insitu compare --changed`: methods that commits changed, through moves between files, each with its commit.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';
import { insitu } from '../../support/insitu/command-line.ts';
import { putPicture } from '../../support/insitu/lsp-store.ts';

/** A method whose code is told from that of others. */
function method(name: string, more = ''): string {
  return `  int ${name}(int a) {\n    int sum = a;\n    for (int i = 0; i < ${name.length}; i++) sum += ${name}Of(i) * sum;${more}\n    return sum;\n  }\n`;
}

function type(name: string, ...methods: readonly string[]): string {
  return `package acme;\nclass ${name} {\n${methods.join('')}}\n`;
}

const CHANGED = '\n    sum = Integer.reverse(sum);';
let scratch: ScratchRepository;
let store: string;
const hashes = new Map<string, string>();

beforeAll(async () => {
  scratch = new ScratchRepository();
  store = mkdtempSync(join(tmpdir(), 'insitu-changed-'));
  const commit = (name: string, files: Readonly<Record<string, string>>) => {
    scratch.commit(files);
    hashes.set(name, scratch.git('rev-parse', 'HEAD').trim());
  };
  const [pack, sort, bill, ship] = ['pack', 'sort', 'bill', 'ship'].map(name => method(name));
  const depot = (...methods: readonly string[]) => `class Depot {\n${methods.join('')}}\n`;
  const shop = type('Shop', pack!, ship!, method('gone'));
  const changedBill = method('bill', CHANGED);
  commit('start', { 'acme/Shop.java': shop + depot(sort!, bill!) });
  commit('change bill', { 'acme/Shop.java': shop + depot(sort!, changedBill) });
  commit('move', {
    'acme/Shop.java': type('Shop', ship!, method('gone')),
    'acme/Depot.java': type('Depot', pack!, sort!, changedBill),
  });
  commit('change sort', { 'acme/Depot.java': type('Depot', pack!, method('sort', CHANGED), changedBill) });
  commit('remove', { 'acme/Shop.java': type('Shop', ship!) });
  scratch.git('mv', 'acme/Shop.java', 'acme/Store.java');
  commit('rename', { 'acme/Store.java': type('Store', ship!, method('added')) });
  const ran = ['Shop.pack', 'Depot.sort', 'Depot.bill', 'Shop.ship', 'Shop.gone'];
  const rows = ran.map((name, at) => `  acme.${name} :3 | ${100 * (at + 1)}@5`);
  const picture = ['Main.main | 500@1', ...rows].join('\n');
  await putPicture(store, picture, { version: '1', instance: 'jvm' }, 1);
});

afterAll(() => {
  scratch.remove();
  rmSync(store, { recursive: true });
});

async function changed(...more: readonly string[]): Promise<string> {
  const before = process.cwd();
  process.chdir(scratch.root);
  try {
    const place = ['--store', store, '--project', 'acme', '--program', 'shop', '--version', '1'];
    const { out, err } = await insitu('compare', '--changed', `${hashes.get('start')}..HEAD`, ...place, ...more);
    return out || err;
  } finally {
    process.chdir(before);
  }
}

type Row = {
  readonly [of in 'name' | 'change' | 'path']: string;
} & { readonly total: { readonly weight: number }; readonly commit: { readonly hash: string } | null };

test('a method that only moved is not among them; each other one has its part of production and its commit', async () => {
  const { rows, ran } = JSON.parse(await changed('--format', 'json'));
  const told = rows.map(
    ({ name, change, path, total, commit }: Row) =>
      `${change} ${name} ${path} ${total.weight} ${[...hashes].find(([, hash]) => hash === commit?.hash)?.[0]}`,
  );
  expect(told).toEqual([
    'gone Shop.gone acme/Shop.java 500 remove',
    'changed Depot.bill acme/Depot.java 300 change bill',
    'changed Depot.sort acme/Depot.java 200 change sort',
    'new Store.added acme/Store.java 0 rename',
  ]);
  expect(ran).toBe(3);
});

test('as a table, with the begin of the hash and the subject', async () => {
  const hash = hashes.get('change sort')!.slice(0, 7);
  const subject = scratch.git('log', '-1', '--format=%s', hash).trim();
  expect(await changed()).toMatch(
    new RegExp(`\\n +10% +10% +changed +Depot\\.sort +acme/Depot\\.java:\\d+ +${hash} ${subject}\\n`),
  );
});
