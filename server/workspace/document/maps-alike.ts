// Tells whether an edit has changed anything that decides which method stands where.
import type { Declaration, Outline } from '../../../grammar/outline.ts';

/**
 * Whether both outlines map to any profile alike: the same declarations on the same lines, the same method references and
 * constructor calls, and all offsets in the same order.
 */
export function mapsAlike(before: Outline, after: Outline): boolean {
  if (before.declarations.length !== after.declarations.length) return false;
  if (before.packageName !== after.packageName || !alike(before.imports, after.imports)) return false;
  const order = new KeptOrder();
  for (let row = 0; row < before.declarations.length; row++) {
    const [old, fresh] = [before.declarations[row]!, after.declarations[row]!];
    if (!sameDeclaration(old, fresh) || !keepsPlace(order, old, fresh)) return false;
  }
  return sameReferences(before, after, order);
}

function sameDeclaration(old: Declaration, fresh: Declaration): boolean {
  return (
    old.kind === fresh.kind &&
    old.name === fresh.name &&
    old.parent === fresh.parent &&
    old.binaryName === fresh.binaryName &&
    old.local === fresh.local &&
    sameLines(old.lines, fresh.lines) &&
    alike(old.modifiers, fresh.modifiers) &&
    alike(old.annotations, fresh.annotations) &&
    alike(old.typeParameters, fresh.typeParameters) &&
    alike(old.parameters, fresh.parameters) &&
    alike(old.type, fresh.type) &&
    alike(old.supertypes, fresh.supertypes)
  );
}

function sameLines(old: Declaration['lines'], fresh: Declaration['lines']): boolean {
  if (old.length !== fresh.length) return false;
  for (let i = 0; i < old.length; i++) if (old[i]![0] !== fresh[i]![0] || old[i]![1] !== fresh[i]![1]) return false;
  return true;
}

/** Compares two values: a part that was not parsed again is the same object; the rest is small. */
function alike(old: unknown, fresh: unknown): boolean {
  return old === fresh || JSON.stringify(old) === JSON.stringify(fresh);
}

function keepsPlace(order: KeptOrder, old: Declaration, fresh: Declaration): boolean {
  if (!order.keeps(old.span.start, fresh.span.start) || !order.keeps(old.span.end, fresh.span.end)) return false;
  if (!order.keeps(old.nameSpan.end, fresh.nameSpan.end)) return false;
  if (old.body === null || fresh.body === null) return old.body === fresh.body;
  return order.keeps(old.body.start, fresh.body.start);
}

function sameReferences(before: Outline, after: Outline, order: KeptOrder): boolean {
  const [old, fresh] = [before, after].map(({ callSites }) =>
    callSites.filter(({ kind }) => kind === 'methodReference' || kind === 'this'),
  );
  if (old!.length !== fresh!.length) return false;
  return old!.every((site, i) => {
    const other = fresh![i]!;
    return (
      site.kind === other.kind &&
      site.declaration === other.declaration &&
      site.name === other.name &&
      site.line === other.line &&
      order.keeps(site.nameSpan.start, other.nameSpan.start) &&
      order.keeps(site.nameSpan.end, other.nameSpan.end)
    );
  });
}

/** Whether offsets have moved as one edit moves them: none in front of a place, by the same distance behind it. */
class KeptOrder {
  #distance = 0;
  #lastInFront = -1;
  #firstBehind = Number.POSITIVE_INFINITY;

  keeps(before: number, after: number): boolean {
    const distance = after - before;
    if (distance === 0) this.#lastInFront = Math.max(this.#lastInFront, before);
    else {
      if (this.#distance === 0) this.#distance = distance;
      if (distance !== this.#distance) return false;
      this.#firstBehind = Math.min(this.#firstBehind, before);
    }
    return this.#lastInFront < this.#firstBehind;
  }
}
