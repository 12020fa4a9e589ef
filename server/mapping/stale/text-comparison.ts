// The state of each declaration, line and call of the profiled text in the text on screen.
import type { CallSite, Declaration, Outline } from '../../../grammar/outline.ts';
import { statementsOf, tokenFrom } from '../../../grammar/statements.ts';
import { hasLine, lineOf } from '../observed-lines.ts';
import type { TextIndex } from '../text-index.ts';
import { CodePair, type Renamed } from './code-pair.ts';
import { compareStatements, type StatementComparison, type StatementVersion } from './compare-statements.ts';
import type { Retyped } from './match-again.ts';
import type { Matches } from './matches.ts';
import { outOfOrder } from './sequence.ts';
import { ownString, type SourceText } from './source-text.ts';

/**
 * The state of a declaration: `renamed` and `moved` (to another type, or among its neighbours) have the code that was
 * profiled, `changed` other code under its signature or name; `new` was not there. Types are never `changed`.
 */
export type DeclarationState = 'unchanged' | 'moved' | 'renamed' | 'changed' | 'new';

/**
 * The known facts of one declaration as long as neither its text nor whether it counts as equal changes: lines, counted from its
 * own first one, by the question.
 */
export type Memo = {
  readonly slice: string;
  readonly isEqual: boolean;
  readonly ofLines: Map<number, number | null>;
  readonly ofOthers: WeakMap<object, number | null>;
};

/** A comparison of the text before, and what has changed since. */
type Earlier = { readonly comparison: TextComparison; readonly change: Retyped };

/** Whether the text of a declaration is the very one that was profiled. */
const [UNKNOWN, SAME, DIFFERENT] = [0, 1, 2];

/** Where every declaration stands that is the very same as it was; see `placementOf`. */
export const AS_PROFILED = {};

/** Two versions of one file. Rows and lines are of the outline that the name of the parameter says. */
export class TextComparison {
  readonly profiled: Outline;
  readonly profiledText: string;
  readonly current: Outline;
  readonly #before: SourceText;
  readonly #after: SourceText;
  readonly #matches: Matches;
  readonly #pairs = new Map<number, CodePair>();
  readonly #shifts = new Map<number, number | null>();
  /** By current row. */
  readonly #statements = new Map<number, StatementComparison>();
  readonly #moved: ReadonlySet<number>;
  readonly #isElsewhere: boolean;
  readonly #memos: Map<number, Memo>;
  /** By profiled row: memos that have been looked at in this comparison. */
  readonly #own: (Memo | null)[];
  /** By profiled row. */
  readonly #isSame: Uint8Array;

  /** @param memos of the comparisons before; null where the profiled text is another file's: all that is found again has moved. */
  constructor(
    profiled: SourceText,
    current: SourceText,
    matches: Matches,
    memos: Map<number, Memo> | null,
    earlier: Earlier | null = null,
  ) {
    const isElsewhere = memos === null;
    this.#memos = memos ?? new Map();
    this.#before = profiled;
    this.#after = current;
    this.profiled = profiled.outline;
    this.profiledText = profiled.text;
    this.current = current.outline;
    this.#matches = matches;
    this.#isElsewhere = isElsewhere;
    if (earlier !== null) {
      this.#moved = earlier.comparison.#moved;
      this.#own = earlier.comparison.#own.slice();
      this.#isSame = earlier.comparison.#isSame.slice();
      this.#forget(earlier.change);
    } else {
      this.#moved = isElsewhere ? new Set() : outOfOrder(current, matches);
      this.#own = new Array<Memo | null>(matches.currentOf.length).fill(null);
      this.#isSame = new Uint8Array(matches.currentOf.length);
    }
  }

  /** Forgets the results for declarations whose texts are others now. */
  #forget({ changed, members }: Retyped): void {
    const forget = (profiledRow: number) => {
      this.#own[profiledRow] = null;
      this.#isSame[profiledRow] = UNKNOWN;
    };
    changed.forEach((isChanged, row) => {
      const profiledRow = this.profiledRow(row);
      if (isChanged === 1 && profiledRow >= 0) forget(profiledRow);
    });
    for (const [profiledRow] of members) for (const inner of this.#before.inside(profiledRow)) forget(inner);
  }

  /** Index of the profiled text. */
  get profiledIndex(): TextIndex {
    return this.#before.index;
  }

  /** Whether every declaration has become the same row in both. */
  keepsRowsOf(other: TextComparison): boolean {
    if (this.profiled !== other.profiled) return false;
    const [own, others] = [this.#matches.currentOf, other.#matches.currentOf];
    return own === others || own.every((row, i) => row === others[i]);
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
    return this.#isAsProfiled(profiledRow) ? AS_PROFILED : this.#memoOf(profiledRow);
  }

  #memoOf(profiledRow: number): Memo {
    const own = this.#own[profiledRow];
    if (own) return own;
    const row = this.currentRow(profiledRow);
    const slice = this.#after.slice(row);
    const isEqual = this.#matches.equal[row] === 1;
    let memo = this.#memos.get(profiledRow);
    if (memo === undefined || memo.slice !== slice || memo.isEqual !== isEqual)
      memo = { slice: ownString(slice), isEqual, ofLines: new Map(), ofOthers: new WeakMap() };
    this.#memos.set(profiledRow, memo);
    this.#own[profiledRow] = memo;
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

  /**
   * The states of the loops, branches, calls and lambdas of a current declaration. Statements in lambdas are told with the declaration
   * that they stand in.
   */
  statementsOf(currentRow: number): StatementComparison {
    let compared = this.#statements.get(currentRow);
    if (compared === undefined) {
      const row = this.profiledRow(currentRow);
      const before = row < 0 ? { text: '', statements: [] } : versionOf(this.#before, row);
      compared = compareStatements(before, versionOf(this.#after, currentRow));
      this.#statements.set(currentRow, compared);
    }
    return compared;
  }

  /** The same call in the current text; null where its expression changed or cannot be told from another. */
  siteOf(site: CallSite): CallSite | null {
    const row = this.currentRow(site.declaration);
    if (row < 0) return null;
    const after = this.#after.sites(row);
    if (this.shiftOf(site.declaration) !== null) {
      const isSame = ({ nameSpan, kind, construct }: CallSite) =>
        nameSpan.start === site.nameSpan.start && kind === site.kind && construct === site.construct;
      return after[this.#before.sites(site.declaration).findIndex(isSame)] ?? null;
    }
    return this.#pair(site.declaration).siteOf(site, after);
  }

  /** The same for a call of what is known to be called `name` now, in a declaration whose text differs. */
  renamedSiteOf(site: CallSite, name: string): CallSite | null {
    const row = this.currentRow(site.declaration);
    if (row < 0 || site.name === name) return null;
    const pair = this.#newPair(site.declaration, { from: site.name, to: name });
    const found = pair.siteOf(site, this.#after.sites(row));
    return found?.name === name ? found : null;
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
    if (!this.#isAsProfiled(profiledRow)) return null;
    const before = lineOf(this.profiled, this.#before.declaration(profiledRow).span.start);
    return lineOf(this.current, this.#after.declaration(currentRow).span.start) - before;
  }

  #isAsProfiled(profiledRow: number): boolean {
    const row = this.currentRow(profiledRow);
    if (row < 0) return false;
    if (this.#isSame[profiledRow] === UNKNOWN)
      this.#isSame[profiledRow] = this.#before.slice(profiledRow) === this.#after.slice(row) ? SAME : DIFFERENT;
    return this.#isSame[profiledRow] === SAME;
  }

  #pair(profiledRow: number): CodePair {
    const pair = this.#pairs.get(profiledRow) ?? this.#newPair(profiledRow, null);
    this.#pairs.set(profiledRow, pair);
    return pair;
  }

  #newPair(profiledRow: number, renamed: Renamed | null): CodePair {
    const row = this.currentRow(profiledRow);
    const isEqual = this.#matches.equal[row] === 1;
    return new CodePair({ text: this.#before, row: profiledRow }, { text: this.#after, row }, isEqual, renamed);
  }

  /** Offsets of a declaration's tokens on a line: of its own code, or of declarations in it where its own code has none there. */
  #tokensOn(profiledRow: number, line: number): readonly number[] {
    const { span } = this.#before.declaration(profiledRow);
    const { lineStarts } = this.profiled;
    const [from, to] = [lineStarts[line - 1] ?? span.end, lineStarts[line] ?? span.end];
    const { tokens } = this.#before.form(profiledRow);
    const offsets: number[] = [];
    // Long declarations have many lines that are asked for.
    for (let at = tokenFrom(tokens, from - span.start); at < tokens.length; at++) {
      const offset = span.start + tokens[at]!.startOffset;
      if (offset >= to) break;
      offsets.push(offset);
    }
    const inner = this.#before
      .children(profiledRow)
      .map(row => this.#before.declaration(row))
      .filter(child => hasLine(child, line))
      .map(child => child.span);
    const own = offsets.filter(offset => !inner.some(({ start, end }) => start <= offset && offset < end));
    return own.length > 0 ? own : offsets;
  }
}

function versionOf({ text, outline }: SourceText, row: number): StatementVersion {
  return { text, statements: statementsOf(text, outline, outline.declarations[row]!) };
}

/** Constructors are renamed with their type. */
function isConstructor({ kind }: Declaration): boolean {
  return kind === 'constructor' || kind === 'compactConstructor';
}
