// Broken text: what keeps the lexer from reading on is blanked, and where braces do not match, indentation tells members apart.
import type { IToken } from 'chevrotain';
import { Body, skipLiteral, type TakeBody, type Taken } from './body-token.ts';
import type { Sheet } from './draft.ts';
import { openCommentIn } from './lexer.ts';
import * as T from './tokens.ts';

const TAB = 8;
const NEWLINE = 10;
const U = 117;
const ZERO = 48;
const MARKER = /^(?:<{7}|={7}|>{7}|\|{7})(?: .*)?$/gm;

/** A text of the same length without merge markers, and with escaped punctuation (`\u007b`) spelt out. */
export function readable(text: string, sheet: Sheet): string {
  const result = spellOut(text);
  if (!result.includes('<<<<<<<') && !result.includes('>>>>>>>')) return result;
  return result.replace(MARKER, (marker, offset: number) => {
    sheet.problem('an unresolved merge conflict', offset, offset + marker.length);
    return ' '.repeat(marker.length);
  });
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

/** Column of the first character of the line that holds `offset`; a tab reaches to the next multiple of eight. */
export function marginAt(text: string, offset: number): number {
  return columnOf(text, text.lastIndexOf('\n', offset - 1) + 1);
}

function columnOf(text: string, lineStart: number): number {
  let column = 0;
  for (let i = lineStart; ; i++) {
    const c = text[i];
    if (c === ' ') column++;
    else if (c === '\t') column += TAB - (column % TAB);
    else return column;
  }
}

/** Takes a body up to the line that is indented no deeper than the member which it belongs to. */
export const takeByIndentation: TakeBody = (text, offset, tokens) => {
  const last = tokens.at(-1);
  const isRepeated = last?.tokenType === T.LCurly && marginAt(text, offset) <= marginAt(text, last.startOffset);
  if (isRepeated) return null;
  const margin = marginAt(text, memberStart(tokens, offset));
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
};

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
