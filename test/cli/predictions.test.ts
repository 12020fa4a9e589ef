// Tests that predictions are answered by the data of a later version: what an edit was predicted to cost, against what it came to.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ScratchRepository } from '../support/git/scratch-repository.ts';
import { insituProgram } from '../support/insitu/program.ts';
import {
  NANOS,
  PREDICTED_RUNS,
  PREDICTED_SHOP,
  putPredictedShop,
  RANKING_SHOP,
} from '../support/profiles/predicted-shop.ts';

let scratch: ScratchRepository;
let store: string;

beforeEach(() => {
  scratch = new ScratchRepository();
  store = join(scratch.home, 'store');
});
afterEach(() => scratch.remove());

/** Ranking took 3 ms on average. */
const put = (version: string, runMillis: number, afterSeconds: number): Promise<void> =>
  putPredictedShop(store, version, runMillis, { afterSeconds, rankMillis: run => (run % 2 ? 2 : 4) });

function predictions(...args: readonly string[]): string {
  const where = ['--store', store, '--project', 'acme', '--program', 'shop'];
  const env = { ...process.env, ...scratch.env };
  return execFileSync(process.execPath, [insituProgram, 'predictions', ...args, ...where], {
    ...{ cwd: scratch.root, env, encoding: 'utf8' },
  });
}

test('an edit of which a later version tells, and one that it contradicts', async () => {
  const first = scratch.commit({ 'Shop.java': PREDICTED_SHOP });
  const second = scratch.commit({ 'Shop.java': RANKING_SHOP });
  const third = scratch.commit({ 'Shop.java': PREDICTED_SHOP });
  await put(first, 50, 0);
  await put(second, 64.5, 100_000);
  await put(third, 300, 200_000);
  const { summary, predictions: rows } = JSON.parse(predictions('--json'));
  expect(summary).toBe('1 of 2 within × 1.4, 1 in their 80 % interval');
  expect(rows).toMatchObject([
    { method: 'Shop.run', versions: [second, third], before: 64.5 * NANOS, measured: 300 * NANOS },
    {
      ...{ method: 'Shop.run', path: 'Shop.java', line: 2, versions: [first, second], runs: PREDICTED_RUNS },
      ...{ before: 50 * NANOS, predicted: 65 * NANOS, measured: 64.5 * NANOS, unknown: 0 },
    },
  ]);
  expect(predictions(first, second)).toMatch(
    / 50 ms +65 ms .* 64\.5 ms +Shop\.run · Shop\.java:2 · [0-9a-f]{7} → [0-9a-f]{7}/,
  );
  expect(predictions('--limit', '1')).toContain('outside');
});

test('versions are paired by ancestry, not by the time of their recording, and a main term that is unknown is no miss', async () => {
  const base = scratch.commit({ 'Shop.java': PREDICTED_SHOP });
  const release = scratch.commit({ 'Shop.java': RANKING_SHOP });
  // The version that was recorded in between is no ancestor, and the base was recorded last.
  scratch.git('checkout', '-q', '-b', 'aside', base);
  const aside = scratch.commit({ 'Shop.java': PREDICTED_SHOP.replace('load();', 'while (true) load();') });
  await put(release, 64.5, 100_000);
  await put(aside, 80, 200_000);
  await put(base, 50, 300_000);
  const { summary, predictions: rows } = JSON.parse(predictions('--json'));
  expect(rows).toMatchObject([
    {
      versions: [base, aside],
      predicted: null,
      interval: null,
      cause: expect.stringMatching(/^Shop\.load .*not known/),
    },
    { versions: [base, release], predicted: 65 * NANOS, cause: 'Shop.rank added × 5' },
  ]);
  expect(summary).toBe('1 of 1 within × 1.4, 1 in their 80 % interval; 1 not predicted');
  expect(predictions()).toMatch(/not predicted .* Shop\.load/);
});

test('without two versions that were timed it says what is needed', async () => {
  await put(scratch.commit({ 'Shop.java': PREDICTED_SHOP }), 50, 0);
  expect(predictions()).toContain('that takes two versions with response times');
  expect(() => predictions('v1')).toThrow(/one version alone predicts nothing/);
});
