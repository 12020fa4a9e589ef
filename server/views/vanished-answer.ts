// Contexts that the baseline has and the shown data have not: of those, the outermost, below parts that are still there.
import type { PictureWish } from '../analysis/questions/picture.ts';
import { turns } from '../base/pause.ts';
import { ROOT_METHOD } from '../cct/profile.ts';
import { shortWay } from '../metrics/method-keys.ts';
import { nothingCompared } from './refusal.ts';
import type { Viewed, ViewHost } from './view-host.ts';
import type { AskVanished, MethodKey, Vanished } from './view-messages.ts';
import { comparedSubject, methodTeller, metricOf, subjectOf } from './viewed-data.ts';

/** As a share of the root; the picture of the baseline may need a larger one. */
const LEAST_SHARE = 0.0005;
const MOST_BOXES = 20_000;
const MOST_DEEP = 10_000;
const MOST_ROWS = 500;

export async function vanishedAnswer(
  host: ViewHost,
  viewed: Viewed,
  wish: AskVanished,
  signal: AbortSignal,
): Promise<Vanished> {
  const { baseline, data, own } = viewed;
  if (baseline === null) throw nothingCompared();
  const { look, direction, of, root, operations } = wish;
  const { recursion, library, aggregate } = operations;
  const keys = data.answers.keysOf(data.profile.methods);
  const before = baseline.data.answers.keysOf(baseline.data.profile.methods);
  const keyBefore = (key: MethodKey): MethodKey => {
    const row = keys.rowOf(key);
    const [then] = row < 0 ? [] : baseline.pairing.rowsOf([row]);
    // The id of a call path is the same where nothing in it was renamed.
    return then === undefined ? key : before.keyOf(then);
  };
  const parts = {
    direction: direction === 'down' ? 'callees' : 'callers',
    isAggregated: aggregate,
    ...{ recursion, library, own },
  } as const;
  const parameters: PictureWish = {
    ...parts,
    of: of === null ? null : keyBefore(of),
    root: root.map(keyBefore),
    ...{ window: [0, 1], rows: [0, MOST_DEEP], least: [LEAST_SHARE], most: MOST_BOXES },
    ...{ form: 'metric', order: 'weight', search: null },
  };
  const picture = await host.door.ask(comparedSubject(viewed, baseline, look), 'picture', parameters, { signal });
  const { columns } = picture;
  const least = LEAST_SHARE * picture.coarser;
  const nothing = { weight: 0, count: 0 };
  const answer = { whole: picture.whole, unit: metricOf(viewed, look).unit, least };
  if (picture.root.missing > 0) return { ...answer, total: nothing, length: 0, rows: [] };
  const now = await rowsNow(viewed, signal);
  const rootRows = picture.root.steps.map(key => now.get(before.rowOf(key)) ?? []);
  const methods = [...new Set(columns.method)].filter(row => row !== ROOT_METHOD);
  const numbers = new Map(methods.map((row, at) => [row, at]));
  const found = await host.door.ask(
    subjectOf(viewed, look),
    'counterparts',
    {
      ...parts,
      methods: of === null ? null : [keys.rowOf(of)].filter(row => row >= 0),
      root: rootRows,
      parent: columns.parent,
      method: columns.method.map(row => numbers.get(row) ?? -1),
      rows: methods.map(row => now.get(row) ?? []),
    },
    { signal },
  );
  const isThere = (box: number): boolean => found.weight[box]! > 0;
  const gone = Array.from(columns.parent.keys())
    .filter(box => !isThere(box) && columns.parent[box]! >= 0 && isThere(columns.parent[box]!))
    .sort((one, other) => columns.weight[other]! - columns.weight[one]!);
  const amountOf = (box: number) => ({ weight: columns.weight[box]!, count: columns.count[box]! });
  const tell = methodTeller(viewed, baseline.data);
  const rootSteps = rootRows.map(([row]) => keys.keyOf(row!));
  const stepsTo = (box: number): MethodKey[] => {
    const steps: MethodKey[] = [];
    for (let at = box; columns.parent[at]! >= 0; at = columns.parent[at]!)
      steps.unshift(keys.keyOf(now.get(columns.method[at]!)![0]!));
    return steps;
  };
  return {
    ...answer,
    total: gone.map(amountOf).reduce((sum, { weight, count }) => {
      return { weight: sum.weight + weight, count: sum.count + count };
    }, nothing),
    length: gone.length,
    rows: gone.slice(0, MOST_ROWS).map(box => {
      const above = columns.parent[box]!;
      return {
        method: tell(columns.method[box]!),
        above: columns.method[above] === ROOT_METHOD ? null : tell(columns.method[above]!),
        steps: shortWay(keys, of, [...rootSteps, ...stepsTo(above)]),
        total: amountOf(box),
        // Parts of pictures are not tested.
        verdict: 'notTested',
      };
    }),
  };
}

/** For methods of the baseline, the rows of what they are called now. */
async function rowsNow(
  { data, baseline }: Viewed,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const turn = turns(() => signal.aborted);
  const now = new Map<number, number[]>();
  for (let row = 0; row < data.profile.methods.length; row++) {
    if (row % 256 === 0) await turn();
    for (const then of baseline?.pairing.rowsOf([row]) ?? []) {
      const known = now.get(then);
      if (known === undefined) now.set(then, [row]);
      else known.push(row);
    }
  }
  return now;
}
