// What a call calls and costs: among the methods that were timed, else by the code of the file, else by what the user assumes.
import type { Declaration } from '../../../grammar/outline.ts';
import type { Statement } from '../../../grammar/statement.ts';
import { statementsOf } from '../../../grammar/statements.ts';
import { callCost } from '../../metrics/call-cost.ts';
import type { MethodResponseTimes } from '../../metrics/response-times.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { type Assumptions, assumedCost, assumedIterations } from './assumptions.ts';
import { type WeighedCall, type Weight, weighCalls } from './call-weights.ts';
import type { PredictedTerm, TermCost } from './prediction.ts';
import type { TimedMethods } from './timed-methods.ts';

export type Grounds = {
  readonly document: DocumentView;
  readonly timed: TimedMethods;
  readonly assumptions: Assumptions;
};

/** A method by its type and name, as assumptions name it: `Shop.review`. */
export function titleOf({ outline }: Pick<DocumentView, 'outline'>, { name, parent }: Declaration): string {
  const type = outline.declarations[parent]?.name ?? '';
  return type === '' ? name : `${type}.${name}`;
}

/** The callees of one method. */
export class Callees {
  readonly #grounds: Grounds;
  readonly #caller: readonly number[];
  /** Declarations whose bodies are being summed up: recursion ends there. */
  readonly #open: readonly number[];

  /** @param caller rows of the method in which the calls stand */
  constructor(grounds: Grounds, caller: readonly number[], open: readonly number[] = []) {
    this.#grounds = grounds;
    this.#caller = caller;
    this.#open = open;
  }

  /** How often the method was called in one run of the caller; null where that was not recorded. */
  timesARun(statement: Statement, caller: MethodResponseTimes): number | null {
    const { timed } = this.#grounds;
    const row = this.#rowOf(statement);
    if (typeof row !== 'number' || caller.count === 0) return null;
    const own = this.#caller.find(each => timed.callersOf(row).has(each));
    return own === undefined ? null : timed.callersOf(row).get(own)!.count / caller.count;
  }

  /** @param isPresent whether the call stands in the present text. */
  term(
    { statement, around, loops }: WeighedCall,
    change: PredictedTerm['change'],
    times: Weight | null,
    isPresent = true,
  ): PredictedTerm {
    const call = statement.call!;
    const place = isPresent ? { span: call.nameSpan, loops } : { span: null, loops: [] };
    const { callee, cost, reason } = this.#costOf(statement);
    const unknown = cost !== null && times === null ? 'it is not known how often it runs' : reason;
    return { line: call.line, ...place, callee, change, times, around, cost, reason: unknown };
  }

  #costOf(statement: Statement): Pick<PredictedTerm, 'callee' | 'cost' | 'reason'> {
    const { timed, assumptions } = this.#grounds;
    const { name } = statement.call!;
    const row = this.#rowOf(statement);
    const callee = typeof row === 'number' ? timed.nameOf(row) : name;
    const assumed = assumedCost(assumptions, callee);
    if (assumed !== null) {
      const cost = { mean: assumed, variance: 0, rule: 'assumed', calls: 0, windows: 0, rSquared: null } as const;
      return { callee, cost, reason: '' };
    }
    if (typeof row !== 'number') {
      const body = this.#bodyCost(statement);
      return body === null ? { callee, cost: null, reason: row } : { callee, ...body };
    }
    const caller = this.#caller.find(each => timed.callersOf(row).has(each)) ?? null;
    return { callee, cost: callCost(timed.of(row)!, caller), reason: '' };
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
    const inner = new Callees(this.#grounds, [], [...this.#open, declaration.row]);
    const costs = calls.map(each => ({ weight: each.weight, cost: inner.#costOf(each.statement).cost }));
    const known = costs.flatMap(({ weight, cost }) => (weight === null || cost === null ? [] : [{ weight, cost }]));
    if (known.length === 0) return null;
    if (costs.some(({ weight, cost }) => weight === null && cost !== null))
      return { cost: null, reason: 'it is not known how often a loop in it runs' };
    return { cost: sumOf(known), reason: '' };
  }

  /** The row of the method, or why it is not known. */
  #rowOf({ call }: Statement): number | string {
    const { timed } = this.#grounds;
    const { name, kind, argumentCount } = call!;
    const fits = timed.named(name, argumentCount, kind === 'new' ? name : null);
    const called = fits.filter(row => this.#caller.some(each => timed.callersOf(row).has(each)));
    const own = fits.filter(row => this.#caller.some(each => timed.classOf(each) === timed.classOf(row)));
    for (const found of [called, own, fits]) if (found.length === 1) return found[0]!;
    return fits.length === 0 ? 'its calls were not timed' : `${fits.length} methods are called so`;
  }
}

/** Of a branch the middle is taken, and how far its ends are apart is variance. */
function sumOf(known: readonly { readonly weight: Weight; readonly cost: TermCost }[]): TermCost {
  let [mean, variance] = [0, 0];
  for (const { weight, cost } of known) {
    const times = (weight.least + weight.most) / 2;
    mean += times * cost.mean;
    variance += times ** 2 * cost.variance + ((weight.most - weight.least) / 2) ** 2 * cost.mean ** 2;
  }
  const [calls, windows] = [known.map(({ cost }) => cost.calls), known.map(({ cost }) => cost.windows)];
  return { mean, variance, rule: 'body', calls: Math.min(...calls), windows: Math.min(...windows), rSquared: null };
}
