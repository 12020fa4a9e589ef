// `insitu track` over a real git history with commands of a shell: results, gaps, steps, kills, hostile builds, and a checkout that stays as it is.
import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../../../server/store/open-store.ts';
import { folderHash } from '../../support/git/folder-hash.ts';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';
import { insituProgram } from '../../support/insitu/program.ts';
import { isInFull } from '../../support/runs.ts';

const KILLS = isInFull() ? 30 : 6;

let scratch: ScratchRepository;
let temporary: string;

beforeEach(() => {
  scratch = new ScratchRepository();
  temporary = join(scratch.home, 'tmp');
  mkdirSync(temporary);
});
afterEach(() => scratch.remove());

/** Six versions of the sample; `tempo` says how long a fake benchmark sleeps. */
function sixCommits(tempo: readonly string[] = ['0.1', '0.1', '0.1', '0.1', '0.1', '0.1']): string[] {
  const first = tempo[0]!;
  scratch.commitFolder(resolve('samples/shop/v1'));
  return tempo.map((each, i) => scratch.commit({ tempo: each, number: `${i} ${first}` }));
}

type Run = { readonly status: number | null; readonly out: string; readonly err: string };

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  return spawn(process.execPath, [insituProgram, 'track', '--program', 'shop', ...args], {
    cwd: scratch.root,
    env: {
      ...scratch.env,
      TMPDIR: temporary,
      NODE_COMPILE_CACHE: join(scratch.home, 'compiled'),
      XDG_STATE_HOME: join(scratch.home, 'state'),
      INSITU_STORE: storePath(),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function track(...args: readonly string[]): Promise<Run> {
  return ended(start(args));
}

async function ended(child: ChildProcess): Promise<Run> {
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout!.setEncoding('utf8').on('data', text => out.push(text));
  child.stderr!.setEncoding('utf8').on('data', text => err.push(text));
  const status = await new Promise<number | null>(resolve => child.once('close', resolve));
  return { status, out: out.join(''), err: err.join('') };
}

function storePath(): string {
  return join(scratch.home, 'store');
}

function journal(): string {
  return join(scratch.home, 'state', 'insitu', 'track', 'shop', 'shop');
}

function results(commit: string, benchmark = 'run'): Record<string, unknown>[] {
  const files = globSync('[0-9]*.json', { cwd: join(journal(), commit, benchmark) }).sort();
  return files.map(file => JSON.parse(readFileSync(join(journal(), commit, benchmark, file), 'utf8')));
}

test('a broken commit is a gap, and the step behind it is found at its commit', async () => {
  const commits = sixCommits(['0.1', '0.1', '0.1', 'no number', '0.6', '0.6']);
  scratch.write('number', 'a change that is not committed');
  const before = folderHash(scratch.root);
  const run = await track('--last', '6', '--run', 'sleep "$(cat tempo)"');
  expect(run.status, run.err).toBe(0);
  expect(run.out).toContain('6 still to be measured, 6 of them now');
  expect(run.out).toContain('12 runs of 2 forks a commit, at most 2 h 0 min');
  expect(folderHash(scratch.root)).toBe(before);
  expect(readdirSync(temporary)).toEqual([]);
  expect(results(commits[3]!)).toMatchObject([{ state: 'failed', reason: 'failed', detail: 'exit status 1' }]);
  const report = await track('--last', '6', '--report', '--format', 'json');
  const [benchmark] = JSON.parse(report.out).benchmarks;
  expect(benchmark.steps.filter((step: { found: boolean }) => step.found)).toMatchObject([
    { before: commits[2], commit: commits[4], verdict: 'slower', forks: [5, 5] },
  ]);
  expect(benchmark.gaps).toEqual([{ commit: commits[3], reason: 'failed: exit status 1' }]);
  const text = await track('--last', '6', '--report');
  expect(text.out).toMatch(
    /slower by \d+ % \(.*\) from \w{12} on, or one of 1 without a number before it · ±[\d.]+ %, p 0\.0\d+, 5 \+ 5 forks/,
  );
});

test(`the journal is whole after ${KILLS} kills`, async () => {
  const commits = sixCommits();
  // Stands for what a JVM writes: the folder of its recordings is in its options.
  const script = join(scratch.home, 'fork.sh');
  const folder = `folder=$\{JAVA_TOOL_OPTIONS#*filename=}; folder=$\{folder%%,*}`;
  writeFileSync(
    script,
    `sleep 0.1; ${folder}; echo "Main.main;Main.$(cat number | tr -d ' .')$$ 3" > "$folder/a.collapsed"`,
  );
  const args = ['--last', '6', '--forks', '5', '--run', `sh ${script}`];
  let state = 4711;
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
  for (let kill = 0; kill < KILLS; kill++) {
    const child = start(args);
    const over = ended(child);
    // Some before anything runs, most in the middle of a fork, a build or an import.
    await pause(200 + 1000 * random());
    child.kill('SIGKILL');
    await over;
  }
  const last = await track(...args);
  expect(last.status, last.err).toBe(0);
  expect(readdirSync(temporary)).toEqual([]);
  for (const commit of commits) {
    const own = results(commit);
    expect(own.length, commit).toBeGreaterThanOrEqual(5);
    expect(own.every(({ state }) => state === 'measured')).toBe(true);
    expect(globSync('*.recordings', { cwd: join(journal(), commit, 'run') })).toEqual([]);
  }
  const store = openStore(storePath()).value!;
  const { value: entries } = await store.list({});
  const stored = await Promise.all(entries.map(async entry => (await store.readHeader(entry)).value!.header));
  const named = stored.map(({ execution, benchmark, fork }) => `${execution.version} ${benchmark}-${fork}`).sort();
  const measured = commits.flatMap(commit => results(commit).map((_, fork) => `${commit} run-${fork}`)).sort();
  expect(named).toEqual(measured);
  expect(stored.every(({ execution, fork }) => execution.instance === `run-${fork}`)).toBe(true);
});

test('builds that hang, leave processes, print without end and write beside their tree', async () => {
  const hostile = [
    'sleep 600',
    'sleep 601 & setsid sh -c "sleep 602 & sleep 603" & echo $! > left; exit 0',
    'yes 0123456789 | head -c 100000000; exit 3',
    'echo x > ../../beside; echo x > ../beside; mkdir locked; touch locked/a; chmod 500 locked',
    'kill -9 $$',
    'ln -s / root; cd /; false',
  ];
  const [hangs, leaves, prints, writes, dies, links] = hostile.map(build => scratch.commit({ 'build.sh': build }));
  const before = folderHash(scratch.root);
  const run = await track('--last', '6', '--build', 'sh build.sh', '--run', 'true', '--forks', '1', '--timeout', '15s');
  expect(run.status, run.err).toBe(0);
  const build = (commit: string | undefined) =>
    JSON.parse(readFileSync(join(journal(), commit!, 'build.json'), 'utf8'));
  expect(build(hangs)).toMatchObject({ state: 'failed', reason: 'timeout', detail: 'took more than 15 s' });
  expect(build(leaves)).toMatchObject({ state: 'built' });
  expect(build(prints)).toMatchObject({ state: 'failed', reason: 'build', detail: 'exit status 3' });
  expect(build(prints).tail.length).toBeLessThanOrEqual(8 << 10);
  expect(build(writes)).toMatchObject({ state: 'built' });
  expect(build(dies)).toMatchObject({ state: 'failed', reason: 'build', detail: 'exit status 137' });
  expect(build(links)).toMatchObject({ state: 'failed', detail: 'exit status 1' });
  expect(folderHash(scratch.root)).toBe(before);
  expect(readdirSync(temporary)).toEqual([]);
  expect(sleeping()).toEqual([]);
  // A failed commit is not tried again, unless it is asked for.
  const again = await track('--last', '6', '--build', 'sh build.sh', '--run', 'true', '--forks', '1');
  expect(again.out).toContain('0 still to be measured');
  const retried = await track('--last', '6', '--build', 'sh build.sh', '--run', 'true', '--dry-run', '--retry');
  expect(retried.out).toContain('still to be measured');
});

/** Processes that the builds above have left running. */
function sleeping(): string[] {
  return readdirSync('/proc').filter(pid => {
    if (!/^\d+$/.test(pid) || !existsSync(`/proc/${pid}/cmdline`)) return false;
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
      return words[0] === 'sleep' && /^60[0-3]$/.test(words[1] ?? '');
    } catch {
      return false;
    }
  });
}

test('--steps counts commits that are still to be measured, and goes on where it was', async () => {
  const commits = sixCommits();
  const done = () => commits.filter(commit => existsSync(join(journal(), commit, 'run'))).length;
  const args = ['--last', '6', '--forks', '1', '--run', 'true'];
  expect((await track(...args, '--steps', '2')).out).toContain('6 still to be measured, 2 of them now');
  expect(done()).toBe(2);
  expect((await track(...args, '--steps', '3')).out).toContain('4 still to be measured, 3 of them now');
  expect(done()).toBe(5);
  await track(...args, '--steps', '3');
  expect(done()).toBe(6);
  const other = await track('--last', '6', '--run', 'false');
  expect(other.status).toBe(2);
  expect(other.err).toContain("benchmark run was measured otherwise: 'true'");
});

test('processor time counts work, not waiting', async () => {
  const [first, second] = [
    scratch.commit({ count: '20000', tempo: '0.5' }),
    scratch.commit({ count: '400000', tempo: '0' }),
  ];
  const work = 'sleep $(cat tempo); n=$(cat count); i=0; while [ $i -lt $n ]; do i=$((i+1)); done # work';
  const run = await track('--last', '2', '--forks', '1', '--measure', 'cpu', '--run', work);
  expect(run.status, run.err).toBe(0);
  const [before, after] = [first, second].map(commit => results(commit)[0]!);
  expect(before).toMatchObject({ state: 'measured' });
  expect(Number(before!.millis)).toBeLessThan(Number(after!.millis));
  expect(Number(before!.tookMillis)).toBeGreaterThan(500);
  expect(Number(before!.millis)).toBeLessThan(Number(before!.tookMillis));
});

test('a signal ends it at once, with nothing left behind', async () => {
  const [commit] = sixCommits();
  const child = start(['--last', '6', '--run', 'sleep 604']);
  const over = ended(child);
  await expect.poll(() => globSync('*/run/0.recordings', { cwd: journal() }).length, { timeout: 30_000 }).toBe(1);
  child.kill('SIGTERM');
  const { status, err } = await over;
  expect(status).toBe(1);
  expect(err).toContain('it was ended before its time (the same command goes on where it was)');
  expect(readdirSync(temporary)).toEqual([]);
  expect(existsSync(join(journal(), commit!, 'run', '0.json'))).toBe(false);
  expect(existsSync(join(journal(), 'lock'))).toBe(false);
});

test('submodules of the checkout stay as they are, and the program of a filter does not run', async () => {
  const other = mkdtempSync(join(scratch.home, 'other-'));
  scratch.git('init', '--quiet', other);
  scratch.git('-C', other, 'commit', '--quiet', '--allow-empty', '--message', 'first');
  scratch.commit({ tempo: '0', '.gitattributes': 'tempo filter=evil\n' });
  scratch.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'module');
  scratch.commit();
  const ran = join(scratch.home, 'ran');
  scratch.git('config', 'filter.evil.smudge', `touch ${ran}; cat`);
  scratch.git('config', 'core.hooksPath', scratch.home);
  writeFileSync(join(scratch.home, 'post-checkout'), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
  const before = folderHash(scratch.root);
  const run = await track('--last', '2', '--run', 'cat tempo && git describe --always', '--forks', '1');
  expect(run.status, run.err).toBe(0);
  expect(run.err).not.toContain('failed');
  expect(existsSync(ran)).toBe(false);
  expect(folderHash(scratch.root)).toBe(before);
  rmSync(other, { recursive: true });
});

/** Programs that stand for Maven and the JDK: a build has a class path with JUnit, a fork a result and a recording. */
function fakeJava(): Readonly<Record<string, string>> {
  const bin = join(scratch.home, 'bin');
  mkdirSync(bin);
  const program = (name: string, text: string) =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  program('mvn', `for last; do :; done; echo /lib/junit-jupiter-api-5.8.2.jar > "$\{last#-Dmdep.outputFile=}"`);
  program('javac', 'mkdir -p insitu; touch insitu/TestRunner.class');
  program(
    'java',
    [
      'while [ "$1" != insitu.TestRunner ]; do shift; done',
      'if [ ! -e src/test/java/a/CartTest.java ]; then printf "absent\\tthe class is not in this commit\\n" > "$4"; exit 0; fi',
      'cost=4; [ -e cost ] && cost=$(cat cost)',
      // No two forks take the same time.
      'nanos=$((cost * 1000000 + $$ % 100 * 100))',
      'printf "runs\\t4\\nquartile\\t$((nanos / 2))\\npart\\ttestAdd\\t$nanos\\npart\\ttestFew\\t$nanos\\n" > "$4"',
      'echo "insitu.TestRunner.main;a.CartTest.testAdd;a.Basket.make $((3 * cost))" > "$5"',
      'echo "insitu.TestRunner.main;a.CartTest.testFew 1" >> "$5"',
    ].join('\n'),
  );
  return { PATH: `${bin}:${scratch.env.PATH}` };
}

test('a step of a test class names its methods from fifty samples on', async () => {
  scratch.commit({ 'src/test/java/a/CartTest.java': 'package a;\nclass CartTest { void testAdd() { } }\n', cost: '4' });
  const commits = [4, 4, 4, 8, 8, 8].map((cost, at) => scratch.commit({ cost: `${cost}`, tempo: `${at}` }));
  const run = await ended(start(['--last', '6', '--tests'], fakeJava()));
  expect(run.status, run.err).toBe(0);
  const report = await track('--last', '6', '--report', '--format', 'json');
  const found = JSON.parse(report.out).benchmarks[0].steps.filter((step: { found: boolean }) => step.found);
  expect(found).toMatchObject([
    { commit: commits[3], verdict: 'slower', testMethods: [{ method: 'testAdd', samples: [60, 120] }] },
  ]);
  const { out } = await track('--last', '6', '--report');
  expect(out).toMatch(/\n {4}test method testAdd: 1(\.\d+)? ms → 2(\.\d+)? ms \(\+\d+ %\), 60 and 120 samples\n/);
  expect(out).not.toContain('testFew');
});

test('test classes are benchmarks, and only tests that did not change are compared', async () => {
  const cart = (body: string) => ({
    'src/test/java/a/CartTest.java': `package a;\nclass CartTest { void testAdd() { ${body} } }\n`,
  });
  const basket = (body: string) => ({
    'src/test/java/a/Basket.java': `package a;\nclass Basket { int make() { ${body} } }\n`,
  });
  const commits = [
    scratch.commit(basket('return 1;')),
    scratch.commit(cart('add(1);')),
    scratch.commit(cart('/* the same */ add(1);')),
    scratch.commit(cart('add(2);')),
    // Of another class that the test reaches.
    scratch.commit(basket('return 2;')),
    scratch.commit({ 'src/main/java/a/Cart.java': 'package a; class Cart {}' }),
  ];
  const run = await ended(start(['--last', '6', '--tests'], fakeJava()));
  expect(run.status, run.err).toBe(0);
  expect(run.out).toContain('1 benchmark: a.CartTest');
  expect(results(commits[0]!, 'a.CartTest')).toMatchObject([{ state: 'failed', reason: 'absent' }]);
  expect(results(commits[1]!, 'a.CartTest')).toMatchObject([
    { parts: { testAdd: expect.closeTo(1, 1), testFew: expect.closeTo(1, 1) }, reached: ['a.Basket', 'a.CartTest'] },
    { millis: expect.closeTo(2, 1) },
  ]);
  const report = await track('--last', '6', '--report', '--format', 'json');
  const [benchmark] = JSON.parse(report.out).benchmarks;
  expect(benchmark.gaps).toEqual([{ commit: commits[0], reason: 'absent: the class is not in this commit' }]);
  expect(benchmark.changedTests).toEqual([commits[3], commits[4]]);
  const svg = await track('--last', '6', '--report', '--format', 'svg');
  expect(svg.out.match(/class="changed"/g)).toHaveLength(2);
});

test.each([
  [['--run', 'true'], 'which commits? (name them with one of --versions A..B, --last N and --tags PATTERN)'],
  [['--last', '2'], 'what is to be measured? (give a benchmark with --run, or tests with --tests)'],
  [['--last', '2', '--run', 'a', '--run', 'b', '--name', 'run-2'], 'two benchmarks have one name'],
  [['--versions', 'nowhere..HEAD', '--run', 'true'], 'git knows no commit nowhere'],
  [['--versions', 'HEAD..HEAD~1', '--run', 'true'], 'HEAD is not in the history of HEAD~1'],
  [['--tags', 'v*', '--run', 'true'], 'no tag is like v*'],
  [['--last', '2', '--report'], 'nothing was measured'],
  [['--last', '2', '--run', 'true', '--journal', 'a b'], 'the JVM takes no options with spaces'],
])('%j is refused', async (args, message) => {
  scratch.commit({ a: '1' });
  scratch.commit({ a: '2' });
  const { status, err } = await track(...args);
  expect([1, 2]).toContain(status);
  expect(err).toContain(message);
});

test('five commits in a row with the same error end the run, and another command may take the name', async () => {
  const commits = sixCommits();
  const run = await track('--last', '6', '--run', 'echo no such tool >&2; exit 7');
  expect(run.status).toBe(1);
  expect(run.err).toContain('5 commits in a row failed with the same error');
  expect(commits.filter(commit => results(commit).length > 0)).toHaveLength(5);
  // Nothing was measured under that name.
  const mended = await track('--last', '6', '--run', 'sleep "$(cat tempo)"');
  expect(mended.status, mended.err).toBe(0);
  expect(mended.out).toContain('12 runs of 2 forks a commit');
  expect(mended.err).toMatch(/round \d+: 6 runs, about \d+ s left/);
  const again = await track('--last', '6', '--forks', '9', '--dry-run', '--run', 'sleep "$(cat tempo)"');
  expect(again.out).toMatch(/\d+ runs of 9 forks a commit, about/);
  expect((await track('--last', '6', '--run', 'sleep 1')).err).toContain('was measured otherwise');
  const { out } = await track('--last', '6', '--report');
  expect(out).toMatch(/steps below [\d.]+ % are not seen with 2 forks of each commit/);
});
