// Draws how a share moved against its baseline: red where it grew, green where it shrank, dim where chance explains it.
import { type Change, changeText } from '../features/facts/compare.ts';
import { type Output, styled } from './output.ts';

/** `↗ +9`. */
export function colouredChange(output: Output, change: Change): string {
  if (!change.significant || change.angle === 0) return styled(output, 'dim', changeText(change));
  return styled(output, change.angle < 0 ? 'red' : 'green', changeText(change));
}
