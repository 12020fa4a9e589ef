// A Java text that changes: an edit inside one body parses that body again and shifts the tables of everything behind it.

import { assemble } from './assemble.ts';
import { takeBraces } from './body-token.ts';
import { type Region, Sheet } from './draft.ts';
import type { Outline } from './outline.ts';
import { drain, partsOf, readFile } from './parse.ts';
import { readable } from './recovery.ts';
import { type Tables, tablesOf, withPart } from './tables.ts';

/** Replaces [start, end) by `text`; offsets as in the outline. */
export type TextEdit = { readonly start: number; readonly end: number; readonly text: string };

/** A piece of the text: a body or an initialiser with its region, or what stands between two of them. */
type Piece = { readonly text: string; readonly region: Region | null };

/**
 * A text and its outline, kept equal to `outlineOf(text)`. Outlines that were handed out never change.
 *
 * Invariant: the texts of `pieces` in order are the text; no offset of the skeleton lies strictly inside a piece with a region,
 * and every other offset of a declaration, call or local lies inside exactly one of them.
 */
export class JavaDocument {
  private pieces: readonly Piece[] = [];
  /** Edits stay local; not so where braces do not match: then what an edit does is not confined to a body. */
  private isLocal = false;
  private whole: string | null;
  private tables: Tables;
  private result: Outline;

  constructor(text: string) {
    this.whole = text;
    this.tables = this.parse(text);
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
    if (!this.isLocal || !this.editPiece(edit)) {
      const { text } = this;
      this.whole = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
      this.tables = this.parse(this.whole);
    }
    this.result = this.assembled();
    return this.result;
  }

  private parse(text: string): Tables {
    const { clean, sheet, byIndentation } = readFile(text);
    this.isLocal = !byIndentation;
    this.pieces = piecesOf(text, sheet.regions);
    return tablesOf(text, [{ base: 0, sheet }, ...partsOf(clean, sheet)]);
  }

  private assembled(): Outline {
    const { pieces } = this;
    return assemble(this.tables, () => textOf(pieces));
  }

  /** Applies an edit that stays inside one pair of braces; false when it does not. */
  private editPiece(edit: TextEdit): boolean {
    let at = 0;
    let start = 0;
    while (at < this.pieces.length && start + this.pieces[at]!.text.length <= edit.start)
      start += this.pieces[at++]!.text.length;
    const { text: old, region } = this.pieces[at] ?? { text: '', region: null };
    const end = start + old.length;
    const owner = region?.owner;
    if (!region || !owner || region.what !== 'code' || !old.startsWith('{')) return false;
    if (edit.start <= start || edit.end >= end || this.isMended(start, end)) return false;
    // Joined from two pieces at least, so that it is a string of its own: names cut from it keep no whole text alive.
    const text = old.slice(0, edit.start - start) + edit.text + old.slice(edit.end - start);
    const trouble = new Sheet();
    const clean = readable(text, trouble);
    const { end: closing, facts } = takeBraces(clean, 0);
    if (trouble.problems.length > 0 || !facts.closed || closing !== text.length) return false;
    const sheet = drain(clean, { ...region, start: 0, end: text.length });
    const shift = { start, end, by: text.length - old.length, row: 0, rowsBy: 0 };
    const tables = withPart(this.tables, { base: start, sheet }, owner, text, shift);
    if (tables === null) return false;
    owner.declares = facts.declares;
    this.tables = tables;
    this.pieces = this.pieces.with(at, { text, region });
    this.whole = null;
    return true;
  }

  /** Whether something was reported between two offsets while members were read. */
  private isMended(start: number, end: number): boolean {
    return this.tables.problems.some(one => one.ofMembers && one.start > start && one.start < end);
  }
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
