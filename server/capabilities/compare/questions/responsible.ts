// The question which methods and contexts are responsible for the difference of two trees, and where it is largest on the way down.
import { assert } from '../../../base/assert.ts';
import { PARTIAL_METHOD } from '../../../cct/profile.ts';
import type { Verdict } from '../../../model/verdict.ts';
import { type Cause, causesOf } from '../causes.ts';
import type { MethodsEvidence } from '../evidence.ts';
import type { ComparedData, ComparingQuestion, ComparisonWish } from '../kept-comparison.ts';
import { recorderAmounts, recorderLabels } from '../recorder.ts';
import { deltaHotPath, largeChange, type Responsible, responsibleContexts, wholesOf } from '../responsible.ts';
import type { OwnAmounts, Scale } from '../scaling.ts';
import type { TestedMethod, TestedValue } from '../tested-rows.ts';
import { type ComparedBox, comparedBox } from './compared-boxes.ts';

type ResponsibleWish = ComparisonWish & {
  /** How many methods, and how many contexts, at most; null for what the test found alone: then nothing else is listed or counted. */
  readonly most: number | null;
};

type MethodRow = Pick<ComparedBox, 'method' | 'methodThen'>;

type PlacedContext = {
  readonly box: ComparedBox;
  /** The contexts that lead to it, root first, without the root of everything. */
  readonly above: readonly MethodRow[];
};

/** The test result of a row; p is null where it was not tested. */
type Told = { readonly verdict: Verdict; readonly p: number | null };

type ResponsibleContext = Omit<Responsible, 'row'> & PlacedContext & Told;

/** A method whose time with all it calls changed by more than equal JVMs differ. Values are parts of everything before. */
type ReportedMethod = MethodRow & Pick<TestedMethod, 'before' | 'now' | 'margin' | 'p'>;

/** A cause, with its context that changed most. Amounts are scaled as those of the whole. */
type Report = PlacedContext &
  Pick<Cause, 'verdict' | 'kind' | 'before' | 'now'> & {
    /** The method of changed code that a cause calls most whose own code did not change, or that is on one side alone; null for none. */
    readonly calls: MethodRow | null;
    /** The methods that it explains: the method of the context or the nearest one that calls it, then the largest change. */
    readonly methods: readonly ReportedMethod[];
  };

/** Scaled self amounts of a method over all of its contexts. */
type ChangedMethod = MethodRow &
  OwnAmounts &
  Told & {
    readonly presence: 'both' | 'new' | 'gone';
  };

type ResponsibleContexts = {
  readonly scale: Scale;
  /** Why it is this scale; empty where it was asked for. */
  readonly why: string;
  /** Scaled amounts of both trees. */
  readonly wholes: readonly [first: number, second: number];
  /** JVMs with samples on each side. */
  readonly jvms: MethodsEvidence['jvms'];
  /** How many rows were tested; 0 where the JVMs are too few. */
  readonly tested: { readonly methods: number; readonly contexts: number };
  /** The findings of the test, the largest changes first. */
  readonly reports: readonly Report[];
  /** The largest changes first. */
  readonly methods: readonly ChangedMethod[];
  /** How many there are without the limit. */
  readonly differingMethods: number;
  /** The amounts of the recorder itself on both sides, scaled, 0 for the findings alone; its methods and contexts are not listed. */
  readonly recorder: OwnAmounts;
  /** The delta hot path from the context of the first report on; empty without a report. */
  readonly path: readonly ComparedBox[];
  /** The largest changes first. */
  readonly contexts: readonly ResponsibleContext[];
  /** How many there are without the limit. */
  readonly differing: number;
};

export const responsible: ComparingQuestion<ResponsibleWish, ResponsibleContexts> = (data, wish, pause, baseline) => {
  assert(baseline !== null, 'two trees are compared with a baseline');
  const kept = data.answers.comparison;
  const { comparison, scale, why } = kept.of(data, baseline, wish, pause);
  const { jvms, methods: tested } = kept.methods(data, baseline, wish, pause);
  const contexts = kept.contexts(data, baseline, wish, pause);
  const testedContexts = contexts?.contexts(pause);
  const box = (row: number) => comparedBox(data, comparison, scale, row);
  const recorder = recorderLabels(data, baseline);
  const { most } = wish;
  const all = most === null ? [] : responsibleContexts(comparison, scale, recorder, pause);
  const isTested = tested.length > 0;
  const untested: Told = { verdict: isTested ? 'cannotTell' : 'notTested', p: null };
  const told = new Map(tested.flatMap(row => (row.of === 'self' ? [[row.label, row] as const] : [])));
  const methods = (most === null ? [] : changedMethods(data, baseline, wish.became, scale))
    .filter(({ label }) => recorder[label] !== 1)
    .filter(largeChange(comparison, scale))
    .map(({ label, ...method }) => ({ ...method, ...toldOf(told.get(label), untested) }));
  const placed = (row: number): PlacedContext => {
    const above: MethodRow[] = [];
    for (let at = comparison.parentOf(row); at > 0; at = comparison.parentOf(at)) above.push(methodRow(box(at)));
    return { box: box(row), above: above.reverse() };
  };
  const causes = causesOf({ comparison, code: wish.code }, tested, contexts, pause);
  const path = causes.length === 0 ? [] : deltaHotPath(comparison, scale, recorder, causes[0]!.row);
  return {
    scale,
    why,
    wholes: wholesOf(comparison, scale),
    jvms,
    tested: { methods: tested.length, contexts: testedContexts?.size ?? 0 },
    reports: causes.map(cause => ({
      ...placed(cause.row),
      ...reportOf(data, cause),
      calls: cause.calls < 0 ? null : methodRow(box(cause.calls)),
    })),
    methods: methods.slice(0, most ?? 0),
    differingMethods: methods.length,
    recorder: most === null ? { before: 0, now: 0 } : recorderAmounts(comparison, recorder, scale),
    path: path.map(box),
    contexts: all.slice(0, most ?? 0).map(({ row, ...change }) => ({
      ...change,
      ...placed(row),
      ...toldOf(testedContexts?.get(row)?.own ?? undefined, untested),
    })),
    differing: all.length,
  };
};

function methodRow({ method, methodThen }: MethodRow): MethodRow {
  return { method, methodThen };
}

function toldOf(row: TestedValue | undefined, untested: Told): Told {
  return row === undefined ? untested : { verdict: row.verdict, p: row.p };
}

function reportOf(
  { profile }: ComparedData,
  { row: _row, calls: _calls, methods, ...cause }: Cause,
): Omit<Report, keyof PlacedContext | 'calls'> {
  const shown = profile.methods.length;
  return {
    ...cause,
    methods: methods.map(({ label, before, now, margin, p }) => ({
      method: label < shown ? label : -1,
      methodThen: label < shown ? -1 : label - shown,
      ...{ before, now, margin, p },
    })),
  };
}

/** Every method of both sides; methods that a rename or move made of each other are one row. */
function changedMethods(
  data: ComparedData,
  baseline: ComparedData,
  became: Int32Array,
  scale: Scale,
): (Omit<ChangedMethod, keyof Told> & { readonly label: number })[] {
  const shown = data.profile.methods.length;
  const labels = shown + baseline.profile.methods.length;
  const [before, now] = [new Float64Array(labels), new Float64Array(labels)];
  const [ran, runs] = [new Uint8Array(labels), new Uint8Array(labels)];
  for (let then = PARTIAL_METHOD + 1; then < became.length; then++) {
    const label = became[then]! >= 0 ? became[then]! : shown + then;
    before[label]! += baseline.values.self.weight[then]! / scale.by[0];
    if (baseline.values.total.count[then]! > 0) ran[label] = 1;
  }
  for (let method = PARTIAL_METHOD + 1; method < shown; method++) {
    now[method] = data.values.self.weight[method]! / scale.by[1];
    if (data.values.total.count[method]! > 0) runs[method] = 1;
  }
  return Array.from(before, (_, label) => label)
    .filter(label => ran[label] === 1 || runs[label] === 1)
    .sort((a, b) => Math.abs(now[b]! - before[b]!) - Math.abs(now[a]! - before[a]!) || a - b)
    .map(label => ({
      label,
      method: label < shown ? label : -1,
      methodThen: label < shown ? -1 : label - shown,
      before: before[label]!,
      now: now[label]!,
      presence: ran[label] === 0 ? 'new' : runs[label] === 0 ? 'gone' : 'both',
    }));
}
