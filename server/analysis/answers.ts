// The answers so far about one look at a Dataset: numbers of sets of methods, and the surroundings of the sets.
import { LRUCache } from 'lru-cache';
import type { Outcome } from '../base/problem.ts';
import { KeptComparison } from '../capabilities/compare/door.ts';
import type { MethodTable } from '../cct/profile.ts';
import type { AroundTables } from '../metrics/around-tables.ts';
import { type MethodKeys, methodKeys } from '../metrics/method-keys.ts';
import { KeptParts } from './kept-parts.ts';
import type { MethodFacts, MethodsAndLines } from './method-facts.ts';
import type { TimedMethods } from './prediction/timed-methods.ts';
import type { SurroundingFact, Surroundings } from './surroundings-answer.ts';

/** The commit that data were recorded from; null with a problem that says why it is not known. */
export type CommitOfData = Outcome<{
  /** Full hash. */
  readonly hash: string;
  /** When it was made, milliseconds since the epoch; null where that is not known. */
  readonly dateMillis: number | null;
} | null>;

/** The surroundings of so many sets stay known: more than the largest document has methods. */
const MOST_SURROUNDINGS = 20_000;
/** The same for numbers, which are small. */
const MOST_NUMBERS = 100_000;

/**
 * Answers depend on the look and the set alone, so that each is asked for once. The server gathers everything that takes a walk over a
 * tree before features read it, so that the thread that serves an editor does not walk.
 */
export class Answers {
  readonly #numbers = growingCache<MethodFacts>(MOST_NUMBERS);
  readonly #surroundings = growingCache<Partial<Surroundings>>(MOST_SURROUNDINGS);
  #keys: MethodKeys | null = null;
  /** Of pictures. */
  readonly parts = new KeptParts();
  /** With a baseline. */
  readonly comparison = new KeptComparison();
  /** Of all methods, for questions about many of them. */
  around: AroundTables | null = null;
  /** Methods with response times, for predictions. */
  timed: TimedMethods | null = null;
  /** null until it was looked up. */
  commit: CommitOfData | null = null;

  /** Keys of the Dataset's methods. */
  keysOf(methods: MethodTable): MethodKeys {
    this.#keys ??= methodKeys(methods);
    return this.#keys;
  }

  /** The numbers of a set that was asked about before. */
  numbersOf(set: MethodsAndLines): MethodFacts | undefined {
    return this.#numbers.get(keyOf(set));
  }

  /** Whether the numbers of a set take a walk and are not known. The numbers of one method are in tables. */
  lacksNumbersOf(set: MethodsAndLines): boolean {
    const isInTables = set.methods.length <= 1 && set.onlyLines === undefined;
    return !isInTables && this.numbersOf(set) === undefined;
  }

  keepNumbers(set: MethodsAndLines, found: MethodFacts): void {
    this.#numbers.set(keyOf(set), found);
  }

  /** The surroundings of a set of methods, as far as they were asked for. */
  surroundingsOf(methods: readonly number[]): Partial<Surroundings> {
    return this.#surroundings.get(methods.join()) ?? {};
  }

  lacksAround(methods: readonly number[], facts: readonly SurroundingFact[]): boolean {
    const known = this.surroundingsOf(methods);
    return facts.some(fact => known[fact] === undefined);
  }

  keepSurroundings(methods: readonly number[], found: Partial<Surroundings>): void {
    this.#surroundings.set(methods.join(), { ...this.surroundingsOf(methods), ...found });
  }

  /** Called before a tree is walked for what was not gathered, as commands let it happen; in tests of the server it throws. */
  beforeWalk(_what: string): void {}
}

/** Grows with what it holds: with a number of entries it would have room for all of them from the start, for 10 ms of each look at data. */
function growingCache<V extends object>(most: number): LRUCache<string, V> {
  return new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
}

function keyOf({ methods, onlyLines }: MethodsAndLines): string {
  return onlyLines === undefined ? methods.join() : `${methods.join()}|${onlyLines.join(';')}`;
}
