// Finds the part of a picture that its root names: by the methods on the way to it, or by the id of its call path.
import type { Pause } from '../base/pause.ts';
import { ROOT_METHOD } from '../cct/profile.ts';
import { anchorOf, isAnchor, type MethodKeys, type PathId, pathId } from '../metrics/method-keys.ts';
import type { Part, Parts } from '../metrics/parts/parts.ts';
import type { KeptPartsWish } from './kept-parts.ts';
import type { LoadedData } from './loaded-data.ts';

type PartWithId = { readonly part: Part; readonly id: PathId };

type Descent = PartWithId & {
  readonly steps: readonly string[];
  /** How many of the wanted steps lead to nothing; steps that folding took away do not count. */
  readonly missing: number;
};

type Descending = {
  readonly parts: Parts;
  readonly keys: MethodKeys;
  readonly pause: Pause;
  readonly isMerged: boolean;
};

/** Steps that are not there at once may lie below frames of libraries: so many parts are looked at for one, */
const MOST_LOOKED_AT = 10_000;
/** and so many for all of them. */
const MOST_IN_ALL = 500_000;

/** Goes down from the top along the steps, as far as they lead to something. */
export function descend(
  { parts, keys, pause, isMerged }: Descending,
  given: readonly string[],
  elsewhere: (anchor: string) => readonly string[] | null,
): Descent {
  const [first] = given;
  const anchor = first !== undefined && isAnchor(first) ? first : null;
  const top = topOf(parts, keys);
  const anchored = anchor === null ? null : anchoredPart(parts, keys, top, anchor, pause);
  const before = anchor === null || anchored !== null ? null : elsewhere(anchor);
  const wanted = before === null ? given : [...before, ...given.slice(1)];
  const looked = { left: MOST_IN_ALL };
  let at = anchored ?? top;
  let taken = anchored === null ? 0 : 1;
  for (const [i, key] of wanted.entries()) {
    if (i < taken) continue;
    const method = keys.rowOf(key);
    const host = isMerged ? hostOf(at.part, method) : null;
    const way = host === null ? stepsTo({ parts, pause, looked }, at.part, method) : [];
    // A step that is not there may have been folded into the part above: the next steps tell.
    if (way === null) continue;
    if (host !== null) at = { part: host, id: idOf(host, top, keys) };
    for (const part of way) at = { part, id: pathId(at.id, keys.hashOf(part.method)) };
    taken = i + 1;
  }
  return { ...at, steps: stepsFromTop(at.part, keys), missing: wanted.length - taken };
}

function topOf({ top }: Parts, keys: MethodKeys): PartWithId {
  return { part: top, id: top.method === ROOT_METHOD ? [0, 0] : pathId([0, 0], keys.hashOf(top.method)) };
}

/** Where recursion is merged, a method that runs already goes on there; null where it does not run yet. */
function hostOf(part: Part, method: number): Part | null {
  for (let at: Part | null = part; at !== null; at = at.above) if (at.method === method) return at;
  return null;
}

function idOf(part: Part, top: PartWithId, keys: MethodKeys): PathId {
  return methodsFromTop(part).reduce<PathId>((id, method) => pathId(id, keys.hashOf(method)), top.id);
}

/** The methods to the part that had the anchor before recursion was merged or libraries folded, or after it. */
export function stepsElsewhere(
  { analysis, answers }: LoadedData,
  wish: KeptPartsWish,
  anchor: string,
  pause: Pause,
): readonly string[] | null {
  const keys = answers.keysOf(analysis.profile.methods);
  for (const recursion of [false, true])
    for (const library of [false, true]) {
      if (recursion === wish.recursion && library === wish.library) continue;
      const parts = answers.parts.of(analysis, { ...wish, recursion, library }, pause);
      const found = anchoredPart(parts, keys, topOf(parts, keys), anchor, pause);
      if (found !== null) return stepsFromTop(found.part, keys);
    }
  return null;
}

function stepsFromTop(part: Part, keys: MethodKeys): readonly string[] {
  return methodsFromTop(part).map(keys.keyOf);
}

/** The parts below the top. */
function methodsFromTop(part: Part): readonly number[] {
  const methods: number[] = [];
  for (let at = part; at.above !== null; at = at.above) methods.push(at.method);
  return methods.reverse();
}

type Looking = Pick<Descending, 'parts' | 'pause'> & { readonly looked: { left: number } };

/** The parts from below a part to the heaviest nearest one of the method; null where there is none. */
function stepsTo({ parts, pause, looked }: Looking, from: Part, method: number): readonly Part[] | null {
  if (method < 0) return null;
  const queue: Part[] = [from];
  for (let i = 0; i < queue.length && i < MOST_LOOKED_AT && (i === 0 || looked.left > 0); i++) {
    looked.left--;
    const part = queue[i]!;
    const below = parts.below(part, pause);
    const found = below.find(each => each.method === method);
    if (found === undefined) {
      queue.push(...below);
      continue;
    }
    const way = [found];
    for (let above = found.above; above !== from && above !== null; above = above.above) way.unshift(above);
    return way;
  }
  return null;
}

/** So many parts are looked at: every part that is heavy enough to be seen is among them. */
const MOST_SEARCHED = 500_000;
/** Each further search looks at parts that are so much lighter. */
const FINER = 16;
const PAUSE_STEP = 1 << 12;

/** Heavy parts are looked at first; null where none has the anchor. */
function anchoredPart(
  parts: Parts,
  keys: MethodKeys,
  top: PartWithId,
  anchor: string,
  pause: Pause,
): PartWithId | null {
  let looked = 0;
  for (let least = top.part.total.weight / FINER; ; least /= FINER) {
    let isAll = true;
    const pending = [top];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (anchorOf(at.id) === anchor) return at;
      if (++looked % PAUSE_STEP === 0) pause();
      if (looked > MOST_SEARCHED) return null;
      for (const part of parts.below(at.part, pause)) {
        if (part.total.weight >= least) pending.push({ part, id: pathId(at.id, keys.hashOf(part.method)) });
        else isAll = false;
      }
    }
    if (isAll) return null;
  }
}
