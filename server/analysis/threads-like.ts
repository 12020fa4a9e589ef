// Which threads a pattern means.
import type { ThreadTable } from '../cct/profile.ts';

/**
 * One byte a thread row: 1 where a pattern fits its name, or its `group/name`. Threads are known without their numbers, so that
 * `pool-1-thread-7` means all of `pool-#-thread-#`; unnamed ones are called `unnamed`.
 */
export function threadsLike(threads: ThreadTable, patterns: readonly string[]): Uint8Array {
  const expressions = patterns.map(pattern => {
    const parts = pattern.replace(/\d+/g, '#').split('*');
    return new RegExp(`^${parts.map(part => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&')).join('.*')}$`, 's');
  });
  return Uint8Array.from(threads.name, (name, row) => {
    const own = name === '' ? 'unnamed' : name;
    const full = `${threads.group[row]!.replace(/\d+/g, '#')}/${own}`;
    return expressions.some(each => each.test(own) || each.test(full)) ? 1 : 0;
  });
}
