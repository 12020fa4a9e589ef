// One declaration in two texts: which word of the one is which of the other, and which of them are certain.
import { partnerOf, primaryStart } from '../../../grammar/brackets.ts';
import type { CallSite } from '../../../grammar/outline.ts';
import * as T from '../../../grammar/tokens.ts';
import type { Form, SourceText } from './source-text.ts';
import { equalWords } from './token-runs.ts';

/** A name of the profiled text that calls have under another one in the current text. */
export type Renamed = { readonly from: string; readonly to: string };

/** A declaration of one version. */
type Place = { readonly text: SourceText; readonly row: number };

/** A declaration's form with where it stands. */
class Code {
  readonly form: Form;
  readonly start: number;
  /** Word that begins at or next behind each token (parentheses and other left out tokens have none); one more at the end. */
  readonly #wordFrom: Int32Array;
  readonly #firsts = new Map<number, number>();

  constructor({ text, row }: Place) {
    this.form = text.form(row);
    this.start = text.declaration(row).span.start;
    const { tokens, tokenOfWord, words } = this.form;
    this.#wordFrom = new Int32Array(tokens.length + 1).fill(-1);
    for (let word = words.length - 1; word >= 0; word--) this.#wordFrom[tokenOfWord[word]!] = word;
    this.#wordFrom[tokens.length] = words.length;
    for (let i = tokens.length - 1; i >= 0; i--) if (this.#wordFrom[i]! < 0) this.#wordFrom[i] = this.#wordFrom[i + 1]!;
  }

  /** Row of the token that stands at an offset of the file or is the last before it. */
  tokenAt(offset: number): number {
    const { tokens } = this.form;
    const at = offset - this.start;
    let [low, high] = [0, tokens.length];
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (tokens[middle]!.startOffset <= at) low = middle;
      else high = middle;
    }
    return low;
  }

  /** First word at or behind an offset of the file; words of the header stand in order of their text, not of their place. */
  wordAt(offset: number): number {
    const token = this.tokenAt(offset);
    const isBefore = (this.form.tokens[token]?.startOffset ?? 0) + this.start < offset;
    return this.#wordFrom[isBefore ? token + 1 : token]!;
  }

  wordOfToken(token: number): number {
    return this.#wordFrom[token]!;
  }

  offsetOfWord(word: number): number {
    return this.start + (this.form.tokens[this.form.tokenOfWord[word]!]?.startOffset ?? 0);
  }

  /** First token of the primary expression that ends with the name of a call; of the names in a chain of calls it is looked for once. */
  firstOf(name: number): number {
    const { tokens } = this.form;
    const passed: number[] = [];
    let at = name;
    for (; !this.#firsts.has(at); ) {
      passed.push(at);
      const open = tokens[at - 1]?.tokenType === T.Dot ? partnerOf(tokens[at - 2]!) : -1;
      const before = tokens[open - 1];
      const isCall = open >= 0 && tokens[open]!.tokenType === T.LParen && before?.tokenType === T.Identifier;
      if (isCall && before.image !== 'yield') at = open - 1;
      else this.#firsts.set(at, primaryStart(tokens, at));
    }
    const first = this.#firsts.get(at)!;
    for (const each of passed) this.#firsts.set(each, first);
    return first;
  }

  /** Words with locals under their written names. @param renamed calls by one name are given another. */
  written(renamed: Renamed | null): string[] {
    const { words, tokens, tokenOfWord } = this.form;
    return words.map((word, i) => {
      const token = tokenOfWord[i]!;
      if (word === renamed?.from && this.#isCall(token)) return renamed.to;
      return /^\$\d+$/.test(word) ? tokens[token]!.image : word;
    });
  }

  #isCall(token: number): boolean {
    const { tokens } = this.form;
    return tokens[token + 1]?.image === '(' || tokens[token - 1]?.image === '::';
  }
}

/** Words of an expression that are compared with all others of the text. */
const LONGEST = 200;

/** A range of words, `end` exclusive. */
type Words = { readonly start: number; readonly end: number };

/** The words between semicolons and braces: statements, in short. */
type Segments = { readonly of: Int32Array; readonly ranges: readonly Words[]; readonly texts: readonly string[] };

/** A declaration that was matched. Words of equal declarations are equal one by one. */
export class CodePair {
  readonly #before: Code;
  readonly #after: Code;
  /** null for equal declarations. */
  readonly #partner: Int32Array | null;
  #written: readonly (readonly string[])[] = [];
  #segments: readonly [before: Segments, after: Segments] | null = null;
  /** How often each word stands in either text. */
  #wordCounts: readonly ReadonlyMap<string, number>[] = [];
  /** Where the run of equal words around each word of the profiled text begins; behind the word where it has no equal. */
  #runStarts = new Int32Array(0);
  #sites: ReadonlyMap<number, readonly CallSite[]> | null = null;
  readonly #counts: readonly [Map<string, number>, Map<string, number>] = [new Map(), new Map()];

  /**
   * @param isEqual whether the declarations are equal: all code inside is equal then, even where it names locals of the declaration.
   * @param renamed the methods that the declaration calls and that have another name now.
   */
  constructor(profiled: Place, current: Place, isEqual: boolean, renamed: Renamed | null = null) {
    this.#before = new Code(profiled);
    this.#after = new Code(current);
    if (isEqual && this.#before.form.words.length === this.#after.form.words.length) this.#partner = null;
    else {
      const [left, right] = [this.#before.written(renamed), this.#after.written(null)];
      this.#partner = equalWords(left, right);
      this.#written = [left, right];
      this.#wordCounts = [left, right].map(countsOf);
      this.#runStarts = runStartsOf(this.#partner);
      const segments = [segmentsOf(left), segmentsOf(right)] as const;
      this.#segments = segments;
      segments.forEach(({ texts }, side) => {
        for (const text of texts) this.#counts[side]!.set(text, (this.#counts[side]!.get(text) ?? 0) + 1);
        for (let i = 0; i < texts.length; i++) {
          const around = neighbourhood(texts, i);
          this.#counts[side]!.set(around, (this.#counts[side]!.get(around) ?? 0) + 1);
        }
      });
    }
  }

  /** Word of the current text in place of the profiled word at or behind an offset; −1 where it is not certain. */
  wordOf(offset: number): number {
    const word = this.#before.wordAt(offset);
    if (this.#partner === null) return word < this.#before.form.words.length ? word : -1;
    const segment = this.#segments?.[0].ranges[this.#segments[0].of[word] ?? -1];
    return segment !== undefined && this.#isCertain(segment, word) ? this.#partner[word]! : -1;
  }

  /** The same for a call: certain when its whole expression is. */
  wordOfCall(site: CallSite): number {
    const word = this.#before.wordAt(site.nameSpan.start);
    if (this.#partner === null) return word < this.#before.form.words.length ? word : -1;
    if (site.kind === 'implicit') return this.wordOf(site.nameSpan.start);
    return this.#isCertain(this.#expression(site), word) ? this.#partner[word]! : -1;
  }

  /** The call of the current text that a call of the profiled one has become; null where that is not certain. @param after the calls of the declaration in the current text */
  siteOf(site: CallSite, after: readonly CallSite[]): CallSite | null {
    const word = this.wordOfCall(site);
    if (word < 0) return null;
    this.#sites ??= Map.groupBy(after, ({ nameSpan }) => this.#after.wordAt(nameSpan.start));
    const { kind, construct } = site;
    return this.#sites.get(word)?.find(other => other.kind === kind && other.construct === construct) ?? null;
  }

  /** Offset in the current text of one of its words. */
  currentOffset(word: number): number {
    return this.#after.offsetOfWord(word);
  }

  /** From the receiver to the closing parenthesis of the arguments. */
  #expression({ kind, nameSpan, openParenthesis }: CallSite): Words {
    const { tokens } = this.#before.form;
    const name = this.#before.tokenAt(nameSpan.start);
    const open = openParenthesis < 0 ? -1 : this.#before.tokenAt(openParenthesis);
    const isReference = kind === 'methodReference';
    const isDelegation = kind === 'super' || kind === 'this';
    const start = isDelegation
      ? name
      : isReference
        ? primaryStart(tokens, Math.max(0, open - 1))
        : this.#before.firstOf(name);
    const close = isReference || open < 0 ? name : Math.max(open, partnerOf(tokens[open]!));
    return { start: this.#before.wordOfToken(start), end: this.#before.wordOfToken(close + 1) };
  }

  /** Whether words lie in a run of equal ones, in a statement that is told from all others. */
  #isCertain({ start, end }: Words, word: number): boolean {
    const partner = this.#partner!;
    const [before, after] = this.#segments!;
    const isRun = start >= 0 && start < end && partner[end - 1]! >= 0 && this.#runStarts[end - 1]! <= start;
    if (!isRun || partner[word]! < 0) return false;
    const [i, j] = [before.of[word]!, after.of[partner[word]!]!];
    const text = before.texts[i]!;
    const other = after.texts[j]!;
    const count = (side: 0 | 1, key: string) => this.#counts[side]!.get(key) ?? 0;
    if (text === other) {
      if (count(0, text) === 1 && count(1, text) === 1) return true;
      const around = neighbourhood(before.texts, i);
      if (around === neighbourhood(after.texts, j) && count(0, around) === count(1, around))
        return count(0, around) === 1 || count(0, text) === count(1, text);
      return false;
    }
    if (this.#isSingle(start, end)) return true;
    // The statement changed around the call: the words before and behind the call must be the same as before.
    const isSame = (by: number) => before.texts[i + by] === after.texts[j + by];
    return isSame(-1) && isSame(1) && count(0, text) === 1 && count(1, other) === 1;
  }

  /** Whether words occur once in each text. */
  #isSingle(start: number, end: number): boolean {
    // A word that occurs once is enough, and mostly there. Other places of long expressions without such a word are not looked for.
    for (let at = end - 1; at >= Math.max(start, end - LONGEST); at--)
      if (this.#wordCounts.every(counts => counts.get(this.#written[0]![at]!) === 1)) return true;
    if (end - start > LONGEST) return false;
    const expression = this.#written[0]!.slice(start, end);
    return this.#written.every(words => occurrences(words, expression, 2) === 1);
  }
}

/** How often a list stands in another, counted up to `most`. */
function occurrences(words: readonly string[], part: readonly string[], most: number): number {
  let count = 0;
  for (let i = words.indexOf(part[0]!); i >= 0 && count < most; i = words.indexOf(part[0]!, i + 1))
    if (part.every((word, k) => words[i + k] === word)) count++;
  return count;
}

function runStartsOf(partner: Int32Array): Int32Array<ArrayBuffer> {
  const starts = new Int32Array(partner.length);
  for (let i = 0; i < partner.length; i++)
    starts[i] = partner[i]! < 0 ? i + 1 : i > 0 && partner[i] === partner[i - 1]! + 1 ? starts[i - 1]! : i;
  return starts;
}

function countsOf(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function segmentsOf(words: readonly string[]): Segments {
  const of = new Int32Array(words.length);
  const ranges: Words[] = [];
  const texts: string[] = [];
  let start = 0;
  for (let i = 0; i < words.length; i++) {
    of[i] = ranges.length;
    const word = words[i]!;
    if (i < words.length - 1 && word !== ';' && word !== '{' && word !== '}') continue;
    ranges.push({ start, end: i + 1 });
    texts.push(words.slice(start, i + 1).join(' '));
    start = i + 1;
  }
  return { of, ranges, texts };
}

/** A statement with its neighbours, as a key that no single statement is. */
function neighbourhood(texts: readonly string[], i: number): string {
  return `${texts[i - 1] ?? ''}\n${texts[i]}\n${texts[i + 1] ?? ''}`;
}
