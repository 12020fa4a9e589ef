// Java text → tokens, in two ways: members with their bodies taken whole, or code token by token.
import { type IToken, Lexer } from 'chevrotain';
import { Body, type TakeBody, takeBodiesBy } from './body-token.ts';
import { vocabulary } from './tokens.ts';

/** Not validated at every start: a test does it. */
const settings = { positionTracking: 'onlyOffset', ensureOptimizations: true, skipValidations: true } as const;
/** Made when first needed: a server has more urgent things to do when it starts. */
let codeLexer: Lexer | null = null;
let memberLexer: Lexer | null = null;

export function lexerForCode(): Lexer {
  codeLexer ??= new Lexer(vocabulary, settings);
  return codeLexer;
}

export function lexerForMembers(): Lexer {
  memberLexer ??= new Lexer([Body, ...vocabulary], settings);
  return memberLexer;
}

/** Tokens of a member list, a file or a single type. `way` tells how bodies are taken (by counting braces if left out). */
export function memberTokens(text: string, way?: TakeBody): IToken[] {
  takeBodiesBy(way);
  return lexerForMembers().tokenize(text).tokens;
}

/** Tokens of statements and expressions: braces are tokens of their own. */
export function codeTokens(text: string): IToken[] {
  return lexerForCode().tokenize(text).tokens;
}

/** Offset of a comment that nothing closes, −1 for none. */
export function openCommentIn(text: string): number {
  return lexerForCode().tokenize(text).groups.unterminated?.[0]?.startOffset ?? -1;
}
