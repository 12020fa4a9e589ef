// The actions for the method or call at a place of the text: taking it as 100 %, or its path as a filter, asking why and who calls it.

import type { Span } from '../../grammar/outline.ts';
import type { Reach } from '../analysis/ask.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import type { DocumentView } from '../workspace/document/document-view.ts';
import { seenWithData } from '../workspace/files/seen-with.ts';
import { subjectOf } from './calls/implementation.ts';
import { focusNames } from './facts/subject.ts';
import { type HoverTarget, hoverTarget } from './hover/hover-target.ts';
import { queryOfCall } from './query-of-call.ts';

/** Plain data; `title` is for people. */
export type Action =
  | { readonly kind: 'focus'; readonly title: string; readonly focus: readonly string[] }
  | {
      readonly kind: 'clearFocus' | 'why' | 'callers' | 'blueprint' | 'iterations' | 'slowerCallers' | 'countCalls';
      readonly title: string;
    }
  /** A path filter; null takes it away. */
  | { readonly kind: 'select'; readonly title: string; readonly path: string | null };

/**
 * Of a name that holds the whole range and whose method, or call, ran, or what ran behind it; empty elsewhere. Offsets are UTF-16.
 * @param withoutFocus the document's data without their focus, so that one on what runs outside of it can replace it.
 */
export async function actionsAt(
  document: DocumentView,
  { start, end }: Span,
  reach: Reach,
  withoutFocus: (data: LoadedData) => Promise<LoadedData>,
): Promise<readonly Action[]> {
  const { mapped } = document;
  const target = mapped === null ? null : hoverTarget(document, start);
  if (mapped === null || target === null || start < target.span.start || end > target.span.end) return [];
  const { data } = mapped;
  const hasFocus = (data.selection.focus?.length ?? 0) > 0;
  let subject = await subjectOf(document, data, start, reach);
  if (subject === null && hasFocus) {
    const all = await withoutFocus(data);
    subject = await subjectOf(seenWithData(document, all), all, start, reach);
  }
  const clear = hasFocus ? [{ kind: 'clearFocus', title: 'insitu: clear focus' } as const] : [];
  const all =
    data.selection.path === undefined ? [] : [{ kind: 'select', title: 'insitu: drop the path', path: null } as const];
  // Also where nothing ran, the way back from a focus or path is looked for.
  if (subject === null) return [...clear, ...all];
  const names = focusNames(data, subject.entry.methods);
  // Focus goes by names, whatever parameters a method has.
  const label = subject.label.replace(/\(.*?\)/, '');
  const isFocus = data.selection.focus?.join('\n') === names.join('\n');
  return [
    ...(isFocus ? [] : [{ kind: 'focus', title: `insitu: make ${label} 100 %`, focus: names } as const]),
    ...clear,
    ...pathActions(data, target, subject.entry.methods),
    ...all,
    { kind: 'why', title: 'insitu: why this number' },
    { kind: 'callers', title: 'insitu: who calls this at run time' },
    ...(target.kind === 'call' ? [] : [{ kind: 'countCalls', title: 'insitu: count its calls for a minute' } as const]),
    ...(document.baseline === null
      ? []
      : [{ kind: 'blueprint', title: 'insitu: show the difference as a blueprint' } as const]),
  ];
}

/** At a call: only the stacks that have it. */
function pathActions(data: LoadedData, target: HoverTarget, callees: readonly number[]): readonly Action[] {
  const callers = target.kind === 'call' ? (target.entry?.methods ?? []) : [];
  const path = queryOfCall(data, callers, callees);
  return path === null || path === data.selection.path
    ? []
    : [{ kind: 'select', title: 'insitu: only stacks with this call', path }];
}
