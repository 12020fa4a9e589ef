// The headers of the loops in a body of code.
import { codeTokens } from './lexer.ts';
import type { Span } from './outline.ts';
import { LParen, RParen } from './tokens.ts';

/**
 * From `for` or `while` to the closing parenthesis, in source order; `while` behind the body of a `do` is one too. A `do` has no header of
 * its own: no code runs on it.
 */
export function loopHeadersIn(text: string, body: Span): Span[] {
  const tokens = codeTokens(text.slice(body.start, body.end));
  const headers: Span[] = [];
  for (const [i, { image, startOffset }] of tokens.entries()) {
    if (image !== 'for' && image !== 'while') continue;
    let depth = 0;
    for (let k = i + 1; k < tokens.length; k++) {
      const { tokenType, startOffset: at } = tokens[k]!;
      if (tokenType === LParen) depth++;
      else if (tokenType === RParen) depth--;
      if (depth > 0) continue;
      if (tokenType === RParen) headers.push({ start: body.start + startOffset, end: body.start + at + 1 });
      break;
    }
  }
  return headers;
}
