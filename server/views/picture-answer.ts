// Pictures and hits of a search: asked of the question thread with the packages of the project.
import type { BaselineColumns } from '../analysis/picture-columns.ts';
import type { Picture, PictureWish } from '../analysis/questions/picture.ts';
import { ROOT_METHOD } from '../cct/profile.ts';
import { shortWay } from '../metrics/method-keys.ts';
import { frameBytes } from './picture-frame.ts';
import { refusalOf } from './refusal.ts';
import type { Viewed, ViewHost } from './view-host.ts';
import { type AskHits, type AskPicture, BOX_FLAG, type FrameHeader, type Hits, VERDICTS } from './view-messages.ts';
import { revisionOf } from './view-state.ts';
import { comparedSubject, methodTeller, metricOf, subjectOf } from './viewed-data.ts';

const MOST_HITS = 500;

export async function pictureAnswer(
  host: ViewHost,
  viewed: Viewed,
  wish: AskPicture,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const began = performance.now();
  const { order } = wish;
  const parameters = pictureWish(host, viewed, wish);
  const picture = await host.door.ask(subjectOf(viewed, wish.look), 'picture', parameters, { signal });
  const { columns } = picture;
  if (typeof order === 'object') host.orders.saw(order.kept, columns.id);
  const baseline = wish.baseline ? await baselineColumns(host, viewed, { wish, parameters, picture }, signal) : null;
  const tell = methodTeller(viewed, viewed.data);
  const { rows, numberOf } = numbered(columns.method);
  const metric = metricOf(viewed, wish.look);
  const { root } = picture;
  const header: FrameHeader = {
    revision: revisionOf(viewed),
    metric: metric.id,
    unit: metric.unit,
    whole: picture.whole,
    root: {
      steps: shortWay(viewed.data.answers.keysOf(viewed.data.profile.methods), wish.of, root.steps),
      method: root.method === ROOT_METHOD ? null : tell(root.method),
      total: root.total,
      missing: root.missing === 0 ? null : root.missing,
    },
    boxes: columns.row.length,
    cuts: columns.cuts.start.length,
    methods: rows.map(tell),
    deepest: columns.row.reduce((deepest, row) => Math.max(deepest, row), 0),
    sums: picture.sums,
    coarser: picture.coarser,
    baseline: baseline !== null,
    millis: Math.round(performance.now() - began),
    problems: picture.problems.map(({ message, remedy = '' }) => ({ message, remedy })),
  };
  const flags =
    baseline === null
      ? columns.flags
      : columns.flags.map((flag, box) => flag | (baseline.share[box] === 0 ? BOX_FLAG.added : 0));
  return frameBytes(header, { ...columns, flags, method: columns.method.map(numberOf) }, baseline);
}

function pictureWish({ orders }: ViewHost, { own }: Viewed, wish: AskPicture): PictureWish {
  const { direction, of, root, operations, form, order, window, rows, least, most, search } = wish;
  const { recursion, library, aggregate } = operations;
  return {
    ...{ of, root, recursion, library, own, form, window, rows, least, most, search },
    direction: direction === 'down' ? 'callees' : 'callers',
    isAggregated: aggregate,
    order: typeof order === 'object' ? { kept: orders.of(order.kept) } : order,
  };
}

/** Methods that are drawn, each once; the root of everything is none of them. */
function numbered(methods: Int32Array): {
  readonly rows: readonly number[];
  readonly numberOf: (row: number) => number;
} {
  const rows = [...new Set(methods)].filter(row => row !== ROOT_METHOD);
  const numbers = new Map(rows.map((row, at) => [row, at]));
  return { rows, numberOf: row => numbers.get(row) ?? -1 };
}

type Drawn = { readonly wish: AskPicture; readonly parameters: PictureWish; readonly picture: Picture };

/** Of the same call paths in the baseline; null where there is none. */
async function baselineColumns(
  host: ViewHost,
  viewed: Viewed,
  { wish, parameters, picture }: Drawn,
  signal: AbortSignal,
): Promise<BaselineColumns | null> {
  const { baseline, data } = viewed;
  if (baseline === null) return null;
  const { columns, above, root } = picture;
  const hidden = above.parent.length;
  const keys = data.answers.keysOf(data.profile.methods);
  const then = (row: number) => baseline.pairing.rowsOf([row]);
  const methods = joined(above.method, columns.method);
  const { rows, numberOf } = numbered(methods);
  const { direction, isAggregated, recursion, library, own } = parameters;
  const found = await host.door.ask(
    comparedSubject(viewed, baseline, wish.look),
    'counterparts',
    {
      ...{ direction, isAggregated, recursion, library, own },
      methods: wish.of === null ? null : then(keys.rowOf(wish.of)),
      root: root.steps.map(key => then(keys.rowOf(key))),
      parent: joined(
        above.parent,
        columns.parent.map((row, box) => (row >= 0 ? hidden + row : above.ofBox[box]!)),
      ),
      method: methods.map(numberOf),
      rows: rows.map(then),
    },
    { signal },
  );
  const share = found.weight.subarray(hidden).map(weight => (found.whole.weight > 0 ? weight / found.whole.weight : 0));
  // Parts of pictures are not tested.
  const verdict = new Uint8Array(share.length).fill(VERDICTS.indexOf('notTested'));
  return { share, verdict };
}

function joined(first: Int32Array, then: Int32Array): Int32Array {
  const all = new Int32Array(first.length + then.length);
  all.set(first);
  all.set(then, first.length);
  return all;
}

export async function hitsAnswer(
  host: ViewHost,
  viewed: Viewed,
  { look, search }: AskHits,
  signal: AbortSignal,
): Promise<Hits> {
  const subject = subjectOf(viewed, look);
  const { problems, whole, ...found } = await host.door.ask(subject, 'hits', { search, most: MOST_HITS }, { signal });
  if (problems.length > 0) throw refusalOf(problems);
  const tell = methodTeller(viewed, viewed.data);
  const keys = viewed.data.answers.keysOf(viewed.data.profile.methods);
  const rows = found.rows.map(row => ({ ...row, method: tell(row.method), steps: shortWay(keys, null, row.steps) }));
  return { ...found, whole, rows };
}
