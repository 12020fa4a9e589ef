// Compares shares with those of a baseline, an earlier version's data: of methods, and of calls.

import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { CallGroup, MethodFacts } from '../../analysis/method-facts.ts';
import { isWeighted, type MethodTable } from '../../cct/profile.ts';
import { plainClassName } from '../../mapping/class-names.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { type Comparison, changeArrow, compareShares } from '../../metrics/comparison.ts';
import { followedRows } from '../../workspace/code/followed-methods.ts';
import { classNameOf, methodNameOf } from '../text/runtime-names.ts';
import { aroundFact } from './around-facts.ts';
import { factsOf } from './method-facts.ts';

/** How a share moved. Shares are fractions of 1; it is to be drawn neutral unless it is `significant`. */
export type Change = Comparison & {
  readonly baseline: number;
  readonly current: number;
};

/** Which time of a method is compared, each as a share of everything. */
type Time = 'total' | 'self';

/** A part of a whole; `samples` is how many effective samples the whole has. */
type Part = { readonly part: number; readonly whole: number; readonly samples: number };

/** `↗ +9`: the share grew by nine percentage points. A change that chance explains is the number alone, however large: `+9`. */
export function changeText({ baseline, current, angle, significant }: Change): string {
  const points = (current - baseline) * 100;
  const size = Math.abs(points);
  const digits = size >= 1 || size < 0.005 ? 0 : size >= 0.1 ? 1 : 2;
  const number = size.toFixed(digits);
  if (Number(number) === 0) return '±0';
  const arrow = significant ? changeArrow(angle) : '';
  return `${arrow}${arrow === '' ? '' : ' '}${points < 0 ? '−' : '+'}${number}`;
}

function changeOf(baseline: Part, current: Part): Change {
  const [before, now] = [shareOf(baseline), shareOf(current)];
  const comparison = compareShares(
    { share: before, samples: baseline.samples },
    { share: now, samples: current.samples },
  );
  return { ...comparison, baseline: before, current: now };
}

function shareOf({ part, whole }: Part): number {
  return whole > 0 ? Math.min(1, part / whole) : 0;
}

const rowsOfBaseline = new WeakMap<LoadedData, WeakMap<MethodTable, Map<number, number>>>();

/**
 * The data that others are compared with. Methods are the same when two versions of their text say so, else when class, name and
 * descriptor are. Costs nothing to make.
 */
export class Baseline {
  readonly data: LoadedData;

  constructor(data: LoadedData) {
    this.data = data;
  }

  /** Rows of the baseline for rows of another table; a method whose descriptor changed is found where it is the only one of its name. */
  rowsOf(methods: MethodTable, rows: readonly number[]): number[] {
    const { profile } = this.data;
    const known = this.#rowsKnown(methods);
    const found = rows.flatMap(row => {
      const followed = followedRows(methods, profile.methods, row);
      if (followed !== undefined) return followed;
      const before = known.get(row) ?? this.#rowOf(methods, row);
      known.set(row, before);
      return [before];
    });
    return [...new Set(found.filter(row => row >= 0))].sort((a, b) => a - b);
  }

  /** Looked up once a method, for all callers. */
  #rowsKnown(methods: MethodTable): Map<number, number> {
    const ofData = rowsOfBaseline.get(this.data) ?? new WeakMap<MethodTable, Map<number, number>>();
    rowsOfBaseline.set(this.data, ofData);
    const known = ofData.get(methods) ?? new Map<number, number>();
    ofData.set(methods, known);
    return known;
  }

  /** −1 where the baseline has not seen the method. */
  #rowOf(methods: MethodTable, row: number): number {
    const { classes, profile } = this.data;
    const name = methodNameOf(methods, row);
    const ofClass = classes.rowsOfClass.get(plainClassName(classNameOf(methods, row))) ?? [];
    const named = ofClass.filter(other => methodNameOf(profile.methods, other) === name);
    const descriptor = descriptorOf(methods, row);
    const same = named.find(other => descriptorOf(profile.methods, other) === descriptor);
    return same ?? (named.length === 1 ? named[0]! : -1);
  }

  /** Numbers of some methods of `data` in the baseline; null where it has none of them. */
  factsOf(data: LoadedData, rows: readonly number[]): MethodFacts | null {
    const methods = this.rowsOf(data.profile.methods, rows);
    return methods.length === 0 ? null : factsOf(this.data, entryOfMethods(methods));
  }

  /** How the method or self time of a row of the baseline moved that `data` have nothing of. */
  goneChange(data: LoadedData, row: number, samples: number, of: Time = 'total'): Change {
    const { analysis, values } = this.data;
    const part = values[of].weight[row]!;
    return changeOf(
      { part, whole: analysis.whole.weight, samples: this.data.values.effectiveWhole },
      { part: 0, whole: data.analysis.whole.weight, samples },
    );
  }

  /** How the method or self time of some methods of `data` moved; `now` is what they have there. */
  methodChange(data: LoadedData, rows: readonly number[], now: Amount, samples: number, of: Time = 'total'): Change {
    const before = this.factsOf(data, rows)?.[of] ?? NOTHING;
    const { whole } = this.data.analysis;
    return changeOf(
      { part: before.weight, whole: whole.weight, samples: this.data.values.effectiveWhole },
      { part: now.weight, whole: data.analysis.whole.weight, samples },
    );
  }
}

const NOTHING: Amount = { weight: 0, count: 0 };

function entryOfMethods(methods: readonly number[]): MappedDeclaration {
  return { declaration: -1, methods, confidence: 'exact', alternatives: [] };
}

function descriptorOf({ strings, descriptor }: MethodTable, row: number): string {
  return descriptor[row]! < 0 ? '' : strings[descriptor[row]!]!;
}

/**
 * How the share of a call of `entry` moved; null where it has no counterpart. The first line of a call is compared with the first
 * line of calls of that name, and so on.
 * @param calls all of the entry's calls that are shown, `shown` among them.
 */
export function callChange(
  data: LoadedData,
  entry: MappedDeclaration,
  calls: readonly CallGroup[],
  shown: CallGroup,
  baseline: Baseline,
): Change | null {
  if (entry.onlyLines !== undefined) return null;
  const methods = baseline.rowsOf(data.profile.methods, entry.methods);
  if (methods.length === 0) return null;
  const alike = (all: readonly CallGroup[]) =>
    all.filter(({ kind, name, amount }) => kind === shown.kind && name === shown.name && amount.count > 0);
  const then = entryOfMethods(methods);
  const before = factsOf(baseline.data, then);
  const [earlier, now] = [alike(before.calls), alike(calls)];
  if (earlier.length !== 0 && earlier.length !== now.length) return null;
  if (before.methods.count === 0) return null;
  return changeOf(
    {
      part: earlier[now.indexOf(shown)]?.amount.weight ?? 0,
      whole: before.methods.weight,
      samples: samplesOf(baseline.data, then),
    },
    {
      part: shown.amount.weight,
      whole: factsOf(data, entry).methods.weight,
      samples: samplesOf(data, entry),
    },
  );
}

/** How many equally weighted samples the entry's methods have. */
function samplesOf(data: LoadedData, entry: MappedDeclaration): number {
  return isWeighted(data.metric) ? aroundFact(data, entry, 'effectiveSamples') : factsOf(data, entry).methods.count;
}
