// Words for two compared trees: the way down on which they differ most, and the contexts that are responsible.
import { answer } from '../analysis/ask.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import type { ComparedBox } from '../analysis/questions/compared-boxes.ts';
import type { ContextState } from '../cct/compare/tree-comparison.ts';
import type { Scaling } from '../metrics/compared/scaling.ts';
import type { Verdict } from '../metrics/verdict.ts';
import type { Baseline } from './facts/compare.ts';
import { type ListedMethod, listedMethod } from './text/listed-method.ts';

/** Amounts are parts of everything of the baseline, in the scaling that is named. */
type ComparedContext = ListedMethod & {
  readonly state: ContextState;
  /** E of both sides; 0 where the context is not there. */
  readonly before: number;
  readonly now: number;
  /** H, see `Heights`. */
  readonly height: number;
  /** Change of the context itself. */
  readonly self: number;
};

export type ResponsibleContext = ComparedContext & {
  /** What it is responsible for: of a kept context the change of its own time, else all of it against what is kept below it. */
  readonly change: number;
  readonly verdict: Verdict;
  /** What calls it, root first. */
  readonly above: readonly ListedMethod[];
};

export type ComparedTrees = {
  /** The one that was used: shares where the wished one is not possible. */
  readonly scaling: Scaling;
  /** Everything now, as a part of everything before: 1 by share. */
  readonly whole: number;
  /** Of each side. Data name instances only: a JVM that was started anew under one name counts once. */
  readonly jvms: { readonly before: number; readonly now: number };
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
  const context = (box: ComparedBox): ComparedContext => ({
    ...named(box),
    state: box.state,
    before: part(box.first),
    now: part(box.second),
    height: part(box.height),
    self: part(box.self),
  });
  return {
    scaling: found.scale.scaling,
    whole: part(now),
    jvms: { before: jvmsOf(baseline.data), now: jvmsOf(data) },
    path: found.path.slice(1).map(context),
    contexts: found.contexts.map(({ box, before, now: later, verdict, above }) => ({
      ...context(box),
      change: part(later - before),
      verdict,
      above: above.map(named),
    })),
    differing: found.differing,
  };
}

function jvmsOf({ provenance }: LoadedData): number {
  return new Set(provenance.executions.map(({ version, instance }) => JSON.stringify([version, instance]))).size;
}
