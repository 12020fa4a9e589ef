// The callers of each method, looked up: the call sites of a tree in the order of their callees.

import { ROOT_METHOD } from '../cct/profile.ts';
import { sharedInt32 } from '../cct/shared-columns.ts';
import type { Sums } from './outermost-sums.ts';

/** Sites that call method m are site[offsets[m]] … site[offsets[m+1]−1], called from caller[…] at the same places. */
export type CallersIndex = { readonly offsets: Int32Array; readonly site: Int32Array; readonly caller: Int32Array };

/** The sites of method m are the rows offsets[m] … offsets[m+1]−1. */
type Calls = { readonly offsets: Int32Array; readonly callee: Int32Array };

/** O(sites + methods). */
export function indexCallers({ offsets: calls, callee }: Calls): CallersIndex {
  const methods = calls.length - 1;
  const offsets = sharedInt32(methods + 1);
  for (const called of callee) offsets[called + 1]!++;
  for (let m = 0; m < methods; m++) offsets[m + 1]! += offsets[m]!;
  const next = offsets.slice();
  const site = sharedInt32(callee.length);
  const caller = sharedInt32(callee.length);
  for (let m = 0; m < methods; m++) {
    for (let row = calls[m]!; row < calls[m + 1]!; row++) {
      const at = next[callee[row]!]!++;
      site[at] = row;
      caller[at] = m;
    }
  }
  return { offsets, site, caller };
}

/** Sites that call a method, with the method that each stands in; views, not copies. */
export function sitesCalling(
  { callers }: { readonly callers: CallersIndex },
  method: number,
): { readonly site: Int32Array; readonly caller: Int32Array } {
  const { offsets, site, caller } = callers;
  const [from, to] = [offsets[method]!, offsets[method + 1]!];
  return { site: site.subarray(from, to), caller: caller.subarray(from, to) };
}

/** How many methods were seen to call any of `methods` directly. Of a focus only what lies in it is known here. */
export function callerCount(
  { callers: index }: { readonly callers: CallersIndex },
  { count, weight }: Sums,
  methods: readonly number[],
): number {
  const { offsets, site, caller } = index;
  const callers = new Set<number>();
  for (const method of methods) {
    // The sites of one caller follow each other.
    let last = ROOT_METHOD;
    for (let at = offsets[method]!; at < offsets[method + 1]!; at++) {
      const from = caller[at]!;
      const row = site[at]!;
      if (from === last || from === ROOT_METHOD || (count[row] === 0 && weight[row] === 0)) continue;
      callers.add(from);
      last = from;
    }
  }
  return callers.size;
}

/** How many methods any of `methods` was seen to call directly. */
export function calleeCount(sites: Calls, { count, weight }: Sums, methods: readonly number[]): number {
  const callees = new Set<number>();
  for (const method of methods)
    for (let row = sites.offsets[method]!; row < sites.offsets[method + 1]!; row++)
      if (count[row] !== 0 || weight[row] !== 0) callees.add(sites.callee[row]!);
  return callees.size;
}
