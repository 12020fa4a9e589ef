// Turns findings of features into the shapes of the protocol: changes with their colours, and cells of pages.

import { type ComparedShare, changeText } from '../../features/facts/compare.ts';
import { groupDigits } from '../../features/text/format-share.ts';
import type { ChangeMessage, ShareMessage } from '../protocol.ts';

export function changeMessage(change: ComparedShare): ChangeMessage {
  const { baseline, current, angle, red, green, blue, verdict } = change;
  return { baseline, current, angle, colour: { red, green, blue }, verdict, text: changeText(change) };
}

/** A share and its samples as cells of a page. */
export function numbersOf({ text, count }: ShareMessage): string[] {
  return [text, groupDigits(count)];
}
