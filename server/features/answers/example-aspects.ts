// Aspects to begin with, made of the packages or classes of own code that cost most.
import type { Reach } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { isAspectName } from '../../analysis/paths/aspect-mistakes.ts';
import type { Aspect } from '../../analysis/paths/resolve-query.ts';

const MOST = 3;

/**
 * The packages or classes with the most own time, the one with the least method time first: a package stands before its callers, and so gets
 * its whole cost. Empty where no own code ran.
 */
export async function exampleAspects(data: LoadedData, { ask }: Reach): Promise<readonly Aspect[]> {
  const heaviest = async (by: 'package' | 'class') => {
    const rows = await ask(data, 'groups', { by, limit: MOST, sort: 'own', platform: false });
    return rows.filter(({ name, own }) => name !== '' && own.weight > 0);
  };
  const packages = await heaviest('package');
  const isOfPackages = packages.length > 1;
  const rows = isOfPackages ? packages : await heaviest('class');
  const named = rows
    .toSorted((a, b) => a.total.weight - b.total.weight)
    .map(({ name }) => ({
      name: name.slice(name.lastIndexOf('.') + 1).replaceAll(/\W+/g, '_'),
      value: isOfPackages ? `${name}.*.*` : `${name}.*`,
    }));
  return named.filter(({ name }, at) => isAspectName(name) && named.findIndex(other => other.name === name) === at);
}
