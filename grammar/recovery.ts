// Broken text: what keeps the lexer from reading on is blanked, and where braces do not match, indentation tells members apart.
import type { IToken } from 'chevrotain';
import { Body, skipLiteral, type TakeBody, type Taken, takeBraces } from './body-token.ts';
import type { Sheet } from './draft.ts';
import { openCommentIn } from './lexer.ts';
import { columnOf, isFirstInLine, marginAt } from './margins.ts';
import * as T from './tokens.ts';

const NEWLINE = 10;
const U = 117;
const ZERO = 48;
const MARKER = /^(?:<{7}|={7}|>{7}|\|{7})(?: .*)?$/gm;

/** A text of the same length without merge markers, with escaped punctuation (`\u007b`) spelt out and comments ended that swallow code. */
export function readable(text: string, sheet: Sheet): string {
  const result = endComments(spellOut(text), sheet);
  if (!result.includes('<<<<<<<') && !result.includes('>>>>>>>')) return result;
  return result.replace(MARKER, (marker, offset: number) => {
    sheet.problem('an unresolved merge conflict', offset, offset + marker.length);
    return ' '.repeat(marker.length);
  });
}

/**
 * The lines of a comment in the usual style, each behind the first with a star, none with the comment's end; then code; then
 * another comment that begins a line. Whoever wrote that meant the first comment to end in front of the code. (A regular
 * expression goes back through what it repeated, on a stack that ends: hence the bound.)
 */
const SWALLOWING =
  /^[ \t]*\/\*(?:(?!\*\/).)*\r?\n(?:[ \t]*\*(?!\/)(?:(?!\*\/).)*\r?\n){1,2000}(?=\s*[^\s*/](?:(?!\*\/)[\s\S])*?^[ \t]*\/\*)/gm;
/** The last two characters of the last line that has as many. */
const LINE_ENDING = /..(?=(?:\r?\n.?)*\r?\n$)/;

function endComments(text: string, sheet: Sheet): string {
  if (!nestsComments(text)) return text;
  return text.replace(SWALLOWING, (comment, offset: number) => {
    sheet.problem('a comment without its end', offset, offset + comment.length);
    return comment.replace(LINE_ENDING, '*/');
  });
}

/** Whether another comment seems to open inside a comment. */
function nestsComments(text: string): boolean {
  let next = text.indexOf('/*');
  while (next >= 0) {
    const end = text.indexOf('*/', next + 2);
    if (end < 0) return false;
    next = text.indexOf('/*', next + 2);
    if (next >= 0 && next < end) return true;
  }
  return false;
}

/** Punctuation by the four hexadecimal digits of its escape, in lower case. */
const punctuation = new Map<string, string>();
for (let code = 32; code < 127; code++) {
  const character = String.fromCharCode(code);
  if (!/[\w$]/.test(character)) punctuation.set(code.toString(16).padStart(4, '0'), character);
}

/** Punctuation in place of its escapes, moved to their ends; a backslash behind a backslash begins none. */
function spellOut(text: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (let i = text.indexOf('\\'); i >= 0; i = text.indexOf('\\', i)) {
    const start = i;
    i += 2;
    if (text.charCodeAt(start + 1) !== U) continue;
    while (text.charCodeAt(i) === U) i++;
    if (text.charCodeAt(i) !== ZERO || text.charCodeAt(i + 1) !== ZERO) continue;
    const character = punctuation.get(text.slice(i, i + 4).toLowerCase());
    if (character === undefined) continue;
    i += 4;
    pieces.push(text.slice(from, start), character.padStart(i - start));
    from = i;
  }
  return from === 0 ? text : pieces.join('') + text.slice(from);
}

/** The text with a comment that nothing closes cut down to its line, the length unchanged. */
export function withoutOpenComment(text: string, sheet: Sheet): string {
  const start = openCommentIn(text);
  if (start < 0) return text;
  sheet.problem('a comment without its end', start, start + 2);
  return text.slice(0, start) + text.slice(start).replace(/\/\*[^\n\r]*/g, comment => ' '.repeat(comment.length));
}

/** How often a text may be scanned in whole for braces that then do not fit its lines. */
const SCANS_MAX = 4;
/** Lines that are indented this much more or less still count as indented alike. */
const SLACK = 1;
/** What a declaration begins with, and hardly any statement. */
const DECLARATION =
  /(?:@|(?:public|protected|private|static|final|abstract|native|synchronized|class|interface|enum|record|void)\b|(?!return\b|throw\b|else\b|case\b|new\b|assert\b|yield\b|goto\b)[\w$.]+(?:<[^;{}()]*>)?(?:\[\])*\s+[\w$]+\s*[(;=,])/y;

/**
 * A way to take bodies of a text whose braces do not match: where counting braces gives a body that fits the lines around it, that;
 * else up to the line that is indented no deeper than the member which the body belongs to.
 */
export function byIndentation(): TakeBody {
  let scanned = 0;
  return (text, offset, tokens) => {
    const last = tokens.at(-1);
    const isRepeated = last?.tokenType === T.LCurly && marginAt(text, offset) <= marginAt(text, last.startOffset);
    if (isRepeated) return null;
    const margin = marginAt(text, memberStart(tokens, offset));
    if (scanned < SCANS_MAX * text.length) {
      const counted = takeBraces(text, offset);
      if (counted.facts.closed && fitsLines(text, offset, counted.end, margin)) return counted;
      scanned += counted.end - offset;
    }
    return takeLines(text, offset, margin);
  };
}

/** Whether a body ends where its member's lines do, and no other member begins inside. */
function fitsLines(text: string, start: number, end: number, margin: number): boolean {
  for (let line = text.indexOf('\n', start) + 1; line > 0 && line < end; line = text.indexOf('\n', line) + 1) {
    if (columnOf(text, line) > margin) continue;
    DECLARATION.lastIndex = firstInk(text, line);
    if (DECLARATION.test(text)) return false;
  }
  if (text.lastIndexOf('\n', end) < start) return true;
  if (isFirstInLine(text, end - 1) && Math.abs(marginAt(text, end) - margin) <= SLACK) return true;
  let next = text.indexOf('\n', end) + 1;
  while (next > 0 && isBlankOrComment(text, next)) next = text.indexOf('\n', next) + 1;
  if (next === 0) return false;
  const column = columnOf(text, next);
  return column <= margin + SLACK && !(text[firstInk(text, next)] === '}' && column >= margin - SLACK);
}

function isBlankOrComment(text: string, line: number): boolean {
  const sign = text[firstInk(text, line)];
  return sign === '\n' || sign === '\r' || sign === '/' || sign === '*';
}

function takeLines(text: string, offset: number, margin: number): Taken {
  let depth = 0;
  let ink = offset;
  for (let i = offset; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === NEWLINE) {
      const first = firstInk(text, i + 1);
      const column = columnOf(text, i + 1);
      const sign = text[first];
      if (sign === undefined || sign === '\n' || sign === '\r' || sign === '/' || sign === '*') continue;
      if (column > margin) {
        if (sign === '}' && depth === 1) i = first;
        continue;
      }
      if (sign === '}' && column === margin) return taken(first + 1, true);
      if (sign !== '{' || depth > 0) return taken(ink + 1, false);
    } else if (c === 123) depth++;
    else if (c === 125 && --depth === 0) return taken(i + 1, true);
    else if (c > 32) {
      const end = skipLiteral(text, i);
      if (end > i) i = end - 1;
    }
    if (c > 32) ink = i;
  }
  return taken(ink + 1, false);
}

function taken(end: number, closed: boolean): Taken {
  return { end, facts: { declares: true, closed } };
}

function firstInk(text: string, start: number): number {
  let i = start;
  while (text[i] === ' ' || text[i] === '\t') i++;
  return i;
}

/** Where the member begins whose `{` stands at `offset`. */
function memberStart(tokens: readonly IToken[], offset: number): number {
  let i = tokens.length;
  while (i > 0) {
    const type = tokens[i - 1]!.tokenType;
    if (type === T.Semicolon || type === T.LCurly || type === T.RCurly || type === Body) break;
    i--;
  }
  return tokens[i]?.startOffset ?? offset;
}
