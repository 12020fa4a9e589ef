// Which declarations have to be matched anew after a text was typed into: mostly one member, whose neighbours keep their partners.
import type { Matches, Pair } from './matches.ts';
import { isNamedType, isNameless, type SourceText, signatureKey } from './source-text.ts';

/** The rows that differ between two versions; all other rows are matched as they were. */
export type Retyped = {
  /** By current row: whether its text is another one. */
  readonly changed: Uint8Array;
  /** Members whose code changed, with the rows that they stay matched with. */
  readonly members: readonly Pair[];
};

/**
 * null where everything has to be matched anew: where declarations came or went, or where what changed was not found by its signature,
 * or holds more than lambdas, which nothing outside of their method is matched with.
 */
export function retyped(profiled: SourceText, before: SourceText, now: SourceText, known: Matches): Retyped | null {
  const [old, fresh] = [before.outline.declarations, now.outline.declarations];
  if (old.length !== fresh.length || known.renamesTypes) return null;
  const changed = new Uint8Array(fresh.length);
  const members: Pair[] = [];
  for (let row = 0; row < fresh.length; row++) {
    const [was, is] = [old[row]!, fresh[row]!];
    if (was.kind !== is.kind || was.name !== is.name || was.parent !== is.parent) return null;
    if ((is.parent >= 0 && changed[is.parent] === 0) || before.slice(row) === now.slice(row)) continue;
    changed[row] = 1;
    const isMember = is.parent < 0 || isNamedType(fresh[is.parent]!);
    if (isNamedType(is) || !isMember) continue;
    const partner = known.profiledOf[row]!;
    if (
      isNameless(is) ||
      partner < 0 ||
      known.bySignature[row] === 0 ||
      !holdsLambdasAlone(profiled, partner) ||
      !holdsLambdasAlone(now, row)
    )
      return null;
    const one = profiled.declaration(partner);
    // Neither of them in a type, or both in types that belong together.
    if (one.parent < 0 ? is.parent >= 0 : is.parent < 0 || known.currentOf[one.parent] !== is.parent) return null;
    const signature = signatureKey(is, new Map());
    if (signature !== signatureKey(was, new Map()) || signature !== signatureKey(one, new Map())) return null;
    members.push([partner, row]);
  }
  return { changed, members };
}

function holdsLambdasAlone(side: SourceText, row: number): boolean {
  return side.inside(row).every(inner => side.declaration(inner).kind === 'lambda');
}
