// Compares shares with those of a baseline, an earlier version's data: of methods, and of the hints of a document.
import type { MethodTable } from '../cct/profile.ts';
import type { MappedDeclaration } from '../mapping/document-map.ts';
import type { Amount } from '../metrics/analysis.ts';
import { type Comparison, changeArrow, compareShares } from '../metrics/comparison.ts';
import { effectiveSamples, effectiveWhole, methodAmount } from '../metrics/queries.ts';
import type { DocumentView } from '../workspace/document-view.ts';
import type { LoadedData } from '../workspace/loaded-data.ts';
import { callsInText } from './call-hints.ts';
import type { Hint } from './hints.ts';
import { entryOf } from './hover-target.ts';
import { factsOf } from './method-facts.ts';

/** How a share moved. Shares are fractions of 1; it is to be drawn neutral unless it is `significant`. */
export type Change = Comparison & {
  readonly baseline: number;
  readonly current: number;
};

/** A part of a whole; `samples` is how many effective samples the whole has. */
type Part = { readonly part: number; readonly whole: number; readonly samples: number };

/** `↗ +9`: the share grew by nine percentage points. Changes that chance explains have the level arrow, however large. */
export function changeText({ baseline, current, angle, significant }: Change): string {
  const points = (current - baseline) * 100;
  const size = Math.abs(points);
  const digits = size >= 1 || size < 0.005 ? 0 : size >= 0.1 ? 1 : 2;
  const text = points.toFixed(digits);
  const sign = points > 0 && Number(text) !== 0 ? '+' : '';
  return `${significant ? changeArrow(angle) : '→'} ${sign}${Number(text) === 0 ? '0' : text.replace('-', '−')}`;
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

/** The data that others are compared with. Methods are the same when class, name and descriptor are. */
export class Baseline {
  readonly data: LoadedData;
  readonly #rows = new Map<string, number>();
  /** Rows by class and name, where there is only one; −1 where there are several. */
  readonly #byName = new Map<string, number>();
  readonly #samples: number;

  constructor(data: LoadedData) {
    this.data = data;
    this.#samples = effectiveWhole(data.analysis);
    const { methods } = data.profile;
    for (let row = 0; row < methods.length; row++) {
      const name = nameKey(methods, row);
      this.#rows.set(`${name}${descriptorOf(methods, row)}`, row);
      this.#byName.set(name, this.#byName.has(name) ? -1 : row);
    }
  }

  /** Rows of the baseline for rows of another table; a method whose descriptor changed is found where it is the only one of its name. */
  rowsOf(methods: MethodTable, rows: readonly number[]): number[] {
    const found = rows.map(row => {
      const name = nameKey(methods, row);
      return this.#rows.get(`${name}${descriptorOf(methods, row)}`) ?? this.#byName.get(name) ?? -1;
    });
    return [...new Set(found.filter(row => row >= 0))];
  }

  /** How the method time of some methods of `data` moved; `total` is what they have there. */
  methodChange(data: LoadedData, rows: readonly number[], total: Amount, samples: number): Change {
    const before = methodAmount(this.data.analysis, this.rowsOf(data.profile.methods, rows));
    const { whole } = this.data.analysis;
    return changeOf(
      { part: before.weight, whole: whole.weight, samples: this.#samples },
      { part: total.weight, whole: data.analysis.whole.weight, samples },
    );
  }
}

function nameKey({ strings, className, name }: MethodTable, row: number): string {
  return `${strings[className[row]!]!}\0${strings[name[row]!]!}\0`;
}

function descriptorOf({ strings, descriptor }: MethodTable, row: number): string {
  return descriptor[row]! < 0 ? '' : strings[descriptor[row]!]!;
}

/**
 * How the share of each hint moved. Hints that have no counterpart are left out: blocks and fields, whose lines are another
 * version's, and calls of a name that the method has on another number of lines by now.
 */
export function hintChanges(document: DocumentView, hints: readonly Hint[], baseline: Baseline): Map<Hint, Change> {
  const changes = new Map<Hint, Change>();
  const { mapped } = document;
  if (mapped === null) return changes;
  const samples = effectiveWhole(mapped.data.analysis);
  for (const hint of hints) {
    const entry = entryOf(document, hint.declaration);
    if (entry === null || entry.onlyLines !== undefined) continue;
    const change =
      hint.kind === 'call'
        ? callChange(document, mapped.data, entry, hint.line, baseline)
        : baseline.methodChange(mapped.data, entry.methods, factsOf(mapped.data, entry).total, samples);
    if (change !== null) changes.set(hint, change);
  }
  return changes;
}

/** The first line of a call is compared with the first line of calls of that name, and so on. */
function callChange(
  document: DocumentView,
  data: LoadedData,
  entry: MappedDeclaration,
  line: number,
  baseline: Baseline,
): Change | null {
  const calls = callsInText(document, entry);
  const [shown] = calls.filter(call => call.line === line).sort((a, b) => b.amount.weight - a.amount.weight);
  const methods = baseline.rowsOf(data.profile.methods, entry.methods);
  if (shown === undefined || methods.length === 0) return null;
  const alike = (all: typeof calls) =>
    all.filter(({ kind, name, amount }) => kind === shown.kind && name === shown.name && amount.count > 0);
  const before = factsOf(baseline.data, { ...entry, methods });
  const now = alike(calls);
  const then = alike(before.calls);
  if (then.length !== 0 && then.length !== now.length) return null;
  const whole = before.methods;
  if (whole.count === 0) return null;
  return changeOf(
    {
      part: then[now.indexOf(shown)]?.amount.weight ?? 0,
      whole: whole.weight,
      samples: effectiveSamples(baseline.data.analysis, methods),
    },
    {
      part: shown.amount.weight,
      whole: factsOf(data, entry).methods.weight,
      samples: effectiveSamples(data.analysis, entry.methods),
    },
  );
}
