// Methods that call themselves, directly or through others: what an edit does to one run, it may do to many.
import type { MethodResponseTimes } from '../../metrics/response-times.ts';
import type { Weight } from './frequencies.ts';
import type { TimedMethods } from './timed-methods.ts';

export class Recursion {
  readonly #rows: readonly number[];
  readonly #timed: TimedMethods;
  /** Methods that lead to the method; null until it is asked for. */
  #above: ReadonlySet<number> | null = null;
  /** Runs of the method with its own calls of itself; null where none was timed. */
  readonly own: MethodResponseTimes | null;
  /** Nanoseconds of a run that others called, with the runs in it; null where none was timed. */
  readonly mean: number | null;
  /** Runs in a run that others called, itself included. */
  readonly #runs: number;

  /** @param rows of the method */
  constructor(timed: TimedMethods, rows: readonly number[]) {
    this.#timed = timed;
    this.#rows = rows;
    this.own = rows
      .flatMap(row => timed.of(row) ?? [])
      .reduce<MethodResponseTimes | null>((a, b) => (a === null || b.count > a.count ? b : a), null);
    const outside = this.own?.callers.filter(({ caller }) => !rows.includes(caller)) ?? [];
    const count = outside.reduce((sum, each) => sum + each.count, 0);
    const isRecursive = this.own !== null && count > 0 && outside.length < this.own.callers.length;
    this.#runs = isRecursive ? this.own!.count / count : 1;
    this.mean = isRecursive ? outside.reduce((sum, each) => sum + each.sum, 0) / count : (this.own?.mean ?? null);
  }

  /** Whether a callee calls the method again. */
  leadsBack(callees: readonly number[]): boolean {
    this.#above ??= this.#findAbove();
    return callees.some(row => this.#above!.has(row) || this.#rows.includes(row));
  }

  /** Times in a run that others called. */
  scaled({ least, most }: Weight): Weight {
    return { least: least * this.#runs, most: most * this.#runs };
  }

  #findAbove(): ReadonlySet<number> {
    const found = new Set<number>();
    const pending = [...this.#rows];
    for (let row = pending.pop(); row !== undefined; row = pending.pop())
      for (const caller of this.#timed.callersOf(row).keys())
        if (!found.has(caller) && this.#timed.has(caller)) {
          found.add(caller);
          pending.push(caller);
        }
    return found;
  }
}
