// `insitu top` on the sample's recordings: orders, groups, weighted metrics, the end of the data, and files without a store.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type CommandRun, insitu, insituIn, withoutUnread } from '../../support/insitu/command-line.ts';
import { numbersIn } from '../../support/insitu/numbers-in.ts';

const RECORDING = 'samples/recordings/shop-v1-jdk17-a.jfr';

let folder = '';
let place: readonly string[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-top-'));
  place = ['--store', join(folder, 'store'), '--project', 'shop'];
  const target = [...place, '--program', 'shop', '--version'];
  await insitu('import', RECORDING, 'samples/recordings/shop-v1-jdk17-b.jfr', ...target, 'v1');
  await insitu('import', 'samples/recordings/shop-v2-jdk17.jfr', ...target, 'v2');
});
afterAll(() => rmSync(folder, { recursive: true }));

function top(...args: readonly string[]): Promise<CommandRun> {
  const version = args.includes('--version') ? [] : ['--version', 'v1'];
  return insitu('top', ...args, ...version, ...place);
}

/** The table, without the lines that say what the numbers stand on. */
async function table(...args: readonly string[]): Promise<string> {
  const { out, status, err } = await top(...args);
  expect([status, err]).toEqual([0, '']);
  return out.replace(/^(?:shop\/shop|[\d,]+ of [\d,]+ \w+ stacks|against) .*\n/gm, '');
}

async function json(...args: readonly string[]) {
  return numbersIn((await top('--json', ...args)).out);
}

describe('methods', () => {
  test('self time is a share of everything', async () => {
    expect(await table('--sort', 'total', '--limit', '4')).toBe(`cpu      self  samples  method
43%     0.10%    3,008  com.acme.shop.load.LoadDriver$Worker.run()
43%  1 sample    3,000  com.acme.shop.load.LoadDriver$Worker.step(Session)
29%         -    2,059  com.acme.shop.Shop.search(String, int)
23%     0.10%    1,631  com.acme.shop.load.Behaviour$1.act(Session)
56% ran in the Java platform's own methods, which --platform lists
`);
  });

  test('by what own code costs, by default: all rows together are 100 %', async () => {
    const byOwn = await table('--limit', '3');
    expect(await table('--limit', '3', '--sort', 'own')).toBe(byOwn);
    expect(byOwn).toBe(`own code: com.acme.shop.* (sources in the project)
     own   cpu   self  samples  method
     18%   18%  0.26%    1,256  com.acme.shop.search.TextIndex.frequency(String, int)
    6.4%  8.2%   6.4%      450  com.acme.shop.load.Thumbnail.map(IntBinaryOperator)
    5.1%  5.3%  0.16%      358  com.acme.shop.load.Recommender.extract(Product, int)
     70%     -      -    4,916  (166 more methods)
1 sample     -      -        1  (without own code: JFR Periodic Tasks)
`);
    const { rows, withoutOwn, whole } = await json('--limit', '5000', '--metric', 'alloc');
    const sum = rows.reduce(
      (all: number, { own }: { own: { samples: number } }) => all + own.samples,
      withoutOwn.samples,
    );
    expect(sum).toBe(whole.count);
  });

  test('below a focus on code of the platform, samples of its callers are a row of their own', async () => {
    expect(await table('--focus', 'java.util.HashMap.getNode', '--limit', '3')).toContain(`
 own  cpu  self  samples  method
100%    -     -    1,383  (called from outside the focus)
`);
  });

  test('by self time, which --self is short for, also as a share of their own time', async () => {
    const bySelf = await table('--limit', '3', '--sort', 'self');
    expect(bySelf).toBe(`self  of its time  samples  method
 18%          93%    1,290  java.util.HashMap.getNode(Object)
7.7%         100%      539  java.lang.Math.floorMod(int, int)
6.4%          79%      450  com.acme.shop.load.Thumbnail.map(IntBinaryOperator)
`);
    expect(await table('--limit', '1', '--self', '--no-platform')).toContain('Thumbnail.map');
    expect(await table('--limit', '3', '--self')).toBe(bySelf);
    expect(await table('--limit', '3', '--platform')).toBe(bySelf);
  });

  test('by change: what moved most comes first, and nothing has a verdict', async () => {
    const v2 = ['--version', 'v2', '--baseline', 'v1', '--sort', 'change'];
    const { rows: methods } = await json('--limit', '5000', ...v2);
    type Row = { change: { verdict: string; current: number; baseline: number } };
    const sizes = (methods as Row[]).map(({ change }) => Math.abs(change.current - change.baseline));
    expect(new Set((methods as Row[]).map(({ change }) => change.verdict))).toEqual(new Set(['notTested']));
    expect(sizes).toEqual(sizes.toSorted((x, y) => y - x));
    const [first] = (await json('--limit', '1', ...v2)).rows;
    expect(first).toMatchObject({ className: 'com.acme.shop.search.Ranker', method: 'relevanceOf' });
  });

  test('of a package', async () => {
    const { rows: methods } = await json('--package', 'com.acme.shop.search', '--limit', '500');
    expect(methods.length).toBeGreaterThan(10);
    for (const { className } of methods) expect(className).toMatch(/^com\.acme\.shop\.search\./);
    expect((await json('--package', 'java.util', '--limit', '1', '--sort', 'self')).rows[0].className).toMatch(
      /^java\.util\./,
    );
  });

  test('fit the width of a terminal', async () => {
    for (const width of [60, 80, 160]) {
      const { out } = await insituIn(width, 'top', '--platform', '--limit', '200', '--version', 'v1', ...place);
      const lengths = out
        .trimEnd()
        .split('\n')
        .slice(2)
        .map(line => line.length);
      expect(Math.max(...lengths)).toBeLessThanOrEqual(width);
    }
  });
});

describe('weighted metrics have a sum beside the share', () => {
  test('bytes', async () => {
    expect(
      await table('--metric', 'alloc', '--sort', 'total', '--package', 'com.acme', '--limit', '2'),
    ).toBe(`alloc  self     bytes  samples  method
  43%     -  40.9 GiB    1,352  com.acme.shop.load.LoadDriver$Worker.step(Session)
  43%     -  40.9 GiB    1,352  com.acme.shop.load.LoadDriver$Worker.run()
`);
  });

  test('durations, with the mean of one', async () => {
    expect(
      await table('--metric', 'lock', '--self', '--limit', '2'),
    ).toBe(`self  of its time  duration     mean  samples  method
 41%         100%    6.08 s   5.8 ms    1,049  com.acme.shop.queue.LockedQueue.put(Comparable)
 18%          56%     2.7 s  7.49 ms      360  com.acme.shop.store.Journal.append(Order)
`);
  });
});

describe('groups against a baseline', () => {
  const v2 = ['--version', 'v2', '--baseline', 'v1'];

  test.each(['class', 'package', 'thread'])('a %s has its change, as both versions say', async by => {
    type Row = { name: string; total: { part: number; whole: number }; change?: { current: number; baseline: number } };
    const rowsOf = async (...args: string[]): Promise<Row[]> =>
      (await json('--by', by, '--sort', 'total', '--platform', '--limit', '10000', ...args)).rows;
    const [now, then, compared] = [await rowsOf('--version', 'v2'), await rowsOf(), await rowsOf(...v2)];
    expect(compared.map(row => ({ ...row, change: null }))).toEqual(now);
    const shareOf = (row: Row | undefined) => (row === undefined ? 0 : row.total.part / row.total.whole);
    for (const { name, total, change } of compared) {
      expect(change?.current).toBeCloseTo(total.part / total.whole);
      expect(change?.baseline).toBeCloseTo(shareOf(then.find(row => row.name === name)));
    }
    const { vanished: gone } = await json('--by', by, '--sort', 'total', '--platform', '--limit', '10000', ...v2);
    const names = new Set(now.map(({ name }) => name));
    expect(gone.map(({ name }: Row) => name)).toEqual(then.map(({ name }) => name).filter(name => !names.has(name)));
  });

  test('the table, by total, self and change', async () => {
    expect(await table('--by', 'thread', '--limit', '2', ...v2)).toMatch(
      /^cpu +change +samples +thread\n49% +\+6 +1,862 +worker-#\n/,
    );
    expect(await table('--by', 'package', '--limit', '1', '--sort', 'self', '--platform', ...v2)).toMatch(
      /^self +change +cpu +samples +package\n/,
    );
    const { rows: packages } = await json('--by', 'package', '--sort', 'change', '--platform', ...v2);
    type Row = { change: { current: number; baseline: number } };
    const moved = packages.map(({ change }: Row) => Math.abs(change.current - change.baseline));
    expect(moved).toEqual([...moved].sort((one, other) => other - one));
    expect((await top('--by', 'class', '--sort', 'total', '--platform', '--limit', '10000', ...v2)).out).toMatch(
      /\nhot in shop\/shop v1 .*, not seen any more\n *cpu then +change +self +samples +class\n/,
    );
  });
});

describe('groups', () => {
  test('packages, classes and threads', async () => {
    expect(await table('--by', 'package', '--sort', 'total', '--limit', '3')).toBe(`cpu   self  samples  package
91%    14%    6,355  com.acme.shop.load
48%  0.14%    3,338  com.acme.shop
34%   8.8%    2,395  com.acme.shop.search
`);
    expect(await table('--by', 'class', '--sort', 'self', '--platform', '--limit', '2')).toBe(`self  cpu  samples  class
 21%  24%    1,478  java.util.HashMap
9.3%  10%      650  com.acme.shop.load.Thumbnail
`);
    expect(await table('--by', 'thread', '--limit', '3')).toBe(`cpu  samples  thread
43%    3,008  worker-#
19%    1,334  reporter
17%    1,211  processor-#
`);
  });

  test('a group of threads that is chosen unfolds, and a thread is taken alone', async () => {
    type Row = { name: string; total: { samples: number } };
    const of = async (...patterns: string[]): Promise<Row[]> =>
      (await json('--by', 'thread', '--limit', '99', ...patterns.flatMap(each => ['--threads', each]))).rows;
    const all = await of();
    const group = all.find(({ name }) => name === 'worker-#')!;
    const workers = await of('worker-#');
    expect(workers.length).toBeGreaterThan(2);
    for (const { name } of workers) expect(name).toMatch(/^worker-\d+$/);
    expect(workers.reduce((sum, { total }) => sum + total.samples, 0)).toBe(group.total.samples);
    expect(await of('worker-*')).toEqual(workers);
    const [first] = workers;
    const [alone, ...others] = await of(first!.name);
    expect([alone!.name, alone!.total.samples, others]).toEqual([first!.name, first!.total.samples, []]);
    const { whole } = await json('--threads', first!.name);
    expect(whole.count).toBe(first!.total.samples);
  });

  test('instances: who contributed how much', async () => {
    expect(await table('--by', 'instance')).toBe(`cpu  samples  instance
63%    4,426  shop-v1-jdk17-a
37%    2,555  shop-v1-jdk17-b
`);
    const { rows: instances, whole } = await json('--by', 'instance');
    expect(instances.map(({ name }: { name: string }) => name).sort()).toEqual(['shop-v1-jdk17-a', 'shop-v1-jdk17-b']);
    expect(instances.reduce((sum: number, { total }: { total: { samples: number } }) => sum + total.samples, 0)).toBe(
      whole.count,
    );
  });

  test('as JSON: a package has the samples that a focus on it has', async () => {
    const { rows: packages, whole, program } = await json('--by', 'package', '--limit', '99');
    expect(program).toBe('shop');
    const pricing = packages.find(({ name }: { name: string }) => name === 'com.acme.shop.pricing');
    const focus = await json('--focus', 'prefix:com.acme.shop.pricing');
    expect(pricing.total).toEqual({ part: focus.whole.weight, whole: whole.weight, samples: focus.whole.count });
    const { rows: threads } = await json('--by', 'thread', '--limit', '99');
    expect(threads.reduce((sum: number, { total }: { total: { samples: number } }) => sum + total.samples, 0)).toBe(
      whole.count,
    );
  });
});

describe('the end of what was recorded', () => {
  test('--last is the same as --from that long before the end', async () => {
    const all = await json();
    const last = await json('--last', '30s');
    const from = new Date(Date.parse(all.span.to) - 30_000).toISOString();
    expect(last).toEqual(await json('--from', from));
    expect(last.whole.count).toBeLessThan(all.whole.count / 2);
    expect(Date.parse(last.span.from)).toBeGreaterThan(Date.parse(all.span.from));
    expect(last.span.to).toBe(all.span.to);
  });

  test('local times are those of the machine, others are UTC', async () => {
    vi.stubEnv('TZ', 'America/New_York');
    const utc = await json('--from', '2026-11-20T16:27');
    expect(utc.whole.count).toBeLessThan((await json()).whole.count);
    for (const from of ['2026-11-20 11:27 local', '2026-11-20T11:27local', '2026-11-20T17:27+01:00'])
      expect(await json('--from', from)).toEqual(utc);
    // As the first line of the output prints it.
    const { out } = await top('--from', '2026-11-20T16:27');
    const [, printed] = / · from (\S+ \S+ -05:00) to /.exec(out)!;
    expect((await json('--from', printed!)).whole.count).toBeGreaterThanOrEqual(utc.whole.count);
    vi.unstubAllEnvs();
  });

  test('--to moves the end', async () => {
    const to = '2026-11-20T16:27:00.000Z';
    expect(await json('--last', '10s', '--to', to)).toEqual(await json('--from', '2026-11-20T16:26:50Z', '--to', to));
  });
});

describe('the version before', () => {
  test('is looked at with the same threads and focus', async () => {
    const part = ['--threads', 'server-*', '--version', 'v2', '--baseline', 'v1', '--limit', '1'];
    const { out } = await top(...part);
    expect(out).toMatch(/against shop\/shop v1 · 2 instances · 804 samples of cpu .*threads server-\*/);
    expect(out).not.toContain('not seen any more');
  });

  test('is that of the configured program, of a recording as it is too', async () => {
    const recording = 'samples/recordings/shop-v2-jdk17.jfr';
    const { out, err } = await insitu('top', recording, '--program', 'shop', '--baseline', 'v1', ...place);
    expect(withoutUnread(err)).toBe('');
    expect(out).toMatch(/against shop\/shop v1/);
  });
});

describe('a recording that is in no store', () => {
  test('has the numbers that it has in a store', async () => {
    const { out, err } = await insitu(
      'top',
      RECORDING,
      '--sort',
      'total',
      '--package',
      'com.acme',
      '--limit',
      '2',
      '--store',
      join(folder, 'none'),
    );
    expect(withoutUnread(err)).toBe('');
    expect(out).toBe(`shop-v1-jdk17-a.jfr · 1 instance · 4,426 samples of cpu
cpu   self  samples  method
43%  0.16%    1,907  com.acme.shop.load.LoadDriver$Worker.run()
43%      -    1,899  com.acme.shop.load.LoadDriver$Worker.step(Session)
`);
    const stored = await json('--instance', 'shop-v1-jdk17-a');
    const { rows: methods } = numbersIn((await insitu('top', RECORDING, '--json')).out);
    expect(methods).toEqual(stored.rows);
  });

  test('other commands take it as an option', async () => {
    const tree = numbersIn((await insitu('tree', '--json', '--recording', RECORDING)).out);
    expect(tree.rows[0].total.samples).toBe(4426);
    const tasks = await insitu('tasks', '--prefix', 'com.acme', '--json', '--recording', RECORDING);
    expect(numbersIn(tasks.out)).toMatchObject({ program: 'shop-v1-jdk17-a.jfr', whole: { count: 4426 } });
    const annotated = await insitu(
      'annotate',
      'samples/shop/v1/src/main/java/com/acme/shop/Shop.java',
      '--recording',
      RECORDING,
    );
    expect(annotated.out).toMatch(/ search\(.* {2}30%$/m);
  });
});

test.each([
  [['--sort', 'change'], 2, /--sort change needs a version to compare with \(name it: --baseline/],
  [['--self', '--sort', 'total'], 2, /--self and --sort total contradict each other/],
  [[RECORDING, '--recording', RECORDING], 2, /two recordings are named/],
  [['--sort', 'sum'], 2, /Allowed choices are own, self, total, change/],
  [['--by', 'line'], 2, /Allowed choices are method, class, package, thread/],
  [['--by', 'instance', '--package', 'com.acme'], 2, /an instance is in no package \(choose its methods with --focus/],
  [['--by', 'thread', '--package', 'com.acme'], 2, /a thread is in no package \(choose its methods with --focus/],
  [['--last', '10'], 2, /Write a number and one of ms, s, m, h, d, w/],
  [['--last', '10m', '--from', '2026-11-20'], 2, /--last and --from both say where the time begins/],
  [[RECORDING, '--version', 'v1'], 2, /--version chooses from a store \(leave it out with a recording/],
])('%j ends with %i', async (args, status, message) => {
  const run = await top(...args);
  expect(run.err).toMatch(message);
  expect([run.status, run.out]).toEqual([status, '']);
});

test('a recording that is missing is named', async () => {
  const run = await insitu('top', 'nowhere.jfr', ...place);
  expect([run.status, run.out]).toEqual([1, '']);
  expect(run.err).toMatch(/nowhere\.jfr: there is no such file/);
});

test('where frames have no class, names that were not understood are said, not the Java platform', async () => {
  const file = join(folder, 'native.txt');
  writeFileSync(file, 'java.lang.Thread.run;start_it;do_it 50\njava.lang.Thread.run;start_it 30\n');
  const run = await insitu('top', file, '--sort', 'total');
  expect(run.err).toMatch(
    /^warning: most samples are in frames without a class, [^:]*: do_it, start_it \(--platform lists them\)\n$/,
  );
  writeFileSync(file, 'java.lang.Thread.run;java.util.List.of 50\njava.lang.Thread.run;do_it 3\n');
  expect((await insitu('top', file, '--sort', 'total')).err).toMatch(
    /^info: only the Java platform and frames without a class ran/,
  );
});

test('no cause is named that was not looked for', async () => {
  const file = join(folder, 'bare.txt');
  const thread = (name: string) =>
    `"${name}" #4 daemon prio=9 os_prio=0 tid=0x1 nid=0x5 runnable  [0x0]\n   java.lang.Thread.State: RUNNABLE\n`;
  writeFileSync(
    file,
    `Full thread dump OpenJDK 64-Bit Server VM:\n\n${thread('Signal Dispatcher')}\n${thread('Attach')}\n`,
  );
  expect((await insitu('top', file)).err).toBe('info: 2 of 2 samples have no frames\n');
  // The method may have run under a name that nobody understood.
  writeFileSync(
    file,
    'com.acme.Shop.run;Shop_search_0123456789abcdef0123456789abcdef01234567 30\ncom.acme.Shop.run 20\n',
  );
  const { out } = await insitu('why', 'com.acme.Shop#search', '--recording', file);
  expect(out).toMatch(/60.% of the samples are in frames without a class, which may be its own/);
  expect(out).not.toContain('did not run');
});

test.each([
  [['--package', 'org.absent'], /^info: no method of package "org\.absent" ran \(insitu top --by package lists/],
  [['--by', 'class', '--package', 'org.absent'], /^info: no method of package "org\.absent" ran/],
  [['--metric', 'lock', '--focus', 'com.acme.shop.Shop.search'], /^info: no sample of lock is in it\n$/],
  [
    ['--sort', 'total', '--focus', 'java.util.HashMap.getNode'],
    /^info: only the Java platform ran \(--platform lists its methods\)\n$/,
  ],
])('%j is empty, and says why', async (args, message) => {
  const run = await top(...args);
  expect(run.status).toBe(0);
  expect(run.err).toMatch(message);
});

describe('the tree of calls', () => {
  test('is the one of insitu tree', async () => {
    const options = ['--depth', '3', '--min', '5%', '--version', 'v1', ...place];
    const [drawn, wanted] = [await insitu('top', '--tree', ...options), await insitu('tree', ...options)];
    expect(drawn).toEqual(wanted);
    expect(drawn.out).toContain('█');
  });

  test('has no other order, no groups and no baseline', async () => {
    for (const options of [
      ['--sort', 'self'],
      ['--by', 'class'],
      ['--baseline', 'v2'],
      ['--package', 'com'],
    ]) {
      const { status, err } = await top('--tree', ...options);
      expect([status, err.includes(`--tree and ${options[0]} contradict each other`)]).toEqual([2, true]);
    }
  });
});
