// A method `run` with response times, edited: what is told of its edits.
import type { PredictedFile } from '../../../server/analysis/prediction/prediction.ts';
import { GrowingTimes } from '../../../server/cct/times.ts';
import { predictFile } from '../../../server/features/prediction/predict-file.ts';
import { predictionText } from '../../../server/features/prediction/prediction-text.ts';
import { openedText } from '../../../server/mapping/recorded/profiled-text.ts';
import { documentWithData } from '../../../server/workspace/document/document-view.ts';
import { KeptMapping } from '../../../server/workspace/document/kept-mapping.ts';
import { loadedFrom } from '../../support/profiles/loaded.ts';
import { methodRows, profileOfText } from '../../support/profiles/profiles.ts';

export const MS = 1e6;
export const RUNS = 20;

/** The body of `run`, with the methods that stand beside it. */
export const classOf = (body: string, others = '', fields = '') => `class Shop {
  static final int TOP = 4;
  static final java.util.List<String> KINDS = java.util.List.of("a", "b", "c");
${fields}  void run(java.util.List<String> words, int count, Store store) {
${body}
  }
${others}}
`;

/** How often the callees run in one run of `run`; each call of a callee takes so many milliseconds. */
export type Counts = Readonly<Record<string, number>>;
const MILLIS: Readonly<Record<string, number>> = { load: 10, find: 2, save: 5, rank: 3, walk: 4 };

/** @param counts also of callees of other methods: `helper>find` */
export function data(counts: Counts, runMillis = 100) {
  const names = ['run', 'helper', ...Object.keys(MILLIS)];
  const profile = profileOfText(names.map(name => `${name in MILLIS ? 'Store' : 'Shop'}.${name} | 10@3`).join('\n'));
  const rows = methodRows(profile);
  const row = (name: string) => rows.get(`${name in MILLIS ? 'Store' : 'Shop'}.${name}`)!;
  const times = new GrowingTimes();
  for (let at = 0; at < RUNS; at++) times.addCall(row('run'), 0, 0, runMillis * MS);
  for (const [key, count] of Object.entries(counts)) {
    const [callee, caller = 'run'] = key.split('>').reverse() as [string, string?];
    for (let at = 0; at < count * RUNS; at++) times.addCall(row(callee), row(caller), 0, (MILLIS[callee] ?? 20) * MS);
  }
  // Every callee is called from elsewhere too.
  for (const name of Object.keys(MILLIS))
    for (let at = 0; at < 12; at++) times.addCall(row(name), 0, 0, MILLIS[name]! * MS);
  return loadedFrom({ ...profile, times: times.finish()! });
}

export function edited(before: string, after: string, counts: Counts): Promise<PredictedFile> {
  const loaded = data(counts);
  const mapping = new KeptMapping({ ...openedText(before), from: 'commit' });
  return predictFile(documentWithData(after, loaded, undefined, 'Shop.java', { mapping }), loaded);
}

/** The prediction of `run` in words: `≈ +12 ms, likely`; an empty text where there is none. */
export async function told(before: string, after: string, counts: Counts): Promise<string> {
  const { methods } = await edited(before, after, counts);
  const run = methods.find(({ name }) => name === 'run');
  return run === undefined ? '' : predictionText(run);
}

/** Of bodies. */
export const toldOf = (before: string, after: string, counts: Counts) => told(classOf(before), classOf(after), counts);
