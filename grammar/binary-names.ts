// Names types as javac does: `Outer$Inner`, `Outer$1`, `Outer$1Local`.
import type { Draft } from './draft.ts';

const isType = (draft: Draft): boolean =>
  draft.kind === 'class' ||
  draft.kind === 'interface' ||
  draft.kind === 'enum' ||
  draft.kind === 'record' ||
  draft.kind === 'annotation' ||
  draft.kind === 'anonymousClass' ||
  (draft.kind === 'enumConstant' && draft.bodyStart >= 0);

/** The innermost type around a declaration, null at top level. */
export function enclosingType(draft: Draft): Draft | null {
  let owner = draft.owner;
  while (owner !== null && !isType(owner)) owner = owner.owner;
  return owner;
}

/**
 * Gives every type among the drafts (sorted by start, owners first) its binary name. Types inside bodies are numbered
 * in the order of their bodies, one counter for each enclosing type and simple name.
 */
export function nameTypes(drafts: readonly Draft[], packageName: string): void {
  const prefix = packageName === '' ? '' : `${packageName}.`;
  const numbered = drafts.filter(
    draft => isType(draft) && (draft.local || draft.name === '' || draft.kind === 'enumConstant'),
  );
  numbered.sort((a, b) => turnOf(a) - turnOf(b));
  const numbers = new Map<Draft, number>();
  const counters = new Map<Draft | null, Map<string, number>>();
  for (const draft of numbered) {
    const outer = enclosingType(draft);
    const counter = counters.get(outer) ?? new Map<string, number>();
    counters.set(outer, counter);
    const name = simpleName(draft);
    const number = (counter.get(name) ?? 0) + 1;
    counter.set(name, number);
    numbers.set(draft, number);
  }
  for (const draft of drafts) {
    if (!isType(draft)) continue;
    const outer = enclosingType(draft)?.binaryName;
    const number = numbers.get(draft);
    const own = number === undefined ? draft.name : `${number}${simpleName(draft)}`;
    draft.binaryName = outer === undefined ? `${prefix}${number === undefined ? '' : '$'}${own}` : `${outer}$${own}`;
  }
}

function simpleName(draft: Draft): string {
  return draft.kind === 'enumConstant' ? '' : draft.name;
}

function turnOf(draft: Draft): number {
  return draft.turn < 0 ? draft.bodyStart : draft.turn;
}
