// Which arguments javac leaves until it knows the method: their declarations come after those of the others.
import type { IToken } from 'chevrotain';
import { openingAngle, partnerOf, primaryStart } from './brackets.ts';
import * as T from './tokens.ts';

/**
 * Whether the argument in the tokens `first` to `last` (inclusive) may take its type from the parameter (JLS 15.2): lambdas,
 * conditional and switch expressions, method calls without type arguments, `new X<>(…)` and any of these in parentheses.
 */
export function isDeferred(tokens: readonly IToken[], first: number, last: number): boolean {
  const begin = tokens[first]?.tokenType;
  if (begin === T.Switch || hasAtTop(tokens, first, last)) return true;
  const end = tokens[last]?.tokenType;
  if (primaryStart(tokens, last) !== first) return false;
  const open = end === T.RCurly ? closedBefore(tokens, last) : last;
  if (tokens[open]?.tokenType !== T.RParen) return false;
  const parenthesis = partnerOf(tokens[open]!);
  if (parenthesis === first) return true;
  const before = tokens[parenthesis - 1]?.tokenType;
  if (before === T.Greater) return isDiamond(tokens, parenthesis - 1);
  const isTyped = tokens[parenthesis - 2]?.tokenType === T.Greater;
  return before === T.Identifier && !isTyped && !isCreated(tokens, parenthesis - 1);
}

/** Index of the token before the braces that end at `i`. */
function closedBefore(tokens: readonly IToken[], i: number): number {
  return partnerOf(tokens[i]!) - 1;
}

/** Whether `->` or `?` stands outside all brackets. */
function hasAtTop(tokens: readonly IToken[], first: number, last: number): boolean {
  for (let i = first; i <= last; i++) {
    const type = tokens[i]!.tokenType;
    if (type === T.Arrow || type === T.Question) return true;
    if (type === T.Less) i = Math.max(i, closingAngle(tokens, i, last));
    const partner = partnerOf(tokens[i]!);
    if (partner > i) i = partner;
  }
  return false;
}

/** Index of the `>` behind a `<` when type arguments stand there, −1 for a comparison. */
function closingAngle(tokens: readonly IToken[], open: number, last: number): number {
  for (let i = open + 1; i <= last; i++) {
    const type = tokens[i]!.tokenType;
    if (type === T.Greater && openingAngle(tokens, i) === open) return i;
    if (type !== T.Greater && type !== T.Less && type.CATEGORIES?.includes(T.InAngles) !== true) return -1;
  }
  return -1;
}

function isDiamond(tokens: readonly IToken[], greater: number): boolean {
  return tokens[greater - 1]?.tokenType === T.Less;
}

/** Whether the name at `i` ends a type behind `new`. */
function isCreated(tokens: readonly IToken[], i: number): boolean {
  let k = i;
  while (tokens[k - 1]?.tokenType === T.Dot && tokens[k - 2]?.tokenType === T.Identifier) k -= 2;
  return tokens[k - 1]?.tokenType === T.New;
}
