// A tree from which what is no longer wanted is dropped, against one that was grown without it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ProfileBuilder, ROOT_NODE } from '../../server/cct/builder.ts';
import type { Profile } from '../../server/cct/profile.ts';
import { toCollapsed } from '../../server/snapshot/export/collapsed.ts';
import { runs } from '../support/runs.ts';

const WINDOWS = [{ startMillis: 0, endMillis: 1000 }];
const METRIC = { id: 'cpu', unit: 'samples', kind: 'sampled', events: ['e'], periodNanos: 0 } as const;

function textOf(profile: Profile): string {
  return toCollapsed(profile, { frames: 'full', threads: false, metric: 'cpu', weights: false });
}

/** Below each of `callers` children of the root, `each` children of its own, and the nodes of these. */
function grown(builder: ProfileBuilder, callers: number, each: number): Int32Array {
  const nodes: number[] = [];
  for (let i = 0; i < callers; i++) {
    const caller = builder.child(ROOT_NODE, builder.methods.method('A', `m${i}`, '()V', 0), 0);
    for (let j = 0; j < each; j++) nodes.push(builder.child(caller, builder.methods.method('B', `n${j}`, '()V', 0), j));
  }
  return Int32Array.from(nodes);
}

function sampled(builder: ProfileBuilder, nodes: Iterable<number>): string {
  const metric = builder.metric(METRIC);
  const thread = builder.threads.thread('', 't', false);
  for (const node of nodes) builder.add(metric, node, thread, 1, 0, 1);
  return textOf(builder.finish(WINDOWS));
}

test('nodes that are kept are the same nodes by other numbers, and the tree goes on from there', () => {
  const [callers, each] = [60, 40];
  const some = fc.uniqueArray(fc.nat(callers * each - 1), { maxLength: 500 });
  fc.assert(
    fc.property(some, some, (kept, sampledLater) => {
      const builder = new ProfileBuilder('raw');
      const nodes = grown(builder, callers, each);
      sampled(builder, nodes);
      const numbers = builder.forgetSamples(Int32Array.from(kept, i => nodes[i]!))!;
      const size = builder.nodeCount;
      expect(size).toBe(1 + new Set(kept.map(i => Math.floor(i / each))).size + kept.length);
      for (const [i, node] of nodes.entries()) expect(numbers[node]! >= 0).toBe(kept.includes(i));
      const again = kept.map(i => numbers[nodes[i]!]!);
      const alone = new ProfileBuilder('raw');
      const aloneNodes = grown(alone, callers, each);
      expect(sampled(builder, again)).toBe(
        sampled(
          alone,
          kept.map(i => aloneNodes[i]!),
        ),
      );
      expect(builder.nodeCount).toBe(size);
      const regrown = grown(builder, callers, each);
      for (const [i, of] of kept.entries()) expect(regrown[of]).toBe(again[i]);
      expect(
        sampled(
          builder,
          sampledLater.map(i => regrown[i]!),
        ),
      ).toBe(
        sampled(
          alone,
          sampledLater.map(i => aloneNodes[i]!),
        ),
      );
    }),
    { numRuns: runs(20) },
  );
});

test('a tree of which most is kept stays as it is, samples or not', () => {
  const builder = new ProfileBuilder('raw');
  const nodes = grown(builder, 60, 40);
  sampled(builder, nodes);
  const { nodeCount } = builder;
  expect(builder.forgetSamples(nodes.subarray(0, nodes.length - 100))).toBe(null);
  expect([builder.nodeCount, builder.cellCount]).toEqual([nodeCount, 0]);
  expect(builder.forgetSamples(nodes.subarray(0, 100))).not.toBe(null);
  expect(builder.nodeCount).toBe(1 + 3 + 100);
});
