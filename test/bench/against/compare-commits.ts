// Compares figures of two commits that were measured in turns: what the machine does meanwhile meets both alike.
import type { MeasuredRow } from '../report/bench-table.ts';
import { ratio } from '../report/judge.ts';
import { type BenchFigure, median } from '../row.ts';

/** One run of each after the other. */
export type Pair = { readonly ours: readonly MeasuredRow[]; readonly theirs: readonly MeasuredRow[] };

export type ComparedFigure = {
  readonly area: string;
  readonly name: string;
  readonly unit: string;
  /** Medians of all runs. */
  readonly ours: number;
  readonly theirs: number;
  /** How many times better ours is than theirs, pair by pair: the middle one, the least and the most. */
  readonly ratio: { readonly median: number; readonly least: number; readonly most: number };
  readonly pairs: number;
  readonly verdict: 'better' | 'worse' | 'open';
};

export type Comparison = {
  readonly figures: readonly ComparedFigure[];
  /** The areas that could not be compared, and why. */
  readonly left: readonly string[];
};

/** Ratios of six equal programs are all on one side of 1 in 3 of 100 cases. */
const LEAST_PAIRS = 6;

type Measured = { readonly row: MeasuredRow; readonly figure: BenchFigure };

export function compareRuns(pairs: readonly Pair[]): Comparison {
  const runs = pairs.map(({ ours, theirs }) => ({ ours: figuresByKey(ours), theirs: figuresByKey(theirs) }));
  const keys = new Set(runs.flatMap(({ ours, theirs }) => [...ours.keys(), ...theirs.keys()]));
  const figures: ComparedFigure[] = [];
  const left = new Set(pairs.flatMap(({ ours, theirs }) => [...troubles(ours, 'here'), ...troubles(theirs, 'there')]));
  for (const key of keys) {
    const both = runs.flatMap(({ ours, theirs }) => {
      const [own, other] = [ours.get(key), theirs.get(key)];
      return own === undefined || other === undefined ? [] : [{ own, other }];
    });
    const compared = compareFigure(both);
    if (compared !== null) figures.push(compared);
    else left.add(`${nameOfKey(key)}: ${missing(key, runs)}`);
  }
  return { figures, left: [...left] };
}

/** null where there is nothing to divide. */
function compareFigure(both: readonly { readonly own: Measured; readonly other: Measured }[]): ComparedFigure | null {
  const [first] = both;
  if (first === undefined) return null;
  const ratios = both.flatMap(({ own, other }) => {
    const times = ratio(own.figure, other.figure.value);
    return Number.isFinite(times) && times > 0 ? [times] : [];
  });
  if (ratios.length === 0) return null;
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  const isClear = ratios.length >= LEAST_PAIRS;
  return {
    area: first.own.row.area,
    name: nameOf(first.own),
    unit: first.own.figure.unit,
    ours: median(both.map(({ own }) => own.figure.value)),
    theirs: median(both.map(({ other }) => other.figure.value)),
    ratio: { median: median(ratios), least, most },
    pairs: ratios.length,
    verdict: isClear && least > 1 ? 'better' : isClear && most < 1 ? 'worse' : 'open',
  };
}

/** Labels may hold what was measured: figures of one row that differ in numbers alone are told apart by their order. */
function figuresByKey(rows: readonly MeasuredRow[]): Map<string, Measured> {
  const found = new Map<string, Measured>();
  for (const row of rows) {
    for (const figure of row.figures) {
      const label = (figure.label ?? '').replace(/\d+(?:[.,]\d+)*/g, '#');
      const keyOf = (nth: number) => [row.area, row.name, label, figure.unit, nth].join('\n');
      let nth = 1;
      while (found.has(keyOf(nth)) && found.get(keyOf(nth))?.figure.label !== figure.label) nth++;
      // The same figure stands once more beside another peer.
      if (!found.has(keyOf(nth))) found.set(keyOf(nth), { row, figure });
    }
  }
  return found;
}

function nameOf({ row, figure }: Measured): string {
  const label = figure.label?.replace(/ \(median [^)]*\)/, '');
  return label === undefined ? row.name : `${row.name}: ${label}`;
}

function nameOfKey(key: string): string {
  const [area, name, label] = key.split('\n');
  return `${area}, ${name}${label === '' ? '' : `: ${label}`}`;
}

type Run = { readonly ours: ReadonlyMap<string, Measured>; readonly theirs: ReadonlyMap<string, Measured> };

function missing(key: string, runs: readonly Run[]): string {
  if (!runs.some(({ theirs }) => theirs.has(key))) return 'measured here only';
  if (!runs.some(({ ours }) => ours.has(key))) return 'measured there only';
  return 'no pair of numbers above 0';
}

function troubles(rows: readonly MeasuredRow[], where: string): string[] {
  return rows.flatMap(({ area, name, trouble }) =>
    trouble === undefined ? [] : [`${area}, ${name}: failed ${where}: ${trouble.split('\n')[0]}`],
  );
}
