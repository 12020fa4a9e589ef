// What can be done with the method or call at a place of the text: taking it as 100 %, asking why and who calls it.
import type { DocumentView } from '../workspace/document-view.ts';
import { hoverTarget } from './hover-target.ts';
import { focusNames, subjectAt } from './subject.ts';

/** Plain data; `title` is for people. */
export type Action =
  | { readonly kind: 'focus'; readonly title: string; readonly focus: readonly string[] }
  | { readonly kind: 'clearFocus' | 'why' | 'callers'; readonly title: string };

/** Of a name that holds the whole range and whose method, or call, ran; empty elsewhere. Offsets are UTF-16. */
export function actionsAt(document: DocumentView, start: number, end: number): readonly Action[] {
  const { mapped } = document;
  const target = mapped === null ? null : hoverTarget(document, start);
  if (mapped === null || target === null || start < target.span.start || end > target.span.end) return [];
  const { data } = mapped;
  const subject = subjectAt(document, data, start);
  const hasFocus = (data.part.focus?.length ?? 0) > 0;
  const clear = hasFocus ? [{ kind: 'clearFocus', title: 'insitu: clear focus' } as const] : [];
  // Outside of a focus nothing ran, and that is where the way back is looked for.
  if (subject === null) return clear;
  const names = focusNames(data, subject);
  // Focus goes by names, whatever parameters a method has.
  const label = subject.label.replace(/\(.*?\)/, '');
  const isFocus = data.part.focus?.join('\n') === names.join('\n');
  return [
    ...(isFocus ? [] : [{ kind: 'focus', title: `insitu: make ${label} 100 %`, focus: names } as const]),
    ...clear,
    { kind: 'why', title: 'insitu: why this number' },
    { kind: 'callers', title: 'insitu: who calls this at run time' },
  ];
}
