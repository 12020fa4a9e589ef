// Puts the executions of a Kieker log back together to call trees, one trace at a time.

/** The facts kept of an execution until its trace is complete. */
export type Execution = {
  readonly method: number;
  readonly startMillis: number;
  readonly durationNanos: number;
  readonly order: number;
  readonly depth: number;
};

/** An execution with its place in the tree of its trace. */
type PlacedExecution = Execution & {
  /** Place of the caller in the list, −1 for an outermost execution. */
  readonly caller: number;
  /** Response time without that of the operations it called, at least 0. */
  readonly selfNanos: number;
};

/** The executions of one trace in the order of entry; callers stand before what they call. Sorts the list it is given. */
export function placeExecutions(executions: Execution[]): PlacedExecution[] {
  executions.sort((a, b) => a.order - b.order || a.depth - b.depth);
  const callers = new Int32Array(executions.length);
  const self = Float64Array.from(executions, each => Math.max(0, each.durationNanos));
  const open: number[] = [];
  executions.forEach((execution, place) => {
    // A trace that came from another host begins deeper than 0; depths that jump hang below the nearest open caller.
    while (open.length > 0 && executions[open.at(-1)!]!.depth >= execution.depth) open.pop();
    const caller = open.at(-1) ?? -1;
    callers[place] = caller;
    if (caller >= 0) self[caller]! -= Math.max(0, execution.durationNanos);
    open.push(place);
  });
  return executions.map((each, place) => ({ ...each, caller: callers[place]!, selfNanos: Math.max(0, self[place]!) }));
}

/** Executions and traces that may wait together for the rest of the traces: some 100 MB. */
const MAX_WAITING = 200_000;

type Waiting<Key> = { readonly trace: string; readonly key: Key; readonly executions: Execution[]; done: boolean };

/** Gathers executions by trace and hands each trace over when its first operation has returned. */
export class Traces<Key> {
  readonly #waiting = new Map<string, Waiting<Key>>();
  /**
   * In the order in which they came, with some that are done already: a map walks over all that were ever deleted from it to
   * find its first key.
   */
  #queue: Waiting<Key>[] = [];
  #oldest = 0;
  readonly #done: (key: Key, executions: Execution[], complete: boolean) => void;
  #count = 0;

  /** `done` gets each trace once; `complete` is false when its outermost operation or others are missing. */
  constructor(done: (key: Key, executions: Execution[], complete: boolean) => void) {
    this.#done = done;
  }

  /** Records are written when an operation returns, so the one with order 0 comes last in its trace. */
  add(trace: string, key: Key, execution: Execution): void {
    let entry = this.#waiting.get(trace);
    if (entry === undefined) {
      entry = { trace, key, executions: [], done: false };
      this.#waiting.set(trace, entry);
      this.#enqueue(entry);
    }
    entry.executions.push(execution);
    this.#count++;
    if (execution.order <= 0 && execution.depth <= 0)
      this.#hand(entry, entry.executions.every(within(entry.executions)));
    else if (this.#count + this.#waiting.size > MAX_WAITING) this.#handOldest();
  }

  /** Hands over what is left. */
  end(): void {
    for (const entry of [...this.#waiting.values()]) this.#hand(entry, false);
  }

  #enqueue(entry: Waiting<Key>): void {
    this.#queue.push(entry);
    if (this.#queue.length < 1000 + 2 * this.#waiting.size) return;
    this.#queue = this.#queue.filter(({ done }) => !done);
    this.#oldest = 0;
  }

  #handOldest(): void {
    while (this.#queue[this.#oldest]!.done) this.#oldest++;
    this.#hand(this.#queue[this.#oldest]!, false);
  }

  #hand(entry: Waiting<Key>, complete: boolean): void {
    entry.done = true;
    this.#waiting.delete(entry.trace);
    this.#count -= entry.executions.length;
    this.#done(entry.key, entry.executions.splice(0), complete);
  }
}

/** Whether an execution's order number lies within those of a trace without gaps. */
function within(executions: readonly Execution[]): (each: Execution) => boolean {
  return each => each.order >= 0 && each.order < executions.length;
}
