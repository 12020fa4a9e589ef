// Java text → tokens, in two ways: members with their bodies taken whole, or code token by token.
import { type IToken, Lexer } from 'chevrotain';
import { Body, type TakeBody, takeBodiesBy } from './body-token.ts';
import { vocabulary } from './tokens.ts';

const settings = { positionTracking: 'onlyOffset', ensureOptimizations: true } as const;
const codeLexer = new Lexer(vocabulary, settings);
// Not validated: chevrotain asks whether a token before another takes all that this one does, and a body would.
const memberLexer = new Lexer([Body, ...vocabulary], { ...settings, skipValidations: true });

/** Tokens of a member list, a file or a single type. `way` tells how bodies are taken (by counting braces if left out). */
export function memberTokens(text: string, way?: TakeBody): IToken[] {
  takeBodiesBy(way);
  return memberLexer.tokenize(text).tokens;
}

/** Tokens of statements and expressions: braces are tokens of their own. */
export function codeTokens(text: string): IToken[] {
  return codeLexer.tokenize(text).tokens;
}

/** Offset of a comment that nothing closes, −1 for none. */
export function openCommentIn(text: string): number {
  return codeLexer.tokenize(text).groups.unterminated?.[0]?.startOffset ?? -1;
}
