// Says of a query without samples which of its elements no stack satisfies.
import { noPause, type Pause } from '../../base/pause.ts';
import { printableName } from '../../base/printable.ts';
import type { CallPath, PathCondition } from '../../metrics/paths/call-path.ts';
import { type PathScope, pathSamples } from '../../metrics/paths/path-samples.ts';
import type { QueryMistake, ResolvedQuery } from './resolve-query.ts';

/** The beginnings of each path are tried, the shortest first, under the query's `where`. */
export function firstUnsatisfied(
  a: PathScope,
  { text, query, elements }: ResolvedQuery,
  starts: Uint8Array,
  view: Uint8Array | null,
  pause: Pause = noPause,
): QueryMistake {
  const isSatisfied = (paths: readonly CallPath[], condition: PathCondition, where: PathCondition | null) =>
    pathSamples(a, { paths, condition, where }, starts, view, pause).satisfied.includes(1);
  const everything: PathCondition = { kind: 'and', operands: [] };
  const all = { from: 0, to: text.length };
  if (query.where !== null && !isSatisfied(query.paths, everything, query.where))
    return { ...all, message: 'no sample fulfils the condition behind "where"', remedy: 'ask the condition alone' };
  for (const [number, path] of query.paths.entries()) {
    if (isNegated(query.condition, number)) continue;
    for (let length = path.fromThread ? 0 : 1; length <= path.elements.length; length++) {
      const beginning = query.paths.map((each, at) =>
        at === number ? { ...each, elements: each.elements.slice(0, length) } : each,
      );
      const own: PathCondition = { kind: 'path', path: number };
      if (isSatisfied(beginning, own, query.where)) continue;
      return missingElement(text, elements[number]!, length - (path.fromThread ? 0 : 1));
    }
  }
  return { ...all, message: 'no sample satisfies all of it together', remedy: 'ask the paths one by one' };
}

/** Paths that are wanted to be absent, or stand behind `where` alone, have no missing element. */
function isNegated(condition: PathCondition, path: number): boolean {
  if (condition.kind === 'path') return condition.path !== path;
  if (condition.kind === 'not') return true;
  return condition.operands.every(operand => isNegated(operand, path));
}

function missingElement(text: string, written: ResolvedQuery['elements'][number], at: number): QueryMistake {
  const { from, to } = written[at]!;
  const element = printableName(text.slice(from, to));
  const before = at === 0 ? '' : printableName(text.slice(written[0]!.from, written[at - 1]!.to));
  const message = at === 0 ? `no sample has "${element}"` : `no stack goes on to "${element}" after "${before}"`;
  const isDirect = at > 0 && !element.startsWith('..');
  return { from, to, message, remedy: isDirect ? `"..${element}" allows calls between` : 'shorten the path' };
}
