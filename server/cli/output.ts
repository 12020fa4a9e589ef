// Where commands write: results on standard output, everything else on standard error, colours only for people.
import { styleText } from 'node:util';
import Table from 'cli-table3';
import { printable } from '../base/printable.ts';
import { formatProblem, type Problem } from '../base/problem.ts';

/** The two streams and what they can show; tests give their own. */
export type Output = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Writes bytes as they are to standard output; absent where that shows text only. */
  readonly bytes?: (bytes: Uint8Array) => void;
  /** Standard output is a terminal that shows colours. */
  readonly colour: boolean;
  /** Standard error is a terminal, so that progress may be drawn. */
  readonly interactive: boolean;
};

/** Writes to this process's streams; NO_COLOR and pipes turn colours off. */
export function processOutput(): Output {
  const { stdout, stderr, env } = process;
  return {
    out: text => void stdout.write(text),
    err: text => void stderr.write(text),
    ...(stdout.isTTY === true ? {} : { bytes: (bytes: Uint8Array) => void stdout.write(bytes) }),
    colour: stdout.isTTY === true ? !env.NO_COLOR : Boolean(env.FORCE_COLOR),
    interactive: stderr.isTTY === true,
  };
}

type Style = Parameters<typeof styleText>[0];

/** Printable `text` in a style where the output shows colours, else without. */
export function styled(output: Output, style: Style, text: string): string {
  const safe = printable(text);
  return output.colour ? styleText(style, safe, { validateStream: false }) : safe;
}

/** Each problem on its own line of standard error. */
export function reportProblems(output: Output, problems: readonly Problem[]): void {
  for (const problem of problems) output.err(`${problem.severity}: ${printable(formatProblem(problem))}\n`);
}

/** Columns aligned with two spaces between them; `right` names the columns that hold numbers. */
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
  table.push(...rows.map(row => row.map(printable)));
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
