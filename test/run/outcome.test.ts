// Tests that the summary of a run is the sum of its outcomes, however a suite failed.
import { globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import {
  countReport,
  describeFailures,
  describeOutcome,
  failuresOf,
  forbiddenSkips,
  type Outcome,
  summary,
  survivors,
  type VitestReport,
} from './outcome.ts';
import { excluded, projectsOf, suites } from './suites.ts';

function fileReport(status: string, ...tests: string[]): VitestReport['testResults'][number] {
  const assertionResults = tests.map((result, at) => ({ status: result, fullName: ` group test ${at}` }));
  return { name: 'a.test.ts', status, message: '', assertionResults };
}

test('passed, failed and skipped tests are counted, skipped ones by title', () => {
  const report = {
    success: false,
    testResults: [fileReport('failed', 'passed', 'failed', 'skipped', 'pending', 'passed')],
  };
  expect(countReport(report)).toEqual({ passed: 2, failed: 1, skipped: ['group test 2', 'group test 3'] });
});

test('tests that did not run because their set-up failed are failures, not skips', () => {
  const report = { success: false, testResults: [fileReport('failed', 'skipped', 'skipped', 'passed')] };
  expect(countReport(report)).toEqual({ passed: 1, failed: 2, skipped: [] });
});

test('a file that could not be loaded is one failure, and so is an error outside all tests', () => {
  expect(
    countReport({ success: false, testResults: [fileReport('failed'), fileReport('passed', 'passed')] }).failed,
  ).toBe(1);
  expect(countReport({ success: false, testResults: [fileReport('passed', 'passed')] }).failed).toBe(1);
  expect(countReport({ success: true, testResults: [fileReport('passed', 'passed')] }).failed).toBe(0);
});

test('what failed is told at the end, with the beginning of its message and without colours', () => {
  const failed = fileReport('failed', 'passed', 'failed');
  const message = ['\x1b[31mexpected\x1b[39m 1 to be 2', 'x'.repeat(1000), ...Array(100).fill('at x')].join('\n');
  const assertionResults = failed.assertionResults.map(result => ({ ...result, failureMessages: [message] }));
  const testResults = [
    { ...failed, name: '/checkout/test/a.test.ts', assertionResults },
    { ...fileReport('failed'), name: '/checkout/test/b.test.ts', message: 'cannot be loaded' },
  ];
  const failures = failuresOf({ success: false, testResults }, '/checkout');
  const outcome = { name: 'fast', passed: 0, failed: 2, skipped: [], seconds: 3 };
  const told = describeFailures([{ ...outcome, failures }]);
  expect(told).toHaveLength(2);
  expect(told[0]).toMatch(
    /^failed: test\/a\.test\.ts > group test 1\n {4}expected 1 to be 2\n {4}x{240}\n( {4}at x\n?){10}$/,
  );
  expect(told[1]).toBe('failed: test/b.test.ts > (outside its tests)\n    cannot be loaded');
  const died = { file: 'test/c.test.ts', title: '(outside its tests)', message: '' };
  const survived = [{ file: died.file, reason: 'died by SIGSEGV' }];
  expect(describeFailures([{ ...outcome, failures: [died], survived }])).toEqual([
    'failed at first: test/c.test.ts > (outside its tests)',
  ]);
  const many = describeFailures([{ ...outcome, failures: Array(300).fill(died) }]);
  expect(many).toHaveLength(21);
  expect(many.at(-1)).toBe('and 280 more failures');
});

test('outcomes add up to one line; skips outside the list are named', () => {
  const outcomes: Outcome[] = [
    { name: 'fast', passed: 40, failed: 0, skipped: [], seconds: 3 },
    { name: 'jdk', passed: 2, failed: 1, skipped: ['a', 'b'], seconds: 61.4, trouble: 'killed' },
  ];
  expect(summary(outcomes)).toBe('42 passed, 1 failed, 2 skipped');
  expect(describeOutcome(outcomes[1]!)).toBe('jdk        2 passed, 1 failed, 2 skipped, 61 s (killed)');
  expect(forbiddenSkips(outcomes, ['a'])).toEqual(['b']);
});

test('files that passed when run again are seen in the line of their suite and in the last but one', () => {
  const survived = ['a', 'b'].map(name => ({
    file: `test/${name}.test.ts`,
    reason: 'died by SIGSEGV',
  }));
  const outcomes: Outcome[] = [
    { name: 'fast', passed: 40, failed: 0, skipped: [], seconds: 3, survived: survived.slice(1) },
    { name: 'jdk', passed: 2, failed: 0, skipped: [], seconds: 3, survived: [] },
  ];
  expect(outcomes.map(describeOutcome)).toEqual([
    'fast       40 passed, 0 failed, 0 skipped, 3 s (test/b.test.ts died by SIGSEGV and passed when run again)',
    'jdk        2 passed, 0 failed, 0 skipped, 3 s',
  ]);
  expect(summary(outcomes)).toBe('42 passed, 0 failed, 0 skipped');
  expect(survivors(outcomes)).toBe('1 file died by SIGSEGV and passed when run again');
  expect(survivors([{ ...outcomes[1]!, survived }])).toBe('2 files died by SIGSEGV and passed when run again');
  const failed = { file: 'test/c.test.ts', reason: 'failed' };
  expect(survivors([{ ...outcomes[1]!, survived: [...survived, failed] }])).toBe(
    '2 files died by SIGSEGV, 1 file failed and passed when run again',
  );
  expect(survivors(outcomes.slice(1))).toBeNull();
});

test('the fast suite comes first, and suites that wait for engines last', () => {
  expect(suites[0]?.name).toBe('fast');
  expect(excluded(suites[0]!)).toEqual(suites.slice(1).flatMap(suite => suite.include));
  const waits = suites.map(({ engines }) => engines.length > 0);
  expect(waits).toEqual([...waits].sort());
});

test('each file of a suite belongs to one of its projects', () => {
  const [shared, apart] = projectsOf({ ...suites[1]!, apart: ['test/a/*.test.ts'] });
  expect(shared).toMatchObject({ name: 'workspace', isolate: false });
  expect(shared!.exclude).toContain('test/a/*.test.ts');
  expect(apart).toMatchObject({ name: 'workspace-apart', include: ['test/a/*.test.ts'], isolate: true });
});

test('files that mock modules have processes of their own', () => {
  const apart = suites.flatMap(suite => suite.apart ?? []);
  const mocking = globSync('test/**/*.test.ts').filter(file =>
    /^vi\.(mock|doMock)\(/m.test(readFileSync(file, 'utf8')),
  );
  expect(mocking.length).toBeGreaterThan(5);
  expect(mocking.filter(file => !apart.some(glob => matchesGlob(file, glob)))).toEqual([]);
});
