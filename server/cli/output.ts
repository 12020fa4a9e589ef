// How commands say what they found: problems line by line, and tables.
import Table from 'cli-table3';
import { printableName } from '../base/printable.ts';
import { formatProblem, type Problem } from '../base/problem.ts';
import type { Output } from '../base/terminal.ts';

/** Each problem on its own line of standard error. */
export function reportProblems(output: Output, problems: readonly Problem[]): void {
  for (const problem of problems) output.err(`${problem.severity}: ${formatProblem(problem)}\n`);
}

/** Columns aligned with two spaces between them, with names of any length in them; `right` names the columns that hold numbers. */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[],
): string {
  const table = new Table({
    head: [...head],
    chars: NO_BORDERS,
    style: { 'padding-left': 0, 'padding-right': 2, head: [], border: [] },
    colAligns: head.map((_, column) => (right.includes(column) ? 'right' : 'left')),
  });
  table.push(...rows.map(row => row.map(printableName)));
  const lines = table.toString().split('\n');
  return `${lines.map(line => line.trimEnd()).join('\n')}\n`;
}

const NO_BORDERS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
};
