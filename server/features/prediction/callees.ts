// What a call calls and costs: among the methods that were timed, else by the code of the file, else by what the user assumes.
import type { Declaration } from '../../../grammar/outline.ts';
import type { Statement } from '../../../grammar/statement.ts';
import { statementsOf } from '../../../grammar/statements.ts';
import { simpleClassName } from '../../mapping/class-names.ts';
import { callCost } from '../../metrics/call-cost.ts';
import type { MethodResponseTimes } from '../../metrics/response-times.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { type Assumptions, assumedCost, assumedIterations } from './assumptions.ts';
import { callStatements, type WeighedCall, type Weight, weighCalls } from './call-weights.ts';
import type { PredictedTerm, TermCost } from './prediction.ts';
import type { TimedMethods } from './timed-methods.ts';

export type Grounds = {
  readonly document: DocumentView;
  readonly timed: TimedMethods;
  readonly assumptions: Assumptions;
};

/** Statements of a declaration with the text that they stand in. */
type Code = { readonly text: string; readonly statements: readonly Statement[] };

/** A method by its type and name, as assumptions name it: `Shop.review`. */
export function titleOf({ outline }: Pick<DocumentView, 'outline'>, { name, parent }: Declaration): string {
  const type = outline.declarations[parent]?.name ?? '';
  return type === '' ? name : `${type}.${name}`;
}

/** The callees of one method. */
export class Callees {
  readonly #grounds: Grounds;
  readonly #caller: readonly number[];
  readonly #recorded: Code | null;
  /** By name of a call in the recorded text: what it is called on; null where several things are. */
  readonly #receivers: ReadonlyMap<string, string | null>;
  /** Declarations whose bodies are being summed up: recursion ends there. */
  readonly #open: readonly number[];

  /**
   * @param caller rows of the method in which the calls stand
   * @param recorded its text and statements as they were recorded
   */
  constructor(grounds: Grounds, caller: readonly number[], recorded: Code | null = null, open: readonly number[] = []) {
    this.#grounds = grounds;
    this.#caller = caller;
    this.#recorded = recorded;
    this.#receivers = recorded === null ? new Map() : receiversByName(recorded);
    this.#open = open;
  }

  /** How often a recorded call was made in one run of the caller; null where that was not recorded. */
  timesARun(statement: Statement, caller: MethodResponseTimes): number | null {
    const { timed } = this.#grounds;
    const rows = this.#rowsOf(statement, this.#recorded!.text);
    if (typeof rows === 'string' || caller.count === 0) return null;
    const calls = rows.flatMap(row => this.#caller.flatMap(each => timed.callersOf(row).get(each)?.count ?? []));
    return calls.length === 0 ? null : calls.reduce((sum, each) => sum + each, 0) / caller.count;
  }

  /** Of a call in the present text, or for `removed` in the recorded one. */
  term(
    { statement, around, loops }: WeighedCall,
    change: PredictedTerm['change'],
    times: Weight | null,
  ): PredictedTerm {
    const { line, nameSpan } = statement.call!;
    const [text, place] =
      change === 'removed'
        ? [this.#recorded!.text, { span: null, loops: [] }]
        : [this.#grounds.document.text, { span: nameSpan, loops }];
    const { callee, cost, reason } = this.#costOf(statement, text);
    const unknown = cost !== null && times === null ? 'it is not known how often it runs' : reason;
    return { line, ...place, callee, change, times, around, cost, reason: unknown };
  }

  #costOf(statement: Statement, text: string): Pick<PredictedTerm, 'callee' | 'cost' | 'reason'> {
    const { timed, assumptions } = this.#grounds;
    const { name } = statement.call!;
    const rows = this.#rowsOf(statement, text);
    const callee = typeof rows !== 'string' && rows.length === 1 ? timed.nameOf(rows[0]!) : name;
    const assumed = assumedCost(assumptions, callee);
    if (assumed !== null) {
      const nothing = { shared: 0, single: 0, calls: 0, windows: 0, rSquared: null };
      const cost = { mean: assumed, ...nothing, rule: 'assumed' } as const;
      return { callee, cost, reason: '' };
    }
    if (typeof rows === 'string') {
      const body = this.#bodyCost(statement);
      return body === null ? { callee, cost: null, reason: rows } : { callee, ...body };
    }
    const caller = this.#caller.find(each => rows.some(row => timed.callersOf(row).has(each))) ?? null;
    return { callee, cost: callCost(timed.ofAll(rows)!, caller, rows), reason: '' };
  }

  /** The sum of what the code of a method of this file calls; null where the call is of none, or of several. */
  #bodyCost({ call }: Statement): { readonly cost: TermCost | null; readonly reason: string } | null {
    const { document, assumptions } = this.#grounds;
    const { name, kind, argumentCount } = call!;
    if (kind !== 'call') return null;
    const { declarations } = document.outline;
    const fits = declarations.filter(
      each => each.kind === 'method' && each.name === name && each.parameters.length === argumentCount,
    );
    const [declaration] = fits;
    if (declaration === undefined || fits.length > 1 || declaration.body === null) return null;
    if (this.#open.includes(declaration.row)) return { cost: null, reason: 'it calls itself' };
    const title = titleOf(document, declaration);
    const calls = weighCalls(document.text, statementsOf(document.text, document.outline, declaration), {
      measured: () => null,
      assumed: header => assumedIterations(assumptions, title, header),
    });
    const inner = new Callees(this.#grounds, [], null, [...this.#open, declaration.row]);
    const costs = calls.map(each => ({ weight: each.weight, cost: inner.#costOf(each.statement, document.text).cost }));
    const known = costs.flatMap(({ weight, cost }) => (weight === null || cost === null ? [] : [{ weight, cost }]));
    if (known.length === 0) return null;
    if (costs.some(({ weight, cost }) => weight === null && cost !== null))
      return { cost: null, reason: 'it is not known how often a loop in it runs' };
    return { cost: sumOf(known), reason: '' };
  }

  /**
   * The row of the method, or why it is not known. Several rows where the call has the receiver of calls that were recorded here: then
   * the same classes stand behind it.
   */
  #rowsOf(statement: Statement, text: string): readonly number[] | string {
    const { timed } = this.#grounds;
    const { name, kind, argumentCount } = statement.call!;
    const receiver = receiverOf(statement, text);
    const type = receiverType(receiver);
    const all = timed.named(name, argumentCount, kind === 'new' ? name : null);
    const ofType = type === null ? [] : all.filter(row => simpleClassName(timed.classOf(row)) === type);
    const fits = ofType.length > 0 ? ofType : all;
    const called = fits.filter(row => this.#caller.some(each => timed.callersOf(row).has(each)));
    const isOwn = receiver === '' || receiver === 'this';
    const own = fits.filter(row => isOwn && this.#caller.some(each => timed.classOf(each) === timed.classOf(row)));
    if (called.length > 1 && receiver !== '' && this.#receivers.get(name) === receiver) return called;
    for (const found of [called, own, fits]) if (found.length === 1) return found;
    return fits.length === 0 ? 'its calls were not timed' : `${fits.length} methods are called so`;
  }
}

/** Of a branch the middle is taken, and how far its ends are apart is variance. */
function sumOf(known: readonly { readonly weight: Weight; readonly cost: TermCost }[]): TermCost {
  let [mean, shared, single] = [0, 0, 0];
  for (const { weight, cost } of known) {
    const times = (weight.least + weight.most) / 2;
    mean += times * cost.mean;
    shared += times ** 2 * cost.shared + ((weight.most - weight.least) / 2) ** 2 * cost.mean ** 2;
    single += times * cost.single;
  }
  const [calls, windows] = [known.map(({ cost }) => cost.calls), known.map(({ cost }) => cost.windows)];
  return {
    mean,
    shared,
    single,
    rule: 'body',
    calls: Math.min(...calls),
    windows: Math.min(...windows),
    rSquared: null,
  };
}

/** Text of the receiver without spaces; empty for a call without one. */
function receiverOf({ parts }: Statement, text: string): string {
  const span = parts.find(({ role }) => role === 'receiver')?.span;
  return span === undefined ? '' : text.slice(span.start, span.end).replaceAll(/\s+/g, '');
}

/** The simple name of a type that a receiver can be alone: `Costs` of `Costs.nap()`, `com.acme.Costs.nap()`; null for others. */
function receiverType(receiver: string): string | null {
  return /^(?:[a-z_][\w$]*\.)*([A-Z][\w$]*)$/.exec(receiver)?.[1] ?? null;
}

/** By name of a call: its receiver where all calls of the name have the same one, else null. */
function receiversByName({ text, statements }: Code): ReadonlyMap<string, string | null> {
  const found = new Map<string, string | null>();
  for (const statement of callStatements(statements)) {
    const { name } = statement.call;
    const receiver = receiverOf(statement, text);
    found.set(name, (found.has(name) ? found.get(name) : receiver) === receiver ? receiver : null);
  }
  return found;
}
