// The sample in a repository of its own, with response times of some of its methods: what predictions need.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GrowingTimes } from '../../../server/cct/times.ts';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';
import { putProfile } from '../../support/insitu/lsp-store.ts';
import { methodRows, profileOfText } from '../../support/profiles/profiles.ts';
import { shopFolder } from './shop.ts';

const MS = 1e6;
export const PREDICTED_FILE = 'src/main/java/com/acme/shop/Shop.java';
export const PREDICTED_TEXT = readFileSync(join(shopFolder, PREDICTED_FILE), 'utf8');

export type PredictedShop = { readonly scratch: ScratchRepository; readonly store: string };

/** With a limit of 10 % for predicted growth. */
export async function predictedShop(): Promise<PredictedShop> {
  const scratch = new ScratchRepository();
  const settings = { project: 'acme', program: 'shop', predict: { limit: { '*': '+10 %' } } };
  const files = { [PREDICTED_FILE]: PREDICTED_TEXT, 'insitu.json': JSON.stringify(settings) };
  const store = join(scratch.home, 'store');
  await putTimes(store, scratch.commit(files));
  return { scratch, store };
}

/** Forty reviews of 3 ms, each with twelve lookups; advice takes 5 ms, to learn anew 80 ms. */
async function putTimes(store: string, version: string): Promise<void> {
  const names = ['Shop.review', 'Shop.advise', 'Shop.learn', 'Shop.product', 'search.TextIndex.frequency'];
  const profile = profileOfText(names.map(name => `com.acme.shop.${name} | 100@70`).join('\n'));
  const rows = methodRows(profile);
  const row = (name: string) => rows.get(`com.acme.shop.${name}`)!;
  const times = new GrowingTimes();
  for (let run = 0; run < 40; run++) {
    times.addCall(row('Shop.review'), 0, 0, (run % 2 ? 2.9 : 3.1) * MS);
    for (let word = 0; word < 12; word++)
      times.addCall(row('search.TextIndex.frequency'), row('Shop.review'), 0, 0.01 * MS);
    times.addCall(row('Shop.advise'), 0, 0, 5 * MS);
    times.addCall(row('Shop.learn'), 0, 0, 80 * MS);
    times.addCall(row('Shop.product'), 0, 0, 200);
  }
  await putProfile(store, { ...profile, times: times.finish()! }, { version });
}
