// A real run of Vitest in which test files die: what is run once more, and what is said of it.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { runSuite, worthAnotherRun } from './run-suite.ts';
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
async function runFiles(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'insitu-run-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(root, 'node_modules'));
  const config = { test: { projects: [{ test: { name: 'sample', pool: 'forks', include: ['*.test.mjs'] } }] } };
  writeFileSync(join(root, 'vitest.config.mjs'), `export default ${JSON.stringify(config)};`);
  for (const [name, tests] of Object.entries(files))
    writeFileSync(join(root, `${name}.test.mjs`), `import { expect, test } from 'vitest';\n${tests}`);
  const suite: Suite = { name: 'sample', include: [], engines: [], capMinutes: 5, testSeconds: 60 };
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
    survived: [{ file: 'dies.test.mjs', signal: 'SIGSEGV' }],
    trouble: 'diesAgain.test.mjs died by SIGILL',
  });
}, 60_000);

test('nothing is run once more where somebody ended a file, or many of them crashed', () => {
  const died = (...signals: string[]) => signals.map((signal, at) => ({ file: `${at}.test.ts`, signal }));
  expect(worthAnotherRun(died('SIGSEGV', 'SIGABRT'))).toHaveLength(2);
  expect(worthAnotherRun(died('SIGSEGV', 'SIGKILL'))).toEqual([]);
  expect(worthAnotherRun(died('SIGSEGV', 'SIGSEGV', 'SIGSEGV'))).toEqual([]);
});
