// Turns terms into what editors get: changes with their colours, and shares as cells of pages.

import { compareShares } from '../../capabilities/compare/door.ts';
import { groupDigits } from '../../features/text/format-share.ts';
import type { Change, Share } from '../../model/terms.ts';
import type { EditorChange } from '../protocol.ts';

export function changeInEditor(change: Change): EditorChange {
  const { angle, red, green, blue } = compareShares(change.baseline, change.current);
  return { ...change, angle, colour: { red, green, blue } };
}

/** A share and its samples as cells of a page. */
export function numbersOf({ text, count }: Pick<Share, 'text' | 'count'>): string[] {
  return [text, groupDigits(count)];
}
