// Measures the grafting of stacks that were cut off at the root end: how long it takes, how many come back, and how many wrongly.
import { graftPartialStacks } from '../../server/cct/partial.ts';
import { PARTIAL_METHOD, type Profile } from '../../server/cct/profile.ts';
import { type CutProfile, cutProfile } from './big-profile.ts';
import { type BenchRow, median, millisecondsOf } from './row.ts';

const KEPT_FRAMES = 64;

const graftRow: BenchRow = {
  name: 'graft 1 M partial nodes onto 1.27 M',
  async run({ quick }) {
    const cut = cutProfile('partial', 1_270_000, 1_000_000, KEPT_FRAMES);
    let grafted: Profile | null = null;
    const times = await millisecondsOf(quick ? 1 : 5, quick ? 0 : 1, () => {
      grafted = graftPartialStacks(cut.profile).profile;
    });
    const seconds = median(times) / 1000;
    const known = judge(grafted ?? cut.profile, cut, 0, cut.known);
    const fresh = judge(grafted ?? cut.profile, cut, cut.known, cut.truth.length);
    return [
      { value: seconds, unit: 's', limit: { most: 5 } },
      { label: 'grafted, of stacks also seen complete', value: known.grafted, unit: '%' },
      { label: 'of them wrong', value: known.wrong, unit: '%', limit: { most: 0.5 } },
      { label: 'grafted, of stacks never seen complete', value: fresh.grafted, unit: '%' },
      { label: 'of them wrong (no right place is in the tree)', value: fresh.wrong, unit: '%' },
    ];
  },
};

/** Looks up where the cells of cut stacks from … to−1 are now; both results are percentages of those stacks. */
function judge(
  { tree, cells }: Profile,
  { truth, firstLine }: CutProfile,
  from: number,
  to: number,
): { grafted: number; wrong: number } {
  const { node, line, length } = cells[0]!;
  const sums = { grafted: 0, wrong: 0 };
  for (let i = 0; i < length; i++) {
    if (line[i]! < firstLine + from || line[i]! >= firstLine + to) continue;
    const methods: number[] = [];
    for (let at = node[i]!; at > 0; at = tree.parent[at]!) methods.push(tree.method[at]!);
    if (methods.at(-1) === PARTIAL_METHOD) continue;
    const expected = truth[line[i]! - firstLine]!;
    const right =
      expected.length === methods.length && expected.every((method, j) => methods[methods.length - 1 - j] === method);
    sums.grafted++;
    if (!right) sums.wrong++;
  }
  return { grafted: (100 * sums.grafted) / (to - from), wrong: (100 * sums.wrong) / (to - from) };
}

export const rows: readonly BenchRow[] = [graftRow];
