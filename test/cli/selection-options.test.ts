// Choosing what is looked at, tasks, baselines and `why` on the sample's recordings, as a script would call them.
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { amountText } from '../../server/features/hover/amount-text.ts';
import { wilsonInterval } from '../../server/metrics/interval.ts';
import { sampleFolder } from '../oracle/oracle.ts';
import { ScratchRepository } from '../support/git/scratch-repository.ts';
import { type CommandRun, insitu } from '../support/insitu/command-line.ts';
import { numbersIn } from '../support/insitu/numbers-in.ts';
import { insituProgram } from '../support/insitu/program.ts';

/** Started as a process of its own where the folder that it runs in matters. */
const SHOP = 'samples/shop/v1/src/main/java/com/acme/shop';

let folder = '';
let store = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-selection-'));
  store = join(folder, 'store');
  for (const [name, version] of [
    ['v1-jdk17-a', 'v1'],
    ['v1-jdk17-b', 'v1'],
    ['v2-jdk17', 'v2'],
  ] as const) {
    const whose = ['--store', store, '--project', 'shop', '--program', 'shop', '--version', version];
    await insitu('import', `samples/recordings/shop-${name}.jfr`, ...whose, '--instance', name);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

function ofShop(command: string, ...more: string[]): Promise<CommandRun> {
  const version = more.includes('--version') ? [] : ['--version', 'v1'];
  return insitu(command, ...more, ...version, '--store', store, '--project', 'shop');
}

async function topJson(...more: string[]) {
  const { out, err, status } = await ofShop(
    'top',
    '--json',
    '--platform',
    ...(more.includes('--self') ? [] : ['--sort', 'total']),
    ...more,
  );
  expect([status, err]).toEqual([0, '']);
  return numbersIn(out);
}

describe('top looks at', () => {
  test('one instance, the others, or both', async () => {
    const [all, a, b, both] = await Promise.all([
      topJson(),
      topJson('--instance', 'v1-jdk17-a'),
      topJson('--instance', 'v1-jdk17-b'),
      topJson('--instance', 'v1-jdk17-a', '--instance', 'v1-jdk17-b'),
    ]);
    const samples = ({ whole, incomplete }: typeof all) => whole.count + incomplete.count;
    expect(samples(a) + samples(b)).toBe(samples(all));
    expect(both).toEqual(all);
    expect(samples(a)).toBe(4426);
  });

  test('some threads, and the others', async () => {
    const threads = ['main', 'worker-*', 'reporter', 'server-*', 'processor-*', 'acceptor', 'learner'];
    const each = await Promise.all(threads.map(pattern => topJson('--threads', pattern)));
    const together = await topJson(...threads.flatMap(pattern => ['--threads', pattern]));
    expect(each.reduce((sum, { whole }) => sum + whole.count, 0)).toBe(together.whole.count);
    expect(together.whole.count).toBeGreaterThan(6_000);
  });

  test('what a focus holds: its method is all of it', async () => {
    const focus = await topJson('--focus', 'com.acme.shop.Shop.search');
    const named = (await topJson('--limit', '500')).rows.find(
      (row: { className: string; method: string }) => row.className === 'com.acme.shop.Shop' && row.method === 'search',
    );
    expect(focus.whole.count).toBe(named.total.samples);
    expect(focus.rows[0].total.part).toBe(focus.whole.weight);
    const { out } = await ofShop('top', '--sort', 'total', '--limit', '1', '--focus', 'com.acme.shop.Shop.search');
    expect(out).toMatch(/· focus com\.acme\.shop\.Shop\.search\n(?:.*\n){1,2}100% /);
  });

  test('a method with its parameters, as top prints it', async () => {
    const { rows: methods } = await topJson('--limit', '500', '--version', 'v1');
    const named = methods.find((row: { method: string }) => row.method === 'advise');
    const focus = await topJson('--focus', 'com.acme.shop.Shop.advise(int)');
    expect(focus.whole.count).toBe(named.total.samples);
    const other = await ofShop('top', '--focus', 'com.acme.shop.Shop.advise(long)');
    expect(other).toMatchObject({ status: 1, err: expect.stringContaining('no method that ran fits') });
  });

  test('a time: before and after add up to all where no window is cut', async () => {
    const when = '2026-11-20T16:26:40';
    const [all, before, after] = await Promise.all([
      topJson('--instance', 'v1-jdk17-a'),
      topJson('--instance', 'v1-jdk17-a', '--to', when),
      topJson('--instance', 'v1-jdk17-a', '--from', when),
    ]);
    expect(before.whole.count).toBeGreaterThan(0);
    expect(after.whole.count).toBeGreaterThan(0);
    // The window in which that moment lies is part of both.
    expect(before.whole.count + after.whole.count).toBeGreaterThanOrEqual(all.whole.count);
    expect(Math.max(before.whole.count, after.whole.count)).toBeLessThan(all.whole.count);
  });

  test('a time: the head says the whole windows that were taken', async () => {
    const span = ['--from', '2026-11-20T16:26:40', '--to', '2026-11-20T16:26:41'];
    const { out } = await ofShop('top', '--instance', 'v1-jdk17-a', '--limit', '1', ...span);
    const [, from, to] = /· from (\S+ \S+) \+00:00 to (\S+ \S+) \+00:00 · whole windows\n/.exec(out)!;
    const [first, last] = [Date.parse(`${from}Z`), Date.parse(`${to}Z`)];
    expect(last - first).toBeGreaterThanOrEqual(10_000);
    expect(first).toBeLessThanOrEqual(Date.parse('2026-11-20T16:26:40Z'));
    const again = await topJson('--instance', 'v1-jdk17-a', '--from', `${from!.replace(' ', 'T')}`, '--to', to!);
    expect(again.whole.count).toBeGreaterThanOrEqual(Number(/([\d,]+) samples/.exec(out)![1]!.replace(',', '')));
  });

  test.each([
    [['--threads', 'nobody'], 1, /no thread fits "nobody" \(threads: .*main/],
    [['--focus', 'com.acme.shop.Shop.serch'], 1, /did you mean com\.acme\.shop\.Shop\.search\?/],
    [
      ['--focus', 'com.acme.shop.Shop.search;Nope.x'],
      1,
      /: no method that ran fits "Nope\.x" of the focus "com\.acme\.shop\.Shop\.search;Nope\.x"/,
    ],
    [
      ['--focus', 'com.acme.shop.Shop.search;com.acme.shop.report.Reports.bestSellers'],
      1,
      /: no stack fits the focus "com.*bestSellers": "com\.acme\.shop\.report\.Reports\.bestSellers" never ran there/,
    ],
    [['--focus', '/com.acme.shop.Shop.search'], 1, /"com\.acme\.shop\.Shop\.search" never ran there/],
    [['--from', '2030-01-01'], 1, /no snapshot of .* in that time/],
    [['--from', 'yesterday'], 2, /argument 'yesterday' is invalid\. Write a time such as 2026/],
    [['--instance', 'nobody'], 1, /no snapshot of .*instance nobody/],
    [
      ['--focus', 'com.acme.shop.pricing.RuleBook$1.aply'],
      1,
      /did you mean 'com\.acme\.shop\.pricing\.RuleBook\$1\.apply'/,
    ],
    [['--version', ''], 2, /option '--version <name>' argument '' is invalid\. Write the name of a version\./],
    [['--baseline', 'v9'], 1, /no snapshot of .*version v9.*\n.*versions of shop: v[12], v[12]\n/],
    [['--version', 'V1'], 1, /no snapshot of .*version V1.*\n.*versions of shop: v1, v2\n/],
    [['--version', 'v9'], 1, /no snapshot of .*version v9.*\n.*versions of shop: v[12], v[12]\n/],
  ])('%j ends with %i', async (options, status, message) => {
    const run = await ofShop('top', ...options);
    expect(run.err).toMatch(message);
    expect(run.status).toBe(status);
  });
});

describe('a baseline', () => {
  test('in top: arrow and percentage points, in JSON everything that draws them', async () => {
    const { out, status } = await ofShop(
      'top',
      '--sort',
      'total',
      '--limit',
      '12',
      '--version',
      'v2',
      '--baseline',
      'v1',
    );
    expect(status).toBe(0);
    const [, against, head, ...rows] = out.split('\n\n')[0]!.split('\n');
    expect(against).toMatch(/^against shop\/shop v1 · 2 instances · /);
    expect(head).toMatch(/^cpu +change +self +samples +method$/);
    expect(rows.pop()).toMatch(/^\d+% ran in the Java platform's own methods/);
    for (const row of rows) expect(row).toMatch(/^ *\S+% +(?:±0|new|[+−][\d.]+) /);
    expect(rows.join('\n')).toMatch(/ (?:new|\+\d+) .*Ranker\.relevanceOf/);
    const { rows: methods } = await topJson('--version', 'v2', '--baseline', 'v1');
    for (const { total, change } of methods) {
      expect(change.current).toBeCloseTo(total.part / total.whole, 12);
      expect(change).toMatchObject({ verdict: 'notTested', text: expect.any(String) });
    }
  });

  test('in top: what was hot and has vanished stands below, by either time', async () => {
    const { out } = await ofShop('top', '--sort', 'total', '--limit', '40', '--version', 'v2', '--baseline', 'v1');
    const [, below] = out.split('\nhot in shop/shop v1 ');
    expect(below).toMatch(/not seen any more\ncpu then +change +self +samples +method\n/);
    expect(below).toMatch(/\n *\S+% +gone +\S+ +[\d,]+ +com\.acme\.shop\.search\.Ranker\.scoreOf\(/);
    const { rows: methods, vanished: gone } = await topJson('--limit', '2000', '--version', 'v2', '--baseline', 'v1');
    const then = (await topJson('--limit', '2000')).rows;
    type Row = { className: string; method: string; descriptor: string };
    const name = ({ className, method, descriptor }: Row) => `${className}.${method}${descriptor}`;
    const now = new Set<string>(methods.map(name));
    const vanished = (then as Row[]).map(name).filter(each => !now.has(each));
    expect(vanished.length).toBeGreaterThan(5);
    // A method whose descriptor alone is another is found by its name.
    for (const each of gone.map(name)) expect(vanished).toContain(each);
    expect(gone.map(name)).toContain('com.acme.shop.search.Tokenizer.stem(Ljava/lang/String;)Ljava/lang/String;');
    for (const { change, total } of gone) {
      expect(change).toMatchObject({ current: 0 });
      expect(change.baseline).toBeCloseTo(total.part / total.whole, 12);
    }
    const bySelf = await topJson('--self', '--limit', '5', '--version', 'v2', '--baseline', 'v1');
    expect(bySelf.vanished.length).toBeLessThan(gone.length);
  });

  test('in top: what was renamed is followed through the texts of both versions', async () => {
    const repository = new ScratchRepository();
    try {
      repository.commitFolder(sampleFolder('v1'));
      repository.git('tag', 'v1');
      repository.commitFolder(sampleFolder('v2'));
      repository.git('tag', 'v2');
      const wanted = [
        '--version',
        'v2',
        '--baseline',
        'v1',
        '--limit',
        '2000',
        '--sort',
        'total',
        '--json',
        '--store',
        store,
      ];
      const args = [insituProgram, 'top', ...wanted, '--project', 'shop'];
      const out = execFileSync(process.execPath, args, { cwd: repository.root, encoding: 'utf8' });
      const { rows: methods, vanished: gone } = numbersIn(out);
      type Row = { method: string; change: { baseline: number } };
      const rows = (list: Row[], wantedName: string) => list.filter(({ method }) => method === wantedName);
      expect(rows(methods, 'relevanceOf')[0]?.change.baseline).toBeGreaterThan(0.01);
      expect(rows(gone, 'scoreOf')).toEqual([]);
      // The method moved to another class, and became static there.
      expect(rows(methods, 'stem')[0]?.change.baseline).toBeGreaterThan(0);
      expect(rows(gone, 'stem')).toEqual([]);
    } finally {
      repository.remove();
    }
  });

  test('in annotate: behind the hints', async () => {
    const file = `${SHOP}/search/Ranker.java`;
    const { out, status } = await ofShop('annotate', file, '--baseline', 'v2');
    expect(status).toBe(0);
    expect(out).toMatch(/\n *\d+ │ .* {2}\d+% · self \S+ (?:±0|[+−][\d.]+)\n/);
    const json = JSON.parse((await ofShop('annotate', file, '--baseline', 'v2', '--json')).out);
    expect(json.rows.some(({ change }: { change: object | null }) => change !== null)).toBe(true);
  });

  test('the same version is no change at all', async () => {
    const { rows: methods } = await topJson('--baseline', 'v1');
    for (const { change } of methods) expect(change).toMatchObject({ text: '±0', verdict: 'notTested' });
  });
});

describe('annotate under a focus', () => {
  test('takes shares of what the focus holds', async () => {
    const focus = ['--focus', 'com.acme.shop.Shop.search'];
    const hints = JSON.parse((await ofShop('annotate', `${SHOP}/Shop.java`, '--json', ...focus)).out);
    expect(hints.rows.some(({ hint }: { hint: string }) => hint.startsWith('100%'))).toBe(true);
  });
});

describe('tasks', () => {
  const areas = ['--regex', String.raw`^com\.acme\.shop\.(?<area>[a-z]+)\.`, '--task-name', 'the $' + '{area}'];

  test('of an expression, with shares and counts that a focus on them confirms', async () => {
    const { out, status } = await ofShop('tasks', ...areas, '--json');
    expect(status).toBe(0);
    const { rows: tasks, whole } = numbersIn(out);
    expect(tasks.map(({ name }: { name: string }) => name)).toContain('the search');
    for (const { share } of tasks) expect(share.whole).toBe(whole.weight);
    const pricing = tasks.find(({ name }: { name: string }) => name === 'the pricing');
    const focus = await topJson('--focus', 'prefix:com.acme.shop.pricing');
    expect(focus.whole.count).toBe(pricing.share.samples);
    const text = (await ofShop('tasks', ...areas)).out.split('\n');
    expect(text[1]).toMatch(/^ *cpu +samples +task +definition$/);
    expect(text[2]).toMatch(/^ *\d+% +[\d,]+ +the load +regex:/);
  });

  test.each([
    ['alloc', /^ *alloc +bytes +samples +task +definition\n +[\d.]+% +[\d.]+ [MG]iB +[\d,]+ +prefix:com/],
    ['lock', /^ *lock +duration +mean +samples +task +definition\n +[\d.]+% +[\d.]+ s +[\d.]+ ms +[\d,]+ +prefix:com/],
    ['cpu', /^ *cpu +samples +task +definition\n/],
  ])('of %s have the columns that top has', async (metric, table) => {
    const { out } = await ofShop('tasks', '--metric', metric, '--prefix', 'com.acme.shop.store');
    expect(out.slice(out.indexOf('\n') + 1)).toMatch(table);
    const focus = await topJson('--metric', metric, '--focus', 'prefix:com.acme.shop.store');
    if (metric !== 'cpu') expect(out).toContain(amountText(focus.whole.weight, focus));
  });

  test('saved ones, and a focus on one by name', async () => {
    const workspace = join(folder, 'workspace');
    mkdirSync(workspace);
    const tasks = [{ name: 'areas', type: 'regex', value: areas[1], taskName: areas[3] }];
    writeFileSync(join(workspace, 'insitu.json'), JSON.stringify({ tasks, project: 'shop', store, version: 'v1' }));
    const run = (...args: string[]) =>
      numbersIn(
        execFileSync(process.execPath, [insituProgram, ...args, '--json'], { cwd: workspace, encoding: 'utf8' }),
      );
    const one = run('tasks').rows.find(({ name }: { name: string }) => name === 'the report');
    const focus = run('top', '--focus', 'the report');
    expect(focus.whole.count).toBe(one.share.samples);
    expect(run('top', '--focus', 'areas').whole.count).toBeGreaterThan(focus.whole.count);
  });

  test('a saved query costs what a focus on it holds, and a filter by it keeps the whole', async () => {
    const workspace = join(folder, 'queries');
    mkdirSync(workspace);
    const aspects = [{ name: 'ranking', value: '*Ranker.*' }];
    const tasks = [{ name: 'rank', type: 'query', value: 'Shop.search ..ranking' }];
    writeFileSync(
      join(workspace, 'insitu.json'),
      JSON.stringify({ tasks, aspects, project: 'shop', store, version: 'v1' }),
    );
    const run = (...args: string[]) =>
      numbersIn(
        execFileSync(process.execPath, [insituProgram, ...args, '--json'], { cwd: workspace, encoding: 'utf8' }),
      );
    const { rows: found, whole } = run('tasks');
    expect(found.map(({ name }: { name: string }) => name)).toEqual(['rank']);
    const { samples } = found[0].share;
    expect(samples).toBeGreaterThan(0);
    expect(run('top', '--focus', 'rank').whole.count).toBe(samples);
    expect(run('top', '--focus', 'query:Shop.search ..ranking').whole.count).toBe(samples);
    const filtered = run('top', '--call-path', 'Shop.search ..ranking', '--sort', 'total', '--limit', '1');
    expect(filtered.whole).toEqual(whole);
    // The callers of the path stand above it, with the samples that satisfy it.
    expect(filtered.rows[0].total).toEqual({ part: samples, whole: whole.weight, samples });
  });

  test.each([
    [['--call-path', 'Shop.serch'], 1, /path, column 1: no method that ran.*did you mean/s],
    [['--call-path', 'Shop.search Shop.search'], 0, /path, column 13: no stack goes on to "Shop.search"/],
    [['--focus', 'query:*'], 1, /does not end with a method/],
    [['--focus', 'query:Shop.search Shop.search'], 1, /no stack satisfies the path/],
  ])('%j is answered with a way out', async (options, wanted, words) => {
    const { status, err } = await ofShop('top', ...options);
    expect([status, err]).toEqual([wanted, expect.stringMatching(words)]);
  });

  test.each([
    [[], 2, /no tasks are defined .*--regex/],
    [
      ['--regex', '(?<a'],
      2,
      /^error: option '--regex <expression>' argument '\(\?<a' is invalid\. Invalid regular expression/,
    ],
    [['--prefix', 'org.nobody'], 0, /no method that ran fits "org\.nobody"/],
  ])('%j', async (options, status, message) => {
    const run = await ofShop('tasks', ...options);
    expect(run.err).toMatch(message);
    expect(run.status).toBe(status);
  });
});

test('a full disk behind standard output is an error with its reason', () => {
  const full = openSync('/dev/full', 'w');
  try {
    const args = ['top', '--store', store, '--project', 'shop', '--version', 'v1'];
    const { status, stderr } = spawnSync(process.execPath, [insituProgram, ...args], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    expect(stderr).toMatch(/^error: standard output: what was found cannot be written: ENOSPC/m);
    expect(status).toBe(1);
  } finally {
    closeSync(full);
  }
});

test('an event of the program is a metric by configuration', () => {
  const workspace = join(folder, 'configured');
  mkdirSync(workspace);
  const metrics = [{ event: 'com.acme.shop.OrderPlaced', weight: 'textSize', unit: 'bytes' }];
  const settings = { project: 'shop', program: 'shop', version: 'v1', store: 'store', metrics };
  writeFileSync(join(workspace, 'insitu.json'), JSON.stringify(settings));
  const recording = resolve('samples/recordings/shop-v1-jdk17-a.jfr');
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [insituProgram, ...args], { cwd: workspace, encoding: 'utf8' });
  expect(run('import', recording)).toMatch(/: 4,426 samples of cpu, .*, [\d.]+ MiB of com\.acme\.shop\.OrderPlaced,/);
  const { metric, whole, rows: methods } = numbersIn(run('top', '--metric', 'com.acme.shop.OrderPlaced', '--json'));
  expect([metric, whole.count]).toEqual(['com.acme.shop.OrderPlaced', 14_080]);
  expect(whole.weight).toBeGreaterThan(whole.count);
  const place = methods.find(({ method }: { method: string }) => method === 'place');
  expect(place.self).toEqual({ part: whole.weight, whole: whole.weight, samples: whole.count });
});

describe('why', () => {
  const line = (file: string, wanted: number) => `${SHOP}/${file}:${wanted}`;

  test.each([
    [['com.acme.shop.Shop#search'], /^com\.acme\.shop\.Shop\.search: hot\n\d+ % · [\d,]+ of [\d,]+ samples of cpu/],
    [['Shop.search(String, int)'], /^com\.acme\.shop\.Shop\.search\(String, int\): hot\n/],
    [['Shop#serch'], /: no such method\n[\s\S]*Did you mean com\.acme\.shop\.Shop\.search\?/],
    [['Repository#find'], /: no such method\nIt has no code of its own[\s\S]*\.find/],
    [['Shop#search', '--focus', 'com.acme.shop.load.LoadDriver.report'], /: filtered out\n[\s\S]*Leave out --focus\./],
    [['com.acme.shop.Nothing#run'], /: class never seen\n/],
    [['QuerySyntaxException#new'], /: few samples\n4 of /],
  ])('%j', async (question, expected) => {
    const { out } = await ofShop('why', ...question, '--sources', SHOP);
    expect(out).toMatch(expected);
  });

  test('a sampled share has its interval; an exact one and few samples have none', async () => {
    const { low, high } = wilsonInterval(2059 / 6981, 6981);
    const { out } = await ofShop('why', 'Shop.search');
    expect(out.split('\n')[2]).toBe(
      `95 % interval ${(100 * low).toFixed(0)}–${(100 * high).toFixed(0)} % (sampling error only).`,
    );
    expect((await ofShop('why', 'QuerySyntaxException#new')).out).not.toContain('interval');
    const calls = join(folder, 'calls.dat');
    const row = (trace: number) => `$1;${trace}9;public void a.Main.run();<no-session-id>;${trace};10;20;host;0;0`;
    writeFileSync(calls, `$0;1;x\n${Array.from({ length: 30 }, (_, i) => row(i + 1)).join('\n')}\n`);
    const exact = await insitu('why', 'Main.run', '--recording', calls);
    expect(exact.out).toMatch(/^a\.Main\.run: hot\n/);
    expect(exact.out).not.toContain('interval');
  });

  test('the ways into a method and out of it say of what their shares are', async () => {
    const { out } = await ofShop('why', 'Shop.search');
    expect(out).toMatch(
      /\nmostly called by, each by the next \(shares of its time\)\n {2}77% {2}com\.acme\.shop\.load\.Behaviour\$1\.act/,
    );
    expect(out).toMatch(
      /\nmostly spent in, each calling the next \(shares of its time\)\n {2}71% {2}com\.acme\.shop\.search\.Ranker\.best/,
    );
  });

  test('a line belongs to its method, and --json has the numbers', async () => {
    for (const wanted of [31, 37]) {
      const { out } = await ofShop('why', line('search/Ranker.java', wanted), '--json');
      const why = numbersIn(out);
      expect(why).toMatchObject({ verdict: 'hot', subject: 'com.acme.shop.search.Ranker.best', metric: 'cpu' });
      expect(why.ofAll.samples).toBeGreaterThan(why.self.samples);
    }
  });

  test.each([
    [['Shop'], 1, /"Shop" names no method/],
    [['missing/File.java:3'], 1, /File\.java: there is no such file/],
    [[line('Shop.java', 1)], 1, /no method, constructor, initialiser or lambda stands there/],
  ])('%j ends with %i', async (question, status, message) => {
    const run = await ofShop('why', ...question);
    expect(run.err).toMatch(message);
    expect(run.status).toBe(status);
  });
});
