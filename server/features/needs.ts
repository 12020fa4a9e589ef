// The answers that features need before they write.
import type { Need } from '../analysis/ask.ts';
import type { DocumentView } from '../workspace/document/document-view.ts';

/** The numbers of all declarations of a document, on screen and recorded, and what they are compared with: all that hints, lenses and diagnostics write. */
export function documentNeeds({ mapped, baseline }: DocumentView): Need[] {
  if (mapped === null) return [];
  const { data, map, recorded } = mapped;
  const own: Need = { data, sets: [...map.declarations, ...recorded.declarations] };
  if (baseline === null) return [own];
  const compared = map.declarations.filter(({ onlyLines }) => onlyLines === undefined);
  const pairs = compared.flatMap(({ methods }) => {
    const before = baseline.pairing.rowsOf(methods);
    return before.length === 0 ? [] : [{ methods: before }];
  });
  return [own, { data: baseline.data, sets: pairs }];
}

/** The same without what is known, or looked up without a walk; null where nothing is left. */
export function openNeed({ data, sets = [], around }: Need): Need | null {
  const open = sets.filter(set => data.answers.lacksNumbersOf(set));
  const facts = around?.facts ?? [];
  const unknown = (around?.sets ?? []).filter(methods => data.answers.lacksAround(methods, facts));
  if (open.length === 0 && unknown.length === 0) return null;
  return { data, sets: open, ...(unknown.length > 0 && { around: { sets: unknown, facts } }) };
}
