// Words for two compared trees: the way down on which they differ most, and the contexts that are responsible.
import { answer } from '../analysis/ask.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import type { ComparedBox } from '../analysis/questions/compared-boxes.ts';
import type { MethodEvidence } from '../analysis/questions/evidence.ts';
import type { AnswerTo } from '../analysis/questions/question-table.ts';
import type { ContextState } from '../cct/compare/tree-comparison.ts';
import { ROOT_METHOD } from '../cct/profile.ts';
import type { Scaling } from '../metrics/compared/scaling.ts';
import type { Verdict } from '../metrics/verdict.ts';
import type { MethodSource } from '../workspace/code/method-sources.ts';
import type { Baseline } from './facts/compare.ts';
import { type ListedMethod, listedMethod } from './text/listed-method.ts';

/** Amounts are parts of everything of the baseline, in the scaling that is named. */
type BeforeAndNow = { readonly before: number; readonly now: number };

/** `before` and `now` are E, the amounts at or below the context; 0 where it is not there. */
type ComparedContext = ListedMethod &
  BeforeAndNow & {
    readonly state: ContextState;
    /** H, see `Heights`. */
    readonly height: number;
  };

/** `before` and `now` are what the change is about: of a kept context its own time, else all of it against what is kept below it. */
export type ResponsibleContext = ListedMethod &
  BeforeAndNow & {
    readonly state: ContextState;
    readonly change: number;
    readonly verdict: Verdict;
    /** Adjusted for all tested contexts; null where this one was not tested. */
    readonly p: number | null;
    /** What calls it, root first. */
    readonly above: readonly ListedMethod[];
    /** At or below the context. */
    readonly total: BeforeAndNow;
  };

/** A method over all of its contexts: `before` and `now` are its self time. */
export type ChangedMethod = ListedMethod &
  BeforeAndNow & {
    readonly presence: 'both' | 'new' | 'gone';
    readonly change: number;
    readonly verdict: Verdict;
    /** Adjusted for all tested methods; null where this one was not tested. */
    readonly p: number | null;
    readonly source: MethodSource | null;
  };

/** A method by its time with all it calls: means over the JVMs of each side. */
type ReportedMethod = ListedMethod &
  BeforeAndNow & {
    readonly change: number;
    /** The difference is between `change` − margin and `change` + margin, for all rows at once, in 95 % of the comparisons. */
    readonly margin: number;
    readonly p: number;
    readonly source: MethodSource | null;
  };

export type ReportSource = MethodSource & {
  /** The caller whose code changed; null for the context's own method. */
  readonly caller: ListedMethod | null;
};

/** A change that the test found: the deepest context that explains it, and the methods whose time changed by it. */
export type Report = {
  readonly verdict: 'slower' | 'faster';
  /** The context: of its own method, from the root on; null where everything together changed. */
  readonly context: (ListedMethod & { readonly state: ContextState; readonly above: readonly ListedMethod[] }) | null;
  /** Of the context's method where its code changed, else of the nearest caller whose code did; else of the context's method. */
  readonly source: ReportSource | null;
  /** The method of the context, where it is among them, then the largest change. */
  readonly methods: readonly ReportedMethod[];
};

/** The end of a check; see `decideGate`. */
type CheckedTrees = {
  readonly end: 'failed' | 'passed' | 'undecided';
  /** Methods that hold it, the largest change first. */
  readonly methods: readonly (ReportedMethod & { readonly moreJvms: number; readonly deviation: number })[];
};

export type ComparedTrees = {
  /** The one that was used: shares where the wished one is not possible. */
  readonly scaling: Scaling;
  /** Everything now, as a part of everything before: 1 by share. */
  readonly whole: number;
  /** JVMs with samples on each side. */
  readonly jvms: { readonly before: number; readonly now: number };
  /** How many rows the test looked at; 0 where the JVMs are too few. */
  readonly tested: { readonly methods: number; readonly contexts: number };
  readonly reports: readonly Report[];
  /** null without a check, or where nothing could be tested. */
  readonly check: CheckedTrees | null;
  /** Methods whose self time differs, the largest change first. */
  readonly methods: readonly ChangedMethod[];
  /** How many methods differ by 0.1 % of everything or more; `methods` are the first of them. */
  readonly differingMethods: number;
  /** The delta hot path, from the root's first call on. */
  readonly path: readonly ComparedContext[];
  readonly contexts: readonly ResponsibleContext[];
  /** How many contexts differ by 0.1 % of everything or more; `contexts` are the first of them. */
  readonly differing: number;
};

/** The root of a comparison stands for it. */
const EVERYTHING: ListedMethod = { className: '', method: 'everything', descriptor: null };

type CompareOptions = {
  readonly scaling: Scaling | 'auto';
  /** How many methods, and how many contexts, at most. */
  readonly most: number;
  /** Of a check, as a part of everything before. */
  readonly limit: number | null;
  /** By shown method row. */
  readonly sources: ReadonlyMap<number, MethodSource> | null;
};

export function comparedTrees(data: LoadedData, baseline: Baseline, options: CompareOptions): ComparedTrees {
  const { scaling, most, limit, sources } = options;
  const unchanged = sources === null ? null : unchangedRows(data, sources);
  const wish = { became: baseline.pairing.becameRows(), scaling, unchanged };
  const found = answer(data, 'responsible', { ...wish, most }, undefined, baseline.data);
  const [whole, now] = found.wholes;
  const part = (amount: number) => (whole > 0 ? amount / whole : 0);
  const named = ({ method, methodThen }: Pick<ComparedBox, 'method' | 'methodThen'>): ListedMethod =>
    method === ROOT_METHOD
      ? EVERYTHING
      : methodThen >= 0
        ? listedMethod(baseline.data.profile.methods, methodThen)
        : listedMethod(data.profile.methods, method);
  const sourceOf = ({ method }: Pick<ComparedBox, 'method'>) => sources?.get(method) ?? null;
  const changedSource = (
    box: Pick<ComparedBox, 'method'>,
    above: readonly Pick<ComparedBox, 'method' | 'methodThen'>[],
  ): ReportSource | null => {
    const own = sourceOf(box);
    const isChanged = (source: MethodSource | null) => source !== null && source.change !== 'same';
    const caller = isChanged(own) ? undefined : above.findLast(each => isChanged(sourceOf(each)));
    if (caller !== undefined) return { ...sourceOf(caller)!, caller: named(caller) };
    return own === null ? null : { ...own, caller: null };
  };
  const reported = ({
    before,
    now: later,
    margin,
    p,
    ...method
  }: AnswerTo<'responsible'>['reports'][0]['methods'][0]) => ({
    ...named(method),
    before,
    now: later,
    change: later - before,
    margin,
    p,
    source: sourceOf(method),
  });
  return {
    scaling: found.scale.scaling,
    whole: part(now),
    jvms: { before: found.jvms[0], now: found.jvms[1] },
    tested: found.tested,
    reports: found.reports.map(({ verdict, box, above, methods }) => ({
      verdict,
      context: box.row === 0 ? null : { ...named(box), state: box.state, above: above.map(named) },
      source: changedSource(box, above),
      methods: methods.map(reported),
    })),
    check:
      limit === null ? null : checked(answer(data, 'evidence', { ...wish, limit }, undefined, baseline.data), reported),
    methods: found.methods.map(({ before, now: later, presence, verdict, p, ...method }) => ({
      ...named(method),
      before: part(before),
      now: part(later),
      presence,
      change: part(later - before),
      verdict,
      p,
      source: sourceOf(method),
    })),
    differingMethods: found.differingMethods,
    path: found.path.slice(1).map(box => ({
      ...named(box),
      state: box.state,
      before: part(box.first),
      now: part(box.second),
      height: part(box.height),
    })),
    contexts: found.contexts.map(({ box, before, now: later, verdict, p, above }) => ({
      ...named(box),
      state: box.state,
      before: part(before),
      now: part(later),
      change: part(later - before),
      verdict,
      p,
      above: above.map(named),
      total: { before: part(box.first), now: part(box.second) },
    })),
    differing: found.differing,
  };
}

/** Per shown method row: 1 where the baseline has the same code. */
function unchangedRows({ profile }: LoadedData, sources: ReadonlyMap<number, MethodSource>): Uint8Array {
  const unchanged = new Uint8Array(profile.methods.length);
  for (const [row, { change }] of sources) if (change === 'same') unchanged[row] = 1;
  return unchanged;
}

function checked<T>(
  { gate, methods }: MethodEvidence,
  reported: (method: MethodEvidence['methods'][0]) => T,
): { end: CheckedTrees['end']; methods: (T & { moreJvms: number; deviation: number })[] } | null {
  if (gate === null) return null;
  const rows = gate.rows.map(row => methods[row]!);
  return {
    end: gate.end,
    methods: rows.map(row => ({ ...reported(row), moreJvms: row.moreJvms, deviation: row.deviation })),
  };
}
