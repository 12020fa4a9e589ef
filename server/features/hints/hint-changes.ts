// How the hints of a document moved against a baseline, for commands that show both.

import { factsOf } from '../../analysis/ask.ts';
import type { Baseline } from '../../analysis/baseline.ts';
import type { ComparedShare } from '../../capabilities/compare/door.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { callChange } from '../compare/door.ts';
import { entryOf } from '../facts/entry-of.ts';
import { callsInText } from './call-hints.ts';
import type { Hint } from './hints.ts';
import { declarationChange } from './method-hints.ts';

/**
 * How the share of each hint moved. Hints that have no counterpart are left out: blocks and fields, whose lines are another
 * version's, and calls of a name that the method has on another number of lines by now.
 */
export function hintChanges(
  document: DocumentView,
  hints: readonly Hint[],
  baseline: Baseline,
): Map<Hint, ComparedShare> {
  const changes = new Map<Hint, ComparedShare>();
  for (const hint of hints) {
    const change = changeOf(document, hint, baseline);
    if (change !== null) changes.set(hint, change);
  }
  return changes;
}

/** How the share of a hint moved; at a call, how the share of the weightiest call on its line moved. */
function changeOf(document: DocumentView, { kind, declaration, line }: Hint, baseline: Baseline): ComparedShare | null {
  const { mapped } = document;
  const entry = entryOf(document, declaration);
  if (mapped === null || entry === null || kind === 'line') return null;
  if (kind !== 'call') return declarationChange(mapped.data, entry, factsOf(mapped.data, entry), baseline);
  const calls = callsInText(document, entry);
  const [shown] = calls.filter(call => call.line === line).sort((a, b) => b.amount.weight - a.amount.weight);
  return shown === undefined ? null : callChange(mapped.data, entry, calls, shown, baseline);
}
