// A class with response times, from which the cost of edits is predicted: ten runs, each with a load and five finds; ten other callers ranked.
import { GrowingTimes } from '../../../server/cct/times.ts';
import { putProfile } from '../insitu/lsp-store.ts';
import { methodRows, profileOfText } from './profiles.ts';

export const NANOS = 1e6;
export const PREDICTED_RUNS = 10;

export const PREDICTED_SHOP = `class Shop {
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

/** The class with a call of 3 ms more in the loop. */
export const RANKING_SHOP = PREDICTED_SHOP.replace('find(word);', 'find(word);\n      rank(word);');

/** Puts a version whose runs took so many milliseconds into a store. @param rankMillis what ranking takes in each run. */
export async function putPredictedShop(
  store: string,
  version: string,
  runMillis: number,
  { afterSeconds = 0, rankMillis = (_run: number): number => 3 } = {},
): Promise<void> {
  const profile = profileOfText('Shop.run | 10@3\n  Shop.load :3 | 10@9\n  Shop.find :5 | 10@9\n  Shop.rank :5 | 10@9');
  const rows = methodRows(profile);
  const row = (name: string) => rows.get(`Shop.${name}`)!;
  const times = new GrowingTimes();
  for (let run = 0; run < PREDICTED_RUNS; run++) {
    times.addCall(row('run'), 0, 0, runMillis * NANOS);
    times.addCall(row('load'), row('run'), 0, 8 * NANOS);
    for (let find = 0; find < 5; find++) times.addCall(row('find'), row('run'), 0, 6 * NANOS);
    times.addCall(row('rank'), 0, 0, rankMillis(run) * NANOS);
  }
  await putProfile(store, { ...profile, times: times.finish()! }, { version }, afterSeconds);
}
