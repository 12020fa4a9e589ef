// Compares shares with those of a baseline, an earlier version's data: of methods, and of calls.

import { factsOf } from '../../analysis/ask.ts';
import type { Baseline } from '../../analysis/baseline.ts';
import { calleeKindAndName } from '../../analysis/callee-groups.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { CallGroup, MethodFacts } from '../../analysis/method-facts.ts';
import { type ComparedShare, compareShares } from '../../capabilities/compare/door.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import { type Amount, NO_AMOUNT } from '../../metrics/analysis.ts';
import { type PartOfWhole, partOf } from '../text/format-share.ts';

/** Which time of a method is compared, each as a share of everything. */
type Time = 'total' | 'self';

/** The test result of a change. */
type Told = Pick<ComparedShare, 'verdict' | 'jvms'>;

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

function toldOf(data: LoadedData, rows: readonly number[], baseline: Baseline, of: Time): Told {
  const verdicts = baseline.pairing.verdictsOf(data, baseline.data);
  if (verdicts === null || verdicts.ofMethod === null) return { verdict: 'notTested', jvms: verdicts?.jvms ?? null };
  const all = new Set(rows.map(row => verdicts.ofMethod!.get(`${of} ${row}`) ?? 'cannotTell'));
  const [verdict = 'cannotTell'] = all;
  return { verdict: all.size === 1 ? verdict : 'cannotTell', jvms: verdicts.jvms };
}

/** Numbers of some shown methods in the baseline; null where it has none of them. */
export function factsBefore(rows: readonly number[], { data, pairing }: Baseline): MethodFacts | null {
  const methods = pairing.rowsOf(rows);
  return methods.length === 0 ? null : factsOf(data, { methods });
}

/** How the method or self time of some methods of `data` moved; `now` is what they have there. */
export function methodChange(
  data: LoadedData,
  rows: readonly number[],
  now: Amount,
  baseline: Baseline,
  of: Time = 'total',
): ComparedShare {
  const before = factsBefore(rows, baseline);
  // A method that only called others has run too.
  const hasRun = rows.some(row => data.values.total.count[row]! > 0);
  const presence = presenceOf(before?.total.count ?? 0, hasRun ? 1 : 0);
  const [then, current] = partsOf(before?.[of] ?? NO_AMOUNT, now, data, baseline);
  return changeOf(then, current, toldOf(data, rows, baseline, of), presence);
}

/** How the method or self time of a row of the baseline moved that `data` have nothing of. */
export function goneChange(data: LoadedData, row: number, baseline: Baseline, of: Time = 'total'): ComparedShare {
  const { weight, count } = baseline.data.values[of];
  const [then, current] = partsOf({ weight: weight[row]!, count: count[row]! }, NO_AMOUNT, data, baseline);
  return changeOf(then, current, UNTESTED, 'gone');
}

/** How a share of everything moved, without any test. Without `presence`, a share without samples counts as absent. */
export function shareChange(
  data: LoadedData,
  before: Amount,
  now: Amount,
  baseline: Baseline,
  presence?: ComparedShare['presence'],
): ComparedShare {
  const [then, current] = partsOf(before, now, data, baseline);
  return changeOf(then, current, UNTESTED, presence);
}

/** Both amounts as parts of everything on their side. */
function partsOf(before: Amount, now: Amount, data: LoadedData, baseline: Baseline): [PartOfWhole, PartOfWhole] {
  return [partOf(before, baseline.data.analysis.whole), partOf(now, data.analysis.whole)];
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
