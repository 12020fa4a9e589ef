// Reads texts and regions in pieces, with the lexers and parsers that all of them share.
import type { IToken } from 'chevrotain';
import { type TakeBody, takeBraces } from './body-token.ts';
import { CodeParser, CodeReading } from './code-parser.ts';
import { type Region, Sheet } from './draft.ts';
import { codeTokens, lexerForCode, lexerForMembers, Tokens } from './lexer.ts';
import { MemberParser, MemberReading } from './member-parser.ts';
import { byIndentation } from './recovery.ts';

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

/** Make, one after another, all that every text needs; the first text makes the rest. */
export const preparations: readonly (() => unknown)[] = [lexerForMembers, forMembers, lexerForCode, forCode];

/** So many tokens are read in a few milliseconds. */
export const PIECE_TOKENS = 5_000;

/** Reads on, about so many tokens; whether anything is left. */
type More = (count: number) => boolean;

/** Reads tokens, then what they say. */
function tokensFirst(tokens: Tokens, parse: (tokens: IToken[]) => More): More {
  let parsing: More | null = null;
  return count => {
    if (parsing === null) {
      if (tokens.more(count)) return true;
      parsing = parse(tokens.list);
      if (tokens.list.length >= count) return true;
    }
    return parsing(count);
  };
}

/**
 * Reads a file, the inside of a class body, or one local type.
 * @param text the whole file.
 * @param region null for a whole file.
 * @param take how bodies are taken where braces do not match; null where they do.
 */
export function readMembers(text: string, sheet: Sheet, region: Region | null, take: TakeBody | null = null): More {
  const piece = region === null ? text : text.slice(region.start, region.end);
  return tokensFirst(new Tokens(piece, lexerForMembers(), take ?? takeBraces), tokens => {
    const reading = new MemberReading(text, tokens, sheet, region, take !== null);
    return count => forMembers().more(reading, count);
  });
}

function readCode(text: string, sheet: Sheet, region: Region): More {
  return tokensFirst(new Tokens(text.slice(region.start, region.end), lexerForCode()), tokens => {
    const reading = new CodeReading(text, tokens, sheet, region);
    return count => forCode().more(reading, count);
  });
}

/** All that stands in a region, however deep. */
export class Drain {
  readonly sheet = new Sheet();
  readonly #text: string;
  #next: More | undefined;

  /** @param text that of the region, from whose start offsets count. */
  constructor(text: string, { what, start, end, owner, depth }: Region) {
    this.#text = text;
    this.#next = this.#begin({ what, start: 0, end: end - start, owner, depth });
  }

  /** Reads on, about so many tokens; whether anything is left. */
  more(count: number): boolean {
    if (this.#next?.(count) === true) return true;
    const region = this.sheet.regions.pop();
    this.#next = region === undefined ? undefined : this.#begin(region);
    return this.#next !== undefined;
  }

  #begin(region: Region): More {
    if (region.what === 'code') return readCode(this.#text, this.sheet, region);
    const piece = this.#text.slice(region.start, region.end);
    return readMembers(
      this.#text,
      this.sheet,
      region,
      isBalanced(piece) ? null : byIndentation(piece, codeTokens(piece)),
    );
  }
}

/** All that stands in a region at once; `text` is that of the region, from whose start offsets count. */
export function drain(text: string, region: Region): Sheet {
  const reading = new Drain(text, region);
  while (reading.more(Number.POSITIVE_INFINITY));
  return reading.sheet;
}

/** Whether every brace of a piece that stands between braces has its partner in it. */
function isBalanced(piece: string): boolean {
  const { end, facts } = takeBraces(`{${piece}}`, 0);
  return facts.closed && end === piece.length + 2;
}
