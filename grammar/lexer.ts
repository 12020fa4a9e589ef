// Java text → tokens, in two ways: members with their bodies taken whole, or code token by token.
import { type IToken, Lexer } from 'chevrotain';
import { Body, type TakeBody, takeBodiesBy } from './body-token.ts';
import { vocabulary } from './tokens.ts';

const settings = { positionTracking: 'onlyOffset', ensureOptimizations: true } as const;
/** Made when first needed: a server has more urgent things to do when it starts. */
let codeLexer: Lexer | null = null;
let memberLexer: Lexer | null = null;

function forCode(): Lexer {
  codeLexer ??= new Lexer(vocabulary, settings);
  return codeLexer;
}

function forMembers(): Lexer {
  // Not validated: chevrotain asks whether a token before another takes all that this one does, and a body would.
  memberLexer ??= new Lexer([Body, ...vocabulary], { ...settings, skipValidations: true });
  return memberLexer;
}

/** Tokens of a member list, a file or a single type. `way` tells how bodies are taken (by counting braces if left out). */
export function memberTokens(text: string, way?: TakeBody): IToken[] {
  takeBodiesBy(way);
  return forMembers().tokenize(text).tokens;
}

/** Tokens of statements and expressions: braces are tokens of their own. */
export function codeTokens(text: string): IToken[] {
  return forCode().tokenize(text).tokens;
}

/** Offset of a comment that nothing closes, −1 for none. */
export function openCommentIn(text: string): number {
  return forCode().tokenize(text).groups.unterminated?.[0]?.startOffset ?? -1;
}
