// Prints what was measured: one line a question with its target, then the misses by kind with examples.
import type { Measured } from './measure.ts';
import type { CallTallies, Finding } from './measure-calls.ts';
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
  return [...lines, ...linesAboutCalls(measured.calls)].join('\n');
}

/**
 * Largest share of invocations that may be explained as implicit: nothing on their line is a parsed call site (written, or of kind
 * `implicit` with a construct that makes calls of that name), only a construct that stands there explains them.
 */
export const EXPLAINED_MAX = 0.05;

/** Share of the invocations that were found in one way. */
export function shareFound({ calls, found }: CallTallies, how: Finding['how']): number {
  return sumOf(found[how]) / Math.max(1, calls.total);
}

/** How invocations were found, so that nobody has to take what is only explained for what was parsed. */
function linesAboutCalls(tallies: CallTallies): string[] {
  const { calls, found, recorded, constructs } = tallies;
  const share = (how: Finding['how']): string => percent(shareFound(tallies, how), 2);
  const mark = shareFound(tallies, 'explained') <= EXPLAINED_MAX ? 'yes' : 'NO';
  const missing = percent(1 - calls.rightShare, 2);
  const ofRecorded = (count: number): string => percent(count / Math.max(1, sumOf(found.recorded)), 1);
  const allConstructs = percent(sumOf(constructs) / Math.max(1, calls.total), 2);
  const parsed = percent(shareFound(tallies, 'written') + shareFound(tallies, 'recorded'), 2);
  return [
    `  invocations among the parsed call sites: ${parsed} (written ${share('written')}, of kind implicit ${share('recorded')})`,
    `    of kind implicit: ${byKind(found.recorded)}`,
    `      on the site's own line ${ofRecorded(recorded.onItsLine)} (the rest on another of its statement), of methods that the language names ${ofRecorded(recorded.named)} (the rest as the compiler chose)`,
    `  explained as implicit: ${share('explained')} (wanted ≤ ${percent(EXPLAINED_MAX, 0)}: ${mark}): ${byKind(found.explained)}`,
    `  not found: ${missing}`,
    `  for comparison, constructs behind all that nobody wrote (the calls of one loop are one): ${allConstructs} of the invocations: ${byKind(constructs)}`,
  ];
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function byKind(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  return sorted.map(([kind, count]) => `${kind} ${count}`).join(', ') || 'none';
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
