// The part of a profile that a query by call paths selects: as a filter that keeps whole stacks, or as a focus that cuts them below its last element.

import { noPause, type Pause } from '../../base/pause.ts';
import { printableName } from '../../base/printable.ts';
import type { Outcome, Problem } from '../../base/problem.ts';
import type { Profile } from '../../cct/profile.ts';
import { partialNode } from '../../cct/tree-index.ts';
import type { PathFilter, SelectedRows } from '../../metrics/analysis.ts';
import type { CallPath, PathCondition } from '../../metrics/paths/call-path.ts';
import { nodesOfPath, pathFilter } from '../../metrics/paths/path-samples.ts';
import { threadStarts } from '../../metrics/paths/thread-starts.ts';
import { runsInScope, scopeOf } from '../../metrics/scope.ts';
import type { Task } from '../../metrics/task.ts';
import { firstUnsatisfied } from './first-unsatisfied.ts';
import { type Aspect, type QueryMistake, resolveQuery } from './resolve-query.ts';

/** The query that a text of a focus stands for: `query:…`, or the name of a saved one; null where it is no query. */
export function queryOfFocus(spec: string, saved: readonly Task[]): string | null {
  const known = saved.find(({ name }) => name === spec);
  if (known !== undefined) return known.type === 'query' ? known.value : null;
  return /^query:(.*)$/s.exec(spec)?.[1] ?? null;
}

/** Outermost nodes of the last element of the query's paths, ascending; null with a problem where that has no meaning. */
export function nodesOfQuery(
  profile: Profile,
  text: string,
  aspects: readonly Aspect[],
  pause: Pause = noPause,
): Outcome<Int32Array | null> {
  const resolved = resolveQuery(profile, text, aspects, pause);
  if ('mistake' in resolved) return { value: null, problems: [mistakeProblem('focus', resolved.mistake)] };
  const { query } = resolved.value;
  const paths = query.where === null ? pathsOf(query.condition, query.paths) : null;
  if (paths === null || paths.some(({ threads, elements }) => threads !== null || elements.length === 0)) {
    const message = `"${printableName(text)}" does not end with a method, so that nothing lies below it`;
    const remedy = 'a focus is one path, or several with "or"; choose threads by themselves, or filter by the path';
    return { value: null, problems: [{ severity: 'error', message, place: 'focus', remedy }] };
  }
  const starts = threadStarts(profile.methods);
  const nodes = new Set<number>();
  for (const path of paths) for (const node of nodesOfPath(profile, path, starts, pause)) nodes.add(node);
  if (nodes.size > 0) return { value: Int32Array.from(nodes).sort(), problems: [] };
  const message = `no stack satisfies the path "${printableName(text)}"`;
  return {
    value: null,
    problems: [{ severity: 'error', message, place: 'focus', remedy: 'insitu query says which element is missing' }],
  };
}

/** Null where the condition is more than one path, or several with "or". */
function pathsOf(condition: PathCondition, paths: readonly CallPath[]): readonly CallPath[] | null {
  if (condition.kind === 'path') return [paths[condition.path]!];
  if (condition.kind !== 'or') return null;
  const found = condition.operands.map(operand => pathsOf(operand, paths));
  return found.some(each => each === null) ? null : found.flatMap(each => each ?? []);
}

/** The filter of a query under a selection. Its mistake is an error; a query that no sample satisfies is a warning. */
export function filterOfQuery(
  profile: Profile,
  rows: SelectedRows,
  text: string,
  aspects: readonly Aspect[],
  pause: Pause = noPause,
): Outcome<PathFilter | null> {
  const resolved = resolveQuery(profile, text, aspects, pause);
  if ('mistake' in resolved) return { value: null, problems: [mistakeProblem('path', resolved.mistake)] };
  const runs = runsInScope(profile.tree, partialNode(profile.tree), rows.focus);
  const scope = { profile, selection: rows, runs, scope: scopeOf(profile.tree, runs) };
  const starts = threadStarts(profile.methods);
  const value = pathFilter(scope, resolved.value.query, starts, pause);
  if (value.satisfied[rows.metric]!.includes(1)) return { value, problems: [] };
  const missing = firstUnsatisfied(scope, resolved.value, starts, null, pause);
  return { value, problems: [{ ...mistakeProblem('path', missing), severity: 'warning' }] };
}

function mistakeProblem(place: string, { from, message, remedy }: QueryMistake): Problem {
  return { severity: 'error', message, place: `${place}, column ${from + 1}`, remedy };
}
