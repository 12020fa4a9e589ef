// Tells the braces of a type's members from the braces of bodies, by the tokens in front.
import type { IToken } from 'chevrotain';
import * as T from './tokens.ts';

/** Whether the `{` after these tokens opens a type's members, whose tokens the grammar wants one by one. */
export function opensTypeBody(tokens: readonly IToken[]): boolean {
  const last = tokens.at(-1)?.tokenType;
  if (last === T.Semicolon && endsImport(tokens)) return true;
  let depth = 0;
  for (let i = tokens.length - 1; i >= 0; i--) {
    const token = tokens[i]!;
    const type = token.tokenType;
    if (type === T.RParen) depth++;
    else if (type === T.LParen && --depth < 0) return false;
    if (depth > 0) continue;
    if (type === T.Semicolon || type === T.LCurly || type === T.RCurly || type.name === 'Body') return false;
    if (type === T.Assign || type === T.Throws || type === T.Arrow || type === T.New) return false;
    if (type === T.Interface || type === T.Enum) return last !== T.RParen;
    if (type === T.Class && tokens[i - 1]?.tokenType !== T.Dot) return last !== T.RParen;
    if (type === T.Identifier && token.image === 'record' && tokens[i + 1]?.tokenType === T.Identifier) {
      const next = tokens[i + 2]?.tokenType;
      if (next === T.LParen || next === T.Less) return true;
    }
  }
  return false;
}

/** Whether the last tokens are an import or package clause: a brace there belongs to a type whose header is missing. */
function endsImport(tokens: readonly IToken[]): boolean {
  let i = tokens.length - 2;
  while (tokens[i]?.tokenType === T.Identifier || tokens[i]?.tokenType === T.Dot || tokens[i]?.tokenType === T.Star)
    i--;
  const type = tokens[i]?.tokenType;
  return type === T.Import || type === T.Package || (type === T.Static && tokens[i - 1]?.tokenType === T.Import);
}
