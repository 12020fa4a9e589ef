// Conditional expressions (`a ? b : c`) among the tokens of code: where each begins, and where its parts end.
import type { IToken } from 'chevrotain';
import { isYield, openingAngle, partnerOf } from './brackets.ts';
import type { StatementDraft } from './statement.ts';
import * as T from './tokens.ts';

/** One whose end has not come. */
type OpenConditional = { readonly first: number; readonly question: number; colon: number };

/** All conditional expressions; brackets have their partners. */
export function conditionalsIn(tokens: readonly IToken[], isHole: Uint8Array): StatementDraft[] {
  const found: StatementDraft[] = [];
  /** The open conditional expressions, and how many of them were open before each open bracket. */
  const open: OpenConditional[] = [];
  const levels: number[] = [];
  const end = (last: number, isEnd: (one: OpenConditional) => boolean) => {
    const least = levels.at(-1) ?? 0;
    while (open.length > least && isEnd(open.at(-1)!)) {
      const one = open.pop()!;
      if (one.colon >= 0) found.push(conditional(one, last));
    }
  };
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (isHole[i] === 1) continue;
    const { tokenType } = token;
    const partner = partnerOf(token);
    if (partner > i) levels.push(open.length);
    else if (partner >= 0) {
      end(i - 1, () => true);
      levels.pop();
    } else if (tokenType === T.Semicolon) end(i - 1, () => true);
    // Between the two signs a comma stands in type arguments alone.
    else if (tokenType === T.Comma) end(i - 1, ({ colon }) => colon >= 0 && !isInAngles(tokens, i, colon));
    else if (tokenType === T.Question && isOperator(tokens, i))
      open.push({ first: firstOf(tokens, i), question: i, colon: -1 });
    else if (tokenType === T.Colon) {
      end(i - 1, ({ colon }) => colon >= 0);
      const top = open.length > (levels.at(-1) ?? 0) ? open.at(-1) : undefined;
      if (top !== undefined) top.colon = i;
    }
  }
  levels.length = 0;
  end(tokens.length - 1, () => true);
  return found;
}

function conditional({ first, question, colon }: OpenConditional, last: number): StatementDraft {
  return {
    form: 'conditional',
    first,
    last,
    parts: [
      { role: 'condition', first, last: question - 1 },
      { role: 'then', first: question + 1, last: colon - 1 },
      { role: 'else', first: colon + 1, last },
    ],
  };
}

/** Whether the comma at `at` stands between angles that open behind `from`: then types alone stand between these. */
function isInAngles(tokens: readonly IToken[], at: number, from: number): boolean {
  for (let i = at + 1; i < tokens.length; i++) {
    const { tokenType } = tokens[i]!;
    if (tokenType === T.Greater) {
      const angle = openingAngle(tokens, i);
      if (angle > from && angle < at) return true;
    } else if (tokenType !== T.Less && tokenType.CATEGORIES?.includes(T.InAngles) !== true) return false;
  }
  return false;
}

/** Whether a `?` is the operator and no wildcard among type arguments. */
function isOperator(tokens: readonly IToken[], at: number): boolean {
  const next = tokens[at + 1]?.tokenType;
  if (next === T.Greater || next === T.Comma || next === T.Extends) return false;
  if (next !== T.Super) return true;
  const behind = tokens[at + 2]?.tokenType;
  return behind === T.Dot || behind === T.ColonColon;
}

const stops = new Set([T.LParen, T.LBracket, T.LCurly, T.RCurly, T.Comma, T.Semicolon, T.Assign, T.PlusAssign]);
for (const type of [T.Question, T.Colon, T.Arrow, T.Flow, T.Block, T.Case, T.Assert]) stops.add(type);

/** First token of the condition before a `?`. */
function firstOf(tokens: readonly IToken[], question: number): number {
  let first = question;
  for (let i = question - 1; i >= 0; ) {
    const token = tokens[i]!;
    const partner = partnerOf(token);
    // Braces belong to an expression where it goes on behind them: `new A() { }.b() ? …`.
    const goesOn = token.tokenType !== T.RCurly || isContinued(tokens[i + 1]);
    if (partner >= 0 && partner < i && goesOn) i = first = partner;
    else if (token.tokenType === T.Greater && openingAngle(tokens, i) >= 0) i = first = openingAngle(tokens, i);
    else if (stops.has(token.tokenType) || isAssignment(tokens, i) || isYield(tokens, i)) return first;
    else first = i;
    i--;
  }
  return first;
}

function isContinued(next: IToken | undefined): boolean {
  return next?.tokenType === T.Dot || next?.tokenType === T.LBracket || next?.tokenType === T.ColonColon;
}

/** An operator such as `-=`; `>>=` is several tokens. */
function isAssignment(tokens: readonly IToken[], at: number): boolean {
  const { tokenType, image, startOffset } = tokens[at]!;
  if (tokenType !== T.Operator || !image.endsWith('=')) return false;
  if (image === '>=') return tokens[at - 1]?.tokenType === T.Greater && tokens[at - 1]!.startOffset === startOffset - 1;
  return image !== '==' && image !== '!=' && image !== '<=';
}
