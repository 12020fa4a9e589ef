// Draws how a share moved against its baseline: red where a test finds it slower, green where faster, else dim.
import { type Styled, styled } from '../base/terminal.ts';
import type { Verdict } from '../metrics/verdict.ts';

/** `↗ +9`. */
export function colouredChange({ verdict }: { readonly verdict: Verdict }, text: string): Styled {
  return styled(verdict === 'slower' ? 'red' : verdict === 'faster' ? 'green' : 'dim', text);
}
