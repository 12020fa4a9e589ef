// Checks that the JSON export, read as docs/formats.md describes it, is the profile.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MethodTableBuilder } from '../../../server/cct/method-table.ts';
import type { Losses, Metric, Profile, TimeWindow } from '../../../server/cct/profile.ts';
import { toJson } from '../../../server/snapshot/export/json.ts';
import { assertProfile } from '../../support/profiles/assert-profile.ts';
import { ALLOCATION, CPU, profileOfStacks, textOfProfile } from '../../support/profiles/profiles.ts';
import { rawSamples } from '../../support/profiles/stack-oracle.ts';
import { textOfTimes, timedCalls, timedProfile } from '../../support/profiles/timed.ts';
import { runs } from '../../support/runs.ts';

type Columns = { readonly [column: string]: number[] };
type Document = {
  readonly format: string;
  readonly version: number;
  readonly metrics: Metric[];
  readonly windows: TimeWindow[];
  readonly losses: Losses;
  readonly threads: { group: string; name: string; virtual: boolean }[];
  readonly methods: { class: string; name: string; descriptor?: string; flags: number }[];
  readonly nodes: Columns;
  readonly cells: Columns[];
  readonly times?: Columns;
  readonly sketches?: Columns;
};

/** The profile of a document; depth and the ends of subtrees follow from the parents. */
function profileOf(document: Document): Profile {
  const { threads, metrics, windows, losses } = document;
  const methods = new MethodTableBuilder();
  for (const each of document.methods) methods.method(each.class, each.name, each.descriptor ?? null, each.flags);
  const parent = Int32Array.from(document.nodes.parent!);
  const depth = new Int32Array(parent.length);
  const subtreeEnd = Int32Array.from(parent, (_, row) => row + 1);
  for (let row = 1; row < parent.length; row++) depth[row] = depth[parent[row]!]! + 1;
  for (let row = parent.length - 1; row > 0; row--)
    subtreeEnd[parent[row]!] = Math.max(subtreeEnd[parent[row]!]!, subtreeEnd[row]!);
  const ints = (values: number[] | undefined) => Int32Array.from(values!);
  const floats = (values: number[] | undefined) => Float64Array.from(values!);
  return {
    tree: {
      length: parent.length,
      parent,
      depth,
      subtreeEnd,
      method: ints(document.nodes.method),
      callLine: ints(document.nodes.callLine),
    },
    methods: methods.finish(),
    threads: {
      length: threads.length,
      group: threads.map(({ group }) => group),
      name: threads.map(({ name }) => name),
      virtual: Uint8Array.from(threads, ({ virtual }) => (virtual ? 1 : 0)),
      rawNames: threads.map(() => []),
    },
    cells: document.cells.map(({ node, thread, line, window, count, weight, weightSquares }) => ({
      length: node!.length,
      node: ints(node),
      thread: ints(thread),
      line: ints(line),
      window: ints(window),
      count: floats(count),
      weight: floats(weight ?? count),
      weightSquares: weightSquares === undefined ? null : floats(weightSquares),
    })),
    metrics,
    windows,
    losses,
    ...timesOf(document),
  };
}

function timesOf({ times, sketches }: Document): Pick<Profile, 'times'> {
  if (times === undefined || sketches === undefined) return {};
  const { method, caller, window, count, sum, squares, least, greatest } = times;
  const [methods, callers, windows] = [method, caller, window].map(column => Int32Array.from(column!));
  const amounts = [count, sum, squares, least, greatest].map(column => Float64Array.from(column!));
  const offset = Int32Array.from(sketches.offset!);
  const bucket = Int32Array.from(sketches.bucket!);
  return {
    times: {
      length: method!.length,
      method: methods!,
      caller: callers!,
      window: windows!,
      count: amounts[0]!,
      sum: amounts[1]!,
      squares: amounts[2]!,
      least: amounts[3]!,
      greatest: amounts[4]!,
      sketches: { offset, bucket, count: Float64Array.from(sketches.count!) },
    },
  };
}

const documentOf = (profile: Profile, metric?: string): Document => JSON.parse([...toJson(profile, metric)].join(''));

test('random profiles come back', () => {
  fc.assert(
    fc.property(rawSamples({ metrics: 2, truncated: true }), samples => {
      const profile = profileOfStacks(samples, { metrics: [CPU, ALLOCATION] });
      const document = documentOf(profile);
      expect(document).toMatchObject({ format: 'insitu-profile', version: 1 });
      const again = profileOf(document);
      assertProfile(again);
      for (const metric of [0, 1])
        expect(textOfProfile(again, metric, true)).toBe(textOfProfile(profile, metric, true));
      expect(again.cells.map(({ weightSquares }) => weightSquares)).toEqual(
        profile.cells.map(({ weightSquares }) => weightSquares),
      );
      expect([again.metrics, again.windows, again.losses]).toEqual([profile.metrics, profile.windows, profile.losses]);
    }),
    { numRuns: runs(100) },
  );
});

test('one metric alone, and none at all', () => {
  const profile = profileOfStacks([{ frames: [{ method: 'A.b', line: 3 }] }], { metrics: [CPU, ALLOCATION] });
  const { metrics, cells } = documentOf(profile, 'alloc');
  expect([metrics, cells.length]).toEqual([[ALLOCATION], 1]);
  expect(documentOf(profileOfStacks([], { metrics: [] }))).toMatchObject({ metrics: [], cells: [] });
});

test('threads have group, name and whether they are virtual', () => {
  const profile = profileOfStacks([{ frames: [{ method: 'A.b', line: 3 }], thread: 1 }], { threads: ['main', ''] });
  const threads = { ...profile.threads, group: ['system', 'pool'], virtual: Uint8Array.of(0, 1) };
  expect(documentOf({ ...profile, threads }).threads).toEqual([
    { group: 'system', name: 'main', virtual: false },
    { group: 'pool', name: '', virtual: true },
  ]);
});

test('response times come back, unless another metric alone is wanted', () => {
  fc.assert(
    fc.property(timedCalls, calls => {
      const profile = timedProfile(calls);
      const again = profileOf(documentOf(profile));
      assertProfile(again);
      expect(textOfTimes(again)).toEqual(textOfTimes(profile));
      expect(documentOf(profile, 'calls').times).toBeUndefined();
    }),
  );
});
