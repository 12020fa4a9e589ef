// The builder against the plainest count there is: one sum for every different sample, in a map.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EMPTY_STACK_LINE, ProfileBuilder, ROOT_NODE } from '../../server/cct/builder.ts';
import { METHOD_FLAG, type Metric, PARTIAL_METHOD, type Profile } from '../../server/cct/profile.ts';
import { assertProfile } from '../support/profiles/assert-profile.ts';

const METRICS: readonly Metric[] = [
  { id: 'cpu', unit: 'samples', kind: 'sampled', events: ['a'], periodNanos: 0 },
  { id: 'alloc', unit: 'bytes', kind: 'sampled', events: ['b'], periodNanos: 0 },
];
const WINDOWS = [0, 1, 2].map(i => ({ startMillis: i * 10, endMillis: i * 10 + 10 }));

type Sample = {
  readonly metric: number;
  readonly truncated: boolean;
  /** (method, line) pairs, root first. */
  readonly frames: readonly (readonly [method: number, line: number])[];
  readonly thread: number;
  readonly window: number;
  readonly weight: number;
};

const samples = (methods: number): fc.Arbitrary<Sample[]> =>
  fc.array(
    fc.record({
      metric: fc.nat(1),
      truncated: fc.boolean(),
      frames: fc.array(fc.tuple(fc.nat(methods), fc.integer({ min: -1, max: 3 })), { maxLength: 12 }),
      thread: fc.nat(4),
      window: fc.nat(2),
      weight: fc.nat(1000),
    }),
    { maxLength: 200 },
  );

function built(list: readonly Sample[]): Profile {
  const builder = new ProfileBuilder('normalised');
  const metrics = METRICS.map(metric => builder.metric(metric));
  for (const { metric, truncated, frames, thread, window, weight } of list) {
    let node = truncated ? builder.partialRoot() : ROOT_NODE;
    let line = frames.length === 0 ? EMPTY_STACK_LINE : 0;
    for (const [method, at] of frames) {
      node = builder.child(node, builder.methods.method('p.C', `m${method}`, '()V', 0), Math.max(line, -1));
      line = at;
    }
    builder.add(
      metrics[metric]!,
      node,
      builder.threads.thread('g', `t-${'x'.repeat(thread)}`, false),
      line,
      window,
      1,
      weight,
    );
  }
  return builder.finish(WINDOWS);
}

/** Every cell as `metric path line thread window`, with its sums. */
function sumsOf(profile: Profile): Map<string, number[]> {
  const { tree, methods, threads, cells } = profile;
  const sums = new Map<string, number[]>();
  for (const [metric, column] of cells.entries()) {
    for (let i = 0; i < column.length; i++) {
      const path: string[] = [];
      for (let node = column.node[i]!; node > 0; node = tree.parent[node]!) {
        path.unshift(`${tree.callLine[node]} ${methods.strings[methods.name[tree.method[node]!]!]}`);
      }
      const thread = threads.name[column.thread[i]!];
      const key = [METRICS[metric]!.id, ...path, column.line[i], thread, column.window[i]].join(', ');
      expect(sums.has(key)).toBe(false);
      sums.set(key, [column.count[i]!, column.weight[i]!, column.weightSquares?.[i] ?? -1]);
    }
  }
  return sums;
}

function naiveSums(list: readonly Sample[]): Map<string, number[]> {
  const sums = new Map<string, number[]>();
  for (const { metric, truncated, frames, thread, window, weight } of list) {
    const path = truncated ? ['0 [truncated]'] : [];
    let line = frames.length === 0 ? EMPTY_STACK_LINE : 0;
    for (const [method, at] of frames) {
      path.push(`${line} m${method}`);
      line = at;
    }
    const key = [METRICS[metric]!.id, ...path, line, `t-${'x'.repeat(thread)}`, window].join(', ');
    const [count, sum, squares] = sums.get(key) ?? [0, 0, 0];
    const weighted = METRICS[metric]!.unit === 'bytes';
    sums.set(key, weighted ? [count! + 1, sum! + weight, squares! + weight ** 2] : [count! + 1, sum! + 1, -1]);
  }
  return sums;
}

describe('a built profile', () => {
  test.each([2, 40])('holds what was added, each once, whatever the order (methods up to %i)', methods => {
    fc.assert(
      fc.property(samples(methods), list => {
        const profile = built(list);
        assertProfile(profile);
        const byKey = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);
        expect([...sumsOf(profile)].sort(byKey)).toEqual([...naiveSums(list)].sort(byKey));
      }),
    );
  });

  test('finds each of many children again, of the right parent', () => {
    const builder = new ProfileBuilder('raw');
    const parents = Array.from({ length: 500 }, (_, i) => builder.child(ROOT_NODE, 2, i));
    const all = () =>
      parents.flatMap(parent => Array.from({ length: 30 }, (_, i) => builder.child(parent, 3 + (i % 7), i)));
    const children = all();
    expect(new Set(children).size).toBe(500 * 30);
    expect(all()).toEqual(children);
    expect(builder.nodeCount).toBe(1 + 500 + 500 * 30);
  });

  test.each([3, 100, 500])('has the %i cells of one node in order, in whatever order they came', count => {
    const builder = new ProfileBuilder('raw');
    const metric = builder.metric(METRICS[1]!);
    const thread = (line: number) => builder.threads.thread('g', `t-${line % 5}`, false);
    // In the order of the table.
    for (let line = 0; line < 5; line++) thread(line);
    const scattered = Array.from({ length: count }, (_, i) => (i * 37) % count);
    for (const line of scattered) builder.add(metric, ROOT_NODE, thread(line), line, line % 3, 1, line);
    const profile = builder.finish(WINDOWS);
    assertProfile(profile);
    const { length, line, weight } = profile.cells[0]!;
    expect(length).toBe(count);
    expect(weight).toEqual(Float64Array.from(line));
    expect([...line]).toEqual(scattered.sort((a, b) => (a % 5) - (b % 5) || a - b));
  });

  test('is deep where the stacks were deep', () => {
    const builder = new ProfileBuilder('raw');
    let node = ROOT_NODE;
    const method = builder.methods.method('C', 'recurse', '()V', 0);
    for (let depth = 0; depth < 100_000; depth++) node = builder.child(node, method, 1);
    const { tree } = builder.finish([]);
    expect(tree.depth.at(-1)).toBe(100_000);
    expect([...new Set(tree.subtreeEnd)]).toEqual([100_001]);
  });

  test('lives in memory that threads can share', () => {
    const { tree, cells } = built([{ metric: 1, truncated: false, frames: [], thread: 0, window: 0, weight: 3 }]);
    for (const column of [tree.parent, tree.method, tree.callLine, cells[1]!.node, cells[1]!.weight]) {
      expect(column.buffer).toBeInstanceOf(SharedArrayBuffer);
    }
  });
});

describe('tables', () => {
  test('a method is told apart by class, name and descriptor, and unites what is known of it', () => {
    const { methods } = new ProfileBuilder('raw');
    const run = methods.method('p.C', 'run', '()V', METHOD_FLAG.known);
    expect(run).toBe(PARTIAL_METHOD + 1);
    expect(methods.method('p.C', 'run', '()V', METHOD_FLAG.hidden)).toBe(run);
    const others = [
      methods.method('p.D', 'run', '()V', 0),
      methods.method('p.C', 'run', null, 0),
      methods.method('p.C', 'go', '()V', 0),
    ];
    expect(new Set([run, ...others]).size).toBe(4);
    const table = methods.finish();
    expect(table.flags[run]).toBe(METHOD_FLAG.known | METHOD_FLAG.hidden);
    expect(table.descriptor[others[1]!]).toBe(-1);
    expect(table.strings[table.className[others[0]!]!]).toBe('p.D');
  });

  test.each([64, 65, 3000])('a pool of %d threads', length => {
    const builder = new ProfileBuilder('normalised');
    const cpu = builder.metric(METRICS[0]!);
    const rows = Array.from({ length }, (_, i) => builder.threads.thread('main', `pool-1-thread-${i}`, false));
    const other = [
      builder.threads.thread('main', 'pool-1-thread-1', true),
      builder.threads.thread('other', 'pool-1-thread-1', false),
    ];
    expect(new Set([...other, rows[1]]).size).toBe(3);
    for (const row of [...rows, ...other]) builder.add(cpu, ROOT_NODE, row, 0, 0, 1);
    const profile = builder.finish([{ startMillis: 0, endMillis: 1 }]);
    assertProfile(profile);
    const { name, rawNames } = profile.threads;
    if (length === 64)
      expect(name).toEqual([...rows.map(i => `pool-1-thread-${i}`), ...other.map(() => 'pool-1-thread-1')]);
    else expect(name).toEqual(['pool-#-thread-#', 'pool-1-thread-1', 'pool-1-thread-1']);
    expect(rawNames[0]!.length).toBe(length === 64 ? 0 : Math.min(length, 1000));
    expect([...profile.cells[0]!.count].reduce((x, y) => x + y)).toBe(length + 2);
  });

  test('raw threads keep their names', () => {
    const { threads } = new ProfileBuilder('raw');
    expect(threads.thread('g', 'a-1', false)).not.toBe(threads.thread('g', 'a-2', false));
    expect(threads.finish().name).toEqual(['a-1', 'a-2']);
  });

  test('a metric declared again unites its events', () => {
    const builder = new ProfileBuilder('raw');
    expect(builder.metric(METRICS[0]!)).toBe(0);
    expect(builder.metric({ ...METRICS[0]!, events: ['z', 'a'], periodNanos: 5 })).toBe(0);
    expect(builder.finish([]).metrics).toEqual([{ ...METRICS[0]!, events: ['a', 'z'], periodNanos: 5 }]);
  });
});
