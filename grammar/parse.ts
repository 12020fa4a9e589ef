// The way in: Java text → outline, with or without the code inside bodies.
import { assemble } from './assemble.ts';
import { binaryNamesOf } from './binary-names.ts';
import { encloseCompact } from './compact-source.ts';
import { type Region, Sheet } from './draft.ts';
import { lexerForCode, Tokens } from './lexer.ts';
import type { Outline } from './outline.ts';
import { Drain, PIECE_TOKENS, readMembers } from './pieces.ts';
import { byIndentation, readable, withoutOpenComment } from './recovery.ts';
import { declarationColumns, type Part, type Tables, tablesOf } from './tables.ts';

/**
 * Everything about a file: declarations, lambdas, local and anonymous classes, call sites, locals. `file` is its name or path,
 * where it has one: a compact source file's class is called after it. Never throws.
 */
export function outlineOf(text: string, file = ''): Outline {
  return outlineFrom(text, file, resultOf(parseSteps(text, file, { pieceTokens: Number.POSITIVE_INFINITY })));
}

/** The outline of a text that was parsed in steps. */
export function outlineFrom(text: string, file: string, { tables }: Parsed): Outline {
  return assemble(tables, () => text, { file });
}

/** Takes all steps at once. */
export function resultOf<T>(steps: Generator<void, T, void>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/**
 * The declarations of a file without the code inside bodies and initialisers, at several times the speed. There are
 * no call sites, locals, lambdas, anonymous or local classes, and no fingerprints. Never throws.
 */
export function skeletonOf(text: string, file = ''): Outline {
  const { tables } = resultOf(parseSteps(text, file, { pieceTokens: Number.POSITIVE_INFINITY, hasCode: false }));
  return assemble(tables, () => text, { file, hasCode: false });
}

/** The result of parsing a text. */
export type Parsed = {
  /** The regions of its members, which can be parsed again alone. */
  readonly regions: readonly Region[];
  /** The effect of an edit inside a region stays inside it: braces match, and nothing was mended. */
  readonly isLocal: boolean;
  readonly tables: Tables;
};

type Options = {
  readonly pieceTokens?: number;
  /** Whether the code inside bodies and initialisers is read. */
  readonly hasCode?: boolean;
};

/**
 * Parses a file, with as many steps as its size asks for, so that others can be answered in between. Where braces do not match, its
 * members are read a second time by indentation, if that finds as many.
 */
export function* parseSteps(
  text: string,
  file: string,
  { pieceTokens = PIECE_TOKENS, hasCode = true }: Options = {},
): Generator<void, Parsed, void> {
  let sheet = new Sheet();
  let clean = readable(text, sheet);
  const isMended = sheet.problems.length > 0;
  const strict = readMembers(clean, sheet, null);
  while (strict(pieceTokens)) yield;
  const isBroken = sheet.unbalanced || endsInComment(clean);
  if (isBroken) {
    yield;
    const other = new Sheet();
    let closed = readable(text, other);
    let code = new Tokens(closed, lexerForCode());
    while (code.more(pieceTokens)) yield;
    if (code.openComment >= 0) {
      closed = withoutOpenComment(closed, code.openComment, other);
      code = new Tokens(closed, lexerForCode());
      while (code.more(pieceTokens)) yield;
    }
    const indented = readMembers(closed, other, null, byIndentation(closed, code.list));
    while (indented(pieceTokens)) yield;
    if (!isBetter(sheet, other)) [sheet, clean] = [other, closed];
  }
  encloseCompact(sheet, file, text, isBroken);
  const parts: Part[] = [{ base: 0, sheet }];
  for (const region of hasCode ? sheet.regions : []) {
    yield;
    const inside = new Drain(clean.slice(region.start, region.end), region);
    while (inside.more(pieceTokens)) yield;
    parts.push({ base: region.start, sheet: inside.sheet });
  }
  yield;
  const declarations = declarationColumns(parts, { text, base: 0 }, 0);
  yield;
  const binaryNames = binaryNamesOf(declarations, sheet.packageName);
  yield;
  const tables = tablesOf(text, parts, { declarations, binaryNames });
  return { regions: sheet.regions, isLocal: !isMended && !isBroken, tables };
}

/**
 * Whether a reading finds more members inside types, where members outside of all types tell of a type that ended early; with as many,
 * whether it finds fewer problems; with as many, more declarations.
 */
function isBetter(one: Sheet, other: Sheet): boolean {
  const members = countMembers(one) - countMembers(other);
  if (members !== 0) return members > 0;
  const problems = one.problems.length - other.problems.length;
  return problems === 0 ? one.drafts.length > other.drafts.length : problems < 0;
}

/** Methods and constructors inside types; calls among members look like constructors of other names. */
function countMembers({ drafts }: Sheet): number {
  let count = 0;
  for (const { kind, name, owner } of drafts)
    if (owner !== null && (kind === 'method' || (kind === 'constructor' && name === owner.name))) count++;
  return count;
}

/** Whether the last comment that opens may be one that nothing closes. */
function endsInComment(text: string): boolean {
  return text.lastIndexOf('/*') > text.lastIndexOf('*/');
}
