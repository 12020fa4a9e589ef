// The way in: Java text → outline, with or without what stands inside bodies.
import { assemble } from './assemble.ts';
import { CodeParser } from './code-parser.ts';
import { type Region, Sheet } from './draft.ts';
import { codeTokens, memberTokens } from './lexer.ts';
import { MemberParser } from './member-parser.ts';
import type { Outline } from './outline.ts';

const memberParser = new MemberParser();
const codeParser = new CodeParser();

/** Everything about a file: declarations, lambdas, local and anonymous classes, call sites, locals. Never throws. */
export function outlineOf(text: string): Outline {
  const sheet = new Sheet();
  readRegion(text, sheet, null);
  for (let next = sheet.regions.pop(); next !== undefined; next = sheet.regions.pop()) readRegion(text, sheet, next);
  return assemble(text, sheet);
}

/** The declarations of a file without what stands inside bodies and initialisers. Never throws. */
export function skeletonOf(text: string): Outline {
  const sheet = new Sheet();
  readRegion(text, sheet, null);
  return assemble(text, sheet);
}

function readRegion(text: string, sheet: Sheet, region: Region | null): void {
  const piece = region === null ? text : text.slice(region.start, region.end);
  if (region?.what === 'code') codeParser.read({ text, tokens: codeTokens(piece), sheet, region });
  else memberParser.read({ text, tokens: memberTokens(piece), sheet, region });
}
