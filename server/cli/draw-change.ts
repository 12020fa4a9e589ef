// Draws how a share moved against its baseline: red where a test finds it slower, green where faster, else dim.
import { type Styled, styled } from '../base/terminal.ts';
import { type Change, changeText } from '../features/facts/compare.ts';
import { isDirected } from '../metrics/verdict.ts';

/** `↗ +9`. */
export function colouredChange(change: Change, text = changeText(change)): Styled {
  if (!isDirected(change.verdict) || change.angle === 0) return styled('dim', text);
  return styled(change.angle < 0 ? 'red' : 'green', text);
}
