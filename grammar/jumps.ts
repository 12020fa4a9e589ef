// Jumps that leave code before its end, `return` and its like, and the operands of `&&` and `||`, of which some may not run.
import type { IToken } from 'chevrotain';
import { isYield, partnerOf } from './brackets.ts';
import type { PartDraft, StatementDraft } from './statement.ts';
import * as T from './tokens.ts';

/** Each `return`, `throw`, `break`, `continue` and `yield`; brackets have their partners. */
export function jumpsIn(tokens: readonly IToken[], isHole: Uint8Array): StatementDraft[] {
  const found: StatementDraft[] = [];
  for (const [at, token] of tokens.entries()) {
    if (isHole[at] === 1 || (token.tokenType !== T.Flow && !isYield(tokens, at))) continue;
    const last = endOf(tokens, at);
    const value: PartDraft[] = last > at ? [{ role: 'argument', first: at + 1, last }] : [];
    found.push({ form: 'jump', first: at, last, parts: value });
  }
  return found;
}

/** Last token before the semicolon. */
function endOf(tokens: readonly IToken[], at: number): number {
  for (let i = at + 1; i < tokens.length; i++) {
    const partner = partnerOf(tokens[i]!);
    if (tokens[i]!.tokenType === T.Semicolon || (partner >= 0 && partner < i)) return i - 1;
    if (partner > i) i = partner;
  }
  return tokens.length - 1;
}

/** An expression whose end has not come, with the places of its `&&` and `||`. */
type OpenExpression = { first: number; signs: number[] };

const stops = new Set([T.Comma, T.Semicolon, T.Question, T.Colon, T.Arrow, T.Assign, T.PlusAssign, T.Flow, T.Block]);
for (const type of [T.Case, T.Assert]) stops.add(type);

/** Each expression with `&&` or `||` outside of brackets: the first operand is its condition, the others may not run. */
export function shortCircuitsIn(tokens: readonly IToken[], isHole: Uint8Array): StatementDraft[] {
  const found: StatementDraft[] = [];
  const outer: OpenExpression[] = [];
  let open: OpenExpression = { first: 0, signs: [] };
  const end = (last: number, next: number) => {
    if (open.signs.length > 0) found.push(shortCircuit(open, last));
    open = { first: next, signs: [] };
  };
  for (let i = 0; i < tokens.length; i++) {
    const { tokenType, image } = tokens[i]!;
    if (isHole[i] === 1) continue;
    const partner = partnerOf(tokens[i]!);
    if (partner > i) {
      // A block is no part of an expression.
      if (tokenType === T.LCurly) end(i - 1, i + 1);
      outer.push(open);
      open = { first: i + 1, signs: [] };
    } else if (partner >= 0) {
      end(i - 1, i);
      open = outer.pop() ?? open;
      if (tokenType === T.RCurly) end(i - 1, i + 1);
    } else if (stops.has(tokenType) || (tokenType === T.Operator && isAssignment(image))) end(i - 1, i + 1);
    else if (image === '&&' || image === '||') open.signs.push(i);
  }
  return found;
}

function isAssignment(image: string): boolean {
  return image.endsWith('=') && !['==', '!=', '<=', '>='].includes(image);
}

function shortCircuit({ first, signs }: OpenExpression, last: number): StatementDraft {
  const parts = [first - 1, ...signs].map((sign, i): PartDraft => {
    return { role: i === 0 ? 'condition' : 'then', first: sign + 1, last: (signs[i] ?? last + 1) - 1 };
  });
  return { form: 'shortCircuit', first, last, parts };
}
