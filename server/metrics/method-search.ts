// Finds methods by letters of their names, or by an expression, as a page's search box takes them.
import { noPause, type Pause } from '../base/pause.ts';
import type { Outcome, Problem } from '../base/problem.ts';
import type { MethodTable } from '../cct/profile.ts';
import { type ExpressionTime, expressionTime, matchNames } from './match-expression.ts';
import { methodNames } from './task.ts';

/**
 * One byte a method row: 1 where `pkg.Class.method` holds the text in any case, or where the expression between slashes is found in
 * it. null with a problem where the expression is none, or takes too long.
 */
export function searchMethods(
  methods: MethodTable,
  search: string,
  time: ExpressionTime = expressionTime(),
  pause: Pause = noPause,
): Outcome<Uint8Array | null> {
  const names = methodNames(methods, pause);
  const [, source] = /^\/(.+)\/$/s.exec(search) ?? [];
  if (source === undefined) {
    const wanted = search.toLowerCase();
    const fits = Uint8Array.from(names, name => (name?.toLowerCase().includes(wanted) === true ? 1 : 0));
    return { value: fits, problems: [] };
  }
  const found = matchNames(source, names, time, pause);
  if ('groups' in found)
    return { value: Uint8Array.from(found.groups, groups => (groups === null ? 0 : 1)), problems: [] };
  const flaw: Omit<Problem, 'severity'> =
    'invalid' in found
      ? { message: `the search is no expression: ${found.invalid}`, remedy: 'correct it, or leave out the slashes' }
      : { message: 'the expression takes too long', remedy: 'write it without nested repetitions' };
  return { value: null, problems: [{ severity: 'error', ...flaw }] };
}
