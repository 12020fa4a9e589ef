// Checks the way from a node to its call path and back, and the index of nodes by method.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callPathOf, nodeOfCallPath } from '../../server/cct/call-path.ts';
import { childrenOf, indexTree, nodesOfMethod } from '../../server/cct/tree-index.ts';
import { profileOfStacks, profileOfText } from '../support/profiles.ts';
import { rawSamples } from '../support/stack-oracle.ts';

test('a call path names methods and the lines that call', () => {
  const profile = profileOfText(`
Main.main()V
  Shop.run :12 | 3@14`);
  expect(callPathOf(profile, 2)).toEqual([
    { className: 'Main', name: 'main', descriptor: '()V', callLine: 0 },
    { className: 'Shop', name: 'run', descriptor: null, callLine: 12 },
  ]);
  expect(nodeOfCallPath(profile, [])).toBe(0);
  expect(nodeOfCallPath(profile, callPathOf(profile, 2).slice(1))).toBe(-1);
  expect(nodeOfCallPath(profile, [{ className: 'No', name: 'no', descriptor: null, callLine: 0 }])).toBe(-1);
});

test('every node is found by its call path, also in a tree of other rows', () => {
  fc.assert(
    fc.property(rawSamples({ truncated: true }), samples => {
      const profile = profileOfStacks(samples);
      const turned = profileOfStacks([...samples].reverse());
      for (let node = 0; node < profile.tree.length; node++) {
        const path = callPathOf(profile, node);
        expect(nodeOfCallPath(profile, path)).toBe(node);
        expect(callPathOf(turned, nodeOfCallPath(turned, path))).toEqual(path);
      }
    }),
    { numRuns: 100 },
  );
});

test('the index lists nodes by method and knows which recur', () => {
  fc.assert(
    fc.property(rawSamples({ truncated: true }), samples => {
      const profile = profileOfStacks(samples);
      const { tree } = profile;
      const index = indexTree(profile);
      const seen = new Set<number>();
      for (let m = 0; m < profile.methods.length; m++) {
        const nodes = [...nodesOfMethod(index, m)];
        expect(nodes).toEqual([...nodes].sort((x, y) => x - y));
        for (const node of nodes) {
          expect(tree.method[node]).toBe(m);
          seen.add(node);
          let recurs = false;
          for (let p = tree.parent[node]!; p >= 0; p = tree.parent[p]!) recurs ||= tree.method[p] === m;
          expect(index.recursive[node]).toBe(recurs ? 1 : 0);
        }
      }
      expect(seen.size).toBe(tree.length);
      for (const child of childrenOf(tree, 0)) expect(tree.parent[child]).toBe(0);
    }),
    { numRuns: 100 },
  );
});
