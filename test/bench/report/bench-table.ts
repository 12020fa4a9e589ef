// The benchmark's table: one line a figure, with its peer, their ratio, and whether the target was met.
import Table from 'cli-table3';
import type { BenchFigure } from '../row.ts';

export type MeasuredRow = {
  readonly area: string;
  readonly name: string;
  readonly seconds: number;
  readonly figures: readonly BenchFigure[];
  /** Why nothing was measured. */
  readonly trouble?: string;
};

/** What the figures were measured on. */
export type About = {
  readonly machine: string;
  /** How fast it was; see speedText. */
  readonly speed: string;
  readonly node: string;
  readonly date: string;
  readonly quick: boolean;
  readonly seconds: number;
};

export function benchTable(about: About, rows: readonly MeasuredRow[]): string {
  const table = new Table({
    head: ['area', 'what', 'median', 'peer', 'ratio', 'wanted', ''],
    style: { head: [], border: [], compact: true },
    colAligns: ['left', 'left', 'right', 'left', 'right', 'left', 'left'],
  });
  for (const row of rows) {
    if (row.trouble !== undefined)
      table.push([row.area, row.name, '', '', '', '', `failed: ${row.trouble.split('\n')[0]}`]);
    for (const figure of row.figures) table.push(cells(row, figure));
  }
  const extent = about.quick ? 'quick' : 'full';
  return `${about.machine}; Node.js ${about.node}; ${about.date}; ${extent}, ${about.seconds} s; medians\n${about.speed}\n${table.toString()}`;
}

function cells(row: MeasuredRow, figure: BenchFigure): string[] {
  const { best, peer, label, unit, ok } = figure;
  const name = label === undefined ? row.name : `${row.name}: ${label}`;
  const verdict = ok === undefined ? '' : ok ? 'met' : 'missed';
  const beside = peer === undefined ? '' : `${amount(peer.value, unit)} ${peer.name}`;
  const factor = ratio(figure);
  return [
    row.area,
    name,
    best === undefined ? amount(figure.value, unit) : `${amount(figure.value, unit)} (best ${amount(best)})`,
    beside,
    factor === undefined ? '' : `${factor.toFixed(2)} ×`,
    figure.wanted ?? '',
    verdict,
  ];
}

/** How many times better than the peer: for durations and sizes less is better. */
export function ratio({ value, unit, peer }: BenchFigure): number | undefined {
  if (peer === undefined) return undefined;
  return /^(ns|µs|ms|s|min|B|KB|MB|GB|KiB|MiB|GiB)$/.test(unit) ? peer.value / value : value / peer.value;
}

/** Three significant digits, grouped above a thousand. */
export function amount(value: number, unit?: string): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  const text = value.toLocaleString('en-US', { maximumFractionDigits: digits, minimumFractionDigits: digits });
  return unit === undefined ? text : `${text} ${unit}`;
}
