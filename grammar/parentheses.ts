// Which parentheses of an expression change nothing when they are left out.
import type { IToken, TokenType } from 'chevrotain';
import { partnerOf } from './brackets.ts';
import * as T from './tokens.ts';

/** Binding strength of binary operators (JLS 15); an operator that is not listed ends an expression. */
const STRENGTH: ReadonlyMap<string, number> = new Map([
  ['->', 1],
  ['=', 2],
  ['+=', 2],
  ['-=', 2],
  ['*=', 2],
  ['/=', 2],
  ['%=', 2],
  ['&=', 2],
  ['|=', 2],
  ['^=', 2],
  ['<<=', 2],
  ['?', 3],
  [':', 3],
  ['||', 4],
  ['&&', 5],
  ['|', 6],
  ['^', 7],
  ['&', 8],
  ['==', 9],
  ['!=', 9],
  ['<', 10],
  ['>', 10],
  ['<=', 10],
  ['>=', 10],
  ['instanceof', 10],
  ['<<', 11],
  ['+', 12],
  ['-', 12],
  ['*', 13],
  ['/', 13],
  ['%', 13],
  ['!', 14],
  ['~', 14],
  ['++', 14],
  ['--', 14],
]);
const PRIMARY = 16;

const beforeGroup = new Set<TokenType>([
  T.LParen,
  T.LBracket,
  T.LCurly,
  T.RCurly,
  T.Comma,
  T.Semicolon,
  T.Assign,
  T.PlusAssign,
]);
for (const type of [
  T.Flow,
  T.Arrow,
  T.Operator,
  T.Plus,
  T.Star,
  T.Less,
  T.Ampersand,
  T.Pipe,
  T.Question,
  T.Colon,
  T.Case,
  T.Assert,
])
  beforeGroup.add(type);
const afterCast = new Set<TokenType>([
  T.Identifier,
  T.This,
  T.Super,
  T.New,
  T.LParen,
  T.StringLiteral,
  T.TextBlock,
  T.Value,
]);
for (const type of [T.NumberLiteral, T.CharLiteral, T.Switch, T.Primitive, T.Void]) afterCast.add(type);

type Group = { readonly open: number; weakest: number };

/** Marks in `dropped` both parentheses of every pair that is redundant. Brackets must be paired. */
export function dropParentheses(tokens: readonly IToken[], dropped: Uint8Array): void {
  const stack: Group[] = [{ open: -1, weakest: PRIMARY }];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    const type = token.tokenType;
    const isOpening = type === T.LParen || type === T.LBracket || type === T.LCurly;
    if (isOpening && partnerOf(token) > i) stack.push({ open: i, weakest: PRIMARY });
    else if (stack.length > 1 && partnerOf(tokens[stack.at(-1)!.open]!) === i) {
      const group = stack.pop()!;
      if (type !== T.RParen || !isRedundant(tokens, group, i)) continue;
      dropped[group.open] = dropped[i] = 1;
      const outer = stack.at(-1)!;
      outer.weakest = Math.min(outer.weakest, group.weakest);
    } else {
      const strength = STRENGTH.get(token.image);
      const group = stack.at(-1)!;
      if (strength !== undefined) group.weakest = Math.min(group.weakest, strength);
      else if (type === T.Comma || type === T.Semicolon || type === T.Switch) group.weakest = 0;
    }
  }
}

function isRedundant(tokens: readonly IToken[], { open, weakest }: Group, close: number): boolean {
  const before = tokens[open - 1];
  const after = tokens[close + 1];
  if (close === open + 1) return false;
  if (after?.tokenType === T.Arrow) return close === open + 2 && tokens[open + 1]!.tokenType === T.Identifier;
  if (before !== undefined && !beforeGroup.has(before.tokenType)) return false;
  if (after !== undefined && afterCast.has(after.tokenType)) return false;
  if (weakest === 0) return false;
  const left = before === undefined ? 0 : leftStrength(tokens, open - 1);
  const isPath = after?.tokenType === T.Dot || after?.tokenType === T.LBracket || after?.tokenType === T.ColonColon;
  const right = after === undefined ? 0 : isPath ? PRIMARY : (STRENGTH.get(after.image) ?? 0);
  return weakest > left && weakest >= right;
}

/** Strength with which the operator at `i` holds what follows it; a sign without a left operand holds strongest. */
function leftStrength(tokens: readonly IToken[], i: number): number {
  const token = tokens[i]!;
  const strength = STRENGTH.get(token.image) ?? 0;
  const isSign = token.image === '+' || token.image === '-';
  const before = tokens[i - 1]?.tokenType;
  const hasOperand = before !== undefined && !beforeGroup.has(before);
  return isSign && !hasOperand ? 14 : strength;
}
