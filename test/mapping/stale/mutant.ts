// A text made of pieces of another: what was copied from where is known exactly, so that what comparing says can be judged.
import type { IToken } from 'chevrotain';
import { codeTokens } from '../../../grammar/lexer.ts';
import type { Declaration, Outline, Span } from '../../../grammar/outline.ts';
import type { DeclarationState } from '../../../server/mapping/stale/text-comparison.ts';

/** A copy of the original's [from, to), or new text; `at` says what in the original it stands for. */
export type Piece = { readonly from: number; readonly to: number } | { readonly text: string; readonly at?: number };

export type Edit = { readonly start: number; readonly end: number; readonly text: string };

/** The target of an operator: one member of a named type. */
export type Target = {
  readonly text: string;
  readonly outline: Outline;
  readonly member: Declaration;
  /** The member's tokens with offsets of the file. */
  readonly tokens: readonly Token[];
  /** A number below `below`, the same in every run. */
  readonly pick: (below: number) => number;
};

export type Token = { readonly image: string; readonly start: number; readonly end: number; readonly depth: number };

/** The result of an operator: the target's state, whether all its calls can be kept, and what is in doubt. */
export type Mutant = {
  readonly pieces: readonly Piece[];
  readonly state: DeclarationState | 'gone';
  /** Equal code: every call must be found again. */
  readonly keepsAll: boolean;
  /** A piece of the original whose calls nobody can tell from others afterwards. */
  readonly doubtful?: Span;
};

/** Tokens of a member; depth counts open parentheses and square brackets. */
export function tokensOf(text: string, { span }: Declaration): Token[] {
  let depth = 0;
  return codeTokens(text.slice(span.start, span.end)).map((token: IToken) => {
    const { image, startOffset } = token;
    if (image === ')' || image === ']') depth--;
    const start = span.start + startOffset;
    const made = { image, start, end: start + image.length, depth };
    if (image === '(' || image === '[') depth++;
    return made;
  });
}

/** The original with edits, which must not overlap. */
export function edited(text: string, edits: readonly Edit[]): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { start, end, text: inserted } of [...edits].sort((a, b) => a.start - b.start)) {
    if (start > from) pieces.push({ from, to: start });
    pieces.push(end > start ? { text: inserted, at: start } : { text: inserted });
    from = end;
  }
  pieces.push({ from, to: text.length });
  return pieces;
}

/** The mutated text and where each offset of the original went: null where it is gone. */
export function assembled(
  text: string,
  pieces: readonly Piece[],
): { readonly text: string; readonly moved: (offset: number) => number | null } {
  const parts: string[] = [];
  const places: { from: number; to: number; at: number }[] = [];
  let length = 0;
  for (const piece of pieces) {
    const part = 'from' in piece ? text.slice(piece.from, piece.to) : piece.text;
    if ('from' in piece) places.push({ from: piece.from, to: piece.to, at: length });
    else if (piece.at !== undefined) places.push({ from: piece.at, to: piece.at + 1, at: length });
    parts.push(part);
    length += part.length;
  }
  const moved = (offset: number) => {
    const place = places.find(({ from, to }) => from <= offset && offset < to);
    return place === undefined ? null : place.at + offset - place.from;
  };
  return { text: parts.join(''), moved };
}
