// Draws how a share moved against its baseline: red where it grew, green where it shrank, dim where chance explains it.
import { type Styled, styled } from '../base/terminal.ts';
import { type Change, changeText } from '../features/facts/compare.ts';

/** `↗ +9`. */
export function colouredChange(change: Change): Styled {
  if (!change.significant || change.angle === 0) return styled('dim', changeText(change));
  return styled(change.angle < 0 ? 'red' : 'green', changeText(change));
}
