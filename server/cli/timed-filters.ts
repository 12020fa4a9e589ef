// The methods that `insitu record --time` times: the given names as the JVM takes them.
import { timingFilter } from '../record/timing-plan.ts';
import { misused } from './failure.ts';

/** The most filters that are given to a JVM, since it changes the code of each method. */
const MOST_FILTERS = 50;

/**
 * Filters of the JVM, each once.
 * @param given classes and methods
 * @param hasJvm whether any JVM is followed, not folders of chunk files alone
 */
export function timedFilters(given: readonly string[], hasJvm: boolean): string[] {
  if (!hasJvm) throw misused('--time changes what a JVM records', 'name the JVM with --pid, --main or --all');
  const filters = given.map(text => {
    const filter = timingFilter(text);
    if (filter === null)
      throw misused(
        `"${text}" names no class and no method`,
        'name a class (com.acme.Shop) or a method (com.acme.Shop::search); the JVM takes no patterns',
      );
    return filter;
  });
  const found = [...new Set(filters)];
  if (found.length > MOST_FILTERS) throw misused(`${found.length} classes and methods`, `name ${MOST_FILTERS} at most`);
  return found;
}
