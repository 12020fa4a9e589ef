// What can be done with the method or call at a place of the text: taking it as 100 %, asking why and who calls it.

import type { LoadedData } from '../analysis/loaded-data.ts';
import type { Steps } from '../metrics/around-method.ts';
import { seenWithData } from '../workspace/data/unfocused-data.ts';
import type { DocumentView } from '../workspace/document/document-view.ts';
import { subjectSteps } from './calls/implementation.ts';
import { focusNames } from './facts/subject.ts';
import { hoverTarget } from './hover/hover-target.ts';

/** Plain data; `title` is for people. */
export type Action =
  | { readonly kind: 'focus'; readonly title: string; readonly focus: readonly string[] }
  | { readonly kind: 'clearFocus' | 'why' | 'callers'; readonly title: string };

/**
 * Of a name that holds the whole range and whose method, or call, ran, or what ran behind it; empty elsewhere. Offsets are UTF-16.
 * @param all the document's data without their focus, so that one on what runs outside of it can replace it; null where unknown.
 */
export function* actionSteps(
  document: DocumentView,
  start: number,
  end: number,
  all: LoadedData | null = null,
): Steps<readonly Action[]> {
  const { mapped } = document;
  const target = mapped === null ? null : hoverTarget(document, start);
  if (mapped === null || target === null || start < target.span.start || end > target.span.end) return [];
  const { data } = mapped;
  const shown = yield* subjectSteps(document, data, start);
  const subject = shown ?? (all === null ? null : yield* subjectSteps(seenWithData(document, all), all, start));
  const hasFocus = (data.selection.focus?.length ?? 0) > 0;
  const clear = hasFocus ? [{ kind: 'clearFocus', title: 'insitu: clear focus' } as const] : [];
  // Also where nothing ran, the way back from a focus is looked for.
  if (subject === null) return clear;
  const names = focusNames(data, subject);
  // Focus goes by names, whatever parameters a method has.
  const label = subject.label.replace(/\(.*?\)/, '');
  const isFocus = data.selection.focus?.join('\n') === names.join('\n');
  return [
    ...(isFocus ? [] : [{ kind: 'focus', title: `insitu: make ${label} 100 %`, focus: names } as const]),
    ...clear,
    { kind: 'why', title: 'insitu: why this number' },
    { kind: 'callers', title: 'insitu: who calls this at run time' },
  ];
}
