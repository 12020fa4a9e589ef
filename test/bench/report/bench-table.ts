// The benchmark's table: one line a figure, as measured and at the reference machine, with its peer, their ratio, and whether the target was met.
import Table from 'cli-table3';
import type { BenchFigure } from '../row.ts';
import { judge, ratio } from './judge.ts';
import { type MachineSpeed, speedText } from './machine-speed.ts';

export type MeasuredRow = {
  readonly area: string;
  readonly name: string;
  readonly seconds: number;
  readonly figures: readonly BenchFigure[];
  /** Why nothing was measured. */
  readonly trouble?: string;
};

/** The machine that the figures were measured on. */
export type About = {
  readonly machine: string;
  readonly speed: MachineSpeed;
  readonly node: string;
  readonly date: string;
  readonly quick: boolean;
  readonly seconds: number;
};

export function benchTable(about: About, rows: readonly MeasuredRow[]): string {
  const table = new Table({
    head: ['area', 'what', 'median', 'at the reference', 'peer', 'ratio', 'wanted', ''],
    style: { head: [], border: [], compact: true },
    colAligns: ['left', 'left', 'right', 'right', 'left', 'right', 'left', 'left'],
  });
  for (const row of rows) {
    if (row.trouble !== undefined)
      table.push([row.area, row.name, '', '', '', '', '', `failed: ${row.trouble.split('\n')[0]}`]);
    for (const figure of row.figures) table.push(cells(row, figure, about.speed.factor));
  }
  const extent = about.quick ? 'quick' : 'full';
  return [
    `${about.machine}; Node.js ${about.node}; ${about.date}; ${extent}, ${about.seconds} s; medians`,
    speedText(about.speed),
    table.toString(),
    tally(rows, about.speed.factor),
  ].join('\n');
}

function cells(row: MeasuredRow, figure: BenchFigure, factor: number): string[] {
  const { value, best, peer, label, unit } = figure;
  const { atReference, wanted = '', ok } = judge(figure, factor);
  return [
    row.area,
    label === undefined ? row.name : `${row.name}: ${label}`,
    best === undefined ? amount(value, unit) : `${amount(value, unit)} (best ${amount(best)})`,
    atReference === undefined ? '' : amount(atReference, unit),
    peer === undefined ? '' : `${amount(peer.value, unit)} ${peer.name}`,
    peer === undefined ? '' : `${ratio(figure, peer.value).toFixed(2)} ×`,
    wanted,
    ok === undefined ? '' : ok ? 'met' : 'missed',
  ];
}

/** `3 of 180 targets missed`. */
function tally(rows: readonly MeasuredRow[], factor: number): string {
  const verdicts = rows.flatMap(({ figures }) => figures.map(figure => judge(figure, factor).ok));
  const judged = verdicts.filter(ok => ok !== undefined);
  return `${judged.filter(ok => !ok).length} of ${judged.length} targets missed`;
}

/** Rows for programs: each figure with what the table says of it. */
export function judgedRows(rows: readonly MeasuredRow[], factor: number): object[] {
  return rows.map(row => ({ ...row, figures: row.figures.map(figure => ({ ...figure, ...judge(figure, factor) })) }));
}

/** Three significant digits, grouped above a thousand. */
export function amount(value: number, unit?: string): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  const text = value.toLocaleString('en-US', { maximumFractionDigits: digits, minimumFractionDigits: digits });
  return unit === undefined ? text : `${text} ${unit}`;
}
