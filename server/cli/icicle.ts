// Draws rows of a call tree as text: a bar at the place that a row has in the row above, and branches where calls part.
import type { LoadedData } from '../analysis/loaded-data.ts';
import { listedMethod, listedText } from '../features/text/listed-method.ts';
import { methodLabel } from '../features/text/runtime-names.ts';
import type { CallTreeRow } from '../metrics/call-tree.ts';

/** Characters of the first row's bar. */
const BAR = 16;
/** Eighths of a character, from none. */
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

type Icicle = { readonly bar: string; readonly label: string };

/** One a row. A call without another beside it stands below its caller without a step to the right, as stacks are deep and screens are narrow. */
export function iciclesOf(data: LoadedData, rows: readonly CallTreeRow[], top: string): Icicle[] {
  const below = rows.map(() => 0);
  for (const { parent } of rows) if (parent >= 0) below[parent]!++;
  const all = rows[0]!.total.weight;
  /** Of each row: where its bar begins, where that of its next row does, and what stands before the names of rows below it. */
  const from: number[] = [];
  const next: number[] = [];
  const indents: string[] = [];
  const left = [...below];
  const labels = labelsOf(data, rows);
  return rows.map(({ method, parent, total }, i) => {
    from[i] = parent < 0 ? 0 : next[parent]!;
    next[i] = from[i]!;
    if (parent < 0) {
      indents[i] = '';
      return { bar: barOf(0, 1), label: top };
    }
    next[parent]! += total.weight;
    left[parent]!--;
    const parts = below[parent]! > 1;
    const isLast = left[parent] === 0;
    const indent = indents[parent]!;
    indents[i] = parts ? `${indent}${isLast ? '  ' : '│ '}` : indent;
    const branch = parts ? (isLast ? '└ ' : '├ ') : '';
    return {
      bar: barOf(from[i]! / all, total.weight / all),
      label: `${indent}${branch}${labels.get(method)}`,
    };
  });
}

/** Of the methods of the rows. Those that would be called the same have the names of other lists. */
function labelsOf({ profile: { methods } }: LoadedData, rows: readonly CallTreeRow[]): Map<number, string> {
  const sharing = new Map<string, number[]>();
  for (const method of new Set(rows.map(row => row.method))) {
    const label = methodLabel(methods, method);
    sharing.set(label, [...(sharing.get(label) ?? []), method]);
  }
  const labels = new Map<number, string>();
  for (const [label, same] of sharing)
    for (const method of same)
      labels.set(method, same.length === 1 ? label : listedText(listedMethod(methods, method)));
  return labels;
}

function barOf(from: number, share: number): string {
  const eighths = Math.max(1, Math.round(share * BAR * 8));
  const begin = Math.min(Math.round(from * BAR), BAR - 1);
  return ' '.repeat(begin) + '█'.repeat(eighths >> 3) + EIGHTHS[eighths & 7]!;
}
