// A real run of Vitest in which test files die: what is run once more, and what is said of it.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { outcomeOfBoth, type Run, runSuite, worthAnotherRun } from './run-suite.ts';
import type { Suite } from './suites.ts';

/** A file with a test that does something the first time alone. */
const onlyFirst = (what: string) => `
  import { existsSync, writeFileSync } from 'node:fs';
  const note = import.meta.filename + '.note';
  const isFirst = !existsSync(note);
  writeFileSync(note, '');
  test('before', () => {});
  test('does it', async () => { if (isFirst) { ${what} } });`;
const dieBy = (signal: string) => `process.kill(process.pid, '${signal}'); await new Promise(() => {});`;

/** Runs the files, each with the text of its tests, as a suite in a folder of its own. */
async function runFiles(files: Readonly<Record<string, string>>, more: Partial<Suite> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'insitu-run-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(root, 'node_modules'));
  const config = {
    test: { projects: [{ test: { name: 'sample', pool: 'forks', include: ['*.test.mjs'], testTimeout: 0 } }] },
  };
  writeFileSync(join(root, 'vitest.config.mjs'), `export default ${JSON.stringify(config)};`);
  for (const [name, tests] of Object.entries(files))
    writeFileSync(join(root, `${name}.test.mjs`), `import { expect, test } from 'vitest';\n${tests}`);
  const suite: Suite = { name: 'sample', include: [], engines: [], ...more };
  return runSuite(suite, root, 'ignore');
}

test('a file whose process crashes is run once more, which is told; a failed test is not', async () => {
  const outcome = await runFiles({
    passes: `test('passes', () => {});`,
    dies: onlyFirst(dieBy('SIGSEGV')),
    fails: onlyFirst('expect(1).toBe(2);'),
    diesAgain: `test('dies', async () => { ${dieBy('SIGILL')} });`,
  });
  expect(outcome).toMatchObject({
    passed: 4,
    failed: 2,
    skipped: [],
    survived: [{ file: 'dies.test.mjs', reason: 'died by SIGSEGV' }],
    trouble: 'diesAgain.test.mjs died by SIGILL',
  });
});

test('a failed test is run once more where it may have lost a race with another program, and that is told', async () => {
  const outcome = await runFiles(
    { fails: onlyFirst('expect(1).toBe(2);'), failsAgain: `test('fails', () => { expect(1).toBe(2); });` },
    { drivesPrograms: true },
  );
  expect(outcome).toMatchObject({ passed: 2, failed: 1, survived: [{ file: 'fails.test.mjs', reason: 'failed' }] });
  const titles = outcome.failures?.map(({ file, title }) => `${file} ${title}`).sort();
  expect(titles).toEqual(['fails.test.mjs does it', 'failsAgain.test.mjs fails', 'failsAgain.test.mjs fails']);
  const failing = `test('fails', () => { expect(1).toBe(2); });`;
  const many = await runFiles(
    { fails: onlyFirst('expect(1).toBe(2);'), one: failing, two: failing },
    { drivesPrograms: true },
  );
  expect(many).toMatchObject({ passed: 1, failed: 3, survived: [] });
});

test('nothing is run once more where somebody ended a file, or many of them crashed', () => {
  const died = (...signals: string[]) => signals.map((signal, at) => ({ file: `${at}.test.ts`, signal }));
  expect(worthAnotherRun(died('SIGSEGV', 'SIGABRT'))).toHaveLength(2);
  expect(worthAnotherRun(died('SIGSEGV', 'SIGKILL'))).toEqual([]);
  expect(worthAnotherRun(died('SIGSEGV', 'SIGSEGV', 'SIGSEGV'))).toEqual([]);
});

const suite: Suite = { name: 'sample', include: [], engines: [] };

/** The outcome of a run whose files all passed, each with one test; `dead` left nothing behind. */
function runOf(files: readonly string[], dead: readonly string[], more: Partial<Run> = {}): Run {
  const assertionResults = [{ status: 'passed', fullName: 'a test' }];
  const testResults = files.map(name => ({ name, status: 'passed', message: '', assertionResults }));
  const died = dead.map(file => ({ file, signal: 'SIGSEGV' }));
  const deaths = { died, otherErrors: 0 };
  const report = { success: dead.length === 0, testResults };
  return { status: dead.length === 0 ? 0 : 1, signal: null, killed: null, seconds: 10, report, deaths, ...more };
}

test('a file that has failed once and came to no end then has the failures of its first run', () => {
  const [a, b] = runOf(['/checkout/a.test.ts', '/checkout/b.test.ts'], []).report!.testResults;
  const failing = {
    ...b!,
    status: 'failed',
    assertionResults: [...b!.assertionResults, { status: 'failed', fullName: '' }],
  };
  const first = runOf([], [], { status: 1, report: { success: false, testResults: [a!, failing] } });
  const again = [{ file: '/checkout/b.test.ts', reason: 'failed' }];
  expect(outcomeOfBoth(suite, '/checkout', first, runOf([], [], { report: undefined }), again)).toMatchObject({
    passed: 2,
    failed: 1,
  });
});

test.each([
  ['is killed', runOf([], [], { killed: 'at a standstill' })],
  ['leaves no report', runOf([], [], { report: undefined })],
] as const)('where the second run %s, the first one stands, and what crashed has failed', (_, second) => {
  const first = runOf(['/checkout/a.test.ts', '/checkout/b.test.ts'], ['/checkout/c.test.ts']);
  expect(outcomeOfBoth(suite, '/checkout', first, second, worthAnotherRun(first.deaths.died))).toEqual({
    name: 'sample',
    passed: 2,
    failed: 1,
    skipped: [],
    seconds: 20,
    trouble: 'c.test.ts died by SIGSEGV and came to no end when run again',
  });
});
