// Breaks each invariant of a profile in turn and looks whether it is noticed, and where.
import { describe, expect, test } from 'vitest';
import type { Cct, Cells, Profile } from '../../server/cct/profile.ts';
import { assertProfile, findFlaw } from '../support/profiles/assert-profile.ts';
import { profileOfText } from '../support/profiles/profiles.ts';

const GOOD = profileOfText(`
Main.main
  Shop.run :12 | 3@14 1@14/1 1@14/1#1
    Log.log :31 | 2@5
    Log.log :35
      Log.write :6 | 1@7
  Shop.end :13 | 1@2
[truncated]
  Log.log | 1@5`);

function withTree(column: Exclude<keyof Cct, 'length'>, row: number, value: number): Profile {
  return { ...GOOD, tree: { ...GOOD.tree, [column]: GOOD.tree[column].with(row, value) } };
}

function withCell(column: Exclude<keyof Cells, 'length' | 'weightSquares'>, row: number, value: number): Profile {
  const cells = GOOD.cells[0]!;
  return { ...GOOD, cells: [{ ...cells, [column]: cells[column].with(row, value) }] };
}

test('a good profile passes', () => {
  expect(findFlaw(GOOD)).toBe(null);
  expect(() => assertProfile(GOOD)).not.toThrow();
});

describe('each invariant', () => {
  const broken: [string, Profile, string][] = [
    ['1: the root has no parent', withTree('parent', 0, 0), 'invariant 1: column parent, row 0'],
    ['1: the root has the root method', withTree('method', 0, 2), 'invariant 1: column parent, row 0'],
    ['1: order is depth-first', withTree('parent', 6, 3), 'invariant 2: column depth, row 6'],
    ['2: parents come first', withTree('parent', 3, 3), 'invariant 2: column parent, row 3'],
    ['2: depth follows the parent', withTree('depth', 4, 2), 'invariant 2: column depth, row 4'],
    [
      '3: a subtree ends where its last node ends',
      withTree('subtreeEnd', 3, 5),
      'invariant 3: column subtreeEnd, row 3',
    ],
    ['3: a last subtree ends with its parent', withTree('subtreeEnd', 8, 10), 'invariant 3: column subtreeEnd, row 8'],
    ['3: the root holds all', withTree('subtreeEnd', 0, 5), 'invariant 3: column subtreeEnd, row 0'],
    ['4: siblings differ', withTree('callLine', 4, 31), 'invariant 4: column method, row 4'],
    ['4: partial stacks hang below the root', withTree('method', 4, 1), 'invariant 4: column method, row 4'],
    ['5: methods lie in their table', withTree('method', 4, 99), 'invariant 5: column method, row 4'],
    ['5: nodes of cells', withCell('node', 5, 99), 'invariant 5: column cells of cpu.node, row 5'],
    ['5: threads of cells', withCell('thread', 1, -1), 'invariant 5: column cells of cpu.thread, row 1'],
    ['5: windows of cells', withCell('window', 1, 3), 'invariant 5: column cells of cpu.window, row 1'],
    ['6: cells are sorted', withCell('node', 2, 1), 'invariant 6: column cells of cpu.node, row 2'],
    ['6: cells are distinct', withCell('window', 2, 0), 'invariant 6: column cells of cpu.node, row 2'],
    ['6: counts are not negative', withCell('count', 2, -1), 'invariant 6: column cells of cpu.count, row 2'],
    ['6: weights are finite', withCell('weight', 2, Number.NaN), 'invariant 6: column cells of cpu.weight, row 2'],
    [
      '6: weights are counts without squares',
      withCell('weight', 2, 7),
      'invariant 6: column cells of cpu.weight, row 2',
    ],
  ];
  test.each(broken)('%s', (_, profile, place) => {
    expect(() => assertProfile(profile)).toThrow(`broken ${place}`);
  });

  test('5: columns are as long as their table', () => {
    const short = { ...GOOD, tree: { ...GOOD.tree, depth: GOOD.tree.depth.subarray(1) } };
    expect(findFlaw(short)).toMatchObject({ invariant: 5, column: 'depth' });
    const cells = { ...GOOD.cells[0]!, line: new Int32Array(0) };
    expect(findFlaw({ ...GOOD, cells: [cells] })).toMatchObject({ invariant: 5, column: 'cells of cpu' });
  });

  test('5: names lie in their table', () => {
    const methods = { ...GOOD.methods, name: GOOD.methods.name.with(3, 99) };
    expect(findFlaw({ ...GOOD, methods })).toMatchObject({ invariant: 5, column: 'methods.name', row: 3 });
  });

  test('windows are in order', () => {
    expect(findFlaw({ ...GOOD, windows: [...GOOD.windows].reverse() })).toMatchObject({ column: 'windows', row: 1 });
  });
});
