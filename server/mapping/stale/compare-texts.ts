// What became of each declaration, line and call of the profiled text in the text on screen.
import type { CallSite, Declaration, Outline } from '../../../grammar/outline.ts';
import { hasLine, lineOf } from '../lines.ts';
import { CodePair } from './code-pair.ts';
import { type Candidates, type Matches, matchDeclarations, matchElsewhere } from './match-declarations.ts';
import { outOfOrder } from './sequence.ts';
import { type FormCache, isNamedType, ownString, SourceText } from './source-text.ts';

/**
 * What became of a declaration: `renamed` and `moved` (to another type, or among its neighbours) have the code that was
 * profiled, `changed` other code under its signature or name; `new` was not there. Types are never `changed`.
 */
export type DeclarationState = 'unchanged' | 'moved' | 'renamed' | 'changed' | 'new';

/** Compares the versions of one document with its profiled text; what was worked out for one is kept for the next. */
export class TextComparer {
  readonly #text: string;
  readonly #profiled: SourceText;
  #forms: FormCache = new Map();
  /** What was found out about declarations in the last text, by row of the profiled outline. */
  #memos = new Map<number, Memo>();

  constructor(text: string, outline: Outline) {
    this.#text = text;
    this.#profiled = new SourceText(text, outline);
  }

  /** Outline of the profiled text. */
  get profiled(): Outline {
    return this.#profiled.outline;
  }

  /** null when the texts are equal. Cost grows with the number of declarations and with the size of those that differ. */
  compare(text: string, outline: Outline): TextComparison | null {
    if (text === this.#text) return null;
    const current = this.#source(text, outline);
    return new TextComparison(this.#profiled, current, matchDeclarations(this.#profiled, current), this.#memos);
  }

  /** Does in small steps what takes longest in `compare`, which is quick afterwards for the same text. */
  *prepare(text: string, outline: Outline): Generator<void, void, void> {
    if (text === this.#text) return;
    const current = this.#source(text, outline);
    const slices = (source: SourceText) => new Set(source.outline.declarations.map(({ row }) => source.slice(row)));
    yield;
    const [before, after] = [slices(this.#profiled), slices(current)];
    yield;
    for (const [source, others] of [
      [this.#profiled, after],
      [current, before],
    ] as const)
      for (const one of source.outline.declarations) {
        if (isNamedType(one) || others.has(source.slice(one.row))) continue;
        source.form(one.row);
        yield;
      }
  }

  /** What of this text has moved into a text that is another file's: of rows that are gone here and new there. */
  compareElsewhere(text: string, outline: Outline, candidates: Candidates): TextComparison {
    const current = this.#source(text, outline);
    return new TextComparison(this.#profiled, current, matchElsewhere(this.#profiled, current, candidates), null);
  }

  #source(text: string, outline: Outline): SourceText {
    const forms: FormCache = new Map();
    const current = new SourceText(text, outline, forms, this.#forms);
    this.#forms = forms;
    return current;
  }
}

/**
 * What is known of one declaration as long as neither its text nor whether it counts as equal changes: lines, counted from its
 * own first one, by what was asked.
 */
type Memo = {
  readonly slice: string;
  readonly isEqual: boolean;
  readonly ofLines: Map<number, number | null>;
  readonly ofOthers: WeakMap<object, number | null>;
};

/** Where every declaration stands that is the very same as it was. */
const AS_PROFILED = {};

/** Two versions of one file. Rows and lines are of the outline that the name of the parameter says. */
export class TextComparison {
  readonly profiled: Outline;
  readonly current: Outline;
  readonly #before: SourceText;
  readonly #after: SourceText;
  readonly #matches: Matches;
  readonly #pairs = new Map<number, CodePair>();
  readonly #shifts = new Map<number, number | null>();
  readonly #sites: { before?: SitesByRow; after?: SitesByRow } = {};
  readonly #moved: ReadonlySet<number>;
  readonly #isElsewhere: boolean;
  readonly #memos: Map<number, Memo>;
  /** Rows whose memo has been looked at in this comparison. */
  readonly #own = new Map<number, Memo>();

  /** @param memos of the comparisons before; null where the profiled text is another file's: all that is found again has moved. */
  constructor(profiled: SourceText, current: SourceText, matches: Matches, memos: Map<number, Memo> | null) {
    const isElsewhere = memos === null;
    this.#memos = memos ?? new Map();
    this.#before = profiled;
    this.#after = current;
    this.profiled = profiled.outline;
    this.current = current.outline;
    this.#matches = matches;
    this.#isElsewhere = isElsewhere;
    this.#moved = isElsewhere ? new Set() : outOfOrder(current, matches);
  }

  /** Rows of the profiled text that are nowhere in the current one. */
  get gone(): ReadonlySet<number> {
    return new Set(this.profiled.declarations.flatMap(({ row }) => (this.currentRow(row) < 0 ? [row] : [])));
  }

  /** Rows of the current text that were not in the profiled one. */
  get fresh(): ReadonlySet<number> {
    return new Set(this.current.declarations.flatMap(({ row }) => (this.profiledRow(row) < 0 ? [row] : [])));
  }

  /** Row in the current outline, −1 where it is gone. */
  currentRow(profiledRow: number): number {
    return this.#matches.currentOf[profiledRow] ?? -1;
  }

  /** Row in the profiled outline, −1 for what is new. */
  profiledRow(currentRow: number): number {
    return this.#matches.profiledOf[currentRow] ?? -1;
  }

  stateOf(currentRow: number): DeclarationState {
    const row = this.profiledRow(currentRow);
    if (row < 0) return 'new';
    if (this.#matches.equal[currentRow] === 0) return 'changed';
    const [before, after] = [this.#before.declaration(row), this.#after.declaration(currentRow)];
    if (before.name !== after.name && !isConstructor(before)) return 'renamed';
    if (this.#isElsewhere) return 'moved';
    const parent = before.parent < 0 ? -1 : this.currentRow(before.parent);
    return parent !== after.parent || this.#moved.has(currentRow) ? 'moved' : 'unchanged';
  }

  /**
   * The line of the current text on which that stands which was on `line` of a profiled declaration; null where it is gone,
   * stands on several lines now, or cannot be told from something else.
   */
  lineOf(profiledRow: number, line: number): number | null {
    const row = this.currentRow(profiledRow);
    if (row < 0 || line <= 0) return null;
    const shift = this.shiftOf(profiledRow);
    if (shift !== null) return line + shift;
    return this.remembered(profiledRow, line, () => this.#findLine(profiledRow, line));
  }

  /**
   * A line of the current text that only depends on the text of one declaration that is still there: found once, however much is
   * typed elsewhere.
   * @param key what is asked for: a line of the profiled text, or something on one.
   */
  remembered(profiledRow: number, key: number | object, find: () => number | null): number | null {
    const { ofLines, ofOthers } = this.#memoOf(profiledRow);
    const first = lineOf(this.current, this.#after.declaration(this.currentRow(profiledRow)).span.start);
    let known = typeof key === 'number' ? ofLines.get(key) : ofOthers.get(key);
    if (known === undefined) {
      const line = find();
      known = line === null ? null : line - first;
      if (typeof key === 'number') ofLines.set(key, known);
      else ofOthers.set(key, known);
    }
    return known === null ? null : known + first;
  }

  /**
   * Of a declaration that is still there: the same object as long as all of it stands where it stood, counted from its first
   * line, whatever is typed elsewhere.
   */
  placementOf(profiledRow: number): object {
    return this.shiftOf(profiledRow) === null ? this.#memoOf(profiledRow) : AS_PROFILED;
  }

  #memoOf(profiledRow: number): Memo {
    const own = this.#own.get(profiledRow);
    if (own !== undefined) return own;
    const row = this.currentRow(profiledRow);
    const slice = this.#after.slice(row);
    const isEqual = this.#matches.equal[row] === 1;
    let memo = this.#memos.get(profiledRow);
    if (memo === undefined || memo.slice !== slice || memo.isEqual !== isEqual)
      memo = { slice: ownString(slice), isEqual, ofLines: new Map(), ofOthers: new WeakMap() };
    this.#memos.set(profiledRow, memo);
    this.#own.set(profiledRow, memo);
    return memo;
  }

  #findLine(profiledRow: number, line: number): number | null {
    const pair = this.#pair(profiledRow);
    let found: number | null = null;
    for (const offset of this.#tokensOn(profiledRow, line)) {
      const word = pair.wordOf(offset);
      const at = word < 0 ? null : lineOf(this.current, pair.currentOffset(word));
      if (at === null || (found !== null && found !== at)) return null;
      found = at;
    }
    return found;
  }

  /** The same call in the current text; null where its expression changed or cannot be told from another. */
  siteOf(site: CallSite): CallSite | null {
    const row = this.currentRow(site.declaration);
    if (row < 0) return null;
    const before = this.#sitesOf('before', site.declaration);
    const after = this.#sitesOf('after', row);
    if (this.shiftOf(site.declaration) !== null) return after[before.indexOf(site)] ?? null;
    const pair = this.#pair(site.declaration);
    const word = pair.wordOfCall(site);
    if (word < 0) return null;
    const fits = (other: CallSite) =>
      other.kind === site.kind &&
      other.construct === site.construct &&
      pair.currentWordAt(other.nameSpan.start) === word;
    return after.find(fits) ?? null;
  }

  /** By how many lines a declaration moved whose text is the very same; null where it differs or is gone. */
  shiftOf(profiledRow: number): number | null {
    let shift = this.#shifts.get(profiledRow);
    if (shift === undefined) {
      shift = this.#shift(profiledRow, this.currentRow(profiledRow));
      this.#shifts.set(profiledRow, shift);
    }
    return shift;
  }

  #shift(profiledRow: number, currentRow: number): number | null {
    if (currentRow < 0 || this.#before.slice(profiledRow) !== this.#after.slice(currentRow)) return null;
    const before = lineOf(this.profiled, this.#before.declaration(profiledRow).span.start);
    return lineOf(this.current, this.#after.declaration(currentRow).span.start) - before;
  }

  #pair(profiledRow: number): CodePair {
    let pair = this.#pairs.get(profiledRow);
    if (pair === undefined) {
      const row = this.currentRow(profiledRow);
      const isEqual = this.#matches.equal[row] === 1;
      pair = new CodePair({ text: this.#before, row: profiledRow }, { text: this.#after, row }, isEqual);
      this.#pairs.set(profiledRow, pair);
    }
    return pair;
  }

  /** Offsets of a declaration's tokens on a line: of its own code, or of what stands in it where its own has none there. */
  #tokensOn(profiledRow: number, line: number): readonly number[] {
    const { span } = this.#before.declaration(profiledRow);
    const { lineStarts } = this.profiled;
    const [from, to] = [lineStarts[line - 1] ?? span.end, lineStarts[line] ?? span.end];
    const offsets = this.#before
      .form(profiledRow)
      .tokens.map(({ startOffset }) => span.start + startOffset)
      .filter(offset => offset >= from && offset < to);
    const inner = this.#before
      .children(profiledRow)
      .map(row => this.#before.declaration(row))
      .filter(child => hasLine(child, line))
      .map(child => child.span);
    const own = offsets.filter(offset => !inner.some(({ start, end }) => start <= offset && offset < end));
    return own.length > 0 ? own : offsets;
  }

  #sitesOf(side: 'before' | 'after', row: number): readonly CallSite[] {
    const outline = side === 'before' ? this.profiled : this.current;
    let sites = this.#sites[side];
    if (sites === undefined) {
      sites = Map.groupBy(outline.callSites, site => site.declaration);
      this.#sites[side] = sites;
    }
    return sites.get(row) ?? [];
  }
}

/** Constructors are renamed with their type. */
function isConstructor({ kind }: Declaration): boolean {
  return kind === 'constructor' || kind === 'compactConstructor';
}

type SitesByRow = ReadonlyMap<number, readonly CallSite[]>;
