// The way in: Java text → outline, with or without what stands inside bodies.
import { assemble } from './assemble.ts';
import { takeBraces } from './body-token.ts';
import { CodeParser } from './code-parser.ts';
import { encloseCompact } from './compact-source.ts';
import { type Region, Sheet } from './draft.ts';
import { codeTokens, lexerForCode, lexerForMembers, memberTokens } from './lexer.ts';
import { MemberParser } from './member-parser.ts';
import type { Outline } from './outline.ts';
import { byIndentation, readable, withoutOpenComment } from './recovery.ts';
import { type Part, type Tables, tablesOf } from './tables.ts';

// Made for the first text that comes: making them takes longer than reading most files, and many runs read none.
let memberParser: MemberParser | null = null;
let codeParser: CodeParser | null = null;

function forMembers(): MemberParser {
  memberParser ??= new MemberParser();
  return memberParser;
}

function forCode(): CodeParser {
  codeParser ??= new CodeParser();
  return codeParser;
}

/** Makes all that every text needs, in small steps between which the caller can answer requests; the first text makes the rest. */
export function* getReady(): Generator<void, void, void> {
  for (const make of [lexerForMembers, forMembers, lexerForCode, forCode]) {
    make();
    yield;
  }
}

function readMembers(reading: Parameters<MemberParser['read']>[0]): void {
  forMembers().read(reading);
}

function readCode(reading: Parameters<CodeParser['read']>[0]): void {
  forCode().read(reading);
}

/**
 * Everything about a file: declarations, lambdas, local and anonymous classes, call sites, locals. `file` is its name or path,
 * where it has one: a compact source file's class is called after it. Never throws.
 */
export function outlineOf(text: string, file = ''): Outline {
  return resultOf(outlineSteps(text, file));
}

/** The same in steps, for who has something else to answer meanwhile: members are one, and each body. */
export function* outlineSteps(text: string, file = ''): Generator<void, Outline, void> {
  const { tables } = yield* wholeSteps(text, file);
  return assemble(tables, () => text, { file });
}

/** A file's members, and everything that was found in it. */
export function* wholeSteps(text: string, file: string): Generator<void, Reading & { readonly tables: Tables }, void> {
  const reading = yield* fileSteps(text, file);
  const { clean, sheet } = reading;
  const parts: Part[] = [{ base: 0, sheet }];
  for (const region of sheet.regions) {
    yield;
    parts.push({ base: region.start, sheet: drain(clean.slice(region.start, region.end), region) });
  }
  yield;
  return { ...reading, tables: tablesOf(text, parts) };
}

/** Takes all steps at once. */
export function resultOf<T>(steps: Generator<void, T, void>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/**
 * The declarations of a file without what stands inside bodies and initialisers, at several times the speed. There are
 * no call sites, locals, lambdas, anonymous or local classes, and no fingerprints. Never throws.
 */
export function skeletonOf(text: string, file = ''): Outline {
  const { sheet } = resultOf(fileSteps(text, file));
  return assemble(tablesOf(text, [{ base: 0, sheet }]), () => text, { file, hasCode: false });
}

/** A file's members, and the text that they were read from, of the same length. */
type Reading = {
  readonly clean: string;
  readonly sheet: Sheet;
  /** What an edit inside a region does stays inside it: braces match, and nothing was mended. */
  readonly isLocal: boolean;
};

/** The members of a file, as `outlineOf` takes it. */
function* fileSteps(text: string, file: string): Generator<void, Reading, void> {
  const { isBroken, ...reading } = yield* textSteps(text);
  encloseCompact(reading.sheet, file, text, isBroken);
  return reading;
}

/** The members of a text; where braces do not match, read a second time by indentation, if that finds as many. */
function* textSteps(text: string): Generator<void, Reading & { readonly isBroken: boolean }, void> {
  const strict = new Sheet();
  const clean = readable(text, strict);
  const isMended = strict.problems.length > 0;
  const strictTokens = memberTokens(clean);
  yield;
  readMembers({ text: clean, tokens: strictTokens, sheet: strict, region: null });
  if (!strict.unbalanced && !endsInComment(clean)) {
    return { clean, sheet: strict, isLocal: !isMended, isBroken: false };
  }
  yield;
  const sheet = new Sheet();
  const closed = withoutOpenComment(readable(text, sheet), sheet);
  const tokens = memberTokens(closed, byIndentation(closed));
  yield;
  readMembers({ text: closed, tokens, sheet, region: null, byIndentation: true });
  const best = isBetter(strict, sheet) ? { clean, sheet: strict } : { clean: closed, sheet };
  return { ...best, isLocal: false, isBroken: true };
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

/** All that stands in a region, however deep. `text` is that of the region, from whose start offsets count. */
export function drain(text: string, { what, start, end, owner, depth }: Region): Sheet {
  const sheet = new Sheet();
  const whole: Region = { what, start: 0, end: end - start, owner, depth };
  for (let next: Region | undefined = whole; next !== undefined; next = sheet.regions.pop()) {
    const piece = text.slice(next.start, next.end);
    if (next.what === 'code') readCode({ text, tokens: codeTokens(piece), sheet, region: next });
    else {
      const isBroken = !isBalanced(piece);
      const tokens = memberTokens(piece, isBroken ? byIndentation(piece) : takeBraces);
      readMembers({ text, tokens, sheet, region: next, byIndentation: isBroken });
    }
  }
  return sheet;
}

/** Whether every brace of a piece that stands between braces has its partner in it. */
function isBalanced(piece: string): boolean {
  const { end, facts } = takeBraces(`{${piece}}`, 0);
  return facts.closed && end === piece.length + 2;
}
