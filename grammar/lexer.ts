// Java text → tokens, in two ways: members with their bodies taken whole, or code token by token.
import { type IToken, Lexer } from 'chevrotain';
import { Body, searchBodies, type TakeBody, takeBraces } from './body-token.ts';
import { pauseAfter, Rest } from './rest-token.ts';
import { vocabulary } from './tokens.ts';

/** Not validated at every start: a test does it. */
const settings = { positionTracking: 'onlyOffset', ensureOptimizations: true, skipValidations: true } as const;
/** Made when first needed: a server has more urgent things to do when it starts. */
let codeLexer: Lexer | null = null;
let memberLexer: Lexer | null = null;

export function lexerForCode(): Lexer {
  codeLexer ??= new Lexer([Rest, ...vocabulary], settings);
  return codeLexer;
}

export function lexerForMembers(): Lexer {
  memberLexer ??= new Lexer([Rest, Body, ...vocabulary], settings);
  return memberLexer;
}

/** The tokens of a text, read in pieces: the text behind a token is read the same wherever the lexer began. */
export class Tokens {
  /** The tokens that were read so far; all of them once `more` is false. */
  readonly list: IToken[] = [];
  /** Offset of a comment that nothing closes, −1 for none. */
  openComment = -1;
  readonly #text: string;
  readonly #lexer: Lexer;
  readonly #take: TakeBody;
  /** Where the rest begins. */
  #base = 0;
  /** How many tokens of the piece that is read are in the list. */
  #taken = 0;

  /** @param take how bodies are taken. */
  constructor(text: string, lexer: Lexer, take: TakeBody = takeBraces) {
    this.#text = text;
    this.#lexer = lexer;
    this.#take = take;
  }

  /** Reads on, about so many tokens; whether anything is left. */
  more(count: number): boolean {
    pauseAfter(count);
    searchBodies({ text: this.#text, base: this.#base, take: this.#take, before: tokens => this.#add(tokens) });
    this.#taken = 0;
    const { tokens, groups } = this.#lexer.tokenize(this.#text.slice(this.#base));
    this.#add(tokens);
    const open = groups.unterminated?.[0]?.startOffset;
    if (open !== undefined) this.openComment = this.#base + open;
    const rest = groups.rest?.[0]?.startOffset;
    this.#base = rest === undefined ? this.#text.length : this.#base + rest;
    return rest !== undefined;
  }

  #add(tokens: readonly IToken[]): readonly IToken[] {
    for (; this.#taken < tokens.length; this.#taken++) {
      const token = tokens[this.#taken]!;
      token.startOffset += this.#base;
      this.list.push(token);
    }
    return this.list;
  }
}

/** Tokens of a member list, a file or a single type. `take` tells how bodies are taken (by counting braces if left out). */
export function memberTokens(text: string, take?: TakeBody): IToken[] {
  const tokens = new Tokens(text, lexerForMembers(), take);
  tokens.more(Number.POSITIVE_INFINITY);
  return tokens.list;
}

/** Tokens of statements and expressions: braces are tokens of their own. */
export function codeTokens(text: string): IToken[] {
  pauseAfter(Number.POSITIVE_INFINITY);
  return lexerForCode().tokenize(text).tokens;
}
