// Notices new snapshots in buckets by asking them now and then.

import type { Wish } from '../../analysis/wish.ts';
import type { WatchedPlace } from '../../base/file-stamp.ts';
import type { StoreStamp } from '../../store/store.ts';
import { type Asking, AskingTimes } from './asking-times.ts';
import { differs, sleeps } from './store-watch.ts';

/** Names a wish's project in a bucket among what is watched; null for other stores and for files. */
export function bucketPlace({ store, project, files }: Pick<Wish, 'store' | 'project' | 'files'>): string | null {
  return files === undefined && /^s3:/i.test(store) ? JSON.stringify([store, project]) : null;
}

/** How buckets are asked: null where that is not known. */
type BucketLook = Asking & { readonly stamp: (path: string) => Promise<StoreStamp | null> };

/**
 * Asks until `signal` aborts, and tells which buckets changed since they were read.
 * @param watched what to ask, asked for anew each round; their paths are what `bucketPlace` gives
 */
export async function watchBuckets(
  watched: () => readonly WatchedPlace[],
  onChange: (paths: ReadonlySet<string>) => void,
  look: BucketLook,
  signal: AbortSignal,
): Promise<void> {
  const before = new Map<string, string>();
  const times = new AskingTimes(look);
  for (let wait = look.againMillis; await sleeps(wait, signal); ) {
    const askedAt = Date.now();
    const places = Map.groupBy(watched(), ({ path }) => path);
    const asked = [...places].map(async ([path, known]) => {
      const stamp = await look.stamp(path).catch(() => null);
      return stamp === null ? [] : [{ path, known, ...stamp }];
    });
    const answers = (await Promise.all(asked)).flat();
    const now = Map.groupBy(watched(), ({ path }) => path);
    const changed = new Set<string>();
    for (const { path, known, text } of answers) {
      // Where data were read since the bucket was asked, its answer may be older than they are.
      const same = now.get(path)?.filter(({ stamp }) => known.some(each => each.stamp === stamp)) ?? [];
      if (same.some(place => differs(before.get(path), text, place))) changed.add(path);
      before.set(path, text);
    }
    if (!signal.aborted && changed.size > 0) onChange(changed);
    const ends = answers.flatMap(({ nextMillis }) => nextMillis ?? []);
    const answeredAt = Date.now();
    wait = times.after({ askedAt, answeredAt, hasNews: changed.size > 0, ends }) - answeredAt;
  }
}
