// Prints what was measured: one line a question with its target, then the misses by kind with examples.
import type { Measured } from './measure.ts';
import type { Tally } from './tally.ts';

/** Smallest share of right answers and largest share of wrong ones that a row may have. */
export type Target = { readonly right: number; readonly wrong?: number };

/** Rows in the order of the table. */
export function rowsOf(measured: Measured): readonly { readonly tally: Tally; readonly target: Target | null }[] {
  const { methods, calls, valid, edits } = measured;
  return [
    { tally: methods.types, target: { right: 0.999 } },
    { tally: methods.byDescriptor, target: { right: 0.995, wrong: 0.0005 } },
    { tally: methods.byDescriptorAndLine, target: { right: 0.9995, wrong: 0.0001 } },
    { tally: methods.byLine, target: { right: 0.99, wrong: 0.001 } },
    { tally: methods.lambdasByLine, target: { right: 0.98 } },
    { tally: methods.lambdasByName, target: { right: 0.92 } },
    { tally: methods.synthetic, target: { right: 1 } },
    { tally: calls.calls, target: { right: 0.995 } },
    { tally: valid, target: { right: 1 } },
    { tally: edits, target: { right: 0.99 } },
    { tally: methods.bridges, target: null },
    { tally: methods.unknown, target: null },
  ];
}

/** Whether a row meets its target; rows without one always do. */
export function meets(tally: Tally, target: Target | null): boolean {
  if (target === null) return true;
  return tally.rightShare >= target.right && tally.wrongShare <= (target.wrong ?? 1);
}

/** The table of one body of sources as text. */
export function formatMeasured(measured: Measured): string {
  const lines = [`${measured.name}: ${measured.files} files, ${measured.classes} classes`];
  lines.push(line('', 'asked', 'right', 'wrong', 'ambiguous', 'missing', 'wanted', ''));
  for (const { tally, target } of rowsOf(measured)) {
    const { counts } = tally;
    const wanted =
      target === null
        ? ''
        : `≥ ${percent(target.right, 2)}${target.wrong === undefined ? '' : `, wrong ≤ ${percent(target.wrong, 2)}`}`;
    const mark = target === null ? '' : meets(tally, target) ? 'yes' : 'NO';
    const cells = [
      String(tally.total),
      percent(tally.rightShare, 3),
      String(counts.wrong),
      String(counts.ambiguous),
      String(counts.missing),
    ];
    lines.push(line(tally.question, cells[0]!, cells[1]!, cells[2]!, cells[3]!, cells[4]!, wanted, mark));
  }
  const implicit = [...measured.calls.implicit].sort((a, b) => b[1] - a[1]);
  const sum = implicit.reduce((total, [, count]) => total + count, 0);
  const kinds = implicit.map(([kind, count]) => `${kind} ${count}`).join(', ');
  lines.push(
    `constructs that call without a call being written, of all invocations: ${percent(sum / Math.max(1, measured.calls.calls.total), 2)} (≤ 5 %): ${kinds}`,
  );
  return lines.join('\n');
}

/** Misses of every row by kind, most frequent first. */
export function formatMisses(measured: Measured, examples: number): string {
  const lines: string[] = [];
  for (const { tally } of rowsOf(measured)) {
    for (const [kind, miss] of [...tally.misses].sort((a, b) => b[1].count - a[1].count)) {
      lines.push(`${tally.question}: ${miss.count} × ${kind}`);
      for (const example of miss.examples.slice(0, examples)) lines.push(`    ${example}`);
    }
  }
  return lines.join('\n');
}

function percent(share: number, digits: number): string {
  return `${(share * 100).toFixed(digits)} %`;
}

function line(...[question, ...cells]: string[]): string {
  const widths = [9, 11, 7, 10, 8, 26, 4];
  return `  ${question!.padEnd(52)}${cells.map((cell, i) => cell.padStart(widths[i]!)).join(' ')}`.trimEnd();
}
