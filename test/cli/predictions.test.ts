// Tests that predictions are answered by the data of a later version: what an edit was predicted to cost, against what it came to.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GrowingTimes } from '../../server/cct/times.ts';
import { ScratchRepository } from '../support/git/scratch-repository.ts';
import { putProfile } from '../support/insitu/lsp-store.ts';
import { insituProgram } from '../support/insitu/program.ts';
import { methodRows, profileOfText } from '../support/profiles/profiles.ts';

const MS = 1e6;
const RUNS = 10;
const SHOP = `class Shop {
  void run(java.util.List<String> words) {
    load();
    for (String word : words) {
      find(word);
    }
  }
  void load() {}
  void find(String word) {}
  void rank(String word) {}
}
`;
const EDITED = SHOP.replace('find(word);', 'find(word);\n      rank(word);');

let scratch: ScratchRepository;
let store: string;

beforeEach(() => {
  scratch = new ScratchRepository();
  store = join(scratch.home, 'store');
});
afterEach(() => scratch.remove());

/** Ten runs of so many milliseconds, with five finds each; ten others ranked in 3 ms on average. */
async function put(version: string, runMillis: number, afterMillis: number): Promise<void> {
  const profile = profileOfText('Shop.run | 10@3\n  Shop.load :3 | 10@9\n  Shop.find :5 | 10@9\n  Shop.rank :5 | 10@9');
  const rows = methodRows(profile);
  const row = (name: string) => rows.get(`Shop.${name}`)!;
  const times = new GrowingTimes();
  for (let run = 0; run < RUNS; run++) {
    times.addCall(row('run'), 0, 0, runMillis * MS);
    times.addCall(row('load'), row('run'), 0, 8 * MS);
    for (let find = 0; find < 5; find++) times.addCall(row('find'), row('run'), 0, 6 * MS);
    times.addCall(row('rank'), 0, 0, (run % 2 ? 2 : 4) * MS);
  }
  await putProfile(store, { ...profile, times: times.finish()! }, { version }, afterMillis);
}

function predictions(...args: readonly string[]): string {
  const where = ['--store', store, '--project', 'acme', '--program', 'shop'];
  const env = { ...process.env, ...scratch.env };
  return execFileSync(process.execPath, [insituProgram, 'predictions', ...args, ...where], {
    ...{ cwd: scratch.root, env, encoding: 'utf8' },
  });
}

test('an edit of which a later version tells, and one that it contradicts', async () => {
  const first = scratch.commit({ 'Shop.java': SHOP });
  const second = scratch.commit({ 'Shop.java': EDITED });
  const third = scratch.commit({ 'Shop.java': SHOP });
  await put(first, 50, 0);
  await put(second, 64.5, 100_000);
  await put(third, 300, 200_000);
  const { summary, predictions: rows } = JSON.parse(predictions('--json'));
  expect(summary).toBe('1 of 2 within × 1.4, 1 in their 80 % interval');
  expect(rows).toMatchObject([
    { method: 'Shop.run', versions: [second, third], before: 64.5 * MS, measured: 300 * MS },
    {
      ...{ method: 'Shop.run', path: 'Shop.java', line: 2, versions: [first, second], runs: RUNS },
      ...{ before: 50 * MS, predicted: 65 * MS, measured: 64.5 * MS, unknown: 0 },
    },
  ]);
  expect(predictions(first, second)).toMatch(
    / 50 ms +65 ms .* 64\.5 ms +Shop\.run · Shop\.java:2 · [0-9a-f]{7} → [0-9a-f]{7}/,
  );
  expect(predictions('--limit', '1')).toContain('outside');
});

test('without two versions that were timed it says what is needed', async () => {
  await put(scratch.commit({ 'Shop.java': SHOP }), 50, 0);
  expect(predictions()).toContain('that takes two versions with response times');
  expect(() => predictions('v1')).toThrow(/one version alone predicts nothing/);
});
