// Hits of the search in the blueprint: which boxes they are, and the way from one to the next.
import { computed } from '@preact/signals';
import { blueprint, boxAt, selectedRow, selectRow } from './blueprint-model.ts';
import { boxName } from './blueprint-words.ts';
import { hitsFound, say } from './page-state.ts';

/** Rows of shown boxes whose methods fit the search, callers before what they call; empty without a search. */
export const blueprintHits = computed((): readonly number[] => {
  const tree = blueprint.value;
  const found = hitsFound.value;
  if (tree === null || found === null) return [];
  const keys = new Set(found.rows.map(({ method }) => method.key));
  return [...tree.boxes.values()]
    .filter(({ method }) => method !== null && keys.has(method.key))
    .map(({ row }) => row)
    .sort((a, b) => a - b);
});

/** Selects the next shown box that is a hit, or the one before. */
export function nextBlueprintHit(by: 1 | -1): void {
  const hits = blueprintHits.value;
  if (hits.length === 0) {
    const isAsked = hitsFound.value !== null;
    say(isAsked ? 'No box that is shown fits the search: Enter shows more below a box.' : 'Search first: press /.');
    return;
  }
  const at = hits.indexOf(selectedRow.value);
  const next = at < 0 ? (by > 0 ? 0 : hits.length - 1) : (at + by + hits.length) % hits.length;
  selectRow(hits[next]!);
  const box = boxAt(hits[next]!);
  say(`Hit ${next + 1} of ${hits.length} that are shown${box === null ? '' : `: ${boxName(box)}`}`);
}
