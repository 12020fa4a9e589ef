// Finds the methods that may have been meant by a text that names none.
import { noPause, type Pause } from '../base/pause.ts';
import type { MethodTable } from '../cct/profile.ts';
import { nearestNames } from './nearest-names.ts';
import { methodNames } from './task.ts';

/** Names that a text which names no method is most like, as long as the text is: with class or package where that has them. */
export function methodsLike(methods: MethodTable, text: string, pause: Pause = noPause): string[] {
  const wanted = text.replace('#', '.').replace(/\(.*$/s, '');
  const segments = wanted.split('.').length;
  const ends = new Map<string, Set<string>>();
  for (const name of methodNames(methods, pause)) {
    if (name === null) continue;
    const end = name.split('.').slice(-segments).join('.');
    ends.set(end, (ends.get(end) ?? new Set()).add(name));
  }
  return nearestNames(ends.keys(), wanted, undefined, pause).map(end => {
    const [only = end, ...others] = ends.get(end)!;
    return others.length === 0 ? only : end;
  });
}
