// Writes the query that a refinement leads to, so that it can be asked, refined again and saved.
import type { Refinement } from '../../metrics/paths/refine-path.ts';
import { isAspectName } from './aspect-mistakes.ts';
import type { ResolvedQuery } from './resolve-query.ts';

/** `x` in the query: in quotation marks where it would be read as something else. */
export function elementText(name: string, isAspect: boolean): string {
  return isAspect || isAspectName(name) ? name : `"${name.replaceAll('"', '')}"`;
}

export function refinedText(
  { text, query, elements }: ResolvedQuery,
  path: number,
  refinement: Refinement,
  name: string,
  isAspect: boolean,
): string {
  const written = elements[path]!;
  const x = elementText(name, isAspect);
  if (refinement.kind !== 'up') {
    const end = written.at(-1)!.to;
    return `${text.slice(0, end)} ${refinement.kind === 'extended' ? '..' : ''}${x}${text.slice(end)}`;
  }
  const shift = query.paths[path]!.fromThread ? 1 : 0;
  const { from, member } = written[refinement.at + shift]!;
  return `${text.slice(0, from)}..${x} ${text.slice(member.from)}`;
}
