// The heaviest way into a method and the heaviest way on from it: why it runs, and what its time is spent on.
import type { Reach } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { Amount } from '../../metrics/analysis.ts';
import type { Share } from '../text/format-share.ts';
import { type ListedMethod, listedMethod } from '../text/listed-method.ts';

/** A method on a way, with its part of the samples that the way begins with. */
type WayRow = ListedMethod & { readonly share: Share };

export type HeaviestWays = {
  /** Its heaviest caller, the heaviest caller of that one on this way, and so on. */
  readonly into: readonly WayRow[];
  /** Its heaviest callee and so on, to the method that mostly runs itself. */
  readonly on: readonly WayRow[];
};

const MOST_CALLERS = 3;
const MOST_CALLEES = 5;
/** Rows of the tree of callers that the heaviest way is looked for in. */
const TREE_ROWS = 64;

/** Of methods that are taken as one. */
export async function heaviestWays(data: LoadedData, methods: readonly number[], reach: Reach): Promise<HeaviestWays> {
  const wish = { direction: 'callers', methods, depth: MOST_CALLERS, least: 0, rows: TREE_ROWS } as const;
  const { rows } = await reach.ask(data, 'tree', wish);
  const steps = await reach.ask(data, 'heaviestPath', { start: methods });
  const rowOf = (method: number, { weight, count }: Amount, whole: Amount): WayRow => ({
    ...listedMethod(data.profile.methods, method),
    share: { part: weight, whole: whole.weight, samples: count },
  });
  const into: WayRow[] = [];
  // The first row below another one is the heaviest.
  for (let at = 0, next = 1; next > 0; at = next) {
    next = rows.findIndex(({ parent }) => parent === at);
    if (next > 0) into.push(rowOf(rows[next]!.method, rows[next]!.total, rows[0]!.total));
  }
  const [start, ...others] = steps;
  return { into, on: others.slice(0, MOST_CALLEES).map(({ method, total }) => rowOf(method, total, start!.total)) };
}
