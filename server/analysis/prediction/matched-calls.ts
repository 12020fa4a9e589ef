// Which calls of two versions of a method are the same: equal callees in equal places first, then calls that have moved.

import { nameOf, type Run, type VersionOfMethod } from './frames.ts';
import type { MethodCode } from './method-code.ts';

type Both<T> = { readonly before: T; readonly after: T };

export type MatchedCalls = {
  /** Same callee, same place. */
  readonly kept: readonly Both<Run>[];
  /** Same callee, another place. */
  readonly moved: readonly Both<Run>[];
  readonly added: readonly Run[];
  readonly removed: readonly Run[];
};

type Left = { readonly kept: Both<Run>[]; readonly added: Run[]; readonly removed: Run[] };

/** Rounds of taking in: code that moved through more methods is told as new. */
const MOST_ROUNDS = 5;

/** Takes code of other methods into both versions as far as calls have moved there or come from there. */
export function matchCalls(versions: Both<VersionOfMethod>): MatchedCalls {
  let left = inEqualPlaces(versions);
  for (let round = 0; round < MOST_ROUNDS && left.added.length + left.removed.length > 0; round++) {
    const undo = [versions.before.mark(), versions.after.mark()];
    const isTaken = [
      takeIn(versions.after, left.added, { runs: left.removed, root: versions.before.root }),
      takeIn(versions.before, left.removed, { runs: left.added, root: versions.after.root }),
    ].includes(true);
    if (!isTaken) break;
    const next = inEqualPlaces(versions);
    // Code with little in common is told by its call.
    if (next.added.length + next.removed.length > left.added.length + left.removed.length) {
      for (const each of undo) each();
      break;
    }
    left = next;
  }
  return { kept: left.kept, ...withMoved(left) };
}

/** The other version: its calls that are not matched, and its method. */
type Other = { readonly runs: readonly Run[]; readonly root: Run['frame'] };

/** Takes in the methods whose code has calls that the other version has lost, or stands in it. */
function takeIn(version: VersionOfMethod, own: readonly Run[], { runs, root }: Other): boolean {
  const lost = new Set(runs.map(({ call }) => nameOf(call.statement)));
  let isTaken = false;
  for (const run of own) {
    const method = version.methodOf(run);
    if (method === null) continue;
    const hasLost = [...lost].some(name => version.namesIn(method).has(name));
    if (hasLost || standsIn(version.codeOf(method), { own: version.root.flow.code, other: root.flow.code }))
      isTaken = version.takeIn(run, method) || isTaken;
  }
  return isTaken;
}

/** So much of the words of a method has come into a text that holds its code now. */
const MOSTLY = 0.8;

/** Whether one version's text has taken in the code of a method: the code's words are among the words that only this text has. */
function standsIn(code: MethodCode, { own, other }: { readonly own: MethodCode; readonly other: MethodCode }): boolean {
  const more = countsOf(other);
  for (const [word, count] of countsOf(own)) more.set(word, (more.get(word) ?? 0) - count);
  let [found, all] = [0, 0];
  for (const [word, count] of countsOf(code, code.bodyStart)) {
    all += count;
    found += Math.min(count, Math.max(0, more.get(word) ?? 0));
  }
  return all > 0 && found >= MOSTLY * all;
}

/** How often each word that says something stands in a code. */
function countsOf({ words }: MethodCode, from = 0): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { image, start } of words)
    if (start >= from && /[\w$]/.test(image)) counts.set(image, (counts.get(image) ?? 0) + 1);
  return counts;
}

function inEqualPlaces({ before, after }: Both<VersionOfMethod>): Left {
  const places = new Map<string, Run[]>();
  const placeOf = ({ key, call }: Run) => `${call.place.id} ${key}`;
  for (const run of before.runs) {
    const list = places.get(placeOf(run));
    if (list === undefined) places.set(placeOf(run), [run]);
    else list.push(run);
  }
  const left: Left = { kept: [], added: [], removed: [] };
  const taken = new Set<Run>();
  const open = new Map<string, Run[]>();
  for (const run of after.runs) {
    const known = open.get(placeOf(run));
    if (known !== undefined) known.push(run);
    else if (places.has(placeOf(run))) open.set(placeOf(run), [run]);
    else left.added.push(run);
  }
  for (const [place, runs] of open) {
    const list = places.get(place)!;
    const { pairs, rest } = pairedByCode(list, runs);
    for (const pair of pairs) {
      taken.add(pair.before);
      left.kept.push(pair);
    }
    left.added.push(...rest);
  }
  left.removed.push(...before.runs.filter(run => !taken.has(run)));
  return left;
}

/** Pairs of equal arguments first, then in order. */
function pairedByCode(
  before: readonly Run[],
  after: readonly Run[],
): { readonly pairs: Both<Run>[]; readonly rest: Run[] } {
  const pairs: Both<Run>[] = [];
  const isLone = before.length === 1 && after.length === 1;
  const byCode = isLone ? new Map<string, Run[]>() : Map.groupBy(before, codeOf);
  const taken = new Set<Run>();
  const later: Run[] = [];
  for (const run of after) {
    const same = isLone ? undefined : byCode.get(codeOf(run))?.shift();
    if (same === undefined) later.push(run);
    else {
      taken.add(same);
      pairs.push({ before: same, after: run });
    }
  }
  const open = before.filter(run => !taken.has(run));
  later.slice(0, open.length).forEach((run, i) => {
    pairs.push({ before: open[i]!, after: run });
  });
  return { pairs, rest: later.slice(open.length) };
}

/** Characters: longer calls are paired in their order. */
const LONGEST_CODE = 1_000;

function codeOf({ frame, call }: Run): string {
  const { span } = call.statement;
  return span.end - span.start > LONGEST_CODE ? '' : frame.flow.expressions.keyOf(span);
}

/** The rest by callee alone. */
function withMoved({ added, removed }: Left): Omit<MatchedCalls, 'kept'> {
  const byKey = Map.groupBy(removed, ({ key }) => key);
  const moved: Both<Run>[] = [];
  const fresh: Run[] = [];
  for (const [key, runs] of Map.groupBy(added, run => run.key)) {
    const { pairs, rest } = pairedByCode(byKey.get(key) ?? [], runs);
    moved.push(...pairs);
    fresh.push(...rest);
  }
  const taken = new Set(moved.map(({ before }) => before));
  return { moved, added: fresh, removed: removed.filter(run => !taken.has(run)) };
}
