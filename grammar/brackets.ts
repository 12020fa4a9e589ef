// Looks back and across in a list of code tokens: which bracket closes which, where an expression or a type begins.
import type { IToken, TokenType } from 'chevrotain';
import { decodeName } from './draft.ts';
import { lineStartOf } from './lines.ts';
import { isFirstInLine, marginAt } from './margins.ts';
import type { TypeText } from './outline.ts';
import * as T from './tokens.ts';

const KINDS = 3;

function opening(token: IToken): number {
  const type = token.tokenType;
  return type === T.LParen ? 0 : type === T.LCurly ? 1 : type === T.LBracket ? 2 : -1;
}

function closing(token: IToken): number {
  const type = token.tokenType;
  return type === T.RParen ? 0 : type === T.RCurly ? 1 : type === T.RBracket ? 2 : -1;
}

/**
 * Writes into each bracket's `payload` the index of its partner, or −1 where it has none. A closing bracket closes the
 * nearest open one of its kind; brackets still open inside stay without a partner. Where that leaves braces over, a brace that
 * begins a line closes the one that is indented like it. Returns the indices of brackets without a partner.
 * @param textOf the text whose offsets the tokens have, asked for only then
 */
export function pairBrackets(tokens: readonly IToken[], textOf: () => string = () => ''): number[] {
  const alone = pair(tokens, () => 0);
  if (!alone.some(index => isBrace(tokens[index]!))) return alone;
  const text = textOf();
  return pair(tokens, (open, closer) => passedByIndentation(text, tokens, open, closer));
}

/**
 * Asked for a closing bracket whose kind is open somewhere: how many open brackets of that kind it passes before the one that it
 * closes; −1 when it closes none.
 */
type Passed = (open: readonly number[], closer: IToken) => number;

function pair(tokens: readonly IToken[], passedBy: Passed): number[] {
  const open: number[] = [];
  const counts = new Int32Array(KINDS);
  const alone: number[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    const opens = opening(token);
    if (opens >= 0) {
      token.payload = -1;
      counts[opens]!++;
      open.push(i);
      continue;
    }
    const closes = closing(token);
    if (closes < 0) continue;
    token.payload = -1;
    let passed = counts[closes] === 0 ? -1 : passedBy(open, token);
    if (passed < 0) alone.push(i);
    while (passed >= 0) {
      const from = open.pop()!;
      const kind = opening(tokens[from]!);
      counts[kind]!--;
      if (kind === closes && passed-- === 0) {
        token.payload = from;
        tokens[from]!.payload = i;
      } else alone.push(from);
    }
  }
  return [...alone, ...open];
}

function isBrace({ tokenType }: IToken): boolean {
  return tokenType === T.LCurly || tokenType === T.RCurly;
}

function passedByIndentation(text: string, tokens: readonly IToken[], open: readonly number[], closer: IToken): number {
  if (closer.tokenType !== T.RCurly || !isFirstInLine(text, closer.startOffset)) return 0;
  const column = marginAt(text, closer.startOffset);
  let passed = 0;
  for (let k = open.length - 1; k >= 0; k--) {
    const { tokenType, startOffset } = tokens[open[k]!]!;
    if (tokenType !== T.LCurly) continue;
    // The margin of the first line is not in the text, but what begins there ends in the last.
    const isInFirst = lineStartOf(text, startOffset) === 0;
    const margin = marginAt(text, isInFirst ? text.length : startOffset);
    if (margin === column) return passed;
    if (margin < column) return passed === 0 ? -1 : 0;
    passed++;
  }
  return 0;
}

/** Index of the partner of a bracket, −1 where it has none. */
export function partnerOf(token: IToken): number {
  const partner: unknown = token.payload;
  return typeof partner === 'number' ? partner : -1;
}

/** Index of a token in the list that it comes from. */
export function indexOf(tokens: readonly IToken[], token: { readonly startOffset: number }): number {
  let low = 0;
  let high = tokens.length;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (tokens[middle]!.startOffset <= token.startOffset) low = middle;
    else high = middle;
  }
  return low;
}

/** Index of the `<` that the `>` at `i` closes when only types stand between them, else −1. */
export function openingAngle(tokens: readonly IToken[], i: number): number {
  let depth = 0;
  for (let k = i; k >= 0; k--) {
    const type = tokens[k]!.tokenType;
    if (type === T.Greater) depth++;
    else if (type === T.Less) {
      if (--depth === 0) return k;
    } else if (type.CATEGORIES?.includes(T.InAngles) !== true) return -1;
    else if (type === T.Identifier && tokens[k - 1]?.tokenType === T.Greater) return -1;
  }
  return -1;
}

/** Index of the first token of the primary expression or type whose last token is at `i`. */
export function primaryStart(tokens: readonly IToken[], i: number): number {
  let start = i;
  for (let k = i; k >= 0; ) {
    const token = tokens[k]!;
    if (closing(token) >= 0) {
      const partner = partnerOf(token);
      if (partner < 0) return start;
      start = partner;
      k = partner - 1;
      const before = tokens[k]?.tokenType;
      const goesOn = before === T.Identifier || before === T.This || before === T.Super || before === T.Primitive;
      if (before === T.Identifier && isYield(tokens, k)) return start;
      if (!goesOn && before !== T.Greater && before !== T.RParen && before !== T.RBracket) return start;
      if (before === T.RParen && token.tokenType !== T.RBracket && token.tokenType !== T.RCurly) return start;
      if (before === T.Greater && openingAngle(tokens, k) < 0) return start;
      continue;
    }
    if (token.tokenType === T.Greater) {
      const angle = openingAngle(tokens, k);
      if (angle < 0) return start;
      start = angle;
      k = angle - 1;
      if (tokens[k]?.tokenType === T.Dot) k--;
      continue;
    }
    start = k;
    const before = tokens[k - 1]?.tokenType;
    if (before === T.Dot) k -= 2;
    else if (before === T.Greater && openingAngle(tokens, k - 1) > 0) k--;
    else if (before === T.New) {
      start = k - 1;
      if (tokens[k - 2]?.tokenType !== T.Dot) return start;
      k -= 3;
    } else return start;
  }
  return start;
}

/** Whether the token at `i` is `yield` as the first word of a statement. */
export function isYield(tokens: readonly IToken[], i: number): boolean {
  if (tokens[i]!.image !== 'yield' || tokens[i + 1]?.tokenType === T.Dot) return false;
  const before = tokens[i - 1]?.tokenType;
  return (
    before === T.Semicolon || before === T.LCurly || before === T.RCurly || before === T.Colon || before === T.RParen
  );
}

/** The type whose last token is at `i`, with the index of its first; null when no type ends there. */
export function typeBefore(tokens: readonly IToken[], i: number): { type: TypeText; start: number } | null {
  let k = i;
  let dimensions = 0;
  while (tokens[k]?.tokenType === T.RBracket && tokens[k - 1]?.tokenType === T.LBracket) {
    dimensions++;
    k -= 2;
  }
  const names: string[] = [];
  for (;;) {
    if (tokens[k]?.tokenType === T.Greater) {
      k = openingAngle(tokens, k) - 1;
      if (k < 0) return null;
    }
    const token = tokens[k];
    if (token === undefined) return null;
    const isName = token.tokenType === T.Identifier;
    if (!isName && token.tokenType !== T.Primitive) return null;
    names.push(token.image);
    if (!isName || tokens[k - 1]?.tokenType !== T.Dot) break;
    k -= 2;
  }
  return { type: { name: decodeName(names.reverse().join('.')), dimensions }, start: k };
}

/** Index of the `@` of the annotation whose last token is at `last`, −1 when none ends there. */
export function annotationStart(tokens: readonly IToken[], last: number): number {
  let k = last;
  if (tokens[k]?.tokenType === T.RParen) k = partnerOf(tokens[k]!) - 1;
  while (tokens[k]?.tokenType === T.Identifier) {
    if (tokens[k - 1]?.tokenType === T.At) return k - 1;
    if (tokens[k - 1]?.tokenType !== T.Dot) return -1;
    k -= 2;
  }
  return -1;
}

const strings = new Set<TokenType>([T.StringLiteral, T.TextBlock]);
const unary = new Set<TokenType>([
  T.LParen,
  T.Comma,
  T.Assign,
  T.Operator,
  T.LBracket,
  T.LCurly,
  T.RCurly,
  T.Semicolon,
]);
for (const type of [T.Flow, T.Plus, T.PlusAssign, T.Question, T.Colon, T.Arrow, T.Case, T.Less, T.Greater])
  unary.add(type);

/** Whether a `+` between two such tokens may join strings: it has a left operand and neither side is a number, or one is a string. */
export function mayConcatenate(before: TokenType, next: TokenType): boolean {
  if (unary.has(before)) return false;
  if (strings.has(before) || strings.has(next)) return true;
  return before !== T.NumberLiteral && next !== T.NumberLiteral && next !== T.CharLiteral;
}
