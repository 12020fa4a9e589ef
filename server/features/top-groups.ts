// The classes, packages, threads or instances with the most time, for lists; a baseline has the same ones by their names.

import { inlineReach, type Reach } from '../analysis/ask.ts';
import type { Baseline } from '../analysis/baseline.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import type { ComparedShare } from '../capabilities/compare/door.ts';
import { type Amount, NO_AMOUNT } from '../metrics/analysis.ts';
import { shareChange } from './compare/door.ts';
import { byChange } from './top.ts';

export type GroupKind = 'class' | 'package' | 'thread' | 'instance';

type GroupOptions = {
  readonly kind: GroupKind;
  /** So many of the baseline's heaviest are looked at for what has gone. */
  readonly limit: number;
  readonly by: 'own' | 'total' | 'self';
  /** As for methods. */
  readonly platform: boolean;
  readonly within?: string;
  /** Threads by their own names, where they are kept; else by group. */
  readonly single?: boolean;
  readonly sortedByChange?: boolean;
  readonly baseline?: Baseline;
};

export type GroupRow = {
  /** Empty for what has none. */
  readonly name: string;
  readonly total: Amount;
  readonly self: Amount;
  readonly own: Amount;
  /** How the rows' share of everything moved; where there is a baseline. */
  readonly change?: ComparedShare;
};

type Rows = {
  /** Heaviest first, or what moved most. */
  readonly rows: readonly GroupRow[];
  /** The heaviest groups of the baseline that have no sample now, as they were then. */
  readonly gone: readonly GroupRow[];
};

export async function topGroups(data: LoadedData, options: GroupOptions, reach: Reach = inlineReach): Promise<Rows> {
  const { by, limit, baseline, sortedByChange = false } = options;
  const all = await timesOf(data, options, reach);
  if (baseline === undefined) return { rows: all, gone: [] };
  const before = await timesOf(baseline.data, options, reach);
  const earlier = new Map(before.map(each => [each.name, each[by]]));
  // Of what a list by self time leaves out, too.
  const namesOf = async (each: LoadedData) =>
    new Set((await timesOf(each, { ...options, by: 'total' }, reach)).map(({ name }) => name));
  const [ran, runs] = [await namesOf(baseline.data), await namesOf(data)];
  const changeOf = (name: string, now: Amount) => {
    const presence = !ran.has(name) ? 'new' : runs.has(name) ? 'both' : 'gone';
    return { change: shareChange(data, earlier.get(name) ?? NO_AMOUNT, now, baseline, presence) };
  };
  const shown = all.map(each => ({
    ...each,
    ...changeOf(each.name, each[by]),
  }));
  const gone = before.slice(0, limit).filter(({ name }) => !runs.has(name));
  return {
    rows: sortedByChange ? shown.sort(byChange) : shown,
    gone: gone.map(each => ({ ...each, ...changeOf(each.name, NO_AMOUNT) })),
  };
}

function timesOf(
  data: LoadedData,
  { kind, by, platform, within, single }: GroupOptions,
  reach: Reach,
): Promise<readonly GroupRow[]> {
  const limit = Number.MAX_SAFE_INTEGER;
  const more = { ...(within !== undefined && { within }), ...(single === true && { single }) };
  return reach.ask(data, 'groups', { by: kind, sort: by, limit, platform, ...more });
}
