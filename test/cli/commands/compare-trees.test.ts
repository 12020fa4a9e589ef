// Tests `insitu compare`: what it prints in each form, and the exit status that a check goes by.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { insitu } from '../../support/insitu/command-line.ts';
import { putPicture } from '../../support/insitu/lsp-store.ts';

const BEFORE = 'Main.main | 100@1\n  Shop.find | 400@1\n  Shop.pack | 500@1';
const AFTER =
  'Main.main | 100@1\n  Shop.cached | 1@1\n    Shop.find | 400@1\n  Shop.pack | 500@1\n  Shop.audit | 200@1';

let store: string;

beforeEach(() => {
  store = mkdtempSync(join(tmpdir(), 'insitu-compare-'));
});

afterEach(() => rmSync(store, { recursive: true }));

async function compare(before: string, after: string, ...options: string[]) {
  rmSync(store, { recursive: true });
  await putPicture(store, before, { version: '1' }, -1000);
  await putPicture(store, after, { version: '2' });
  return insitu('compare', '1', '2', '--store', store, '--project', 'acme', '--program', 'shop', ...options);
}

test('methods by self time first, then contexts with the way to them', async () => {
  const { out, status } = await compare(BEFORE, AFTER);
  expect(status).toBe(0);
  expect(out).toMatch(/methods: 4 of 4 whose self time differs\n.*\n +\+17 +- +17% +new +Shop\.audit\n/);
  expect(out).toMatch(/contexts: 5 of 5 that are responsible\n.*\n +\+17 +- +17% +added +Shop\.audit ← Main\.main\n/);
  expect(out.indexOf('methods:')).toBeLessThan(out.indexOf('contexts:'));
  expect(out).toContain('shares of everything on each side');
  expect(out).not.toContain('delta hot path');
  // Nothing is found by one JVM a side, and no path leads there.
  expect((await compare(BEFORE, AFTER, '--hot-path')).out).toMatch(/\ndelta hot path: none, it begins at a finding\n$/);
  const anchored = await compare(BEFORE, AFTER, '--scale', 'anchored');
  expect(anchored.out).toContain('contexts: 1 of 1 that are responsible\n');
});

const SPREAD =
  'Main.main | 0@1\n  Web.get | 0@1\n    Shop.find | 100@1\n  Job.run | 0@1\n    Shop.find | 300@1\n  Shop.idle | 600@1';

test('a method is one row over its contexts; of each context before and now are of its own change', async () => {
  const after = SPREAD.replace('100@1', '250@1').replace('300@1', '450@1').replace('600@1', '300@1');
  const { out } = await compare(SPREAD, after);
  expect(out).toMatch(/\n +−30 +60% +30% +Shop\.idle\n +\+30 +40% +70% +Shop\.find\n/);
  expect(out).toMatch(
    /\n +\+15 +30% +45% +kept +Shop\.find ← Job\.run\n +\+15 +10% +25% +kept +Shop\.find ← Web\.get\n/,
  );
});

test('says that nothing changed', async () => {
  const { out, err, status } = await compare(BEFORE, BEFORE);
  expect([status, err]).toEqual([0, '']);
  expect(out).toMatch(/^no method or context differs by 0\.1 % of everything or more \(.*\)\n$/);
});

test.each(['gone.jfr', './gone', '/gone/app'])('%s is a file that is not there, and no version', async gone => {
  for (const sides of [
    [gone, 'other.jfr'],
    ['1', gone],
  ]) {
    await putPicture(store, BEFORE, { version: '1' });
    const { err, status } = await insitu('compare', ...sides, '--store', store, '--project', 'acme');
    expect(status).toBe(1);
    expect(err).toMatch(/: there is no such file/);
  }
});

test('as JSON', async () => {
  const json = JSON.parse((await compare(BEFORE, AFTER, '--format', 'json', '--scale', 'anchored')).out);
  expect(json).toMatchObject({ origin: { versions: ['2'] }, scaling: 'anchored', differing: 1 });
  expect(json.methods).toMatchObject([
    { method: 'audit', presence: 'new', verdict: 'notTested', before: 0, now: json.contexts[0].now },
  ]);
  expect(json.contexts).toMatchObject([
    { method: 'audit', state: 'added', verdict: 'notTested', above: [{ method: 'main' }] },
  ]);
  expect(json.contexts[0].change).toBeCloseTo(0.2, 9);
});

test('ends with the status that a check goes by', async () => {
  const status = async (before: string, after: string, ...options: string[]) =>
    (await compare(before, after, ...options)).status;
  for (const limit of ['5%', '18%']) expect(await status(BEFORE, AFTER, '--fail-on', `slower > ${limit}`)).toBe(3);
  expect(await status(BEFORE, BEFORE, '--fail-on', 'slower > 5%')).toBe(3);
  expect(await status(BEFORE, AFTER)).toBe(0);
  expect(await status(BEFORE, BEFORE, '--fail-on', 'faster')).toBe(2);
  expect((await insitu('compare', '1')).status).toBe(2);
  expect((await insitu('compare', '1', '2', '--version', '3')).status).toBe(2);
  expect((await insitu('compare', '1', '9', '--store', store, '--project', 'acme')).status).toBe(3);
});

test('a check names the rows that grew and the JVMs that are missing', async () => {
  const { out, err } = await compare(BEFORE, AFTER, '--fail-on', 'slower > 5%');
  expect(out).toContain('Shop.audit');
  expect(err).toMatch(
    /^warning: not tested \(grew by more than 5\.0%: Shop\.audit \+17\) \(a check needs 3 more JVMs before and 4 more now: .*\)\n$/,
  );
});

test('a mistyped file is called a file, not a version', async () => {
  const RECORDING = 'samples/recordings/shop-v1-jdk17-a.jfr';
  for (const name of ['gone.cct', 'gone.jfr', 'gone.collapsed', 'gone.pb.gz'])
    expect((await insitu('compare', name, RECORDING)).err).toMatch(new RegExp(`${name}: .*no such file`, 'i'));
});
