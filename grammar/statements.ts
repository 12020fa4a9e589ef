// The statements and expressions of a declaration that decide what runs, and how often: loops, branches, calls and lambdas, as a tree.
import type { IToken } from 'chevrotain';
import { callSitesWithin } from './assemble.ts';
import { openingAngle, pairBrackets, partnerOf, primaryStart } from './brackets.ts';
import { conditionalsIn } from './conditionals.ts';
import { isBodyHole } from './draft.ts';
import { jumpsIn, shortCircuitsIn } from './jumps.ts';
import { codeTokens } from './lexer.ts';
import type { CallSite, Declaration, Outline, Span } from './outline.ts';
import type { PartDraft, Statement, StatementDraft, StatementPart } from './statement.ts';
import { compoundsIn } from './statement-ends.ts';
import * as T from './tokens.ts';

/**
 * The loops, branches, calls and lambdas in the code of a declaration, in source order; statements in lambdas are below them. The bodies
 * of anonymous and local classes are left out: their methods are declarations of their own. Never throws.
 * @param text the text of the outline
 */
export function statementsOf(text: string, outline: Outline, declaration: Declaration): readonly Statement[] {
  return read(text, outline, declaration, () => []);
}

/** The same with all else that decides what runs: `return` and its like, and the operands of `&&` and `||`. */
export function flowOf(text: string, outline: Outline, declaration: Declaration): readonly Statement[] {
  return read(text, outline, declaration, (tokens, isHole) => [
    ...jumpsIn(tokens, isHole),
    ...shortCircuitsIn(tokens, isHole),
  ]);
}

type Drafts = (tokens: readonly IToken[], isHole: Uint8Array) => readonly StatementDraft[];

function read(text: string, outline: Outline, declaration: Declaration, more: Drafts): readonly Statement[] {
  const { start, end } = codeOf(declaration);
  const tokens = codeTokens(text.slice(start, end));
  for (const token of tokens) token.startOffset += start;
  pairBrackets(tokens);
  const inner = innerDeclarations(outline, declaration);
  const isHole = holesOf(tokens, inner);
  const firstOfCalls = new Map<number, number>();
  const calls = callSitesWithin(outline, { start, end }).flatMap(site => callDraft(tokens, isHole, site, firstOfCalls));
  const lambdas = inner.flatMap(each => (each.kind === 'lambda' ? lambdaDraft(tokens, isHole, each) : []));
  const others = [...compoundsIn(tokens, isHole), ...conditionalsIn(tokens, isHole), ...more(tokens, isHole)];
  return nested(tokens, [...others, ...calls, ...lambdas]);
}

/** The statements and all statements in them, outer before inner ones. A loop, since generated code is nested deeply. */
export function everyStatement(statements: readonly Statement[]): Statement[] {
  const found: Statement[] = [];
  const pending: Statement[] = [];
  const add = (list: readonly Statement[]) => {
    for (let i = list.length - 1; i >= 0; i--) pending.push(list[i]!);
  };
  add(statements);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    found.push(next);
    for (let i = next.parts.length - 1; i >= 0; i--) add(next.parts[i]!.statements);
  }
  return found;
}

/** Statements in the parts of a statement that lie in no other statement of these parts. */
export function statementsIn({ parts }: Statement): Statement[] {
  return parts.flatMap(({ statements }) => statements);
}

/** Where code of a declaration may stand: in a body, or in what it is initialised with; nowhere else in types and methods. */
function codeOf({ kind, body, span, binaryName }: Declaration): Span {
  if (kind === 'enumConstant' || kind === 'field') return span;
  return body === null || binaryName !== '' ? { start: span.start, end: span.start } : body;
}

/** The declarations inside of a declaration, and an enum constant itself: its class body holds other declarations. */
function innerDeclarations({ declarations }: Outline, { row, span, kind }: Declaration): Declaration[] {
  const inner: Declaration[] = kind === 'enumConstant' ? [declarations[row]!] : [];
  for (let next = row + 1; next < declarations.length && declarations[next]!.span.start < span.end; next++)
    inner.push(declarations[next]!);
  return inner;
}

/** Per token: 1 where it stands in the body of an anonymous class or in a local type. */
function holesOf(tokens: readonly IToken[], inner: readonly Declaration[]): Uint8Array {
  const isHole = new Uint8Array(tokens.length);
  for (const declaration of inner) {
    if (declaration.kind === 'lambda') continue;
    const hole = isBodyHole(declaration) ? declaration.body : declaration.span;
    if (hole === null) continue;
    const { start, end } = hole;
    isHole.fill(1, tokenFrom(tokens, start), tokenFrom(tokens, end));
  }
  return isHole;
}

/** Index of the first token at or behind an offset. */
export function tokenFrom(tokens: readonly Pick<IToken, 'startOffset'>[], offset: number): number {
  let [low, high] = [0, tokens.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tokens[middle]!.startOffset < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function lambdaDraft(tokens: readonly IToken[], isHole: Uint8Array, { span, body }: Declaration): StatementDraft[] {
  const first = tokenFrom(tokens, span.start);
  if (body === null || isHole[first] === 1) return [];
  const last = tokenFrom(tokens, span.end) - 1;
  return [{ form: 'lambda', first, last, parts: [{ role: 'body', first: tokenFrom(tokens, body.start), last }] }];
}

/** @param firstOfCalls first token of each call so far, by the last token of the call */
function callDraft(
  tokens: readonly IToken[],
  isHole: Uint8Array,
  site: CallSite,
  firstOfCalls: Map<number, number>,
): StatementDraft[] {
  const { kind, nameSpan, openParenthesis } = site;
  const name = tokenFrom(tokens, nameSpan.start);
  if (kind === 'implicit' || openParenthesis < 0 || name >= tokens.length || isHole[name] === 1) return [];
  const open = tokenFrom(tokens, openParenthesis);
  const isReference = kind === 'methodReference';
  // A call on the result of another call begins where the other call begins: a long chain is not walked again for each of its calls.
  const chained = tokens[open - 2]?.tokenType === T.Dot ? firstOfCalls.get(open - 3) : undefined;
  const first = chained ?? primaryStart(tokens, open - 1);
  const partner = partnerOf(tokens[open]!);
  const last = isReference ? name : partner < 0 ? tokens.length - 1 : partner;
  if (!isReference) firstOfCalls.set(last, first);
  const behind = isReference ? open - 1 : receiverEnd(tokens, kind === 'new' ? newBefore(tokens, name, first) : name);
  const receiver: PartDraft[] = behind >= first ? [{ role: 'receiver', first, last: behind }] : [];
  const args = isReference ? [] : argumentsOf(tokens, open, last, site.argumentCount);
  return [{ form: kind, first, last, call: site, parts: [...receiver, ...args] }];
}

/** The `new` in front of the name of a created type. */
function newBefore(tokens: readonly IToken[], name: number, first: number): number {
  let at = name;
  while (at > first && tokens[at]!.tokenType !== T.New) at--;
  return at;
}

/** Last token of what a call is called on, before the dot in front of `at`; −1 where there is none. */
function receiverEnd(tokens: readonly IToken[], at: number): number {
  let before = at - 1;
  if (tokens[before]?.tokenType === T.Greater) before = openingAngle(tokens, before) - 1;
  return tokens[before]?.tokenType === T.Dot ? before - 1 : -1;
}

/** The arguments between two parentheses, of which the outline knows how many there are; all as one where they cannot be told apart. */
function argumentsOf(tokens: readonly IToken[], open: number, close: number, count: number): PartDraft[] {
  if (close <= open + 1 || count === 0) return [];
  for (const hasTypes of [true, false]) {
    const commas = commasIn(tokens, open, close, hasTypes);
    if (commas.length !== count - 1) continue;
    const edges = [open, ...commas, close];
    return edges.slice(1).map((edge, i) => ({ role: 'argument', first: edges[i]! + 1, last: edge - 1 }));
  }
  return [{ role: 'argument', first: open + 1, last: close - 1 }];
}

/** Commas between two parentheses and outside of all brackets. @param hasTypes whether angles may be the brackets of type arguments */
function commasIn(tokens: readonly IToken[], open: number, close: number, hasTypes: boolean): number[] {
  const commas: number[] = [];
  for (let i = close - 1; i > open; i--) {
    const token = tokens[i]!;
    const partner = partnerOf(token);
    if (partner > open && partner < i) i = partner;
    else if (hasTypes && token.tokenType === T.Greater) {
      const angle = openingAngle(tokens, i);
      if (angle > open) i = angle;
    } else if (token.tokenType === T.Comma) commas.push(i);
  }
  return commas.reverse();
}

type Growing = { readonly draft: StatementDraft; readonly inside: Statement[][] };

/** Puts the statements into the parts in which they stand. */
function nested(tokens: readonly IToken[], drafts: readonly StatementDraft[]): readonly Statement[] {
  // Of code that is broken something may be missing where another thing begins or ends.
  const sorted = drafts.filter(isThere).toSorted((a, b) => a.first - b.first || b.last - a.last);
  const top: Statement[] = [];
  const open: Growing[] = [];
  const end = (until: number) => {
    while (open.length > 0 && open.at(-1)!.draft.last < until) {
      const done = open.pop()!;
      listFor(open.at(-1), done.draft.first, top).push(statementOf(tokens, done));
    }
  };
  for (const draft of sorted) {
    end(draft.first);
    // In broken code one may begin in another and end behind it.
    end(Math.min(draft.last, tokens.length - 1));
    const parts = draft.parts.filter(isThere);
    open.push({ draft: { ...draft, parts }, inside: parts.map(() => []) });
  }
  end(tokens.length);
  return top;
}

function isThere({ first, last }: Pick<PartDraft, 'first' | 'last'>): boolean {
  return first >= 0 && first <= last;
}

/** The list of the part in which a token stands; where it stands in none, of the one before it. */
function listFor(around: Growing | undefined, token: number, top: Statement[]): Statement[] {
  if (around === undefined || around.inside.length === 0) return top;
  // A statement has many parts where a call has many arguments, or a switch many cases.
  const { parts } = around.draft;
  let [low, high] = [0, parts.length];
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (parts[middle]!.first <= token) low = middle;
    else high = middle;
  }
  return around.inside[low]!;
}

function statementOf(tokens: readonly IToken[], { draft, inside }: Growing): Statement {
  const parts = draft.parts.map(({ role, first, last }, i): StatementPart => {
    return { role, span: spanOf(tokens, first, last), statements: inside[i]! };
  });
  return { form: draft.form, span: spanOf(tokens, draft.first, draft.last), call: draft.call ?? null, parts };
}

function spanOf(tokens: readonly IToken[], first: number, last: number): Span {
  const end = tokens[last]!;
  return { start: tokens[first]!.startOffset, end: end.startOffset + end.image.length };
}
