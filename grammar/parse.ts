// The way in: Java text → outline, with or without what stands inside bodies.
import { assemble } from './assemble.ts';
import { Sheet } from './draft.ts';
import { memberTokens } from './lexer.ts';
import { MemberParser } from './member-parser.ts';
import type { Outline } from './outline.ts';

const memberParser = new MemberParser();

/** Everything about a file: declarations, lambdas, local and anonymous classes, call sites, locals. Never throws. */
export function outlineOf(text: string): Outline {
  return skeletonOf(text);
}

/** The declarations of a file without what stands inside bodies and initialisers. Never throws. */
export function skeletonOf(text: string): Outline {
  const sheet = new Sheet();
  memberParser.read({ text, tokens: memberTokens(text), sheet, region: null });
  return assemble(text, sheet);
}
