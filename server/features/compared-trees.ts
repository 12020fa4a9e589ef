// Words for two compared trees: the way down on which they differ most, and the contexts that are responsible.
import { answer } from '../analysis/ask.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import type { ComparedBox } from '../analysis/questions/compared-boxes.ts';
import type { ContextState } from '../cct/compare/tree-comparison.ts';
import { windowsByJvm } from '../cct/jvms.ts';
import type { Scaling } from '../metrics/compared/scaling.ts';
import type { Verdict } from '../metrics/verdict.ts';
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
  };

export type ComparedTrees = {
  /** The one that was used: shares where the wished one is not possible. */
  readonly scaling: Scaling;
  /** Everything now, as a part of everything before: 1 by share. */
  readonly whole: number;
  /** Of each side, in the windows that are looked at. */
  readonly jvms: { readonly before: number; readonly now: number };
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

export function comparedTrees(data: LoadedData, baseline: Baseline, scaling: Scaling, most: number): ComparedTrees {
  const wish = { became: baseline.pairing.becameRows(), scaling, unchanged: null, most };
  const found = answer(data, 'responsible', wish, undefined, baseline.data);
  const [whole, now] = found.wholes;
  const part = (amount: number) => (whole > 0 ? amount / whole : 0);
  const named = ({ method, methodThen }: Pick<ComparedBox, 'method' | 'methodThen'>): ListedMethod =>
    methodThen >= 0
      ? listedMethod(baseline.data.profile.methods, methodThen)
      : listedMethod(data.profile.methods, method);
  return {
    scaling: found.scale.scaling,
    whole: part(now),
    jvms: { before: jvmsOf(baseline.data), now: jvmsOf(data) },
    methods: found.methods.map(({ before, now: later, presence, verdict, ...method }) => ({
      ...named(method),
      before: part(before),
      now: part(later),
      presence,
      change: part(later - before),
      verdict,
    })),
    differingMethods: found.differingMethods,
    path: found.path.slice(1).map(box => ({
      ...named(box),
      state: box.state,
      before: part(box.first),
      now: part(box.second),
      height: part(box.height),
    })),
    contexts: found.contexts.map(({ box, before, now: later, verdict, above }) => ({
      ...named(box),
      state: box.state,
      before: part(before),
      now: part(later),
      change: part(later - before),
      verdict,
      above: above.map(named),
      total: { before: part(box.first), now: part(box.second) },
    })),
    differing: found.differing,
  };
}

function jvmsOf({ profile, analysis }: LoadedData): number {
  return windowsByJvm(profile.windows, analysis.selection.windows).length;
}
