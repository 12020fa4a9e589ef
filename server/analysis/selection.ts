// How one looks at a Dataset: metric, threads, span of time and focus, and what that means in one profile.

import { momentText } from '../base/moment-text.ts';
import { noPause, type Pause } from '../base/pause.ts';
import { present } from '../base/present.ts';
import { printableName } from '../base/printable.ts';
import type { Outcome, Problem } from '../base/problem.ts';
import type { Profile, TimeWindow } from '../cct/profile.ts';
import type { TreeIndex } from '../cct/tree-index.ts';
import type { SelectedRows } from '../metrics/analysis.ts';
import { type ChosenFocus, focusNodes } from '../metrics/focus.ts';
import { expressionTime } from '../metrics/match-expression.ts';
import type { Task } from '../metrics/task.ts';
import { describeLook, type GivenLook, type Look } from '../model/look.ts';
import { chooseMethods } from './focus-methods.ts';
import { filterOfQuery, nodesOfQuery, queryOfFocus } from './paths/path-selection.ts';
import type { Aspect } from './paths/resolve-query.ts';
import { groupsOfSingle, noSingleThread, noThread, threadsLike } from './threads-like.ts';
import type { Span } from './wish.ts';

/**
 * The part of a look that one Dataset is looked at with. The metric is `cpu-time` where present, else `cpu`, when absent. Of threads
 * see `threadsLike`. Windows that have a moment in common with the span of time are taken whole. A focus is read as `chooseMethods`
 * does; what fits nothing is reported and left out while others fit.
 */
export type Selection = Omit<Look, 'program' | 'version' | 'instances'> & {
  /** Definitions that a focus may name. */
  readonly tasks?: readonly Task[];
  /** Sets of methods that the path and queries of a focus may name. */
  readonly aspects?: readonly Aspect[];
};

/** The rows that the selection means in one profile, for the metric's row; null with problems when a part of it means nothing there. */
export function selectRows(
  profile: Profile,
  index: TreeIndex,
  metric: number,
  selection: Selection,
): Outcome<SelectedRows | null> {
  const problems: Problem[] = [];
  const { from, to } = selection;
  const isPart = (from ?? to) !== undefined;
  const flaw = spanFlaw(selection);
  if (flaw !== null) return { value: null, problems: [flaw] };
  const threads = selection.threads === undefined ? undefined : threadsLike(profile.threads, selection.threads);
  const windows = isPart ? windowsIn(profile.windows, selection) : undefined;
  const groups = groupsOfSingle(profile.threads, selection.threads ?? [], threadsWithin(profile, metric, windows));
  if (groups.length > 0) problems.push(noSingleThread(groups, selection.threads ?? []));
  else if (threads !== undefined && !threads.includes(1))
    problems.push(noThread(profile.threads, selection.threads ?? []));
  if (windows?.includes(1) === false) problems.push(noWindow(profile.windows, selection));
  const focus = selection.focus === undefined ? undefined : focusOf(profile, index, selection, problems);
  if (problems.some(problem => problem.severity === 'error')) return { value: null, problems };
  const value = { metric, ...(threads && { threads }), ...(windows && { windows }), ...(focus && { focus }) };
  if (selection.path === undefined) return { value, problems };
  const filter = filterOfQuery(profile, value, selection.path, selection.aspects ?? []);
  problems.push(...filter.problems);
  return { value: filter.value === null ? null : { ...value, path: filter.value }, problems };
}

/** One byte a thread row: 1 where it has samples of the metric in the windows; absent where all windows are looked at. */
function threadsWithin({ threads, cells }: Profile, metric: number, windows?: Uint8Array): Uint8Array | undefined {
  if (windows === undefined) return undefined;
  const has = new Uint8Array(threads.length);
  const { thread, window, length } = cells[metric]!;
  for (let cell = 0; cell < length; cell++) has[thread[cell]!]! |= windows[window[cell]!]!;
  return has;
}

function windowsIn(
  windows: readonly TimeWindow[],
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: Span,
): Uint8Array {
  return Uint8Array.from(windows, ({ startMillis, endMillis }) => (startMillis < to && endMillis > from ? 1 : 0));
}

function noWindow(windows: readonly TimeWindow[], { from, to }: Span): Problem {
  const span = present({ from, to });
  const starts = windows.map(({ startMillis }) => startMillis);
  const ends = windows.map(({ endMillis }) => endMillis);
  const [first, last] = [starts.reduce((a, b) => Math.min(a, b)), ends.reduce((a, b) => Math.max(a, b))];
  return {
    severity: 'error',
    message: `nothing was recorded ${describeLook(span)}`,
    remedy: `recorded: ${momentText(first)} to ${momentText(last)}`,
  };
}

/** The nodes of a focus; none, with an error among the problems, where it means nothing in the profile. */
export function focusOf(
  profile: Profile,
  index: TreeIndex,
  { focus: specs = [], tasks = [], aspects = [] }: Pick<Selection, 'focus' | 'tasks' | 'aspects'>,
  problems: Problem[],
  time = expressionTime(),
  pause: Pause = noPause,
): Int32Array {
  const chosen: ChosenFocus[] = [];
  const trouble: Problem[] = [];
  for (const spec of specs) {
    const query = queryOfFocus(spec, tasks);
    const found =
      query === null
        ? chooseMethods(profile.methods, spec, tasks, time, pause)
        : nodesOfQuery(profile, query, aspects, pause);
    trouble.push(...found.problems);
    if (found.value !== null) chosen.push(found.value);
  }
  problems.push(...trouble.map(each => (chosen.length === 0 ? each : { ...each, severity: 'warning' as const })));
  const nodes = focusNodes(profile, index, chosen);
  if (chosen.length > 0 && nodes.length === 0) problems.push(noStack(profile, index, specs));
  return nodes;
}

/** Every method of the focus ran, and none below the others: of a call path the first one that never did is named. */
function noStack(profile: Profile, index: TreeIndex, specs: readonly string[]): Problem {
  const message = `no stack fits the focus ${specs.map(spec => `"${printableName(spec)}"`).join(' or ')}`;
  const steps = specs[0]!.split(';');
  const ran = (spec: string) => {
    const { value } = chooseMethods(profile.methods, spec, []);
    return value !== null && focusNodes(profile, index, [value]).length > 0;
  };
  // A path that never ran has no longer one that did: the first step that is missing is searched by halves.
  let [first, end] = [0, steps.length];
  while (first < end) {
    const middle = (first + end) >> 1;
    if (ran(steps.slice(0, middle + 1).join(';'))) first = middle + 1;
    else end = middle;
  }
  const missing =
    first === steps.length ? '' : `: "${printableName(steps[first]!.replace(/^\//, ''))}" never ran there`;
  return { severity: 'error', message: `${message}${missing}`, remedy: 'begin the path at a method that calls it' };
}

/** The mistake of a span of time that ends before it begins. */
export function spanFlaw({ from, to }: Pick<GivenLook, 'from' | 'to'>): Problem | null {
  if (from == null || to == null || from < to) return null;
  return { severity: 'error', message: '"from" is not before "to"', remedy: 'exchange them' };
}
