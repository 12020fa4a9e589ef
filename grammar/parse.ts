// The way in: Java text → outline, with or without what stands inside bodies.
import { assemble } from './assemble.ts';
import { CodeParser } from './code-parser.ts';
import { type Region, Sheet } from './draft.ts';
import { codeTokens, memberTokens } from './lexer.ts';
import { MemberParser } from './member-parser.ts';
import type { Outline } from './outline.ts';
import { readable, takeByIndentation, withoutOpenComment } from './recovery.ts';

const memberParser = new MemberParser();
const codeParser = new CodeParser();

/** Everything about a file: declarations, lambdas, local and anonymous classes, call sites, locals. Never throws. */
export function outlineOf(text: string): Outline {
  const { clean, sheet } = readFile(text);
  for (let next = sheet.regions.pop(); next !== undefined; next = sheet.regions.pop()) readRegion(clean, sheet, next);
  return assemble(text, sheet);
}

/** The declarations of a file without what stands inside bodies and initialisers. Never throws. */
export function skeletonOf(text: string): Outline {
  return assemble(text, readFile(text).sheet);
}

/** Reads the members of a file; where braces do not match, a second time by indentation, and takes what finds more. */
export function readFile(text: string): { clean: string; sheet: Sheet } {
  const strict = new Sheet();
  const clean = readable(text, strict);
  memberParser.read({ text: clean, tokens: memberTokens(clean), sheet: strict, region: null });
  if (!strict.unbalanced && !endsInComment(clean)) return { clean, sheet: strict };
  const sheet = new Sheet();
  const closed = withoutOpenComment(readable(text, sheet), sheet);
  memberParser.read({
    text: closed,
    tokens: memberTokens(closed, takeByIndentation),
    sheet,
    region: null,
    byIndentation: true,
  });
  return sheet.drafts.length >= strict.drafts.length ? { clean: closed, sheet } : { clean, sheet: strict };
}

/** Whether the last comment that opens may be one that nothing closes. */
function endsInComment(text: string): boolean {
  return text.lastIndexOf('/*') > text.lastIndexOf('*/');
}

/** Reads a region that was left on the sheet. */
export function readRegion(text: string, sheet: Sheet, region: Region): void {
  const piece = text.slice(region.start, region.end);
  if (region.what === 'code') codeParser.read({ text, tokens: codeTokens(piece), sheet, region });
  else memberParser.read({ text, tokens: memberTokens(piece), sheet, region });
}
