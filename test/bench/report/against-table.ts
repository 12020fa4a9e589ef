// The table of a comparison with another commit: one line a figure, with both medians, their ratio and its spread.
import Table from 'cli-table3';
import type { Comparison } from '../against/compare-commits.ts';
import { amount } from './bench-table.ts';

export function againstTable({ figures, left, commit }: Comparison & { readonly commit: string }): string {
  const table = new Table({
    head: ['area', 'what', 'here', commit.slice(0, 12), 'ratio', 'least to most', ''],
    style: { head: [], border: [], compact: true },
    colAligns: ['left', 'left', 'right', 'right', 'right', 'right', 'left'],
  });
  for (const { area, name, unit, ours, theirs, ratio, pairs, verdict } of figures) {
    const spread = `${ratio.least.toFixed(2)} to ${ratio.most.toFixed(2)} of ${pairs}`;
    const words = verdict === 'open' ? '' : verdict;
    table.push([area, name, amount(ours, unit), amount(theirs, unit), `${ratio.median.toFixed(3)} ×`, spread, words]);
  }
  const lines = left.map(line => `not compared: ${line}`);
  return [table.toString(), 'A ratio above 1 is better than that commit.', ...lines].join('\n');
}
