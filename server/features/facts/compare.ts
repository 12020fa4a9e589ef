// Compares shares with those of a baseline, an earlier version's data: of methods, and of calls.

import { factsOf } from '../../analysis/ask.ts';
import { calleeKindAndName } from '../../analysis/callee-groups.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { CallGroup, MethodFacts } from '../../analysis/method-facts.ts';
import type { ComparedWith, MethodVerdicts, Pairing } from '../../analysis/pairing.ts';
import { type Comparison, changeArrow, compareShares } from '../../capabilities/compare/door.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import { type Amount, NO_AMOUNT } from '../../metrics/analysis.ts';
import { isDirected, type Verdict } from '../../model/verdict.ts';
import { type PartOfWhole, partOf } from '../text/format-share.ts';

/** How a share moved. Shares are fractions of 1; it is to be drawn neutral unless its verdict is `slower` or `faster`. */
export type ComparedShare = Comparison & {
  readonly baseline: number;
  readonly current: number;
  /** `new`: the baseline has no sample of the method or call; `gone`: only the baseline has. */
  readonly presence: 'both' | 'new' | 'gone';
  /** JVMs of each side behind the verdict; null where they were not asked. */
  readonly jvms: MethodVerdicts['jvms'] | null;
};

/** Which time of a method is compared, each as a share of everything. */
type Time = 'total' | 'self';

/**
 * `↗ +9`: the share grew by nine percentage points. A change that no test confirms is the number alone, however large: `+9`. What one
 * side does not have is `new` or `gone`.
 */
export function changeText({ baseline, current, angle, verdict, presence }: ComparedShare): string {
  if (presence !== 'both') return presence;
  const points = (current - baseline) * 100;
  const size = Math.abs(points);
  const digits = size >= 1 || size < 0.005 ? 0 : size >= 0.1 ? 1 : 2;
  const number = size.toFixed(digits);
  if (Number(number) === 0) return '±0';
  const arrow = isDirected(verdict) ? changeArrow(angle) : '';
  return `${arrow}${arrow === '' ? '' : ' '}${points < 0 ? '−' : '+'}${number}`;
}

const VERDICT_TEXT: Readonly<Record<Verdict, string>> = {
  notTested: 'not tested',
  cannotTell: 'the test cannot tell',
  same: 'the same',
  slower: 'slower',
  faster: 'faster',
};

/** `+9 (not tested)`: with what a test says of it; `new` and `gone` need no test. */
export function changeInProse(change: ComparedShare): string {
  const text = changeText(change);
  if (change.presence !== 'both') return text;
  const isFew = change.verdict === 'notTested' && change.jvms !== null;
  const reason = isFew
    ? `: ${change.jvms[0] === 1 ? '1 JVM' : `${change.jvms[0]} JVMs`} before, ${change.jvms[1]} now`
    : '';
  return `${text} (${VERDICT_TEXT[change.verdict]}${reason})`;
}

/** What the test tells of a change. */
type Told = { readonly verdict: Verdict; readonly jvms: MethodVerdicts['jvms'] | null };

const UNTESTED: Told = { verdict: 'notTested', jvms: null };

function changeOf(
  baseline: PartOfWhole,
  current: PartOfWhole,
  told = UNTESTED,
  presence = presenceOf(baseline.part, current.part),
): ComparedShare {
  const [before, now] = [fractionOf(baseline), fractionOf(current)];
  return { ...compareShares(before, now), ...told, baseline: before, current: now, presence };
}

function presenceOf(before: number, now: number): ComparedShare['presence'] {
  if (before > 0 === now > 0) return 'both';
  return now > 0 ? 'new' : 'gone';
}

function fractionOf({ part, whole }: PartOfWhole): number {
  return whole > 0 ? Math.min(1, part / whole) : 0;
}

/** The data that others are compared with; which methods are the same, the pairing says. Costs nothing to make. */
export class Baseline {
  readonly data: LoadedData;
  readonly pairing: Pairing;

  constructor({ data, pairing }: ComparedWith) {
    this.data = data;
    this.pairing = pairing;
  }

  #told(data: LoadedData, rows: readonly number[], of: Time): Told {
    const verdicts = this.pairing.verdictsOf(data, this.data);
    if (verdicts === null || verdicts.ofMethod === null) return { verdict: 'notTested', jvms: verdicts?.jvms ?? null };
    const all = new Set(rows.map(row => verdicts.ofMethod!.get(`${of} ${row}`) ?? 'cannotTell'));
    const [verdict = 'cannotTell'] = all;
    return { verdict: all.size === 1 ? verdict : 'cannotTell', jvms: verdicts.jvms };
  }

  /** Numbers of some shown methods in the baseline; null where it has none of them. */
  factsOf(rows: readonly number[]): MethodFacts | null {
    const methods = this.pairing.rowsOf(rows);
    return methods.length === 0 ? null : factsOf(this.data, { methods });
  }

  /** How the method or self time of a row of the baseline moved that `data` have nothing of. */
  goneChange(data: LoadedData, row: number, of: Time = 'total'): ComparedShare {
    const { weight, count } = this.data.values[of];
    return this.#change(data, { weight: weight[row]!, count: count[row]! }, NO_AMOUNT, UNTESTED, 'gone');
  }

  /** How the method or self time of some methods of `data` moved; `now` is what they have there. */
  methodChange(data: LoadedData, rows: readonly number[], now: Amount, of: Time = 'total'): ComparedShare {
    const before = this.factsOf(rows);
    // A method that only called others has run too.
    const hasRun = rows.some(row => data.values.total.count[row]! > 0);
    const presence = presenceOf(before?.total.count ?? 0, hasRun ? 1 : 0);
    return this.#change(data, before?.[of] ?? NO_AMOUNT, now, this.#told(data, rows, of), presence);
  }

  /** How a share of everything moved, without any test. Without `presence`, a share without samples counts as absent. */
  shareChange(data: LoadedData, before: Amount, now: Amount, presence?: ComparedShare['presence']): ComparedShare {
    return this.#change(data, before, now, UNTESTED, presence);
  }

  #change(
    data: LoadedData,
    before: Amount,
    now: Amount,
    told: Told,
    presence?: ComparedShare['presence'],
  ): ComparedShare {
    return changeOf(partOf(before, this.data.analysis.whole), partOf(now, data.analysis.whole), told, presence);
  }
}

/**
 * How the share of a call of `entry` moved; null where it has no counterpart. The first line of a call is compared with the first
 * line of calls of the same methods, also under other names, and so on.
 * @param calls all of the entry's calls that are shown, `shown` among them.
 */
export function callChange(
  data: LoadedData,
  entry: MappedDeclaration,
  calls: readonly CallGroup[],
  shown: CallGroup,
  baseline: Baseline,
): ComparedShare | null {
  if (entry.onlyLines !== undefined) return null;
  const methods = baseline.pairing.rowsOf(entry.methods);
  if (methods.length === 0) return null;
  const before = factsOf(baseline.data, { methods });
  const now = calls.filter(call => call.kind === shown.kind && call.name === shown.name && call.amount.count > 0);
  const earlier = callsBefore(now, before.calls, baseline);
  if (earlier.length !== 0 && earlier.length !== now.length) return null;
  if (before.methods.count === 0) return null;
  const then = earlier[now.indexOf(shown)]?.amount ?? NO_AMOUNT;
  return changeOf(partOf(then, before.methods), partOf(shown.amount, factsOf(data, entry).methods));
}

/** The calls of the baseline that those of a name were: of what their targets were called, else of the same name, unless that lives on beside them. */
function callsBefore(
  named: readonly CallGroup[],
  before: readonly CallGroup[],
  { data, pairing }: Baseline,
): CallGroup[] {
  const [{ kind, name }] = named as readonly [CallGroup];
  const rows = pairing.rowsOf(named.flatMap(({ targets }) => targets));
  const former = new Set(rows.map(row => calleeKindAndName(data.profile.methods, row).name));
  return before.filter(call => {
    if (call.kind !== kind || call.amount.count === 0) return false;
    if (former.size > 0) return former.has(call.name);
    return call.name === name && !call.targets.some(row => pairing.livesOn(row));
  });
}
