// Which differences are told: no differences in calls that cost next to nothing, or in calls that were renamed.
import type { BodyCosts } from './body-costs.ts';
import { type Known, NOT_TIMED } from './called.ts';
import { isCheapName } from './cheap-calls.ts';
import type { Difference } from './differences.ts';
import { isTimed, type Run } from './frames.ts';
import { asksIterations, isTold, type PredictedTerm } from './prediction.ts';
import type { Recursion } from './recursion.ts';

/** A method is told to be given other values where its calls take this part of it. */
const LEAST_OF_VALUES = 0.1;

export class Relevance {
  readonly #known: Known & { readonly bodies: BodyCosts };
  readonly #recursion: Recursion;
  /** Nanoseconds of a run that no timed callee took; null where that is not known. */
  readonly #alone: number | null;
  readonly #wasCalled: ReadonlySet<string>;

  /** @param before calls of the recorded version */
  constructor(
    known: Known & { readonly bodies: BodyCosts },
    before: readonly Run[],
    recursion: Recursion,
    rows: readonly number[],
  ) {
    this.#known = known;
    this.#recursion = recursion;
    const { own } = recursion;
    const inside = rows.reduce((sum, row) => sum + known.timed.insideOf(row), 0);
    this.#alone = own === null ? null : Math.max(0, own.mean - inside / own.count);
    this.#wasCalled = new Set(before.map(({ key }) => key));
  }

  /** Without calls that have another name in the same place, with the same receiver and as many arguments: nobody timed either. */
  withoutRenamed(found: readonly Difference[]): Difference[] {
    const gone = Map.groupBy(
      found.filter(each => each.change === 'removed' && !isTimed(each.run)),
      shapeOf,
    );
    const left = new Set(found);
    for (const each of found) {
      if (each.change !== 'added' || isTimed(each.run)) continue;
      const same = gone.get(shapeOf(each))?.shift();
      if (same === undefined) continue;
      left.delete(each);
      left.delete(same);
    }
    return found.filter(each => left.has(each));
  }

  /** Whether a difference can cost anything. */
  matters({ run, change }: Difference): boolean {
    const { frame, call } = run;
    if (change === 'with other values') return true;
    const { text } = frame.flow.code;
    const { reason } = frame.caller.called(call.statement, text);
    if (reason !== NOT_TIMED) return true;
    if (frame.flow.isRunner(call.statement)) return false;
    const site = call.statement.call!;
    const { bodies } = this.#known;
    if (bodies.of(call.statement, text) !== null) return true;
    if (bodies.has(call.statement, text) ? bodies.isPlain(call.statement, text) : isCheapName(site)) return false;
    // A call that was made before took at most the time that no timed callee took.
    return !this.#wasCalled.has(run.key) || this.#alone === null || isTold(this.#alone, this.#recursion.mean);
  }

  isTold(term: PredictedTerm): boolean {
    const { cost, times, change, reason } = term;
    const { mean, own } = this.#recursion;
    if (change === 'with other values')
      return cost !== null && mean !== null && own !== null && cost.mean >= LEAST_OF_VALUES * mean;
    if (cost === null || times !== null) return true;
    return asksIterations(term, mean) || reason === 'it calls the method again';
  }
}

/** Characters: longer receivers are not told apart. */
const LONGEST_RECEIVER = 300;

/** Place, receiver and number of arguments of a call. */
function shapeOf({ run: { call, frame } }: Difference): string {
  const { statement, place } = call;
  const { kind, argumentCount } = statement.call!;
  const receiver = statement.parts.find(({ role }) => role === 'receiver');
  const isShort = receiver !== undefined && receiver.span.end - receiver.span.start <= LONGEST_RECEIVER;
  const form = receiver === undefined ? '' : isShort ? frame.flow.expressions.keyOf(receiver.span) : '…';
  return `${place.id} ${kind} ${argumentCount} ${form}`;
}
