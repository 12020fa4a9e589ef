// The heaviest way into a method and the heaviest way on from it: why it runs, and what its time is spent on.
import type { Reach } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { Amount } from '../../metrics/analysis.ts';

/** A method on a way, by its row, with its part of the samples that the way begins with. */
type WayStep = { readonly method: number; readonly part: Amount; readonly whole: Amount };

type HeaviestWays = {
  /** Its heaviest caller, the heaviest caller of that one on this way, and so on. */
  readonly into: readonly WayStep[];
  /** Its heaviest callee and so on, to the method that mostly runs itself. */
  readonly on: readonly WayStep[];
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
  const into: WayStep[] = [];
  // The first row below another one is the heaviest.
  for (let at = 0, next = 1; next > 0; at = next) {
    next = rows.findIndex(({ parent }) => parent === at);
    if (next > 0) into.push({ method: rows[next]!.method, part: rows[next]!.total, whole: rows[0]!.total });
  }
  const [start, ...others] = steps;
  const on = others.slice(0, MOST_CALLEES).map(({ method, total }) => ({ method, part: total, whole: start!.total }));
  return { into, on };
}
