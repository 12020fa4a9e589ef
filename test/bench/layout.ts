// Measures the layout of pictures at 2.17 million nodes: every view, its first answer and those after it, zooming and searching.
import { answer, lookAt } from '../../server/analysis/ask.ts';
import type { LoadedData } from '../../server/analysis/loaded-data.ts';
import type { Picture, PictureWish } from '../../server/analysis/questions/picture.ts';
import { datasetOf, provenanceOf } from '../support/profiles/loaded.ts';
import { bigProfile, randomNumbers } from './big-profile.ts';
import { type BenchFigure, type BenchRow, median } from './row.ts';

const NODES = 2_170_000;
/** The question of a page on a screen of 1,400 pixels: half a pixel, 60 rows. */
export const SCREEN: PictureWish = {
  direction: 'callees',
  of: null,
  root: [],
  recursion: false,
  library: false,
  own: ['com.acme.shop.part1', 'com.acme.shop.part2'],
  isAggregated: false,
  window: [0, 1],
  rows: [0, 60],
  least: [0.5 / 1400],
  form: 'metric',
  order: 'weight',
  most: 20_000,
  search: null,
};

/** The fields of the question that a view or an operation changes. */
const VIEWS: readonly (readonly [name: string, wish: Partial<PictureWish>])[] = [
  ['callees', {}],
  ['equal shares', { form: 'equal' }],
  ['libraries folded', { library: true }],
  ['recursion merged', { recursion: true }],
  ['recursion merged, libraries folded', { recursion: true, library: true }],
  ['aggregated', { isAggregated: true }],
  ['inverted', { direction: 'callers' }],
  ['inverted, libraries folded', { direction: 'callers', library: true }],
  ['searched', { search: 'get' }],
];

let profile: ReturnType<typeof bigProfile> | null = null;

/** Looked at anew, so that nothing is known of pictures. */
function freshData(): LoadedData {
  profile ??= bigProfile({ seed: 'tree', nodes: NODES, metrics: 1 });
  return lookAt({ dataset: datasetOf(profile, provenanceOf()), selection: {} });
}

function limited(label: string, times: readonly number[], limit: number, value = median(times)): BenchFigure {
  return { label, value, best: Math.min(...times), unit: 'ms', limit: { most: limit } };
}

function timesOf(runs: number, work: (run: number) => unknown): number[] {
  return Array.from({ length: runs }, (_, run) => {
    const started = performance.now();
    work(run);
    return performance.now() - started;
  });
}

const viewsRow: BenchRow = {
  name: 'picture of 2.17 M nodes',
  async run({ quick }) {
    const runs = quick ? 2 : 7;
    const data = freshData();
    const { dataset, selection } = data;
    return VIEWS.flatMap(([name, change]) => {
      const wish = { ...SCREEN, ...change };
      const first = timesOf(runs, () => {
        data.answers.parts.forget();
        answer(data, 'picture', wish);
      });
      const next = timesOf(runs, () => answer(data, 'picture', wish));
      return [limited(`${name}, first`, first, 200), limited(`${name}, then`, next, 50)];
    }).concat(
      limited(
        'another Selection, first',
        timesOf(runs, () =>
          answer(lookAt({ dataset, selection: { ...selection, threads: ['*1*'] } }), 'picture', SCREEN),
        ),
        200,
      ),
    );
  },
};

/** Takes boxes as roots at random and zooms, as a hand does: the worst place is among them. */
function wander(data: LoadedData, steps: number, change: Partial<PictureWish>): number[] {
  const random = randomNumbers('wander');
  let root: readonly string[] = [];
  let shown: Picture = answer(data, 'picture', { ...SCREEN, ...change });
  const keys = data.answers.keysOf(data.profile.methods);
  return timesOf(steps, step => {
    const { columns } = shown;
    const box = Math.floor(random() * columns.row.length);
    const way: string[] = [];
    for (let at = box; at > 0; at = columns.parent[at]!) way.unshift(keys.keyOf(columns.method[at]!));
    root = step % 5 === 4 ? [] : [...shown.root.steps, ...way];
    const from = random() * 0.9;
    const window = step % 2 === 0 ? ([0, 1] as const) : ([from, from + random() * 0.1] as const);
    shown = answer(data, 'picture', { ...SCREEN, ...change, root, window });
  });
}

const wanderRow: BenchRow = {
  name: 'zoom and pan in 2.17 M nodes, 95th percentile',
  async run({ quick }) {
    const data = freshData();
    return VIEWS.slice(0, 5).map(([name, change]) => {
      const times = wander(data, quick ? 20 : 200, change).toSorted((x, y) => x - y);
      return limited(name, times, 50, times[Math.floor(times.length * 0.95)]!);
    });
  },
};

const hitsRow: BenchRow = {
  name: 'search in 2.17 M nodes',
  async run({ quick }) {
    const data = freshData();
    const runs = quick ? 2 : 7;
    return [
      limited(
        'letters',
        timesOf(runs, () => answer(data, 'hits', { search: 'type1', most: 500 })),
        200,
      ),
      limited(
        'expression',
        timesOf(runs, () => answer(data, 'hits', { search: '/Type\\d*7/', most: 500 })),
        200,
      ),
    ];
  },
};

export const rows: readonly BenchRow[] = [viewsRow, wanderRow, hitsRow];
