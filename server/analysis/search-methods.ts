// Finds the methods that a search of a picture fits.
import { noPause, type Pause } from '../base/pause.ts';
import type { Problem } from '../base/problem.ts';
import type { MethodTable } from '../cct/profile.ts';
import { expressionTime, matchNames } from '../metrics/match-expression.ts';
import { methodNames } from '../metrics/task.ts';

type FoundMethods = {
  /** One byte a method row: 1 where it fits. */
  readonly fits: Uint8Array;
  /** Why an expression finds nothing. */
  readonly problems: readonly Problem[];
};

/**
 * @param search letters of class and name, such as `shop.search`, in any case unless one of them is a capital: `Shop.search`; between slashes an expression: `/Shop\.(search|find)/`.
 */
export function searchMethods(methods: MethodTable, search: string, pause: Pause = noPause): FoundMethods {
  if (search === '') return { fits: new Uint8Array(methods.length), problems: [] };
  const names = methodNames(methods);
  const [, source] = /^\/(.+)\/$/s.exec(search) ?? [];
  const fits = new Uint8Array(methods.length);
  if (source === undefined) {
    const isExact = search !== search.toLowerCase();
    for (let row = 0; row < fits.length; row++) fits[row] = contains(names[row] ?? null, search, isExact) ? 1 : 0;
    return { fits, problems: [] };
  }
  const found = matchNames(source, names, expressionTime(), pause);
  if (!('groups' in found)) {
    const message =
      'invalid' in found ? `"${search}" is no expression: ${found.invalid}` : `"${search}" takes too long`;
    return { fits, problems: [{ severity: 'error', message, remedy: 'search for letters, without slashes' }] };
  }
  for (let row = 0; row < fits.length; row++) fits[row] = found.groups[row] == null ? 0 : 1;
  return { fits, problems: [] };
}

function contains(name: string | null, wanted: string, isExact: boolean): boolean {
  return (isExact ? name : name?.toLowerCase())?.includes(wanted) === true;
}
