// Costs of methods of the edited file that were not timed: the sum of the calls in their code, each method worked out once.
import type { Statement } from '../../../grammar/statement.ts';
import { everyStatement } from '../../../grammar/statements.ts';
import type { Pause } from '../../base/pause.ts';
import { assumedIterations } from './assumptions.ts';
import { type Called, Caller, type Known, receivingClass } from './called.ts';
import { isCheapName } from './cheap-calls.ts';
import { LOOPS } from './exits.ts';
import type { FileNames } from './expressions.ts';
import { Flow } from './flow.ts';
import { Frequencies, type Weight } from './frequencies.ts';
import { readMethod, type WrittenMethod } from './method-code.ts';
import { Places } from './places.ts';
import type { TermCost } from './prediction.ts';

/** Cost of a call by the code of its method; null where the code does not tell it. */
type BodyCost = Pick<Called, 'cost' | 'reason'> | null;

/** A call in a body. */
type Part = { readonly weight: Weight | null; readonly called: Called; readonly body: WrittenMethod | null };

/** A body that is being summed up. */
type Open = {
  readonly method: WrittenMethod;
  readonly order: number;
  readonly parts: readonly Part[];
  next: number;
  /** The earliest body that this body leads back to. */
  earliest: number;
};

/** A text with its methods, and what its names mean. */
type Text = { readonly text: string; readonly methods: readonly WrittenMethod[]; readonly names: FileNames };

/** Characters: a longer body is not read. */
const LONGEST = 200_000;
/** Characters: a longer method does more than an accessor. */
const LONGEST_PLAIN = 1_000;
/** Nanoseconds: three years. A larger sum says that the factors of loops in loops mean nothing. */
const MOST_NANOS = 1e17;

const CALLS_ITSELF = { cost: null, reason: 'it calls itself' };

export class BodyCosts {
  readonly #known: Known;
  readonly #file: Text;
  readonly #caller: Caller;
  readonly #byName: ReadonlyMap<string, readonly WrittenMethod[]>;
  readonly #costs = new Map<WrittenMethod, BodyCost>();
  /** Methods of which it is known whether they cost next to nothing; false while that is looked up. */
  readonly #plain = new Map<WrittenMethod, boolean>();
  readonly #pause: Pause;

  constructor(known: Known, file: Text, pause: Pause) {
    this.#known = known;
    this.#file = file;
    this.#caller = new Caller(known);
    this.#byName = Map.groupBy(file.methods, each => keyOf(each.name, each.parameters));
    this.#pause = pause;
  }

  /** The cost of a call; null where the call is of no method of the file, or of several. @param text in which the call stands */
  of(call: Statement, text: string): BodyCost {
    const method = this.#methodOf(call, text);
    if (method === null) return null;
    if (!this.#costs.has(method)) this.#sumUp(method);
    return this.#costs.get(method) ?? null;
  }

  /** Whether a call is of a method of the file. */
  has(call: Statement, text: string): boolean {
    return this.#methodOf(call, text) !== null;
  }

  /** Whether a call is of a method of the file without loops that calls nothing but such methods, accessors and values of the JDK. */
  isPlain(call: Statement, text: string): boolean {
    const method = this.#methodOf(call, text);
    if (method === null || method.span.end - method.span.start > LONGEST_PLAIN) return false;
    const known = this.#plain.get(method);
    if (known !== undefined) return known;
    this.#plain.set(method, false);
    const code = readMethod(this.#file.text, method);
    const all = everyStatement(code.statements);
    const isPlain = all.every(
      each =>
        !LOOPS.has(each.form) &&
        (each.call === null || (this.has(each, code.text) ? this.isPlain(each, code.text) : isCheapName(each.call))),
    );
    this.#plain.set(method, isPlain);
    return isPlain;
  }

  #methodOf(call: Statement, text: string): WrittenMethod | null {
    const { name, kind, argumentCount } = call.call!;
    const named = kind === 'call' ? (this.#byName.get(keyOf(name, argumentCount)) ?? []) : [];
    const type = named.length === 0 ? null : receivingClass(call, text);
    const fits = type === null ? named : named.filter(({ title }) => title.split(/[.$]/).at(-2) === type);
    return fits.length === 1 ? fits[0]! : null;
  }

  /**
   * Callees before their callers, and all methods of a circle at once: how often those call each other is not in the code. R. Tarjan,
   * "Depth-first search and linear graph algorithms" (1972), as a loop.
   */
  #sumUp(first: WrittenMethod): void {
    const orders = new Map<WrittenMethod, Open>();
    /** Bodies of which it is not known yet whether they belong to a circle. */
    const undecided: Open[] = [];
    const path: Open[] = [];
    const enter = (method: WrittenMethod) => {
      const order = orders.size;
      const open: Open = { method, order, parts: this.#partsOf(method), next: 0, earliest: order };
      orders.set(method, open);
      undecided.push(open);
      path.push(open);
    };
    enter(first);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const part = top.parts[top.next++];
      if (part !== undefined) {
        const { body } = part;
        if (body === null || this.#costs.has(body)) continue;
        const known = orders.get(body);
        if (known === undefined) enter(body);
        else top.earliest = Math.min(top.earliest, known.order);
        continue;
      }
      path.pop();
      const below = path.at(-1);
      if (below !== undefined) below.earliest = Math.min(below.earliest, top.earliest);
      if (top.earliest < top.order) continue;
      const circle = undecided.splice(undecided.lastIndexOf(top));
      const isCircle = circle.length > 1 || top.parts.some(({ body }) => body === top.method);
      for (const { method, parts } of circle) this.#costs.set(method, isCircle ? CALLS_ITSELF : this.#costOf(parts));
    }
  }

  #partsOf(method: WrittenMethod): readonly Part[] {
    this.#pause();
    const { start, end } = method.span;
    if (end - start > LONGEST) return [];
    const code = readMethod(this.#file.text, method);
    const places = new Places();
    const { calls } = new Flow(code, { places, numbers: new Map(), names: this.#file.names });
    const { assumptions } = this.#known;
    const frequencies = new Frequencies(places, header => assumedIterations(assumptions, method.title, header));
    frequencies.measure([]);
    return calls.map(({ statement, place }) => {
      const called = this.#caller.called(statement, code.text);
      const body = called.cost === null ? this.#methodOf(statement, code.text) : null;
      return { weight: frequencies.weigh(place).weight, called, body };
    });
  }

  #costOf(parts: readonly Part[]): BodyCost {
    const costs = parts.map(({ weight, called, body }) => ({
      weight,
      cost: called.cost ?? (body === null ? null : (this.#costs.get(body)?.cost ?? null)),
    }));
    const known = costs.flatMap(({ weight, cost }) => (weight === null || cost === null ? [] : [{ weight, cost }]));
    if (known.length === 0) return null;
    if (costs.some(({ weight, cost }) => weight === null && cost !== null))
      return { cost: null, reason: 'it is not known how often a loop in it runs' };
    const cost = sumOf(known);
    return cost.mean > MOST_NANOS ? { cost: null, reason: 'its code would run for years' } : { cost, reason: '' };
  }
}

function keyOf(name: string, parameters: number): string {
  return `${name} ${parameters}`;
}

/** The sum of costs. A branch counts with its middle; the distance of its ends counts as variance. */
function sumOf(known: readonly { readonly weight: Weight; readonly cost: TermCost }[]): TermCost {
  let [mean, shared, single] = [0, 0, 0];
  let [calls, windows] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const { weight, cost } of known) {
    const times = (weight.least + weight.most) / 2;
    mean += times * cost.mean;
    shared += times ** 2 * cost.shared + ((weight.most - weight.least) / 2) ** 2 * cost.mean ** 2;
    single += times * cost.single;
    calls = Math.min(calls, cost.calls);
    windows = Math.min(windows, cost.windows);
  }
  return { mean, ends: [mean, mean], shared, single, among: 0, rule: 'body', calls, windows, rSquared: null };
}
