// A Java text that changes: an edit inside one body parses that body again and shifts the tables of everything behind it.

import { assemble } from './assemble.ts';
import { Body, takeBraces } from './body-token.ts';
import type { Shift } from './columns.ts';
import { type Region, Sheet } from './draft.ts';
import { memberTokens } from './lexer.ts';
import type { Outline } from './outline.ts';
import { type Parsed, parseSteps, resultOf } from './parse.ts';
import { drain } from './pieces.ts';
import { readable } from './recovery.ts';
import { type Context, type Tables, withPart } from './tables.ts';

/** Replaces [start, end) by `text`; offsets as in the outline. */
export type TextEdit = { readonly start: number; readonly end: number; readonly text: string };

/** A part of a text: with a region, an edit can parse the piece again alone; without one, it is the text between two such pieces. */
type Piece = { readonly text: string; readonly region: Region | null };

/**
 * A text and its outline, kept equal to `outlineOf(text, file)`. Outlines that were handed out never change.
 *
 * Invariant: the texts of `pieces` in order are the text; no offset of the skeleton lies strictly inside a piece with a region,
 * and every other offset of a declaration, call or local lies inside exactly one of them.
 */
export class JavaDocument {
  private pieces: readonly Piece[];
  /** Edits stay local; not so where braces do not match: then what an edit does is not confined to a body. */
  private isLocal: boolean;
  private whole: string | null;
  private tables: Tables;
  private result: Outline;
  private readonly file: string;

  /**
   * @param file its name or path, as `outlineOf` takes it.
   * @param parsed what was found in the same text in the same file before, which is not parsed then.
   */
  constructor(text: string, file = '', parsed: Parsed = resultOf(parseSteps(text, file))) {
    this.file = file;
    this.whole = text;
    this.isLocal = parsed.isLocal;
    this.pieces = piecesOf(text, parsed.regions);
    this.tables = parsed.tables;
    this.result = this.assembled();
  }

  get text(): string {
    this.whole ??= textOf(this.pieces);
    return this.whole;
  }

  get outline(): Outline {
    return this.result;
  }

  /** Applies an edit and returns the new outline. */
  edit(edit: TextEdit): Outline {
    if (this.editInside(edit)) return this.result;
    const { text } = this;
    this.whole = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
    const { isLocal, regions, tables } = resultOf(parseSteps(this.whole, this.file));
    this.isLocal = isLocal;
    this.pieces = piecesOf(this.whole, regions);
    this.tables = tables;
    this.result = this.assembled();
    return this.result;
  }

  /**
   * Applies an edit that stays inside one body or initialiser; false, with nothing done, where all has to be parsed again.
   * @param most characters of a body or initialiser that is read again at once
   */
  editInside(edit: TextEdit, most: number = Number.POSITIVE_INFINITY): boolean {
    if (!this.isLocal || !this.editPiece(edit, most)) return false;
    this.result = this.assembled();
    return true;
  }

  private assembled(): Outline {
    const { pieces } = this;
    return assemble(this.tables, () => textOf(pieces), { file: this.file });
  }

  /** Applies an edit that stays inside one pair of braces; false when it does not. */
  private editPiece(edit: TextEdit, most: number): boolean {
    let at = 0;
    let start = 0;
    while (at < this.pieces.length && start + this.pieces[at]!.text.length <= edit.start)
      start += this.pieces[at++]!.text.length;
    const { text: old, region } = this.pieces[at] ?? { text: '', region: null };
    const shift = { start, end: start + old.length, by: edit.text.length - (edit.end - edit.start), row: 0, rowsBy: 0 };
    const owner = region?.owner;
    if (!region || !owner || old.length > most || edit.start <= start || edit.end >= shift.end || this.isMended(shift))
      return false;
    // Joined from two pieces at least, so that it is a string of its own: names cut from it keep no whole text alive.
    const text = old.slice(0, edit.start - start) + edit.text + old.slice(edit.end - start);
    const trouble = new Sheet();
    const clean = readable(text, trouble);
    const isBody = old.startsWith('{');
    const braces = isBody ? { start: 0, end: old.length } : bodyAround(old, edit.start - start, edit.end - start);
    if (trouble.problems.length > 0 || braces === null) return false;
    const { end, facts } = takeBraces(clean, braces.start);
    if (!facts.closed || end !== braces.end + shift.by) return false;
    const sheet = drain(clean, { ...region, start: 0, end: text.length });
    if (!isBody && (sheet.problems.length > 0 || this.hasProblem(shift))) return false;
    const context = isBody ? { text, base: start } : this.contextOf(at, text, start);
    this.tables = withPart(this.tables, { base: start, sheet }, owner, text, context, shift) ?? this.tables;
    if (isBody) owner.declares = facts.declares;
    this.pieces = this.pieces.with(at, { text, region });
    this.whole = null;
    return true;
  }

  /** A piece with the pieces beside it, where the ink around it stands. */
  private contextOf(at: number, text: string, start: number): Context {
    const before = this.pieces[at - 1]?.text ?? '';
    return { text: before + text + (this.pieces[at + 1]?.text ?? ''), base: start - before.length };
  }

  private hasProblem({ start, end }: Shift): boolean {
    return this.tables.problems.some(one => one.end >= start && one.start <= end);
  }

  /** Whether something was reported inside a region while members were read. */
  private isMended({ start, end }: Shift): boolean {
    return this.tables.problems.some(one => one.ofMembers && one.start > start && one.start < end);
  }
}

/** The innermost pair of braces that a member list or an expression takes whole, around an edit strictly inside; null for none. */
function bodyAround(text: string, start: number, end: number): { start: number; end: number } | null {
  const token = memberTokens(text).find(one => one.startOffset < start && end < one.startOffset + one.image.length);
  if (token?.tokenType !== Body) return null;
  return { start: token.startOffset, end: token.startOffset + token.image.length };
}

function textOf(pieces: readonly Piece[]): string {
  return pieces.map(piece => piece.text).join('');
}

function piecesOf(text: string, regions: readonly Region[]): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const region of regions.toSorted((a, b) => a.start - b.start)) {
    if (region.start < end) continue;
    if (region.start > end) pieces.push({ text: text.slice(end, region.start), region: null });
    pieces.push({ text: text.slice(region.start, region.end), region });
    end = region.end;
  }
  pieces.push({ text: text.slice(end), region: null });
  return pieces;
}
