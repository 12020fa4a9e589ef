// Draws rows of a call tree as text: a bar at the place that a row has in the row above, and branches where calls part.
import type { InferOutput } from 'valibot';
import { printableName } from '../base/printable.ts';
import type { callTree } from '../features/answers/call-tree.ts';
import { nameInClass } from '../features/text/runtime-names.ts';

/** Characters of the first row's bar. */
const BAR = 16;
/** Eighths of a character, from none. */
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

type Row = Pick<InferOutput<typeof callTree.result>['rows'][number], 'method' | 'parent' | 'total'>;

type Icicle = { readonly bar: string; readonly label: string };

/** One a row. A call without another beside it stands below its caller without a step to the right, as stacks are deep and screens are narrow. */
export function iciclesOf(rows: readonly Row[], top: string): Icicle[] {
  const below = rows.map(() => 0);
  for (const { parent } of rows) if (parent >= 0) below[parent]!++;
  const all = rows[0]!.total.weight;
  /** Of each row: where its bar begins, where the next bar begins, and the indent before the names of rows below it. */
  const from: number[] = [];
  const next: number[] = [];
  const indents: string[] = [];
  const left = [...below];
  const labels = labelsOf(rows);
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
      label: `${indent}${branch}${labels.get(method?.key ?? '')}`,
    };
  });
}

/** Labels of the methods by their keys. Methods with equal labels have their keys as labels. */
function labelsOf(rows: readonly Row[]): Map<string, string> {
  const sharing = new Map<string, Set<string>>();
  for (const { method } of rows) {
    if (method === null) continue;
    const label = printableName(nameInClass(method.className, method.name));
    sharing.set(label, (sharing.get(label) ?? new Set()).add(method.key));
  }
  const labels = new Map<string, string>();
  for (const [label, same] of sharing) for (const key of same) labels.set(key, same.size === 1 ? label : key);
  return labels;
}

function barOf(from: number, share: number): string {
  const eighths = Math.max(1, Math.round(share * BAR * 8));
  const begin = Math.min(Math.round(from * BAR), BAR - 1);
  return ' '.repeat(begin) + '█'.repeat(eighths >> 3) + EIGHTHS[eighths & 7]!;
}
