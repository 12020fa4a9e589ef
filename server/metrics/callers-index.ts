// Who calls each method, looked up: the call sites of a tree in the order of what they call.
import { ROOT_METHOD } from '../cct/profile.ts';
import type { CallSiteAmounts, CallSites } from './call-sites.ts';

/** Sites that call method m are site[offsets[m]] … site[offsets[m+1]−1], called from caller[…] at the same places. */
type CallersIndex = { readonly offsets: Int32Array; readonly site: Int32Array; readonly caller: Int32Array };

const indexOfSites = new WeakMap<CallSites, CallersIndex>();

function callersIndex(sites: CallSites): CallersIndex {
  const known = indexOfSites.get(sites);
  if (known !== undefined) return known;
  const methods = sites.offsets.length - 1;
  const offsets = new Int32Array(methods + 1);
  for (const callee of sites.callee) offsets[callee + 1]!++;
  for (let m = 0; m < methods; m++) offsets[m + 1]! += offsets[m]!;
  const next = offsets.slice();
  const site = new Int32Array(sites.callee.length);
  const caller = new Int32Array(site.length);
  for (let m = 0; m < methods; m++) {
    for (let row = sites.offsets[m]!; row < sites.offsets[m + 1]!; row++) {
      const at = next[sites.callee[row]!]!++;
      site[at] = row;
      caller[at] = m;
    }
  }
  const made = { offsets, site, caller };
  indexOfSites.set(sites, made);
  return made;
}

/** Sites that call a method, with the method that each stands in; views, not copies. */
export function sitesCalling(
  sites: CallSites,
  method: number,
): { readonly site: Int32Array; readonly caller: Int32Array } {
  const { offsets, site, caller } = callersIndex(sites);
  const [from, to] = [offsets[method]!, offsets[method + 1]!];
  return { site: site.subarray(from, to), caller: caller.subarray(from, to) };
}

/** How many methods were seen to call any of `methods` directly. Of a focus only what lies in it is known here. */
export function callerCount(sites: CallSites, { count, weight }: CallSiteAmounts, methods: readonly number[]): number {
  const { offsets, site, caller } = callersIndex(sites);
  const callers = new Set<number>();
  for (const method of methods) {
    for (let at = offsets[method]!; at < offsets[method + 1]!; at++) {
      const row = site[at]!;
      if (caller[at] !== ROOT_METHOD && (count[row] !== 0 || weight[row] !== 0)) callers.add(caller[at]!);
    }
  }
  return callers.size;
}

/** How many methods any of `methods` was seen to call directly. */
export function calleeCount(sites: CallSites, { count, weight }: CallSiteAmounts, methods: readonly number[]): number {
  const callees = new Set<number>();
  for (const method of methods)
    for (let row = sites.offsets[method]!; row < sites.offsets[method + 1]!; row++)
      if (count[row] !== 0 || weight[row] !== 0) callees.add(sites.callee[row]!);
  return callees.size;
}
