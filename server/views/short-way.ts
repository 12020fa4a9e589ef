// The steps of a long call path as pages take them: an anchor for its beginning, and the last methods.
import { anchorOf, type MethodKeys, type PathId, pathId } from '../metrics/method-keys.ts';
import type { MethodKey } from './view-messages.ts';

/** Longer ones begin with an anchor, */
const MOST_STEPS = 1_000;
/** and go on with so many methods. */
const LAST_STEPS = 100;

/** @param of the method that the path begins with; null for everything. */
export function shortWay(keys: MethodKeys, of: MethodKey | null, steps: readonly MethodKey[]): readonly MethodKey[] {
  if (steps.length <= MOST_STEPS) return steps;
  let id: PathId = [0, 0];
  const beginning = steps.slice(0, -LAST_STEPS);
  for (const key of of === null ? beginning : [of, ...beginning]) id = pathId(id, keys.hashOf(keys.rowOf(key)));
  return [anchorOf(id), ...steps.slice(-LAST_STEPS)];
}
