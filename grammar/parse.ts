// The way in: Java text → outline, with or without what stands inside bodies.
import { assemble } from './assemble.ts';
import { CodeParser } from './code-parser.ts';
import { type Region, Sheet } from './draft.ts';
import { codeTokens, memberTokens } from './lexer.ts';
import { MemberParser } from './member-parser.ts';
import type { Outline } from './outline.ts';
import { readable, takeByIndentation, withoutOpenComment } from './recovery.ts';
import { type Part, tablesOf } from './tables.ts';

// Made for the first text that comes: making them takes longer than reading most files, and many runs read none.
let memberParser: MemberParser | null = null;
let codeParser: CodeParser | null = null;

function readMembers(reading: Parameters<MemberParser['read']>[0]): void {
  memberParser ??= new MemberParser();
  memberParser.read(reading);
}

function readCode(reading: Parameters<CodeParser['read']>[0]): void {
  codeParser ??= new CodeParser();
  codeParser.read(reading);
}

/** Everything about a file: declarations, lambdas, local and anonymous classes, call sites, locals. Never throws. */
export function outlineOf(text: string): Outline {
  const { clean, sheet } = readFile(text);
  return assemble(tablesOf(text, [{ base: 0, sheet }, ...partsOf(clean, sheet)]), () => text);
}

/**
 * The declarations of a file without what stands inside bodies and initialisers, at several times the speed. There are
 * no call sites, locals, lambdas, anonymous or local classes, and no fingerprints. Never throws.
 */
export function skeletonOf(text: string): Outline {
  return assemble(tablesOf(text, [{ base: 0, sheet: readFile(text).sheet }]), () => text, false);
}

/** The members of a file; where braces do not match, read a second time by indentation, if that finds as many. */
export function readFile(text: string): { clean: string; sheet: Sheet; byIndentation: boolean } {
  const strict = new Sheet();
  const clean = readable(text, strict);
  readMembers({ text: clean, tokens: memberTokens(clean), sheet: strict, region: null });
  if (!strict.unbalanced && !endsInComment(clean)) return { clean, sheet: strict, byIndentation: false };
  const sheet = new Sheet();
  const closed = withoutOpenComment(readable(text, sheet), sheet);
  const tokens = memberTokens(closed, takeByIndentation);
  readMembers({ text: closed, tokens, sheet, region: null, byIndentation: true });
  if (sheet.drafts.length < strict.drafts.length) return { clean, sheet: strict, byIndentation: true };
  return { clean: closed, sheet, byIndentation: true };
}

/** Whether the last comment that opens may be one that nothing closes. */
function endsInComment(text: string): boolean {
  return text.lastIndexOf('/*') > text.lastIndexOf('*/');
}

/** What stands in the regions that a skeleton leaves open. */
export function partsOf(text: string, { regions }: Sheet): Part[] {
  return regions.map(region => ({ base: region.start, sheet: drain(text.slice(region.start, region.end), region) }));
}

/** All that stands in a region, however deep. `text` is that of the region, from whose start offsets count. */
export function drain(text: string, { what, start, end, owner, depth }: Region): Sheet {
  const sheet = new Sheet();
  const whole: Region = { what, start: 0, end: end - start, owner, depth };
  for (let next: Region | undefined = whole; next !== undefined; next = sheet.regions.pop()) {
    const piece = text.slice(next.start, next.end);
    if (next.what === 'code') readCode({ text, tokens: codeTokens(piece), sheet, region: next });
    else readMembers({ text, tokens: memberTokens(piece), sheet, region: next });
  }
  return sheet;
}
