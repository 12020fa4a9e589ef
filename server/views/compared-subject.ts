// The baseline under the look of a page: the same threads and focus, and the time that the baseline is of.
import type { Subject } from '../analysis/ask.ts';
import type { Viewed } from './view-host.ts';
import type { Look } from './view-messages.ts';
import { selectionOf } from './viewed-data.ts';

export function comparedSubject(viewed: Viewed, baseline: NonNullable<Viewed['baseline']>, look: Look): Subject {
  const { span: _span, ...likeness } = selectionOf(viewed, look);
  const { dataset, selection } = baseline.data;
  return { dataset, selection: { ...likeness, ...(selection.span && { span: selection.span }) } };
}
