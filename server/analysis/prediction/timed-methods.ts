// The methods of which response times were recorded, made ready for predictions: by name, by caller, and what each costs.
import { descriptorOf, methodName } from '../../cct/method-names.ts';
import { PARTIAL_METHOD, type Profile } from '../../cct/profile.ts';
import { simpleClassName } from '../../mapping/class-names.ts';
import { parameterCount } from '../../mapping/parameters.ts';
import { type MethodResponseTimes, ResponseTimesReader } from '../../metrics/response-times.ts';
import { remoteBehind } from './remote-calls.ts';

/** Calls of a method, as many as were timed, and the sum of their nanoseconds. */
type Sums = { readonly count: number; readonly sum: number };

/** Made once a look at data, in one walk over their rows; the times of a method are read when they are asked for. */
export class TimedMethods {
  readonly #profile: Profile;
  readonly #methods: Profile['methods'];
  readonly #reader: ResponseTimesReader;
  readonly #known = new Map<number, MethodResponseTimes | null>();
  readonly #callers = new Map<number, Map<number, Sums>>();
  readonly #sums = new Map<number, Sums>();
  /** Nanoseconds of the calls that a method made. */
  readonly #inside = new Map<number, number>();
  readonly #byName: ReadonlyMap<string, readonly number[]>;
  #remote: ReadonlyMap<number, string> | null = null;

  /** @param windows one byte a window, 1 = looked at; all when absent */
  constructor(profile: Profile, windows?: Uint8Array) {
    this.#profile = profile;
    this.#methods = profile.methods;
    this.#reader = new ResponseTimesReader(profile, windows);
    this.#reader.eachPair((method, caller, { count, sum }) => {
      if (method <= PARTIAL_METHOD) return;
      const own = this.#sums.get(method);
      this.#sums.set(method, { count: (own?.count ?? 0) + count, sum: (own?.sum ?? 0) + sum });
      const callers = this.#callers.get(method) ?? new Map<number, Sums>();
      this.#callers.set(method, callers.set(caller, { count, sum }));
      this.#inside.set(caller, (this.#inside.get(caller) ?? 0) + sum);
    });
    this.#byName = Map.groupBy(this.#sums.keys(), row => methodName(profile.methods, row).name);
  }

  /** How many methods were timed. */
  get size(): number {
    return this.#sums.size;
  }

  has(row: number): boolean {
    return this.#sums.has(row);
  }

  /** Null where the method was not timed. */
  of(row: number): MethodResponseTimes | null {
    let found = this.#known.get(row);
    if (found === undefined) {
      found = this.has(row) ? this.#reader.of([row]) : null;
      this.#known.set(row, found);
    }
    return found;
  }

  /** Several methods taken as one. */
  ofAll(rows: readonly number[]): MethodResponseTimes | null {
    return rows.length === 1 ? this.of(rows[0]!) : this.#reader.of(rows);
  }

  sumsOf(row: number): Sums | null {
    return this.#sums.get(row) ?? null;
  }

  /** By row of the caller; row 0 is none, row 1 is not known. */
  callersOf(row: number): ReadonlyMap<number, Sums> {
    return this.#callers.get(row) ?? new Map();
  }

  /** Nanoseconds of all timed calls that the method made. */
  insideOf(row: number): number {
    return this.#inside.get(row) ?? 0;
  }

  /**
   * Rows of the timed methods that a call may mean, by name and number of arguments, null for any number. `type` is the simple name of what
   * `new` makes.
   */
  named(name: string, argumentCount: number | null, type: string | null): readonly number[] {
    return (this.#byName.get(type === null ? name : '<init>') ?? []).filter(row => {
      if (type !== null && simpleClassName(this.classOf(row)) !== type) return false;
      const count = parameterCount(descriptorOf(this.#methods, row));
      return count === null || argumentCount === null || count === argumentCount;
    });
  }

  /** The method of a database's or a server's client that calls of a method lead to; null where none is known. */
  remoteBehind(rows: readonly number[]): string | null {
    this.#remote ??= remoteBehind(this.#profile, row => this.callersOf(row).keys());
    return rows.map(row => this.#remote!.get(row)).find(name => name !== undefined) ?? null;
  }

  classOf(row: number): string {
    return methodName(this.#methods, row).className;
  }

  /** `com.acme.Shop.search`. */
  nameOf(row: number): string {
    const { className, name } = methodName(this.#methods, row);
    return `${className}.${name}`;
  }
}
