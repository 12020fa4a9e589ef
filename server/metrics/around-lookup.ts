// Looks up the surroundings of one method in tables that were filled for all methods; each function answers as the walk of the same name.
import { ROOT_METHOD } from '../cct/profile.ts';
import type { LineAndAmount, MethodAndAmount } from './around-method.ts';
import type { AroundTables } from './around-tables.ts';
import type { CallSites } from './call-sites.ts';
import { sitesCalling } from './callers-index.ts';
import { effectiveSampleSize } from './interval.ts';
import { heaviestFirst } from './keyed-amounts.ts';
import type { MethodTimes } from './method-times.ts';
import type { MethodSet } from './node-walks.ts';
import type { SeenLines } from './self-lines.ts';

/** The same as `callersOf` of one method. */
export function callersInTable(
  { pairOfSite, callers }: AroundTables,
  sites: CallSites,
  method: number,
): MethodAndAmount[] {
  const { site, caller } = sitesCalling(sites, method);
  const found: MethodAndAmount[] = [];
  for (let i = 0; i < site.length; i++)
    if (caller[i] !== ROOT_METHOD && pairOfSite[site[i]!] === site[i]) add(found, caller[i]!, callers, site[i]!);
  return heaviest(found);
}

/** The same as `calleeMethodsOf` of one method. */
export function calleeMethodsInTable(
  { pairOfSite, callees }: AroundTables,
  { offsets, callee }: CallSites,
  method: number,
): MethodAndAmount[] {
  const found: MethodAndAmount[] = [];
  for (let site = offsets[method]!; site < offsets[method + 1]!; site++)
    if (pairOfSite[site] === site) add(found, callee[site]!, callees, site);
  return heaviest(found);
}

function add(found: MethodAndAmount[], method: number, { weight, count }: MethodTimes, row: number): void {
  if (weight[row] !== 0 || count[row] !== 0)
    found.push({ method, amount: { weight: weight[row]!, count: count[row]! } });
}

function heaviest(found: MethodAndAmount[]): MethodAndAmount[] {
  return found.sort((x, y) => heaviestFirst(x, y) || x.method - y.method);
}

/** The same as `linesOf` of one method. */
export function linesInTable({ lines }: AroundTables, { offset, line }: SeenLines, method: number): LineAndAmount[] {
  const { weight, count } = lines;
  const found: LineAndAmount[] = [];
  const push = (row: number, at: number) => {
    if (weight[row] === 0 && count[row] === 0) return;
    found.push({ line: at, amount: { weight: weight[row]!, count: count[row]! } });
  };
  push(line.length + method, 0);
  for (let row = offset[method]!; row < offset[method + 1]!; row++) push(row, line[row]!);
  return found;
}

/** On how many groups of threads any of the methods was seen; null where the tables leave threads out. */
export function threadCountInTable({ threads, threadBytes }: AroundTables, set: MethodSet): number | null {
  if (threadBytes === 0) return null;
  let count = 0;
  for (let i = 0; i < threadBytes; i++) {
    let bits = 0;
    for (const method of set) bits |= threads[method * threadBytes + i]!;
    for (; bits !== 0; bits &= bits - 1) count++;
  }
  return count;
}

/** The same as `effectiveSamplesOf` of one method, whose total is `total`. */
export function effectiveSamplesInTable({ squares }: AroundTables, total: MethodTimes, method: number): number {
  return squares.length === 0 ? total.count[method]! : effectiveSampleSize(total.weight[method]!, squares[method]!);
}
