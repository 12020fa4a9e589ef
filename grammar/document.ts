// A Java text that changes: an edit inside one body parses that body again and moves everything behind it.

import { assemble } from './assemble.ts';
import { takeBraces } from './body-token.ts';
import { type Region, Sheet } from './draft.ts';
import type { Outline } from './outline.ts';
import { drain, readFile } from './parse.ts';
import { readable } from './recovery.ts';

/** Replaces [start, end) by `text`; offsets as in the outline. */
export type TextEdit = { readonly start: number; readonly end: number; readonly text: string };

/** One body or initialiser and all that was found in it. */
type Part = { region: Region; sheet: Sheet };

/**
 * A text and its outline, kept equal to `outlineOf(text)`. Outlines that were handed out never change.
 *
 * Invariant: `parts` is null, or no offset of the skeleton lies strictly inside a part, and every other offset of a
 * declaration, call or local belongs to exactly one part.
 */
export class JavaDocument {
  private current: string;
  /** The text as the parsers read it, of the same length. */
  private clean = '';
  private skeleton = new Sheet();
  private parts: Part[] | null = null;
  private result: Outline;

  constructor(text: string) {
    this.current = text;
    this.result = this.parse();
  }

  get text(): string {
    return this.current;
  }

  get outline(): Outline {
    return this.result;
  }

  /** Applies an edit and returns the new outline. */
  edit(edit: TextEdit): Outline {
    this.current = this.current.slice(0, edit.start) + edit.text + this.current.slice(edit.end);
    this.result = this.parsePart(edit) ?? this.parse();
    return this.result;
  }

  private parse(): Outline {
    const { clean, sheet, byIndentation } = readFile(this.current);
    this.skeleton = sheet;
    this.clean = clean;
    const parts = sheet.regions.map(region => ({ region, sheet: drain(clean, region) }));
    // Where braces do not match, what an edit does is not confined to a body.
    this.parts = byIndentation ? null : parts;
    return assemble(this.current, [sheet, ...parts.map(part => part.sheet)]);
  }

  /** The outline after an edit that stays inside one pair of braces; null when it does not. */
  private parsePart(edit: TextEdit): Outline | null {
    const part = this.parts?.find(({ region }) => region.start < edit.start && edit.end < region.end);
    if (this.parts === null || part === undefined || part.region.what !== 'code') return null;
    const { start, end } = part.region;
    const delta = edit.text.length - (edit.end - edit.start);
    if (this.current[start] !== '{' || part.region.owner?.bodyStart !== start) return null;
    const trouble = new Sheet();
    const inside = readable(this.current.slice(start, end + delta), trouble);
    const isMended =
      trouble.problems.length > 0 || this.skeleton.problems.some(one => one.start > start && one.start < end);
    if (isMended) return null;
    const clean = this.clean.slice(0, start) + inside + this.clean.slice(end);
    const body = takeBraces(clean, start);
    if (!body.facts.closed || body.end !== end + delta) return null;
    this.clean = clean;
    for (const other of this.parts) if (other !== part) move(other.sheet, end, delta);
    for (const other of this.parts) if (other !== part) other.region = moved(other.region, end, delta);
    move(this.skeleton, end, delta);
    part.region.owner.declares = body.facts.declares;
    part.region = { ...part.region, end: body.end };
    part.sheet = drain(clean, part.region);
    return assemble(this.current, [this.skeleton, ...this.parts.map(one => one.sheet)]);
  }
}

function moved(region: Region, from: number, by: number): Region {
  if (region.end < from) return region;
  return { ...region, start: region.start >= from ? region.start + by : region.start, end: region.end + by };
}

/** Moves every offset at or behind `from`. */
function move(sheet: Sheet, from: number, by: number): void {
  const at = (offset: number): number => (offset >= from ? offset + by : offset);
  for (const draft of sheet.drafts) {
    if (draft.end < from) continue;
    draft.start = at(draft.start);
    draft.end = at(draft.end);
    draft.nameStart = at(draft.nameStart);
    draft.nameEnd = at(draft.nameEnd);
    draft.bodyStart = at(draft.bodyStart);
    draft.bodyEnd = at(draft.bodyEnd);
    draft.turn = at(draft.turn);
  }
  for (const call of sheet.calls) {
    call.nameStart = at(call.nameStart);
    call.nameEnd = at(call.nameEnd);
    call.open = at(call.open);
    call.at = at(call.at);
  }
  for (const local of sheet.locals) {
    local.nameStart = at(local.nameStart);
    local.nameEnd = at(local.nameEnd);
  }
  for (const problem of sheet.problems) {
    problem.start = at(problem.start);
    problem.end = at(problem.end);
  }
}
