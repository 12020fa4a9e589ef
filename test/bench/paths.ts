// Measures queries by call paths over 2.17 million nodes: cost, refinements, splits through recursion, a filter, names of 50,000 methods.
import { answer } from '../../server/analysis/ask.ts';
import type { LoadedData } from '../../server/analysis/loaded-data.ts';
import type { ParametersOf } from '../../server/analysis/questions/question-table.ts';
import { selectData } from '../../server/analysis/select-data.ts';
import { ProfileBuilder, ROOT_NODE } from '../../server/cct/builder.ts';
import { addProcessorTime } from '../../server/cct/processor-time.ts';
import type { Profile } from '../../server/cct/profile.ts';
import { hotMethods } from '../../server/metrics/method-times.ts';
import { TYPED } from '../../server/model/time-types.ts';
import { datasetOf, loadedFrom, provenanceOf } from '../support/profiles/loaded.ts';
import { CPU } from '../support/profiles/profiles.ts';
import { bigProfile } from './big-profile.ts';
import { type BenchFigure, type BenchRow, median, millisecondsOf } from './row.ts';

type PathWish = ParametersOf<'paths'>;

const NODES = 2_170_000;
const COST_MILLIS = 100;
const REFINE_MILLIS = 200;
const KEYSTROKE_MILLIS = 300;
const NAMES_MILLIS = 20;
const BUCKETS_MILLIS = 150;

const ASPECTS = [
  { name: 'first', value: 'part1.** | part2.**' },
  { name: 'steps', value: '*.step1*' },
];

function ask(data: LoadedData, query: string, refine: PathWish['refine'], view: PathWish['view'] = null): unknown {
  const wish = { query, aspects: ASPECTS, view, refine, least: 10, most: 1_000 };
  const found = answer(data, 'paths', wish);
  if (found.kind !== 'answer') throw new Error(JSON.stringify(found));
  if (found.answer.amount.count === 0) throw new Error(`${query} has no samples`);
  return found;
}

type Asked = readonly [label: string, query: string, refine: PathWish['refine'], view?: PathWish['view']];

async function figures(data: LoadedData, asked: readonly Asked[], quick: boolean): Promise<BenchFigure[]> {
  const found: BenchFigure[] = [];
  for (const [label, query, refine, view] of asked) {
    const limit = refine === null ? COST_MILLIS : REFINE_MILLIS;
    const times = await millisecondsOf(quick ? 5 : 15, 3, () => ask(data, query, refine, view));
    const value = median(times);
    found.push({ label, value, best: Math.min(...times), unit: 'ms', limit: { most: limit } });
  }
  return found;
}

const wideRow: BenchRow = {
  name: 'call paths, 2.17 M nodes',
  async run({ quick }) {
    const data = loadedFrom(bigProfile({ seed: 'tree', nodes: NODES }));
    const { methods } = data.profile;
    const hot = hotMethods(data.analysis, 40).map(({ method }) => {
      const [owner, own] = [methods.className[method]!, methods.name[method]!];
      return `${methods.strings[owner]!}.${methods.strings[own]!}`;
    });
    const names = [...new Set(hot)];
    const [a, b, c, d] = [names[0]!, names[2]!, names[5]!, names[9]!];
    const down = { kind: 'down' } as const;
    return figures(
      data,
      [
        ['cost of * ..A', `* ..${a}`, null],
        ['cost of A ..B ..C', `${a} ..${b} ..${c}`, null],
        ['cost of an aspect', `* ..first ..steps ..${c}`, null],
        ['cost with where, and, not', `(${a} ..${b} or ${c}) and not ..${d} where ..first`, null],
        ['down from *', '*', down],
        ['down from A', `* ..${a}`, down],
        ['extended from *', '*', { kind: 'extended' }],
        ['extended from A ..B', `${a} ..${b}`, { kind: 'extended' }],
        ['up at the last of * ..A', `* ..${a}`, { kind: 'up', at: null }],
        ['up at the first of * ..A ..B ..C', `* ..${a} ..${b} ..${c}`, { kind: 'up', at: 2 }],
        ['up at an aspect', `* ..first ..${b}`, { kind: 'up', at: 2 }],
      ],
      quick,
    );
  },
};

const deepRow: BenchRow = {
  name: 'call paths, 2.17 M nodes, recursion 1,000 deep',
  async run({ quick }) {
    const builder = new ProfileBuilder('normalised');
    const metric = builder.metric(CPU);
    const rows = Array.from({ length: 1_000 }, (_, m) => builder.methods.method('deep.Deep', `m${m}`, '()V', 0));
    const thread = builder.threads.thread('main', 'main', false);
    for (let stack = 0; builder.nodeCount < NODES; stack++) {
      let node = builder.child(ROOT_NODE, rows[stack % 1_000]!, stack);
      // Every second frame recurs; the others are one of a thousand callers.
      for (let level = 0; level < 1_000; level++)
        node = builder.child(node, rows[level % 2 === 0 ? 0 : (stack * 7 + level) % 1_000]!, 1);
      builder.add(metric, node, thread, 1, 0, 1);
    }
    const data = loadedFrom(builder.finish([{ startMillis: 0, endMillis: 10_000 }]));
    const m = 'deep.Deep.m0';
    return figures(
      data,
      [
        ['cost of M ..M ..M', `${m} ..${m} ..${m}`, null],
        ['extended from M', `* ..${m}`, { kind: 'extended' }],
        ['up at the last of * ..M', `* ..${m}`, { kind: 'up', at: 2 }],
        ['up at the first of * ..M ..M ..M', `* ..${m} ..${m} ..${m}`, { kind: 'up', at: 2 }],
      ],
      quick,
    );
  },
};

/** Each stack of a profile that ran waits for a monitor, a processor and something else as well. */
function typedProfile(): Profile {
  const { tree, methods, cells } = bigProfile({ seed: 'tree', nodes: 0.83 * NODES });
  const builder = new ProfileBuilder('normalised');
  const text = (at: number) => methods.strings[at]!;
  const rows = Array.from({ length: methods.length }, (_, row) =>
    builder.methods.method(text(methods.className[row]!), text(methods.name[row]!), null, 0),
  );
  const [run, load, monitor, wait] = [':RUN', ':LOAD', ':MONITOR', ':WAIT'].map(type =>
    builder.methods.method('', type, null, 0),
  ) as [number, number, number, number];
  const classes = Array.from({ length: 8 }, (_, at) => builder.methods.method('', `pool-${at}-#`, null, 0));
  const threads = Array.from({ length: 64 }, (_, at) => builder.threads.thread('', `worker-${at}`, false));
  const nodes = new Int32Array(tree.length);
  for (let node = 1; node < tree.length; node++)
    nodes[node] = builder.child(nodes[tree.parent[node]!]!, rows[tree.method[node]!]!, tree.callLine[node]!);
  const metric = builder.metric({ ...TYPED, periodNanos: 20_000_000 });
  const { node: of, count, length } = cells[0]!;
  for (let cell = 0; cell < length; cell++) {
    const [node, thread, class_] = [nodes[of[cell]!]!, threads[cell % 64]!, classes[cell % 8]!];
    const add = (leaf: number, part: number) => builder.add(metric, leaf, thread, 0, 0, count[cell]!, part * 1e6);
    add(builder.child(node, run, 1), 5);
    add(builder.child(builder.child(node, load, 1), class_, 0), 2);
    add(builder.child(builder.child(node, monitor, 1), class_, 0), 3);
    add(builder.child(node, wait, 1), 10);
  }
  addProcessorTime(builder, 0, 1e15);
  return builder.finish([{ startMillis: 0, endMillis: 10_000 }]);
}

const typedRow: BenchRow = {
  name: 'call paths of typed time, 2.17 M nodes',
  async run({ quick }) {
    const data = loadedFrom(typedProfile(), {}, { metric: 'typed' });
    if (data.profile.tree.length < 0.9 * NODES) throw new Error(`${data.profile.tree.length} nodes`);
    const { methods } = data.profile;
    const names = [...new Set(hotMethods(data.analysis, 40).map(({ method }) => method))]
      .map(row => [methods.strings[methods.className[row]!]!, methods.strings[methods.name[row]!]!] as const)
      .filter(([owner]) => owner !== '')
      .map(part => part.join('.'));
    const [a, b] = [names[0]!, names[2]!];
    return figures(
      data,
      [
        ['cost of * ..:RUN', '* ..:RUN', null],
        ['cost of * ..:RUN in the Server View', '* ..:RUN', null, 'server'],
        ['cost of A ..B ..:MONITOR', `${a} ..${b} ..:MONITOR`, null],
        ['body profile: up at * ..:RUN', '* ..:RUN', { kind: 'up', at: null }],
        ['contention: up at * ..:MONITOR', '* ..:MONITOR', { kind: 'up', at: null }],
        ['behind ..:MONITOR', '..:MONITOR', { kind: 'extended' }],
        ['behind A ..:LOAD', `${a} ..:LOAD`, { kind: 'down' }],
        ['extended from * in the Server View', '*', { kind: 'extended' }, 'server'],
      ],
      quick,
    );
  },
};

/** The part of a keystroke that the loading thread and the question thread have. */
const followedRow: BenchRow = {
  name: 'a path that is typed, 2.17 M nodes, 50,000 methods',
  async run({ quick }) {
    const profile = bigProfile({ seed: 'tree', nodes: NODES, methods: 50_000 });
    const dataset = datasetOf(profile, provenanceOf());
    const data = loadedFrom(profile);
    const [method] = hotMethods(data.analysis, 9)
      .map(({ method: row }) => row)
      .slice(-1);
    const { methods } = data.profile;
    const text = (column: Int32Array) => methods.strings[column[method!]!]!;
    const name = `${text(methods.className)}.${text(methods.name)}`;
    const filter = await millisecondsOf(quick ? 5 : 15, 2, () => selectData(dataset, { path: `* ..${name}` }));
    const typed = name.slice(0, -2);
    const wish = { query: `* ..${typed}`, at: typed.length + 4, aspects: ASPECTS, most: 50 };
    const names = await millisecondsOf(quick ? 5 : 15, 2, () => answer(data, 'pathNames', wish));
    const row = (label: string, times: readonly number[], limit: number): BenchFigure => {
      const value = median(times);
      return { label, value, best: Math.min(...times), unit: 'ms', limit: { most: limit } };
    };
    return [
      row('data under a filter by * ..A', filter, KEYSTROKE_MILLIS),
      row('names to complete A', names, NAMES_MILLIS),
    ];
  },
};

/** Eight aspects that overlap, over time, of running code and of typed time. */
const bucketsRow: BenchRow = {
  name: 'buckets of eight aspects, 2.17 M nodes',
  async run({ quick }) {
    const saved = Array.from({ length: 8 }, (_, at) => ({
      name: `a${at}`,
      value: at < 6 ? `part${at}.** | part${at + 10}.**` : `*.step${at}*`,
    }));
    const measured = async (label: string, data: LoadedData): Promise<BenchFigure> => {
      const work = () => answer(data, 'aspects', { given: [], saved, names: null, spans: 48 });
      const { rows: found, several } = work();
      if (several.count === 0 || found.some(({ total }) => total.count === 0))
        throw new Error('aspects do not overlap');
      const times = await millisecondsOf(quick ? 5 : 15, 3, work);
      const value = median(times);
      return { label, value, best: Math.min(...times), unit: 'ms', limit: { most: BUCKETS_MILLIS } };
    };
    return [
      await measured('of samples', loadedFrom(bigProfile({ seed: 'tree', nodes: NODES }))),
      await measured('of typed time', loadedFrom(typedProfile(), {}, { metric: 'typed' })),
    ];
  },
};

export const rows: readonly BenchRow[] = [wideRow, deepRow, typedRow, followedRow, bucketsRow];
