// Tests what `insitu compare` takes as a side: files with what was recorded in them, and benchmarks; and what it refuses with one line.
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { normals } from '../../capabilities/compare/normals.ts';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';
import { type CommandRun, insitu } from '../../support/insitu/command-line.ts';
import { putPicture } from '../../support/insitu/lsp-store.ts';

const SHOP = `package acme;
class Shop {
  void run() {
    match();
    pack();
  }
  void match() {}
  void pack() {}
  void ship() {}
}
`;

let scratch: ScratchRepository;
let folder: string;

beforeAll(() => {
  scratch = new ScratchRepository();
  folder = mkdtempSync(join(tmpdir(), 'insitu-sides-'));
  scratch.commit({ 'acme/Shop.java': SHOP });
  scratch.git('tag', 'v1');
  scratch.git('branch', 'base');
  scratch.commit({ 'acme/Shop.java': SHOP.replace('void match() {}', 'void match() { pack(); }') });
  scratch.commit({ 'acme/Other.java': 'package acme;\nclass Other {}\n' });
});

afterAll(() => {
  scratch.remove();
  rmSync(folder, { recursive: true });
});

const LOAD = { match: 3000, pack: 3000, ship: 2000, run: 2000 };

/** A snapshot a JVM, each of which differs at random. */
async function forks(name: string, load: Readonly<Record<string, number>>, owner = 'acme.Shop'): Promise<string[]> {
  const random = normals(name.length + name.charCodeAt(0));
  const store = join(folder, name);
  const amount = (mean: number) => Math.round(mean * (1 + 0.02 * random()));
  for (let fork = 0; fork < 5; fork++) {
    const { run = 0, ...calls } = load;
    const called = Object.entries(calls).map(([method, mean]) => `  ${owner}.${method} :5 | ${amount(mean)}@9`);
    const picture = [`${owner}.run | ${amount(run)}@4`, ...called].join('\n');
    await putPicture(store, picture, { version: 'unnamed', instance: `${name}-${fork}` }, fork);
  }
  return globSync('**/*.cct', { cwd: store }).map(file => join(store, file));
}

/** Forks of which `match` calls `pack` so long; not at all for 0. */
async function packing(name: string, pack: number): Promise<string[]> {
  const store = join(folder, name);
  for (let fork = 0; fork < 5; fork++) {
    const call = pack === 0 ? [] : [`    acme.Shop.pack :7 | ${pack + fork}@7`];
    const picture = [`acme.Shop.run | ${2000 + fork}@4`, '  acme.Shop.match :4 | 3000@7', ...call].join('\n');
    await putPicture(store, picture, { version: 'unnamed', instance: `${name}-${fork}` }, fork);
  }
  return globSync('**/*.cct', { cwd: store }).map(file => join(store, file));
}

const inCheckout = (...args: readonly string[]) => inFolder(scratch.root, ...args);

async function inFolder(root: string, ...args: readonly string[]): Promise<CommandRun> {
  const before = process.cwd();
  process.chdir(root);
  try {
    return await insitu('compare', ...args);
  } finally {
    process.chdir(before);
  }
}

/** One line, with this status, beside what there is to choose from, and nothing on standard output. */
function expectRefused({ status, out, err }: CommandRun, wanted: number, line: RegExp): void {
  const lines = err.trim().split('\n');
  expect([status, out, lines.filter(text => !text.startsWith('info: ')).length]).toEqual([wanted, '', 1]);
  expect(err).toMatch(line);
}

describe('files with versions', () => {
  let sides: string[];
  beforeAll(async () => {
    const [base, head] = [await forks('base', LOAD), await forks('head', { ...LOAD, match: 6000 })];
    sides = ['--before', ...base, '--after', ...head];
  });

  test.each([
    ['v1', 'HEAD'],
    ['base', 'HEAD~0'],
  ])('%s and %s: the commit, the changed source and the place of a finding', async (before, after) => {
    const versions = ['--before-version', before, '--after-version', after];
    const changed = scratch.git('rev-parse', 'HEAD~1').trim();
    const { out, err } = await inCheckout(...sides, ...versions, '--format', 'json');
    const [report] = JSON.parse(out || '{}').reports;
    expect(err).toBe('');
    expect(report).toMatchObject({
      ...{ verdict: 'slower', cause: 'changed', context: { method: 'match' }, commit: { hash: changed } },
      source: { change: 'changed', path: 'acme/Shop.java', line: 7 },
    });
    const sarif = JSON.parse((await inCheckout(...sides, ...versions, '--format', 'sarif')).out);
    expect(sarif.runs[0].results[0].locations[0].physicalLocation).toMatchObject({
      artifactLocation: { uri: 'acme/Shop.java' },
      region: { startLine: 7 },
    });
    const markdown = (await inCheckout(...sides, ...versions, '--format', 'markdown')).out;
    expect(markdown).toContain(`\`${after}\` against \`${before}\``);
    expect(markdown).toContain(`| \`acme/Shop.java:7\` | ${changed.slice(0, 7)} `);
  });

  test('the working tree: code that is not committed is changed, by no commit', async () => {
    scratch.write('acme/Shop.java', SHOP.replace('void match() {}', 'void match() { pack(); pack(); }'));
    try {
      const json = async (before: string) => {
        const versions = ['--before-version', before, '--after-version', 'worktree'];
        return JSON.parse((await inCheckout(...sides, ...versions, '--format', 'json')).out).reports[0];
      };
      const wanted = { cause: 'changed', commit: null, source: { path: 'acme/Shop.java', line: 7 } };
      expect(await json('v1')).toMatchObject(wanted);
      expect(await json('HEAD')).toMatchObject(wanted);
    } finally {
      scratch.git('checkout', '--', 'acme/Shop.java');
    }
    const versions = ['--before-version', 'v1', '--after-version', 'worktree', '--format', 'json'];
    const { reports } = JSON.parse((await inCheckout(...sides, ...versions)).out);
    expect(reports[0].commit.hash).toBe(scratch.git('rev-parse', 'HEAD~1').trim());
  });

  test('a call that the code has on both sides is neither new nor gone', async () => {
    const [without, packed] = [await packing('without', 0), await packing('with', 3000)];
    const found = async (sides: readonly string[], ...versions: readonly [string, string]) => {
      const given = [
        '--fixed-work',
        '--before-version',
        versions[0],
        '--after-version',
        versions[1],
        '--format',
        'json',
      ];
      return JSON.parse((await inCheckout(...sides, ...given)).out).reports[0];
    };
    const came = ['--before', ...without, '--after', ...packed];
    const went = ['--before', ...packed, '--after', ...without];
    scratch.write('acme/Shop.java', SHOP.replace('void match() {}', 'void match() { pack(); pack(); }'));
    try {
      const changed = { cause: 'changed', text: 'Shop.match → Shop.pack, changed', context: { method: 'pack' } };
      expect(await found(came, 'HEAD', 'worktree')).toMatchObject({ ...changed, context: { state: 'added' } });
      expect(await found(went, 'HEAD', 'worktree')).toMatchObject({ ...changed, context: { state: 'removed' } });
      expect(await found(came, 'v1', 'worktree')).toMatchObject({
        cause: 'added',
        text: 'Shop.match → Shop.pack, new',
      });
    } finally {
      scratch.git('checkout', '--', 'acme/Shop.java');
    }
    const text = 'Shop.match → Shop.pack, whose code did not change';
    expect(await found(came, 'HEAD~1', 'HEAD')).toMatchObject({ cause: 'unchanged', text });
    // The code of a method that has no samples now is not looked for.
    expect(await found(went, 'HEAD~1', 'HEAD')).toMatchObject({ cause: 'unknown', text: 'Shop.match → Shop.pack' });
    scratch.write(
      'acme/Shop.java',
      SHOP.replace('match() {}', 'match() { pack(); }').replace('pack() {}', 'pack() { ship(); }'),
    );
    try {
      const own = { cause: 'changed', source: { line: 8, caller: null }, method: { name: 'pack' } };
      expect(await found(came, 'HEAD', 'worktree')).toMatchObject(own);
    } finally {
      scratch.git('checkout', '--', 'acme/Shop.java');
    }
  });

  test.each([
    ['new Box()', 'acme.Shop$Box.<init>', 'Shop.match → new Box'],
    ['((Runnable) () -> pack()).run()', 'acme.Shop.lambda$match$0', 'Shop.match → lambda in Shop.match'],
  ])('%s in a caller that changed beside it is neither new nor gone', async (call, method, name) => {
    const shop = (code: string) => `package acme;
class Shop {
  void run() { match(); }
  void match() { ${code} }
  void pack() {}
  static class Box {
    Box() {}
  }
}
`;
    const own = new ScratchRepository();
    try {
      own.commit({ 'acme/Shop.java': shop('') });
      own.commit({ 'acme/Shop.java': shop(`${call};`) });
      own.commit({ 'acme/Shop.java': shop(`int a = 1; ${call};`) });
      const [without, called] = [`without-${method}`, `called-${method}`];
      const files = async (side: string, line: string) => {
        const store = join(folder, side);
        for (let fork = 0; fork < 5; fork++) {
          const picture = `acme.Shop.run | ${2000 + fork}@3\n  acme.Shop.match :3 | 3000@4${line}`;
          await putPicture(store, picture, { version: 'unnamed', instance: `${side}-${fork}` }, fork);
        }
        return globSync('**/*.cct', { cwd: store }).map(file => join(store, file));
      };
      const at = method.includes('init') ? 7 : 4;
      const [before, after] = [await files(without, ''), await files(called, `\n    ${method} :4 | 3000@${at}`)];
      const textOf = async (version: string) => {
        const versions = ['--before-version', version, '--after-version', 'HEAD', '--fixed-work', '--format', 'json'];
        const given = ['--before', ...before, '--after', ...after, ...versions];
        return JSON.parse((await inFolder(own.root, ...given)).out).reports[0].text;
      };
      const commit = own.git('rev-parse', '--short=7', 'HEAD').trim();
      expect(await textOf('HEAD~1')).toBe(`${name}, changed in ${commit}`);
      expect(await textOf('HEAD~2')).toContain(`${name}, new`);
    } finally {
      own.remove();
    }
  });

  test('a label tells nothing of the code, and says so', async () => {
    const versions = ['--before-version', 'old', '--after-version', 'new', '--format', 'markdown'];
    const { out, err } = await inCheckout(...sides, ...versions);
    expect(out).toContain('`new` against `old`');
    expect(err).toContain('note: git knows no commit "old": it is a label');
  });

  test('are refused for versions of the store', async () => {
    expectRefused(await inCheckout('v1', 'v2', '--after-version', 'HEAD'), 2, /are of files/);
  });
});

describe('what cannot be compared', () => {
  test('a file, or a version, with itself', async () => {
    const [file] = await forks('same', LOAD);
    expectRefused(await insitu('compare', file!, file!), 2, /is compared with itself/);
    const store = join(folder, 'store');
    await putPicture(store, 'Main.main | 100@1', { version: '1' });
    const place = ['--store', store, '--project', 'acme', '--program', 'shop'];
    expectRefused(await insitu('compare', '1', '1', ...place), 2, /^error: 1 is compared with itself/);
  });

  test('a revision that nobody knows', async () => {
    const store = join(folder, 'store');
    const place = ['--store', store, '--project', 'acme', '--program', 'shop'];
    expectRefused(await insitu('compare', '1', 'nowhere', ...place), 3, /nowhere/);
    expectRefused(await inCheckout('--changed', 'v1..nowhere', ...place), 2, /git knows no commit "nowhere"/);
    const run = ['--run', 'true', '--before', 'v1', '--after', 'nowhere', '--fail-on', 'slower > 5%'];
    expectRefused(await inCheckout(...run, ...place), 2, /git knows no commit nowhere/);
  });

  test('files without a common metric', async () => {
    const after = ['samples/formats/kieker.dat'];
    const { status, out, err } = await insitu(
      'compare',
      '--before',
      ...(await forks('metric', LOAD)),
      '--after',
      ...after,
    );
    expect([status, out]).toEqual([3, '']);
    expect(err.trim().split('\n').at(-1)).toMatch(/no (?:metric|class)/);
  });

  test('forks of another program', async () => {
    const files = ['--before', ...(await forks('ours', LOAD)), '--after', ...(await forks('theirs', LOAD, 'org.Else'))];
    expectRefused(await insitu('compare', ...files), 3, /different programs: no class of acme\.Shop and others/);
  });

  test('a damaged fork, for people and for checks', async () => {
    const first = join(folder, 'damaged.txt');
    writeFileSync(first, 'acme.Shop.run 60\nacme.Shop.run;acme\n');
    const [before, after] = [await forks('before', LOAD), await forks('after', LOAD)];
    const files = ['--before', ...before, '--after', first, ...after];
    for (const format of ['text', 'sarif']) {
      const { status, out, err } = await insitu('compare', ...files, '--format', format);
      expect([status, out]).toEqual([3, '']);
      expect(err.trim().split('\n').at(-1)).toContain('damaged.txt');
    }
  });
});

describe('benchmarks', () => {
  let store: string;
  const place = () => ['--store', store, '--project', 'acme', '--program', 'shop'];

  beforeAll(async () => {
    store = join(folder, 'benchmarks');
    const random = normals(7);
    for (const [version, match] of [
      ['1', 3000],
      ['2', 6000],
    ] as const)
      for (const benchmark of ['orders', 'search'])
        for (let fork = 0; fork < 5; fork++) {
          const amount = (mean: number) => Math.round(mean * (1 + 0.02 * random()));
          const heavy = benchmark === 'orders' ? match : 3000;
          const picture = `acme.Shop.run | ${amount(2000)}@4\n  acme.Shop.match :5 | ${amount(heavy)}@7\n  acme.Shop.pack :6 | ${amount(3000)}@8`;
          const instance = `${benchmark}-${fork}`;
          await putPicture(store, picture, { version, instance }, fork, { benchmark, fork });
        }
  });

  test('several are never pooled: one is chosen', async () => {
    expectRefused(await insitu('compare', '1', '2', ...place()), 2, /orders, search .*--benchmark NAME/);
    const of = async (name: string) =>
      JSON.parse((await insitu('compare', '1', '2', '--benchmark', name, '--format', 'json', ...place())).out);
    const [orders, search] = [await of('orders'), await of('search')];
    expect([orders.jvms, search.jvms]).toEqual([
      { before: 5, now: 5 },
      { before: 5, now: 5 },
    ]);
    expect(orders.reports).toMatchObject([{ verdict: 'slower', context: { method: 'match' } }]);
    expect(search.reports).toEqual([]);
    expectRefused(await insitu('compare', '1', '2', '--benchmark', 'x', ...place()), 2, /"x" is not on both sides/);
  });

  test('a side with other benchmarks is compared by the one that both ran', async () => {
    for (let fork = 0; fork < 5; fork++)
      await putPicture(
        store,
        'acme.Shop.run | 2000@4\n  acme.Shop.pack :6 | 3000@8',
        { version: '3', instance: `search-${fork}` },
        fork,
        { benchmark: 'search', fork },
      );
    const { out } = await insitu('compare', '1', '3', '--format', 'json', ...place());
    expect(JSON.parse(out).jvms).toEqual({ before: 5, now: 5 });
    await putPicture(store, 'acme.Shop.run | 2000@4', { version: '4', instance: 'other-0' }, 0, {
      benchmark: 'other',
      fork: 0,
    });
    expectRefused(await insitu('compare', '3', '4', ...place()), 3, /other benchmarks: search before, other now/);
  });
});
