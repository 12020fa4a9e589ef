// Tests which predictions are marked beyond a limit, and which callers are listed, where only the ends of a change are known.
import { expect, test } from 'vitest';
import { defaultSettings } from '../../../server/base/config.ts';
import { GrowingTimes } from '../../../server/cct/times.ts';
import { predictFile } from '../../../server/features/prediction/predict-file.ts';
import { predictionDiagnostics } from '../../../server/features/prediction/prediction-limit.ts';
import { callerText } from '../../../server/features/prediction/prediction-text.ts';
import { slowerCallers } from '../../../server/features/prediction/slower-callers.ts';
import { openedText } from '../../../server/mapping/recorded/profiled-text.ts';
import { documentWithData } from '../../../server/workspace/document/document-view.ts';
import { KeptMapping } from '../../../server/workspace/document/kept-mapping.ts';
import { loadedFrom } from '../../support/profiles/loaded.ts';
import { methodRows, profileOfText } from '../../support/profiles/profiles.ts';
import { classOf, MS } from './edited-run.ts';

/** Each run of `Api.serve` calls `Shop.run` so often; `run` finds once, and ranks take so many milliseconds elsewhere. */
function data(runs = 2, rank = 3) {
  const profile = profileOfText(
    ['Api.serve', 'Shop.run', 'Store.find', 'Store.rank'].map(name => `${name} | 10@3`).join('\n'),
  );
  const rows = methodRows(profile);
  const row = (name: string) => rows.get(name)!;
  const times = new GrowingTimes();
  for (let at = 0; at < 20; at++) {
    times.addCall(row('Api.serve'), 0, 0, 240 * MS);
    for (let run = 0; run < runs; run++) times.addCall(row('Shop.run'), row('Api.serve'), 0, 100 * MS);
    for (let run = 0; run < runs; run++) times.addCall(row('Store.find'), row('Shop.run'), 0, 10 * MS);
    times.addCall(row('Store.rank'), 0, 0, rank * MS);
  }
  return loadedFrom({ ...profile, times: times.finish()! });
}

const RECORDED = 'store.find("a");';

async function predicted(body: string, limits: Readonly<Record<string, string>> = {}, loaded = data()) {
  const mapping = new KeptMapping({ ...openedText(classOf(RECORDED)), from: 'commit' });
  const settings = { ...defaultSettings(), 'predict.limit': limits };
  const document = documentWithData(classOf(body), loaded, settings, 'Shop.java', { mapping });
  const found = await predictFile(document, loaded);
  return { found, marked: predictionDiagnostics(document, found, loaded).map(({ message }) => message) };
}

/** +15 ms a run. */
const SURE = `${RECORDED} for (int i = 0; i < 5; i++) store.rank("a");`;
/** 0 to +15 ms a run. */
const OPEN = `${RECORDED} if (words.isEmpty()) for (int i = 0; i < 5; i++) store.rank("a");`;
/** +3 to +18 ms a run. */
const BOTH = `${OPEN} store.rank("b");`;

test.each<[body: string, limits: Readonly<Record<string, string>>, wanted: RegExp[]]>([
  [SURE, { 'Shop.run': '+15 %' }, [/^predicted ≈ \+15 ms, likely of 100 ms, .*; the limit is \+15 %$/]],
  [SURE, { 'Api.*': '+30 ms' }, [/^predicted of its caller Api\.serve: ≈ \+30 ms of 240 ms by Shop\.run; the limit/]],
  // The middle is beyond the limit, the lower end is not.
  [OPEN, { 'Shop.run': '+5 ms' }, []],
  [OPEN, { 'Api.*': '+10 ms' }, []],
  [BOTH, { 'Shop.run': '+5 ms', 'Api.*': '+10 ms' }, []],
  [BOTH, { 'Shop.run': '+3 ms' }, [/^predicted ≈ \+3 ms to \+18 ms, rough of 100 ms, .*; the limit is \+3 ms$/]],
  [BOTH, { 'Api.*': '+6 ms' }, [/^predicted of its caller Api\.serve: ≈ \+6 ms to \+36 ms of 240 ms by Shop\.run/]],
])('%s, limits %o', async (body, limits, wanted) => {
  const { marked } = await predicted(body, limits);
  expect(marked).toEqual(wanted.map(each => expect.stringMatching(each)));
});

test('a caller is listed where it may get slower, by the most that it may', async () => {
  const { found } = await predicted(OPEN);
  const [caller] = found.callers;
  const [method] = found.methods;
  const slower = (...ends: readonly (readonly [number, number])[]) => {
    const callers = ends.map((both, row) => ({ ...caller!, row, ends: both, change: (both[0] + both[1]) / 2 }));
    return slowerCallers({ ...found, callers }, method!).map(({ row }) => row);
  };
  // The middle of the first is below 0, that of the second is 0; the last but one gets faster, the last is too small to be told.
  const ends = [
    [-90, 60],
    [-40, 40],
    [50, 50],
    [-9, 0],
    [-90, 0.1],
  ] as const;
  expect(slower(...ends.map(([low, high]) => [low * MS, high * MS] as const))).toEqual([0, 2, 1]);
});

test('a caller is kept by either end', async () => {
  // 0 to +1.5 ms: the middle is too small to be told.
  const { found } = await predicted(`${RECORDED} if (words.isEmpty()) store.rank("a");`, {}, data(1, 1.5));
  expect(found.callers.map(callerText)).toEqual(['≤ +1.5 ms of 240 ms']);
});
