// Broken text: what keeps the lexer from reading on is blanked, and where braces do not match, indentation tells members apart.
import type { IToken } from 'chevrotain';
import { Body, type TakeBody, takeBraces } from './body-token.ts';
import { CodeLines } from './code-lines.ts';
import type { Sheet } from './draft.ts';
import { marginAt } from './margins.ts';
import * as T from './tokens.ts';

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
 * another comment that begins a line. The author meant the first comment to end in front of the code. (A regular
 * expression goes back through what it repeated, on a stack that ends: hence the bound.)
 */
const SWALLOWING =
  /^[ \t]*\/\*(?:(?!\*\/).)*(?:\r\n?|\n)(?:[ \t]*\*(?!\/)(?:(?!\*\/).)*(?:\r\n?|\n)){1,2000}(?=\s*[^\s*/](?:(?!\*\/)[\s\S])*?^[ \t]*\/\*)/gm;
/** The last two characters of the last line that has as many. */
const LINE_ENDING = /..(?=(?:(?:\r\n?|\n).?)*(?:\r\n?|\n)$)/;

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

/** The text with the comment at `start`, which nothing closes, cut down to its line, the length unchanged. */
export function withoutOpenComment(text: string, start: number, sheet: Sheet): string {
  sheet.problem('a comment without its end', start, start + 2);
  return text.slice(0, start) + text.slice(start).replace(/\/\*[^\n\r]*/g, comment => ' '.repeat(comment.length));
}

/** How often a text may be read in whole for braces that then do not fit its lines. */
const READINGS_MAX = 4;

/**
 * A way to take bodies of a text whose braces do not match: where counting braces gives a body that fits the lines around it, that;
 * else up to the line that is indented no deeper than the member which the body belongs to. `code` are all tokens of the text.
 */
export function byIndentation(text: string, code: readonly IToken[]): TakeBody {
  const lines = new CodeLines(text, code);
  let counted = 0;
  return (_, offset, tokens) => {
    const last = tokens.at(-1);
    const isRepeated = last?.tokenType === T.LCurly && marginAt(text, offset) <= marginAt(text, last.startOffset);
    if (isRepeated) return null;
    const margin = marginAt(text, memberStart(tokens, offset));
    if (counted < READINGS_MAX * text.length) {
      const taken = takeBraces(text, offset);
      if (taken.facts.closed && lines.fits(offset, taken.end, margin)) return taken;
      counted += taken.end - offset;
    }
    return lines.take(offset, margin);
  };
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
