// A class `Shop` with response times of its methods, edited: the terms of the predictions.
import type { LoadedData } from '../../../server/analysis/loaded-data.ts';
import type { PredictedFile } from '../../../server/analysis/prediction/prediction.ts';
import { GrowingTimes } from '../../../server/cct/times.ts';
import { predictFile } from '../../../server/features/prediction/predict-file.ts';
import { openedText } from '../../../server/mapping/recorded/profiled-text.ts';
import { documentWithData } from '../../../server/workspace/document/document-view.ts';
import { KeptMapping } from '../../../server/workspace/document/kept-mapping.ts';
import { loadedFrom } from '../../support/profiles/loaded.ts';
import { methodRows, profileOfText } from '../../support/profiles/profiles.ts';

export const MS = 1e6;

export const RECORDED = `class Shop {
  void run(java.util.List<String> words) {
    load();
    for (String word : words) {
      find(word);
    }
    save();
  }
  void load() {}
  void find(String word) {}
  void save() {}
  void rank(String word) {}
}
`;

/** `[method, caller, how often, milliseconds of a call]`; the caller 0 is none. */
export type Timed = readonly [method: string, caller: string | 0, count: number, millis: number];

export const TIMES: readonly Timed[] = [
  ['run', 0, 10, 50],
  ['load', 'run', 10, 8],
  ['find', 'run', 50, 6],
  ['save', 'run', 10, 12],
  ['rank', 'save', 20, 3],
];

export function data(calls: readonly Timed[] = TIMES) {
  const picture = [
    'Shop.run | 10@3',
    ...['load', 'find', 'save', 'rank', 'bridge'].map(name => `  Shop.${name} :3 | 10@9`),
  ].join('\n');
  const profile = profileOfText(picture);
  const rows = methodRows(profile);
  const times = new GrowingTimes();
  for (const [method, caller, count, millis] of calls)
    for (let call = 0; call < count; call++)
      times.addCall(rows.get(`Shop.${method}`)!, caller === 0 ? 0 : rows.get(`Shop.${caller}`)!, 0, millis * MS);
  return loadedFrom({ ...profile, times: times.finish()! });
}

export function predicted(edit: (text: string) => string, calls?: readonly Timed[]): Promise<PredictedFile> {
  return predictedOf(RECORDED, edit, data(calls));
}

export async function predictedOf(
  recorded: string,
  edit: (text: string) => string,
  loaded: LoadedData,
): Promise<PredictedFile> {
  const mapping = new KeptMapping({ ...openedText(recorded), from: 'commit' });
  return predictFile(documentWithData(edit(recorded), loaded, undefined, 'Shop.java', { mapping }), loaded);
}

/** Five calls of `find` in each run, of two classes. */
export function mixture(): LoadedData {
  const profile = profileOfText('Shop.run | 10@3\n  Shop.find :5 | 10@9\n  Other.find :5 | 10@9');
  const rows = methodRows(profile);
  const times = new GrowingTimes();
  const run = rows.get('Shop.run')!;
  for (let at = 0; at < 10; at++) times.addCall(run, 0, 0, 50 * MS);
  for (let at = 0; at < 30; at++) times.addCall(rows.get('Shop.find')!, run, 0, 6 * MS);
  for (let at = 0; at < 20; at++) times.addCall(rows.get('Other.find')!, run, 0, 11 * MS);
  return loadedFrom({ ...profile, times: times.finish()! });
}

/** `[callee, change, least, most, milliseconds of a call]` of the terms of the first method. */
export const terms = ({ methods }: PredictedFile) =>
  methods[0]!.terms.map(({ callee, change, times, cost }) => [
    callee,
    change,
    times?.least ?? null,
    times?.most ?? null,
    cost === null ? null : Math.round(cost.mean / MS),
  ]);
