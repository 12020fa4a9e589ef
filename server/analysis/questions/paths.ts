// The question by call paths: what a query costs, and how it can be refined.

import type { Pause } from '../../base/pause.ts';
import type { Problem } from '../../base/problem.ts';
import { type Certainty, certaintyOf, processorTime, serverView } from '../../capabilities/typed/door.ts';
import type { MethodTable } from '../../cct/profile.ts';
import { PARTIAL_METHOD } from '../../cct/profile.ts';
import { type Amount, type Analysis, amountOfCells, effectiveSize } from '../../metrics/analysis.ts';
import type { PathCondition } from '../../metrics/paths/call-path.ts';
import { pathSamples } from '../../metrics/paths/path-samples.ts';
import {
  canSplit,
  type RefinedAmount,
  type Refinement,
  type RefiningSets,
  refinePath,
} from '../../metrics/paths/refine-path.ts';
import { threadStarts } from '../../metrics/paths/thread-starts.ts';
import { firstUnsatisfied } from '../paths/first-unsatisfied.ts';
import { refinedText } from '../paths/refined-text.ts';
import {
  type Aspect,
  type QueryMistake,
  type ResolvedAspect,
  type ResolvedQuery,
  resolveQuery,
} from '../paths/resolve-query.ts';
import { threadsLike } from '../threads-like.ts';
import type { Question } from './question.ts';

type PathWish = {
  readonly query: string;
  readonly aspects: readonly Aspect[];
  /**
   * Patterns of a class of threads, for its Thread View; `server` for the Server View: time with a processor, of the time of all
   * processors, which needs the metric `typed`; null for the samples of all threads.
   */
  readonly view: readonly string[] | 'server' | null;
  /** `at` of an upward split is an element of the path, a thread included; the last one that can be split when null. */
  readonly refine: { readonly kind: 'down' | 'extended' } | { readonly kind: 'up'; readonly at: number | null } | null;
  /** Refined paths with fewer samples are counted only. */
  readonly least: number;
  readonly most: number;
};

type RefinedRow = {
  /** The x that refines the path: `com.acme.Shop.search`, or the name of an aspect. */
  readonly name: string;
  readonly isAspect: boolean;
  /** The refined query. */
  readonly query: string;
  readonly amount: Amount;
  readonly certainty: Certainty;
};

type PathAnswer = {
  /** All samples of the view, without pruned ones; in the Server View the time of all processors, and the samples with one. */
  readonly whole: Amount;
  /** How many equally weighted samples have the sampling error of the whole. */
  readonly effectiveWhole: number;
  /** Samples that satisfy the query. */
  readonly amount: Amount;
  readonly certainty: Certainty;
  /** Part of the time of all processors in which no recorded thread had them; null outside of the Server View. */
  readonly idle: number | null;
  /** Windows that the Server View leaves out, as their processors were not recorded. */
  readonly leftOutWindows: number;
  /** Heaviest first; null when no refinement was asked for. Samples may count in several rows. */
  readonly rows: readonly RefinedRow[] | null;
  /** Rows with fewer than the least samples, and those beyond the most. */
  readonly hidden: number;
  /** Where the elements of the path that refinements add to stand in the query; empty for several paths with "or" or "not". */
  readonly elements: readonly { readonly from: number; readonly to: number }[];
  /** Elements of the path at which it can be split upwards. */
  readonly splits: readonly { readonly at: number; readonly element: string }[];
  /** The first element that no stack satisfies, of a query without samples. */
  readonly missing: QueryMistake | null;
};

/** The answer; or the query's mistake; or problems of the view. */
type PathOutcome =
  | { readonly kind: 'answer'; readonly answer: PathAnswer }
  | { readonly kind: 'mistake'; readonly mistake: QueryMistake }
  | { readonly kind: 'failed'; readonly problems: readonly Problem[] };

export const paths: Question<PathWish, PathOutcome> = ({ analysis }, wish, pause) => {
  const { profile } = analysis;
  const isServer = wish.view === 'server';
  const patterns = wish.view === 'server' ? null : wish.view;
  const view = patterns === null ? null : threadsLike(profile.threads, patterns);
  if (view !== null && !view.includes(1)) return { kind: 'failed', problems: [noClass(patterns!)] };
  const processors = isServer ? processorTime(analysis) : null;
  if (processors !== null && processors.value === null) return { kind: 'failed', problems: processors.problems };
  const resolved = resolveQuery(profile, wish.query, wish.aspects, pause);
  if ('mistake' in resolved) return { kind: 'mistake', mistake: resolved.mistake };
  const { value } = resolved;
  const starts = threadStarts(profile.methods);
  const cells = profile.cells[analysis.selection.metric]!;
  const samples = pathSamples(analysis, value.query, starts, view, pause);
  const served = processors === null ? null : serverView(analysis, samples, processors.value!);
  const amount = amountOfCells(cells, samples.satisfied);
  const refinement = wish.refine === null ? null : refinementOf(value, wish.refine);
  if (refinement !== null && 'message' in refinement) return { kind: 'mistake', mistake: refinement };
  const holdsAll = holdsUnrecorded(value.query, analysis);
  const certainty = (query: string): Certainty =>
    certaintyOf(profile, analysis.selection.metric, query, { isServer, holdsAll });
  const refined = refinement === null ? null : refinedBy(analysis, value, refinement, samples.satisfied, starts, pause);
  const shown = refined?.amounts.filter(({ amount }) => amount.count >= wish.least).slice(0, wish.most) ?? null;
  return {
    kind: 'answer',
    answer: {
      whole: served?.whole ?? amountOfCells(cells, samples.whole),
      effectiveWhole: served?.effectiveWhole ?? effectiveSize(cells, samples.whole),
      amount,
      certainty: certainty(wish.query),
      idle: served?.idle ?? null,
      leftOutWindows: served?.leftOutWindows ?? 0,
      rows: shown?.map(each => refined!.rowOf(each)).map(row => ({ ...row, certainty: certainty(row.query) })) ?? null,
      hidden: (refined?.amounts.length ?? 0) - (shown?.length ?? 0),
      elements: elementsOf(value),
      splits: splitsOf(value),
      missing: amount.count > 0 ? null : firstUnsatisfied(analysis, value, starts, view, pause),
    },
  };
};

function noClass(view: readonly string[]): Problem {
  const message = `no thread fits the view ${view.map(each => `"${each}"`).join(' or ')}`;
  return { severity: 'error', message, remedy: 'insitu query, without a path, lists the classes of threads' };
}

/**
 * Whether the whole has the time that no event tells, and the cost of the query grows with waits that are missing: else a share of the
 * recorded waits is no lower bound.
 */
function holdsUnrecorded({ condition, where }: ResolvedQuery['query'], { selection }: Analysis): boolean {
  return selection.focus === undefined && where === null && !hasNot(condition);
}

function hasNot(condition: PathCondition): boolean {
  if (condition.kind === 'path') return false;
  return condition.kind === 'not' || condition.operands.some(hasNot);
}

/** The path that refinements add to: the only path, or the first one of a conjunction. */
function refinedPathOf({ query: { condition } }: ResolvedQuery): number | null {
  if (condition.kind === 'path') return condition.path;
  const first = condition.kind === 'and' ? condition.operands[0] : undefined;
  return first?.kind === 'path' ? first.path : null;
}

function refinementOf(resolved: ResolvedQuery, wanted: NonNullable<PathWish['refine']>): Refinement | QueryMistake {
  const path = refinedPathOf(resolved);
  const place = { from: 0, to: resolved.text.length };
  if (path === null)
    return {
      ...place,
      message: 'only a path can be refined, not "or" or "not"',
      remedy: 'write one path, and the others behind "where" or "and"',
    };
  if (wanted.kind !== 'up') return { kind: wanted.kind };
  const splits = splitsOf(resolved);
  const at = wanted.at ?? splits.at(-1)?.at;
  if (splits.every(split => split.at !== at)) {
    const some = splits.map(split => `${split.at} (${split.element})`).join(', ');
    return {
      ...place,
      message: `the path has no ".." at element ${at ?? 0}`,
      remedy: some === '' ? 'write ".." before an element' : `it can be split at element ${some}`,
    };
  }
  const shift = resolved.query.paths[path]!.fromThread ? 1 : 0;
  return { kind: 'up', at: at! - 1 - shift };
}

function elementsOf(resolved: ResolvedQuery): PathAnswer['elements'] {
  const number = refinedPathOf(resolved);
  return number === null ? [] : resolved.elements[number]!.map(({ from, to }) => ({ from, to }));
}

function splitsOf(resolved: ResolvedQuery): PathAnswer['splits'] {
  const number = refinedPathOf(resolved);
  if (number === null) return [];
  const path = resolved.query.paths[number]!;
  const shift = path.fromThread ? 1 : 0;
  const written = resolved.elements[number]!;
  return path.elements.flatMap((_, at) => {
    const { from, to } = written[at + shift]!;
    return canSplit(path, at) ? [{ at: at + 1 + shift, element: resolved.text.slice(from, to) }] : [];
  });
}

function refinedBy(
  a: Analysis,
  resolved: ResolvedQuery,
  refinement: Refinement,
  satisfied: Uint8Array,
  starts: Uint8Array,
  pause: Pause,
) {
  const number = refinedPathOf(resolved)!;
  const { methods } = a.profile;
  const aspects = resolved.aspects();
  const { sets, first } = refiningSets(methods, aspects, pause);
  const path = resolved.query.paths[number]!;
  const rowOf = ({ x, amount }: RefinedAmount): Omit<RefinedRow, 'certainty'> => {
    const isAspect = x >= sets.names;
    const name = isAspect ? aspects[x - sets.names]!.name : nameOfRow(methods, first[x]!);
    return { name, isAspect, query: refinedText(resolved, number, refinement, name, isAspect), amount };
  };
  return { amounts: refinePath(a, { path, satisfied, sets, starts }, refinement, pause), rowOf };
}

/** Names of methods, numbered; `first` is a row of each. */
function refiningSets(methods: MethodTable, aspects: readonly ResolvedAspect[], pause: Pause) {
  const nameOf = new Int32Array(methods.length).fill(-1);
  /** Per class the names of its methods. */
  const known = new Map<number, Map<number, number>>();
  const first: number[] = [];
  for (let row = PARTIAL_METHOD + 1; row < methods.length; row++) {
    if (row % (1 << 13) === 0) pause();
    const owner = methods.className[row]!;
    const ofClass = known.get(owner) ?? new Map<number, number>();
    if (ofClass.size === 0) known.set(owner, ofClass);
    const x = ofClass.get(methods.name[row]!) ?? first.push(row) - 1;
    ofClass.set(methods.name[row]!, x);
    nameOf[row] = x;
  }
  const sets: RefiningSets = { nameOf, names: first.length, aspects: aspects.map(each => each.methods) };
  return { sets, first };
}

function nameOfRow({ strings, className, name }: MethodTable, row: number): string {
  const owner = strings[className[row]!]!;
  return owner === '' ? strings[name[row]!]! : `${owner}.${strings[name[row]!]!}`;
}
