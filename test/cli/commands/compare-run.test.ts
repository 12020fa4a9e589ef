// `insitu compare --run`: forks of two commits in rounds, until a look that was planned decides the check.
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';
import { insituProgram } from '../../support/insitu/program.ts';

let scratch: ScratchRepository;
let temporary: string;
let script: string;

beforeEach(() => {
  scratch = new ScratchRepository();
  temporary = join(scratch.home, 'tmp');
  mkdirSync(temporary);
  script = join(scratch.home, 'fork.sh');
  // Stands for what a JVM writes: the folder of its recordings is in its options.
  const folder = `folder=$\{JAVA_TOOL_OPTIONS#*filename=}; folder=$\{folder%%,*}`;
  writeFileSync(
    script,
    `${folder}; printf 'Main.main;Main.work %s\\nMain.main;Main.rest %s\\n' $(( $(cat amount) + $$ % 7 )) $(( 5000 + $$ % 11 )) > "$folder/a.collapsed"`,
  );
});
afterEach(() => scratch.remove());

async function compare(...more: readonly string[]) {
  const args = ['compare', '--program', 'shop', '--run', `sh ${script}`, '--fail-on', 'slower > 5%', ...more];
  const env = {
    ...scratch.env,
    TMPDIR: temporary,
    NODE_COMPILE_CACHE: join(scratch.home, 'compiled'),
    XDG_STATE_HOME: join(scratch.home, 'state'),
    INSITU_STORE: join(scratch.home, 'store'),
  };
  const run = promisify(execFile)(process.execPath, [insituProgram, ...args], { cwd: scratch.root, env });
  const { stdout, stderr, code } = await run.then(
    streams => ({ ...streams, code: 0 }),
    (error: { stdout: string; stderr: string; code: number }) => error,
  );
  return { out: stdout, err: stderr, status: code };
}

test('equal code passes at the first look, with five forks of each commit', async () => {
  scratch.commit({ amount: '1000' });
  scratch.commit({ amount: '1000', other: 'x' });
  const { out, err, status } = await compare('--before', 'HEAD~1', '--after', 'HEAD');
  expect(status, err).toBe(0);
  expect(err).toContain('looked at after 5, 10, 15, 20');
  expect(err).toMatch(/5 \+ 5 JVMs: passed\n$/);
  expect(out).toContain('absolute amounts of one JVM');
  expect(readdirSync(temporary)).toEqual([]);
});

test('slower code fails at the next look; the same command looks again without a new fork', async () => {
  scratch.commit({ amount: '1000' });
  scratch.commit({ amount: '2000' });
  const { out, err, status } = await compare('--before', 'HEAD~1', '--after', 'HEAD');
  expect(status, err).toBe(1);
  expect(err).toMatch(
    /5 \+ 5 JVMs: undecided\n[\s\S]*10 \+ 10 JVMs: slower\nerror: slower by more than 5\.0% of everything before: Main\.work \+17/,
  );
  expect(out).toMatch(/slower: Main\.work: \+17 \(17% → 33% of all before\)/);
  const again = await compare('--before', 'HEAD~1', '--after', 'HEAD');
  expect([again.status, again.out]).toEqual([1, out]);
  expect(again.err).not.toMatch(/compare-\w{8} \d+: /);
});

test('what cannot be run is said in one line, and nothing is stored', async () => {
  scratch.commit({ amount: '1000' });
  const cases: [string[], number, RegExp][] = [
    [['--before', 'HEAD', '--after', 'HEAD'], 2, /^error: HEAD and HEAD are one commit \(name two\)\n$/],
    [['--before', 'HEAD', '--after', 'nowhere'], 2, /^error: .*git knows no commit nowhere\n$/],
    [['--before', 'HEAD'], 2, /^error: --run runs at two commits \(name one with --before and one with --after\)\n$/],
  ];
  for (const [args, status, message] of cases) {
    const run = await compare(...args);
    expect([run.status, run.out], run.err).toEqual([status, '']);
    expect(run.err).toMatch(message);
  }
  scratch.commit({ amount: 'none' });
  const broken = await compare('--before', 'HEAD~1', '--after', 'HEAD', '--build', 'grep -q 1 amount');
  expect(broken.status).toBe(1);
  expect(broken.err).toMatch(
    /is broken: build: exit status 1\nerror: .*: a commit does not build, or a fork of it failed/,
  );
});
