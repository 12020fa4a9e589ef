// Finds for each declaration of the profiled text the one of the current text that it has become.
import { gapsBetween, type IndexPair, isSameList, uniqueInBoth } from './key-lists.ts';
import type { Matches, Pair } from './matches.ts';
import {
  bestPairs,
  canCompare,
  type DeclarationPair,
  SIMILAR,
  sameButForOwnName,
  sharedMembers,
  similarity,
} from './similar-declarations.ts';
import { isNamedType, isNameless, nameKey, type RenamedTypes, type SourceText, signatureKey } from './source-text.ts';
import { inChunks, oneByOne, type Stage } from './stages.ts';

/** Shorter code says too little to be followed to another type under another name. */
const TELLING_WORDS = 20;
/** So many pairs are matched in a few milliseconds. */
const PAIRS_AT_ONCE = 2_000;

/**
 * Matches two versions of a file. Members of matched types are found by name and types of parameters, then by equal fingerprint
 * (renamed), then by name alone where one is left on each side and they are similar; types that are left by name anywhere in
 * the file, or by their members; methods that are left by fingerprint anywhere. What has no name is found by fingerprint and
 * order. Of several that are equal none is matched unless there are as many on both sides, which are taken in order.
 * Nothing is done before the stages are called.
 */
export function matchDeclarations(profiled: SourceText, current: SourceText): Matching {
  const matcher = new Matcher(profiled, current);
  const stages = [
    inChunks(matcher.matchedChildren([[-1, -1]]), PAIRS_AT_ONCE, () => undefined),
    oneByOne(
      () => matcher.matchLeftTypes(),
      () => matcher.matchSignaturesOfRenamed(),
      () => matcher.matchRenamed(),
      () => matcher.matchMoved(),
      () => matcher.matchSimilar(),
      () => matcher.matchUsesOfRenamed(),
    ),
  ];
  return { matches: matcher, stages };
}

/** Two texts whose declarations are being matched: `matches` are complete once all stages are over. */
type Matching = {
  readonly matches: Matches;
  readonly stages: readonly Stage[];
};

/** The same as `known`, those of an earlier version, but for some members, whose code was matched with another one then. */
export function matchAgain(
  profiled: SourceText,
  current: SourceText,
  known: Matches,
  members: readonly Pair[],
): Matches {
  const matcher = new Matcher(profiled, current, known);
  for (const pair of members) matcher.rematch(pair);
  return matcher;
}

/** Rows of another file: those gone from it, and those new here. */
export type Candidates = { readonly gone: ReadonlySet<number>; readonly fresh: ReadonlySet<number> };

/**
 * Matches what is gone from another file with what is new in this one: types by their binary name, with their members; methods by
 * equal code, under their own name or where it is long enough to be told from others.
 */
export function matchElsewhere(profiled: SourceText, current: SourceText, { gone, fresh }: Candidates): Matches {
  const matcher = new Matcher(profiled, current);
  const close = (rows: Int32Array, open: ReadonlySet<number>) =>
    rows.forEach((_, row) => {
      if (!open.has(row)) rows[row] = TAKEN;
    });
  close(matcher.currentOf, gone);
  close(matcher.profiledOf, fresh);
  matcher.matchTypesByName();
  matcher.matchMoved();
  const reopen = (rows: Int32Array) =>
    rows.forEach((other, row) => {
      if (other === TAKEN) rows[row] = -1;
    });
  reopen(matcher.currentOf);
  reopen(matcher.profiledOf);
  return matcher;
}

const MODIFIERS = new Set(['public', 'protected', 'private', 'static', 'final', 'synchronized', 'default', 'strictfp']);

/** Words of a method without the modifiers of its declaration. */
function withoutModifiers(words: readonly string[]): readonly string[] {
  const parameters = words.indexOf('(');
  return words.filter((word, i) => i >= parameters || !MODIFIERS.has(word));
}

/** Stands for a row that is matched with one of another file. */
const TAKEN = -2;

const NONE_RENAMED: RenamedTypes = new Map();

class Matcher implements Matches {
  readonly currentOf: Int32Array;
  readonly profiledOf: Int32Array;
  readonly equal: Uint8Array;
  readonly bySignature: Uint8Array;
  readonly #profiled: SourceText;
  readonly #current: SourceText;
  /** Types (and the file) whose members were compared. */
  readonly #parents: Pair[] = [];
  readonly #renamedTypes = new Map<string, string>();

  /** @param known what is matched already. */
  constructor(profiled: SourceText, current: SourceText, known: Matches | null = null) {
    this.#profiled = profiled;
    this.#current = current;
    this.currentOf = known?.currentOf.slice() ?? new Int32Array(profiled.outline.declarations.length).fill(-1);
    this.profiledOf = known?.profiledOf.slice() ?? new Int32Array(current.outline.declarations.length).fill(-1);
    this.equal = known?.equal.slice() ?? new Uint8Array(current.outline.declarations.length);
    this.bySignature = known?.bySignature.slice() ?? new Uint8Array(current.outline.declarations.length);
  }

  get renamesTypes(): boolean {
    return this.#renamedTypes.size > 0;
  }

  /** Matches a pair whose texts have changed, with the declarations in it. */
  rematch(pair: Pair): void {
    const [profiled, current] = pair;
    for (const row of this.#profiled.inside(profiled)) this.currentOf[row] = -1;
    for (const row of this.#current.inside(current)) {
      this.profiledOf[row] = -1;
      this.equal[row] = 0;
    }
    if (!this.#pair(pair)) this.matchChildren([pair]);
  }

  /** Matches the members of pairs of parents, and the declarations in the members. */
  matchChildren(parents: readonly Pair[]): void {
    for (const _ of this.matchedChildren(parents));
  }

  /** The same one by one: each pair is matched when it is asked for. */
  *matchedChildren(parents: readonly Pair[]): Generator<Pair> {
    const pending = [...parents];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      this.#parents.push(next);
      for (const [before, after] of this.#groups(next, (side, row) => this.#signature(side, row))) {
        const isUnnamed = isNameless(this.#profiled.declaration(before[0]!));
        const pairs = isUnnamed ? this.#inOrder(before, after) : this.#signatures(before, after);
        if (!isUnnamed) for (const [, current] of pairs) this.bySignature[current] = 1;
        for (const pair of pairs) {
          if (!this.#pair(pair)) pending.push(pair);
          yield pair;
        }
      }
    }
  }

  /** Types that were moved to another parent, or renamed with most of their members kept. */
  matchLeftTypes(): void {
    const typesOf = (side: SourceText, partner: Int32Array) =>
      side.outline.declarations.filter(one => partner[one.row] === -1 && isNamedType(one)).map(({ row }) => row);
    const kindAndName = (side: SourceText) => (row: number) =>
      `${side.declaration(row).kind} ${side.declaration(row).name}`;
    const before = Map.groupBy(typesOf(this.#profiled, this.currentOf), kindAndName(this.#profiled));
    const after = Map.groupBy(typesOf(this.#current, this.profiledOf), kindAndName(this.#current));
    for (const [key, rows] of before) {
      const others = after.get(key) ?? [];
      if (rows.length !== 1 || others.length !== 1 || !this.#isFree(rows[0]!, others[0]!)) continue;
      this.#take([rows[0]!, others[0]!]);
    }
    for (const parents of [...this.#parents]) {
      for (const [left, right] of this.#groups(parents, (side, row) => side.declaration(row).kind)) {
        if (!isNamedType(this.#profiled.declaration(left[0]!))) continue;
        const measure = (p: number, c: number) => sharedMembers(this.#at(p, c));
        for (const pair of bestPairs(left, right, measure)) this.#take(pair);
      }
    }
  }

  /** Types that are still called as they were, package included. */
  matchTypesByName(): void {
    const named = ({ outline }: SourceText, partner: Int32Array) =>
      outline.declarations.filter(one => partner[one.row] === -1 && isNamedType(one) && !one.local);
    const current = new Map(named(this.#current, this.profiledOf).map(one => [one.binaryName, one.row]));
    for (const { binaryName, row } of named(this.#profiled, this.currentOf)) {
      const other = current.get(binaryName);
      if (other !== undefined) this.#take([row, other]);
    }
  }

  /** Members of matched parents with equal code. */
  matchRenamed(): void {
    for (const parents of [...this.#parents]) {
      const key = (side: SourceText, row: number) => {
        const declaration = side.declaration(row);
        return isNamedType(declaration) || isNameless(declaration) ? null : `${declaration.kind} ${side.form(row).key}`;
      };
      for (const [before, after] of this.#groups(parents, key))
        if (before.length === after.length) for (const [i, row] of before.entries()) this.#take([row, after[i]!]);
      this.#takeRenamedAlone(parents);
    }
  }

  /** Methods whose name changed in their declaration alone: calls of it in their bodies are of other methods, or not renamed yet. */
  #takeRenamedAlone(parents: Pair): void {
    const key = (side: SourceText, row: number) => {
      const { kind } = side.declaration(row);
      return kind === 'method' ? `${side.form(row).words.length}` : null;
    };
    for (const [before, after] of this.#groups(parents, key)) {
      if (!canCompare(before, after)) continue;
      const pairs = before.flatMap(p =>
        after.flatMap((c): Pair[] => (sameButForOwnName(this.#at(p, c)) ? [[p, c]] : [])),
      );
      for (const [p, c] of pairs)
        if (pairs.filter(other => other[0] === p || other[1] === c).length === 1) this.#take([p, c]);
    }
  }

  /** Methods with equal code anywhere in the file. */
  matchMoved(): void {
    const methodsOf = (side: SourceText, partner: Int32Array) =>
      side.outline.declarations
        .filter(({ row, kind, body }) => partner[row] === -1 && kind === 'method' && body !== null)
        .map(({ row }) => row);
    const left = methodsOf(this.#profiled, this.currentOf);
    const right = methodsOf(this.#current, this.profiledOf);
    if (left.length === 0 || right.length === 0) return;
    const withName = (side: SourceText) => (row: number) => `${side.declaration(row).name} ${side.form(row).key}`;
    this.#takeUnique(left, right, withName);
    const isLong = (side: SourceText) => (row: number) => side.form(row).words.length >= TELLING_WORDS;
    const [before, after] = [left.filter(isLong(this.#profiled)), right.filter(isLong(this.#current))];
    this.#takeUnique(before, after, side => row => side.form(row).key);
    // In another class a method often becomes static, or more visible.
    const bare = (side: SourceText) => (row: number) =>
      `${side.declaration(row).name} ${withoutModifiers(side.form(row).words).join(' ')}`;
    this.#takeUnique(left, right, bare);
  }

  /** A method or constructor whose parameters changed: the only one of its name that is left on both sides. */
  matchSimilar(): void {
    for (const parents of [...this.#parents])
      for (const [before, after] of this.#groups(parents, (side, row) => nameKey(side.declaration(row)))) {
        if (before.length !== 1 || after.length !== 1 || isNameless(this.#profiled.declaration(before[0]!))) continue;
        if (similarity(this.#at(before[0]!, after[0]!)) >= SIMILAR) this.#take([before[0]!, after[0]!]);
      }
  }

  #takeUnique(left: readonly number[], right: readonly number[], key: (side: SourceText) => (row: number) => string) {
    const free = (rows: readonly number[], partner: Int32Array) => rows.filter(row => partner[row] === -1);
    const before = Map.groupBy(free(left, this.currentOf), key(this.#profiled));
    const after = Map.groupBy(free(right, this.profiledOf), key(this.#current));
    for (const [text, rows] of before) {
      const others = after.get(text);
      if (rows.length === 1 && others?.length === 1) this.#take([rows[0]!, others[0]!]);
    }
  }

  #isFree(profiled: number, current: number): boolean {
    return this.currentOf[profiled] === -1 && this.profiledOf[current] === -1;
  }

  /** Matches a pair and, where the two differ, the declarations in them. */
  #take(pair: Pair): void {
    if (this.#isFree(...pair) && !this.#pair(pair)) this.matchChildren([pair]);
  }

  /** Matches a pair; the declarations in an equal pair are matched in step. Returns whether that is done. */
  #pair([profiled, current]: Pair): boolean {
    this.currentOf[profiled] = current;
    this.profiledOf[current] = profiled;
    const isType = isNamedType(this.#current.declaration(current));
    if (isType) this.#noteType(this.#profiled.declaration(profiled).name, this.#current.declaration(current).name);
    const isEqual =
      this.#profiled.slice(profiled) === this.#current.slice(current) || (!isType && this.#sameCode(profiled, current));
    this.equal[current] = isEqual || isType ? 1 : 0;
    return isEqual && this.#inStep(profiled, current);
  }

  #noteType(before: string, after: string): void {
    if (before !== after) this.#renamedTypes.set(before, after);
  }

  /** Equal fingerprints, or words that differ in names of renamed types alone. */
  #sameCode(profiled: number, current: number): boolean {
    const [before, after] = [this.#profiled.form(profiled), this.#current.form(current)];
    if (before.key === after.key || sameButForOwnName(this.#at(profiled, current))) return true;
    if (this.#renamedTypes.size === 0 || before.words.length !== after.words.length) return false;
    return before.words.every((word, i) => word === after.words[i] || this.#renamedTypes.get(word) === after.words[i]);
  }

  #at(profiled: number, current: number): DeclarationPair {
    return { profiled: this.#profiled, before: profiled, current: this.#current, after: current };
  }

  #signature(side: SourceText, row: number): string {
    return signatureKey(side.declaration(row), side === this.#profiled ? this.#renamedTypes : NONE_RENAMED);
  }

  /** Methods with a parameter of which it was not known that its type has another name. */
  matchSignaturesOfRenamed(): void {
    if (this.#renamedTypes.size > 0) this.matchChildren(this.#parents.splice(0));
  }

  /** Compares again the declarations that were compared before a type in them was known to be renamed. */
  matchUsesOfRenamed(): void {
    if (this.#renamedTypes.size === 0) return;
    this.profiledOf.forEach((profiled, current) => {
      if (profiled < 0 || this.equal[current] === 1 || !this.#sameCode(profiled, current)) return;
      this.equal[current] = 1;
      this.#inStep(profiled, current);
    });
  }

  #inStep(profiled: number, current: number): boolean {
    const before = this.#profiled.inside(profiled);
    const after = this.#current.inside(current);
    const kindOf = (side: SourceText, row: number) => side.declaration(row).kind;
    if (before.length !== after.length) return false;
    if (before.some((row, i) => kindOf(this.#profiled, row) !== kindOf(this.#current, after[i]!))) return false;
    before.forEach((row, i) => {
      this.currentOf[row] = after[i]!;
      this.profiledOf[after[i]!] = row;
      this.equal[after[i]!] = 1;
    });
    return true;
  }

  /** Unmatched children of two parents that share a key; `null` leaves a row out. */
  *#groups(
    [profiled, current]: Pair,
    key: (side: SourceText, row: number) => string | null,
  ): Generator<[number[], number[]]> {
    const left = this.#profiled.children(profiled).filter(row => this.currentOf[row] === -1);
    const right = this.#current.children(current).filter(row => this.profiledOf[row] === -1);
    if (left.length === 0 || right.length === 0) return;
    const before = left.map(row => key(this.#profiled, row));
    const after = right.map(row => key(this.#current, row));
    if (isSameList(before, after)) {
      // An edit in a body changes no key of its neighbours.
      for (const [i, text] of before.entries()) if (text !== null) yield [[left[i]!], [right[i]!]];
      return;
    }
    const others = Map.groupBy(right.keys(), i => after[i]!);
    for (const [text, at] of Map.groupBy(left.keys(), i => before[i]!)) {
      const found = others.get(text);
      if (text !== null && found !== undefined) yield [at.map(i => left[i]!), found.map(i => right[i]!)];
    }
  }

  /** Several of one signature: broken code, or local classes of different blocks. */
  #signatures(before: readonly number[], after: readonly number[]): Pair[] {
    return before.length === after.length ? before.map((row, i) => [row, after[i]!]) : [];
  }

  /** Pairs nameless declarations: first texts that occur once on both sides, between these texts that occur as often, then similar ones. */
  #inOrder(before: readonly number[], after: readonly number[]): Pair[] {
    const keyBefore = before.map(row => this.#profiled.form(row).key);
    const keyAfter = after.map(row => this.#current.form(row).key);
    const anchors: IndexPair[] = [];
    for (const [i, j] of uniqueInBoth(keyBefore, keyAfter)) anchors.push([i, j]);
    const pairs = anchors.map(([i, j]): Pair => [before[i]!, after[j]!]);
    for (const gap of gapsBetween(anchors, before.length, after.length)) {
      const taken = new Set<number>();
      const inGap = Map.groupBy(gap.after, j => keyAfter[j]!);
      for (const [key, rows] of Map.groupBy(gap.before, i => keyBefore[i]!)) {
        const others = inGap.get(key);
        if (others?.length !== rows.length) continue;
        rows.forEach((i, n) => {
          pairs.push([before[i]!, after[others[n]!]!]);
          taken.add(i).add(before.length + others[n]!);
        });
      }
      const left = gap.before.filter(i => !taken.has(i)).map(i => before[i]!);
      const right = gap.after.filter(j => !taken.has(before.length + j)).map(j => after[j]!);
      pairs.push(...bestPairs(left, right, (p, c) => similarity(this.#at(p, c))));
    }
    return pairs;
  }
}
