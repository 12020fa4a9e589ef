// Checks stretches against every node's own children and cells: the nodes of a stretch have one total, and each node is in one stretch.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Profile } from '../../server/cct/profile.ts';
import { indexTree, nodesOfMethod } from '../../server/cct/tree-index.ts';
import { analyse } from '../../server/metrics/analysis.ts';
import { firstCell, stretchesOf, stretchOf } from '../../server/metrics/stretches.ts';
import { ALLOCATION, CPU, profileOfStacks } from '../support/profiles/profiles.ts';
import { rawSamples } from '../support/profiles/stack-oracle.ts';

test('a stretch ends where a node has cells or not one child, and where a focus begins; its total is that of each of its nodes', () =>
  fc.assert(
    fc.property(
      rawSamples({ metrics: 2, truncated: true }),
      fc.record({ metric: fc.nat(1), focused: fc.option(fc.nat(4)) }),
      (samples, { metric, focused }) => {
        const profile = profileOfStacks(samples, { metrics: [CPU, ALLOCATION] });
        const { tree } = profile;
        const index = indexTree(profile);
        const nodes = Array.from({ length: tree.length }, (_, node) => node);
        expect([...index.ends]).toEqual(
          nodes.filter(node => tree.parent.filter(parent => parent === node).length !== 1),
        );

        const method = focused === null ? null : Math.min(focused + 2, profile.methods.length - 1);
        const focus = method === null ? undefined : outermost(profile, nodesOfMethod(index, method));
        const a = analyse(profile, index, { metric, ...(focus === undefined ? {} : { focus }) });
        const cells = profile.cells[metric]!;
        const { stretches } = a;
        const isLast = (node: number) =>
          node === 0 ||
          tree.parent.filter(parent => parent === node).length !== 1 ||
          cells.node.includes(node) ||
          focus?.includes(node + 1) === true;
        expect([...stretches.ends]).toEqual(nodes.filter(isLast));
        expect(stretches.length).toBe(stretches.ends.length);
        for (const node of [...nodes, tree.length]) {
          expect(stretchOf(stretches, node)).toBe(nodes.slice(0, node).filter(isLast).length);
          expect(firstCell(stretches, node)).toBe(cells.node.filter(other => other < node).length);
        }
        for (const node of nodes) {
          const isIn = (other: number) => a.scope === null || a.scope[other] === 1;
          const below = cells.count.filter((_, i) => {
            const other = cells.node[i]!;
            return other >= node && other < tree.subtreeEnd[node]! && isIn(other);
          });
          expect(a.totalCount[stretchOf(stretches, node)]).toBe(isIn(node) ? sum(below) : 0);
        }
      },
    ),
  ));

test('bits of all places in a word are told apart', () => {
  const ends = Int32Array.from({ length: 200 }, (_, i) => i).filter(i => i % 31 !== 3);
  const none = { length: 0, node: new Int32Array(0) } as Profile['cells'][number];
  const stretches = stretchesOf(200, [ends.filter(end => end % 3 === 0).toReversed(), ends], none);
  expect([...stretches.ends]).toEqual([...ends]);
  for (let node = 0; node <= 200; node++)
    expect(stretchOf(stretches, node)).toBe(ends.filter(end => end < node).length);
});

function outermost({ tree }: Profile, nodes: Int32Array): Int32Array {
  let coveredUntil = -1;
  return nodes.filter(node => {
    if (node < coveredUntil) return false;
    coveredUntil = tree.subtreeEnd[node]!;
    return true;
  });
}

function sum(values: Float64Array): number {
  return values.reduce((all, value) => all + value, 0);
}
