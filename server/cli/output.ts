// How commands say what they found: problems line by line, and tables.
import Table from 'cli-table3';
import { printableName, printableWithin } from '../base/printable.ts';
import { formatProblem, type Problem } from '../base/problem.ts';
import { type Output, type Styled, styled } from '../base/terminal.ts';
import type { Change } from '../model/terms.ts';

/** Each problem on its own line of standard error. */
export function reportProblems(output: Output, problems: readonly Problem[]): void {
  for (const problem of problems) output.err(`${problem.severity}: ${formatProblem(problem)}\n`);
}

/** The output of `--json`. */
export function printJson(output: Output, value: unknown): void {
  output.out(`${JSON.stringify(value, null, 2)}\n`);
}

/** One object of a stream of them, as a line; `output.out` makes what is in their texts safe, which stays JSON. */
export function printJsonLine(output: Output, value: unknown): void {
  output.out(`${JSON.stringify(value)}\n`);
}

/** A remark: worth knowing, and no flaw. */
export function tell(output: Output, message: string, more: Partial<Problem> = {}): void {
  reportProblems(output, [{ severity: 'info', message, ...more }]);
}

/** Facts beside the findings, each on a dim line; empty lines are left out. */
export function printDim(output: Output, ...lines: readonly string[]): void {
  for (const line of lines) if (line !== '') output.out(styled('dim', line), '\n');
}

/** `↗ +9`: red where a test finds it slower, green where faster, else dim. */
export function colouredChange({ verdict, text }: Pick<Change, 'verdict' | 'text'>): Styled {
  return styled(verdict === 'slower' ? 'red' : verdict === 'faster' ? 'green' : 'dim', text);
}

/** The last column of a table is never cut to less, however narrow the terminal is. */
const LEAST_NAME = 16;

/**
 * Columns aligned with two spaces between them, with names of any length in them; `right` names the columns that hold numbers.
 * @param width characters of a line: names in the last column are cut to fit, in the middle
 */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[],
  width = Number.POSITIVE_INFINITY,
): string {
  const last = head.length - 1;
  const safe = rows.map(row => row.map(printableName));
  const others = head.slice(0, last).map((title, i) => Math.max(title.length, ...safe.map(row => row[i]!.length)) + 2);
  const most = Math.max(
    LEAST_NAME,
    others.reduce((left, each) => left - each, width),
  );
  const table = new Table({
    head: [...head],
    chars: NO_BORDERS,
    style: { 'padding-left': 0, 'padding-right': 2, head: [], border: [] },
    colAligns: head.map((_, column) => (right.includes(column) ? 'right' : 'left')),
  });
  table.push(...safe.map(row => [...row.slice(0, last), fitted(row[last]!, most)]));
  const lines = table.toString().split('\n');
  return `${lines.map(line => line.trimEnd()).join('\n')}\n`;
}

/** A column of a table: numbers stand at its right, words and the last column at the left. */
export type Column<Row> = { readonly title: string; readonly text: (row: Row) => string; readonly isWord?: true };

/** A table that fits the terminal. */
export function printTable<Row>(output: Output, rows: readonly Row[], columns: readonly Column<Row>[]): void {
  output.out(formatColumns(columns, rows, output.columns));
}

/** @param width as `formatTable` takes it */
export function formatColumns<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width?: number): string {
  const cells = rows.map(row => columns.map(({ text }) => text(row)));
  const numbers = columns.slice(0, -1).flatMap(({ isWord }, at) => (isWord === true ? [] : [at]));
  return formatTable(
    columns.map(({ title }) => title),
    cells,
    numbers,
    width,
  );
}

/** Of a method that does not fit its parameters go first, and then its middle. */
function fitted(name: string, most: number): string {
  return printableWithin(name.length > most ? name.replace(/\(.+\)$/, '(…)') : name, most);
}

const NO_BORDERS = Object.fromEntries(Object.keys(new Table().options.chars).map(part => [part, '']));
