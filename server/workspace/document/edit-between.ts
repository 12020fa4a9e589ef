// Which edit made one text of another.
import type { TextEdit } from '../../../grammar/document.ts';

/** Compared at once, which is far quicker than one unit after the other. */
const BLOCK = 4_096;

/** The smallest single edit that makes `after` of `before`: clients may send many in one go, or whole texts. */
export function editBetween(before: string, after: string): TextEdit {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start + BLOCK <= most && before.slice(start, start + BLOCK) === after.slice(start, start + BLOCK))
    start += BLOCK;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  const behind = (text: string, same: number) => text.slice(text.length - same - BLOCK, text.length - same);
  let same = 0;
  while (same + BLOCK <= most - start && behind(before, same) === behind(after, same)) same += BLOCK;
  while (
    same < most - start &&
    before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
  )
    same++;
  return { start, end: before.length - same, text: after.slice(start, after.length - same) };
}
