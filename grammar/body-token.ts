// The one hand-written scan: a custom token that takes a body in braces whole and notices whether it declares anything.
import { type CustomPatternMatcherReturn, createToken, type IToken } from 'chevrotain';
import { isLineBreak, lineEndFrom } from './lines.ts';
import * as T from './tokens.ts';
import { opensTypeBody } from './type-opening.ts';

/** The facts that the token knows of the body that it took. */
export type BodyFacts = {
  /** Whether the body may hold a lambda, an anonymous or a local class; never false for a body that holds one. */
  readonly declares: boolean;
  /** Whether its closing brace was found. */
  readonly closed: boolean;
};

const OTHER = 0;
const WORD = 1;
const kinds = new Uint8Array(128);
for (let c = 0; c < 128; c++) kinds[c] = /[\w$]/.test(String.fromCharCode(c)) ? WORD : OTHER;
for (const c of '{}()"\'/-') kinds[c.charCodeAt(0)] = c.charCodeAt(0);
/** The words that begin a type by their first character, and their lengths. */
const declaring: string[] = [];
const lengths = new Uint8Array(128);
for (const word of ['class', 'record', 'enum', 'interface']) {
  declaring[word.charCodeAt(0)] = word;
  lengths[word.charCodeAt(0)] = word.length;
}

/** Index behind the body and what was seen in it. */
export type Taken = { readonly end: number; readonly facts: BodyFacts };

/** How the closing brace is found; null when no body begins here. Another way stands in recovery.ts for texts whose braces do not match. */
export type TakeBody = (text: string, offset: number, tokens: readonly IToken[]) => Taken | null;

/** The text in which bodies are looked for: the rest of a text from offset `base` on. */
type Search = {
  readonly text: string;
  readonly base: number;
  readonly take: TakeBody;
  /** All tokens of the text in front of the place where the lexer stands, given the tokens of the rest; offsets count from the text's start. */
  readonly before: (tokens: IToken[]) => readonly IToken[];
};

let search: Search | null = null;

/** Says what the lexer reads next. */
export function searchBodies(next: Search): void {
  search = next;
}

/** A method's body, an array initialiser or anything else in braces that is not the member list of a named type. */
export const Body = createToken({
  name: 'Body',
  pattern: matchBody,
  start_chars_hint: ['{'],
  line_breaks: true,
  categories: [T.Inside],
});

function matchBody(_: string, offset: number, tokens: IToken[]): CustomPatternMatcherReturn | null {
  const { text, base, take, before } = search!;
  const inFront = before(tokens);
  if (opensTypeBody(inFront)) return null;
  const taken = take(text, base + offset, inFront);
  if (taken === null) return null;
  const match: [string] & { payload?: BodyFacts } = [text.slice(base + offset, taken.end)];
  match.payload = taken.facts;
  return match;
}

/** Index behind the literal or comment that starts at `i`, or `i` when there is none. */
function skipLiteral(text: string, i: number): number {
  const c = text.charCodeAt(i);
  if (c === 47) {
    const next = text.charCodeAt(i + 1);
    if (next === 47) return lineEndFrom(text, i);
    if (next !== 42) return i;
    const end = text.indexOf('*/', i + 2);
    return end < 0 ? text.length : end + 2;
  }
  if (c !== 34 && c !== 39) return i;
  const block = c === 34 && text.startsWith('""', i + 1) && isBlankLine(text, i + 3);
  for (let k = i + (block ? 3 : 1); k < text.length; k++) {
    const d = text.charCodeAt(k);
    if (d === 92 && (block || !isLineBreak(text.charCodeAt(k + 1)))) k++;
    else if (block ? d === 34 && text.startsWith('""', k + 1) : d === c) return k + (block ? 3 : 1);
    else if (isLineBreak(d) && !block) return k;
  }
  return text.length;
}

function isBlankLine(text: string, start: number): boolean {
  let i = start;
  while (text[i] === ' ' || text[i] === '\t' || text[i] === '\f') i++;
  return isLineBreak(text.charCodeAt(i));
}

/** Takes the braces at `offset` by counting them. Returns the index behind the closing one. */
export function takeBraces(text: string, offset: number): Taken {
  let depth = 0;
  let declares = false;
  let sawNew = false;
  let afterParenthesis = false;
  for (let i = offset; i < text.length; i++) {
    const c = text.charCodeAt(i);
    const kind = c < 128 ? kinds[c]! : WORD;
    if (kind === OTHER) continue;
    if (kind === WORD) {
      const start = i;
      while (i + 1 < text.length && (text.charCodeAt(i + 1) >= 128 || kinds[text.charCodeAt(i + 1)] === WORD)) i++;
      afterParenthesis = false;
      if (i - start === 2 && c === 110) sawNew ||= text.startsWith('new', start);
      else if (!declares && lengths[c] === i - start + 1) declares = text.startsWith(declaring[c]!, start);
    } else if (kind === 123) {
      depth++;
      declares ||= afterParenthesis && sawNew;
    } else if (kind === 125) {
      if (--depth === 0) return { end: i + 1, facts: { declares, closed: true } };
    } else if (kind === 45) declares ||= text.charCodeAt(i + 1) === 62;
    else if (kind === 41) afterParenthesis = true;
    else if (kind !== 40) {
      const end = skipLiteral(text, i);
      if (end > i) i = end - 1;
    }
  }
  return { end: text.length, facts: { declares, closed: false } };
}
