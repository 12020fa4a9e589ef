// Marks methods whose numbers are of code that has changed since: one diagnostic each, on the name.

import type { Span } from '../../../grammar/outline.ts';
import { joined } from '../../base/printable.ts';
import type { DocumentView, Mapped } from '../../workspace/document/document-view.ts';
import { commitText, stateOf } from '../facts/code-state.ts';
import { hintOptions } from '../hints/hint-options.ts';
import { methodToShow } from '../hints/method-hints.ts';

/** Clients that filter diagnostics tell this kind by its `code`. */
export type StaleDiagnostic = {
  readonly span: Span;
  readonly message: string;
  readonly code: 'changed-since-recorded';
};

/** Of methods that have a hint, in source order; none while there are no data and when switched off. */
export function staleDiagnostics(document: DocumentView): StaleDiagnostic[] {
  const { mapped, outline, settings } = document;
  if (mapped === null || mapped.comparison === null || !settings['diagnostics.stale']) return [];
  const options = hintOptions(settings);
  const found: StaleDiagnostic[] = [];
  for (const entry of mapped.map.declarations) {
    const declaration = outline.declarations[entry.declaration]!;
    // A lambda's change is one of the method around it.
    if (declaration.kind === 'lambda' || methodToShow(mapped.data, entry, declaration, options) === null) continue;
    if (stateOf(document, declaration.row).name !== 'changed') continue;
    found.push({ span: declaration.nameSpan, message: messageOf(mapped), code: 'changed-since-recorded' });
  }
  return found;
}

function messageOf({ profiled, data }: Mapped): string {
  const { program, executions } = data.provenance;
  const version = `${program} ${[...new Set(executions.map(execution => execution.version))].join(', ')}`;
  if (profiled.from === 'opened') return `changed since the file was opened: numbers (${version}) are of older code`;
  const recorded = joined([commitText(profiled.commit), version], ', ');
  return `changed since it was recorded (${recorded}): numbers are of the old code`;
}
