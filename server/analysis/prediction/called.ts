// The callee and the cost of a call: among the methods that were timed, by what the user assumes, or by the code of a method of the file.
import type { Statement } from '../../../grammar/statement.ts';
import { everyStatement } from '../../../grammar/statements.ts';
import { ROOT_METHOD } from '../../cct/profile.ts';
import { simpleClassName } from '../../mapping/class-names.ts';
import { callCost } from '../../metrics/call-cost.ts';
import type { MethodResponseTimes } from '../../metrics/response-times.ts';
import { type Assumptions, assumedCost } from './assumptions.ts';
import type { Flow, PlacedCall } from './flow.ts';
import type { MethodCode } from './method-code.ts';
import type { Place } from './places.ts';
import type { TermCost } from './prediction.ts';
import type { TimedMethods } from './timed-methods.ts';

/** A callee; `reason` says why its `cost` is not known where that is null. */
export type Called = { readonly callee: string; readonly cost: TermCost | null; readonly reason: string };

export type Known = {
  readonly timed: TimedMethods;
  readonly assumptions: Assumptions;
  /** Names that methods of the file had when they were recorded, by their present names. */
  readonly oldNames: Readonly<Record<string, string>>;
};

export const NOT_TIMED = 'its calls were not timed';

/** The method in which calls stand, and its known callees. */
export class Caller {
  readonly #known: Known;
  readonly #rows: readonly number[];
  /** Receivers in the recorded text by the name of the call; null where calls of one name have several. */
  readonly #receivers: ReadonlyMap<string, string | null>;
  /** Calls of the recorded text, as `callKey` names them, without calls in lambdas, whose caller is the lambda. */
  readonly #calls: ReadonlySet<string>;
  /** Calls among them that stand at no condition but the header of a loop: they ran, unless a loop never did. */
  readonly #sureCalls: ReadonlySet<string>;

  /** Methods of the file that the method called: code may have moved from them into it. */
  readonly #near: readonly number[];

  /**
   * @param rows of the method table; none for a method that was never timed
   * @param recorded the code of the method that tells receivers
   * @param near methods of the file that it called
   * @param ran the code that ran when the method was timed; null where the code may be another one
   */
  constructor(
    known: Known,
    rows: readonly number[] = [],
    recorded: MethodCode | null = null,
    near: readonly number[] = [],
    ran: Flow | null = null,
  ) {
    this.#near = near;
    this.#known = known;
    this.#rows = rows;
    this.#receivers = recorded === null ? new Map() : receiversByName(recorded);
    const calls = ran?.calls.filter(({ isInLambda }) => !isInLambda) ?? [];
    const keysOf = (all: readonly PlacedCall[]) =>
      new Set(
        all.map(({ statement: each }) =>
          callKey(each.call!.name, each.call!.argumentCount, receiverOf(each, ran!.code.text)),
        ),
      );
    this.#calls = keysOf(calls);
    this.#sureCalls = keysOf(calls.filter(({ place }) => isUnconditional(place)));
  }

  /**
   * How often a callee was called in one run of a method; null where that was not recorded.
   * @param by rows of the method, with its runs
   */
  timesARun(
    statement: Statement,
    text: string,
    by: { readonly rows: readonly number[]; readonly own: MethodResponseTimes },
  ): number | null {
    const { timed } = this.#known;
    const rows = this.rowsOf(statement, text);
    if (typeof rows === 'string' || by.own.count === 0) return null;
    const calls = rows.flatMap(row => by.rows.flatMap(each => timed.callersOf(row).get(each)?.count ?? []));
    return calls.length === 0 ? null : calls.reduce((sum, each) => sum + each, 0) / by.own.count;
  }

  /**
   * Whether calls of these methods from this one would be known: all were timed, and each call has a caller that was timed, or none. A
   * proxy or a bridge that was not timed may stand between this method and them.
   */
  #wouldBeKnown(rows: readonly number[]): boolean {
    const { timed } = this.#known;
    const isTold = (caller: number) => caller === ROOT_METHOD || timed.has(caller);
    return this.#rows.some(row => timed.has(row)) && rows.every(row => [...timed.callersOf(row).keys()].every(isTold));
  }

  /** Equal for calls of the same method. */
  keyOf(statement: Statement, text: string): string {
    const rows = this.rowsOf(statement, text);
    if (typeof rows !== 'string') return `rows ${rows.join()}`;
    const { kind, argumentCount } = statement.call!;
    const receiver = rows === NOT_TIMED ? '' : receiverOf(statement, text);
    return `${kind} ${this.#nameOf(statement)}/${argumentCount} ${receiver}`;
  }

  /** The name by which the method was recorded. */
  #nameOf({ call }: Statement): string {
    const { oldNames } = this.#known;
    return Object.hasOwn(oldNames, call!.name) ? oldNames[call!.name]! : call!.name;
  }

  /** @param text in which the call stands */
  called(statement: Statement, text: string): Called {
    const { timed, assumptions } = this.#known;
    const rows = this.rowsOf(statement, text);
    const callee = typeof rows !== 'string' && rows.length === 1 ? timed.nameOf(rows[0]!) : statement.call!.name;
    const assumed = assumedCost(assumptions, callee);
    if (assumed !== null) {
      const nothing = { shared: 0, single: 0, among: 0, calls: 0, windows: 0, rSquared: null };
      return { callee, cost: { mean: assumed, ends: [assumed, assumed], ...nothing, rule: 'assumed' }, reason: '' };
    }
    if (typeof rows === 'string') return { callee, cost: null, reason: rows };
    const caller = this.#rows.find(each => rows.some(row => timed.callersOf(row).has(each))) ?? null;
    return { callee, cost: callCost(timed.ofAll(rows)!, caller, rows), reason: '' };
  }

  /**
   * The row of the method, or why it is not known. Several rows where the call has the receiver of calls that were recorded here: then
   * the same classes stand behind it.
   */
  rowsOf(statement: Statement, text: string): readonly number[] | string {
    const { timed } = this.#known;
    const { kind, argumentCount } = statement.call!;
    const name = this.#nameOf(statement);
    const receiver = receiverOf(statement, text);
    const type = receiver === null ? null : receiverType(receiver);
    const all = timed.named(name, kind === 'methodReference' ? null : argumentCount, kind === 'new' ? name : null);
    const isCalled = (row: number) => this.#rows.some(each => timed.callersOf(row).has(each));
    const key = callKey(name, argumentCount, receiver);
    const isInherited = (row: number) => this.#calls.has(key) && isCalled(row);
    // The type of a reference is mostly that of an instance, whose class may override the method.
    const mayInherit = kind === 'methodReference' ? () => true : isInherited;
    const fits = type === null ? all : fittingType(all, type, row => simpleClassName(timed.classOf(row)), mayInherit);
    const called = fits.filter(isCalled);
    const isOwn = receiver === '' || receiver === 'this';
    const own = fits.filter(row => isOwn && this.#rows.some(each => timed.classOf(each) === timed.classOf(row)));
    const isKnown = receiver !== null && receiver !== '' && this.#receivers.get(name) === receiver;
    if (called.length > 1 && isKnown) return called;
    const near = fits.filter(row => isOwn && this.#near.some(each => timed.callersOf(row).has(each)));
    for (const found of [called, near, own]) if (found.length === 1) return found;
    // The method ran with this call, and none led to a timed method of that name: the call is of another one.
    if (called.length === 0 && this.#sureCalls.has(key) && this.#wouldBeKnown(fits)) return NOT_TIMED;
    if (fits.length === 1) return fits;
    return fits.length === 0 ? NOT_TIMED : `${fits.length} methods are called so`;
  }
}

/**
 * The methods of a name that a receiver of that form can mean. The name of a class means its methods, or the ones among
 * others that it may inherit.
 */
function fittingType(
  all: readonly number[],
  type: string,
  classOf: (row: number) => string,
  mayInherit: (row: number) => boolean,
): readonly number[] {
  const ofType = all.filter(row => classOf(row) === type);
  if (ofType.length > 0) return ofType;
  return isClassName(type) ? all.filter(mayInherit) : all;
}

/** The result of a long chain of calls is the receiver of no second call. */
const LONGEST_RECEIVER = 300;

/** Text of the receiver without spaces; empty for a call without one, null for one that is too long to be compared. */
function receiverOf({ parts }: Statement, text: string): string | null {
  const span = parts.find(({ role }) => role === 'receiver')?.span;
  if (span === undefined) return '';
  return span.end - span.start > LONGEST_RECEIVER ? null : text.slice(span.start, span.end).replaceAll(/\s+/g, '');
}

/** The simple name of a type that a receiver can be alone: `Costs` of `Costs.nap()`, `com.acme.Costs.nap()`; null for others. */
function receiverType(receiver: string): string | null {
  return /^(?:[a-z_][\w$]*\.)*([A-Z][\w$]*)$/.exec(receiver)?.[1] ?? null;
}

function callKey(name: string, argumentCount: number, receiver: string | null): string {
  return `${name}/${argumentCount} ${receiver}`;
}

function isUnconditional(place: Place): boolean {
  for (let at: Place | null = place; at !== null; at = at.outer)
    if (at.around !== null && at.around.kind !== 'loop') return false;
  return true;
}

/** The simple name of the class that the receiver of a call names; null for other receivers, and for names that may be constants. */
export function receivingClass(statement: Statement, text: string): string | null {
  const receiver = receiverOf(statement, text);
  const type = receiver === null ? null : receiverType(receiver);
  return type !== null && isClassName(type) ? type : null;
}

/** A name in capitals may be a constant, behind which any class stands. */
function isClassName(type: string): boolean {
  return /[a-z]/.test(type);
}

/** Receivers by the name of the call: the receiver that all calls of the name have, else null. */
function receiversByName({ text, statements }: MethodCode): ReadonlyMap<string, string | null> {
  const found = new Map<string, string | null>();
  for (const statement of everyStatement(statements)) {
    if (statement.call === null) continue;
    const { name } = statement.call;
    const receiver = receiverOf(statement, text);
    found.set(name, (found.has(name) ? found.get(name) : receiver) === receiver ? receiver : null);
  }
  return found;
}
