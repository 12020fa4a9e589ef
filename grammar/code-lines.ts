// The lines of a text as its tokens show them: which begins a member, which ends one, by how far they are indented.
import type { IToken, TokenType } from 'chevrotain';
import type { Taken } from './body-token.ts';
import { indexOf } from './brackets.ts';
import { endOf } from './java-parser.ts';
import { isFirstInLine, marginAt } from './margins.ts';
import * as T from './tokens.ts';

const beginsMember = new Set<TokenType>([T.At, T.Class, T.Interface, T.Enum, T.Void]);
const followsName = new Set<TokenType>([T.LParen, T.Semicolon, T.Assign, T.Comma]);
/** A line that begins so continues the line before it, or is the rest of a comment. */
const continues = new Set<TokenType>([T.Star, T.Operator]);

export class CodeLines {
  readonly #text: string;
  readonly #tokens: readonly IToken[];

  /** @param tokens all of the text. */
  constructor(text: string, tokens: readonly IToken[]) {
    this.#text = text;
    this.#tokens = tokens;
  }

  /** The body whose `{` stands at `offset`, up to the line that is indented no deeper than `margin`, that of its member. */
  take(offset: number, margin: number): Taken {
    const tokens = this.#tokens;
    let depth = 0;
    const from = indexOf(tokens, { startOffset: offset });
    for (let i = from; i < tokens.length; i++) {
      const token = tokens[i]!;
      const { tokenType } = token;
      const column = i === from || continues.has(tokenType) ? -1 : this.#column(token);
      if (column > margin && tokenType === T.RCurly && depth === 1) continue;
      if (column >= 0 && column <= margin) {
        if (tokenType === T.RCurly && column === margin) return taken(endOf(token), true);
        if (tokenType !== T.LCurly || depth > 0) return taken(endOf(tokens[i - 1]!), false);
      }
      if (tokenType === T.LCurly) depth++;
      else if (tokenType === T.RCurly && --depth === 0) return taken(endOf(token), true);
    }
    return taken(endOf(tokens.at(-1)!), false);
  }

  /** Whether a body from `start` to `end` ends where the lines of its member do, and no other member begins inside. */
  fits(start: number, end: number, margin: number): boolean {
    const text = this.#text;
    const tokens = this.#tokens;
    let i = indexOf(tokens, { startOffset: start }) + 1;
    for (; i < tokens.length && tokens[i]!.startOffset < end; i++) {
      const column = this.#column(tokens[i]!);
      if (column >= 0 && column <= margin && this.#declares(i)) return false;
    }
    if (!/[\r\n]/.test(text.slice(start, end + 1))) return true;
    if (isFirstInLine(text, end - 1) && Math.abs(marginAt(text, end) - margin) <= SLACK) return true;
    while (i < tokens.length && this.#column(tokens[i]!) < 0) i++;
    if (i === tokens.length) return false;
    const column = this.#column(tokens[i]!);
    return column <= margin + SLACK && !(tokens[i]!.tokenType === T.RCurly && column >= margin - SLACK);
  }

  /** Column of a token that is the first of its line, −1 for others. */
  #column({ startOffset }: IToken): number {
    return isFirstInLine(this.#text, startOffset) ? marginAt(this.#text, startOffset) : -1;
  }

  /** Whether a declaration begins with the token at `i`, which hardly any statement begins like. */
  #declares(i: number): boolean {
    const tokens = this.#tokens;
    const { tokenType, image } = tokens[i]!;
    if (beginsMember.has(tokenType) || tokenType.CATEGORIES?.includes(T.ModifierWord) === true) return true;
    if (tokenType !== T.Primitive && (tokenType !== T.Identifier || image === 'yield')) return false;
    let k = i + 1;
    for (let type = tokens[k]?.tokenType; type !== undefined && type !== T.Identifier; type = tokens[++k]?.tokenType) {
      const isInType = type === T.Greater || type === T.Less || type.CATEGORIES?.includes(T.InAngles) === true;
      if (!isInType || k - i > TYPE_MAX) return false;
      if (type === T.Dot) k++;
      if (type === T.Less) k = this.#behindAngles(k);
    }
    const next = tokens[k + 1]?.tokenType;
    return next !== undefined && followsName.has(next);
  }

  /** Index of the `>` that closes the `<` at `i`; where none does, of the last token looked at. */
  #behindAngles(i: number): number {
    let depth = 0;
    for (let k = i; k < i + TYPE_MAX; k++) {
      const type = this.#tokens[k]?.tokenType;
      if (type === T.Less) depth++;
      if (type === undefined || (type === T.Greater && --depth === 0)) return k;
    }
    return i + TYPE_MAX;
  }
}

/** Lines that are indented this much more or less still count as indented alike. */
const SLACK = 1;
/** More tokens than a type is written with. */
const TYPE_MAX = 100;

function taken(end: number, closed: boolean): Taken {
  return { end, facts: { declares: true, closed } };
}
