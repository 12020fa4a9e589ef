// The cost of an edit of one method: calls that are new, gone, or run more or less often, with the response times of their callees.
import type { Statement } from '../../../grammar/statement.ts';
import { everyStatement } from '../../../grammar/statements.ts';
import type { Pause } from '../../base/pause.ts';
import { compareStatements } from '../../mapping/stale/compare-statements.ts';
import { callsOfWindow, interval80, windowVariance } from '../../metrics/call-cost.ts';
import type { MethodResponseTimes } from '../../metrics/response-times.ts';
import { assumedIterations } from './assumptions.ts';
import type { BodyCosts } from './body-costs.ts';
import { reasonsOf, Surroundings, type WeighedCall, type Weight, weighCalls } from './call-weights.ts';
import { Caller, type Known } from './called.ts';
import { type MethodCode, readMethod, type WrittenMethod } from './method-code.ts';
import {
  type KnownTerm,
  knownTerms,
  type PredictedMethod,
  type PredictedTerm,
  reliabilityOf,
  type UnpredictedMethod,
} from './prediction.ts';

/** A method whose code differs from the recorded code. */
export type EditedMethod = WrittenMethod & {
  /** Row in the outline's declarations. */
  readonly declaration: number;
  /** Line of the name of the method. */
  readonly nameLine: number;
  /** Rows of the method table. */
  readonly rows: readonly number[];
  /** The same method in the recorded text. */
  readonly before: WrittenMethod;
};

export type EditedFile = {
  readonly text: string;
  /** The recorded text. */
  readonly recorded: string;
};

/** Code of a method: the JVM takes none whose bytecode is larger than 64 KiB, which are some 3,000 branches. */
const MOST_CODE = 200_000;
/** Calls of a method that differ from the recorded ones: nobody reads more. */
const MOST_TERMS = 500;

type Grounds = Known & {
  readonly bodies: BodyCosts;
  readonly pause: Pause;
};

/** The predicted cost of an edited method; null where its calls are the recorded ones. */
export function predictMethod(
  grounds: Grounds,
  { text, recorded }: EditedFile,
  method: EditedMethod,
): PredictedMethod | UnpredictedMethod | null {
  const { timed, assumptions, pause } = grounds;
  const { declaration, name, nameLine, rows, title } = method;
  const left = (reason: string): UnpredictedMethod => ({ declaration, name, line: nameLine, reason });
  if ([method, method.before].some(({ span }) => span.end - span.start > MOST_CODE))
    return left(`its code has more than ${MOST_CODE.toLocaleString('en')} characters`);
  const before = readMethod(recorded, method.before);
  pause();
  const after = readMethod(text, method);
  pause();
  const own = rows.flatMap(row => timed.of(row) ?? []).reduce<MethodResponseTimes | null>(longer, null);
  const caller = new Caller(grounds, rows, before);
  const surroundings = new Surroundings();
  const assumed = (header: string) => assumedIterations(assumptions, title, header);
  const compared = compareStatements(before, after);
  pause();
  const beforeOf = (statement: Statement) => compared.statements.get(statement)?.before ?? null;
  const { then: measuredThen, now: measuredNow } = measuring({ caller, before, after, own, beforeOf });
  const then = weighCalls(before.text, before.statements, { measured: measuredThen, assumed, surroundings });
  pause();
  const now = weighCalls(after.text, after.statements, { measured: measuredNow, assumed, surroundings });
  pause();
  const differing = differences({ now, then, beforeOf });
  if (differing.length === 0) return null;
  if (differing.length > MOST_TERMS)
    return left(`more than ${MOST_TERMS} of its calls are new, gone, or run more or less often`);
  const terms = differing.map(each => {
    pause();
    return termOf(each, { grounds, caller, before, after });
  });
  return summed(terms, method, own);
}

type Both = {
  readonly before: MethodCode;
  readonly after: MethodCode;
  readonly caller: Caller;
  /** The statement of the recorded text that became a statement of the present text; null for a new one. */
  readonly beforeOf: (statement: Statement) => Statement | null;
};

type Measure = (statement: Statement) => number | null;

/** How often calls of the recorded and of the present text ran in one run of the method. */
function measuring({ caller, before, after, own, beforeOf }: Both & { readonly own: MethodResponseTimes | null }): {
  readonly then: Measure;
  readonly now: Measure;
} {
  const callsOfName = new Map<string, number>();
  for (const { call } of everyStatement(before.statements))
    if (call !== null) callsOfName.set(call.name, (callsOfName.get(call.name) ?? 0) + 1);
  const then: Measure = statement => {
    const name = statement.call?.name;
    if (own === null || name === undefined || callsOfName.get(name) !== 1) return null;
    return caller.timesARun(statement, before.text, own);
  };
  // A count of runs was measured in the loops and branches around the call: in other ones it tells nothing.
  const places = new Places();
  const stoodIn = places.of(before.statements, statement => statement);
  const standsIn = places.of(after.statements, beforeOf);
  return {
    then,
    now: statement => {
      const was = beforeOf(statement);
      return was === null || standsIn.get(statement) !== stoodIn.get(was) ? null : then(was);
    },
  };
}

/** The loops and branches with their parts around calls, as numbers that are equal for the same ones. */
class Places {
  readonly #numbers = new Map<string, number>();
  readonly #statements = new Map<Statement | null, number>();

  /** Numbers of places by call. @param originOf the statement of the recorded text, by which loops and branches are told apart; null for new ones */
  of(
    statements: readonly Statement[],
    originOf: (statement: Statement) => Statement | null,
  ): ReadonlyMap<Statement, number> {
    const found = new Map<Statement, number>();
    const pending = statements.map(statement => ({ statement, around: -1 }));
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { statement, around } = next;
      const isCall = statement.call !== null;
      if (isCall) found.set(statement, around);
      const own = isCall ? 0 : this.#numberOf(this.#statements, originOf(statement));
      for (const { role, statements: inner } of statement.parts) {
        const inside = isCall ? around : this.#numberOf(this.#numbers, `${around} ${own} ${role}`);
        for (const each of inner) pending.push({ statement: each, around: inside });
      }
    }
    return found;
  }

  #numberOf<K>(numbers: Map<K, number>, key: K): number {
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  }
}

function longer(a: MethodResponseTimes | null, b: MethodResponseTimes): MethodResponseTimes {
  return a === null || b.count > a.count ? b : a;
}

/** A call that is new, gone, or runs more or less often, and how often more. */
type Difference = Pick<PredictedTerm, 'change' | 'times'> & { readonly call: WeighedCall };

function differences({
  now,
  then,
  beforeOf,
}: Pick<Both, 'beforeOf'> & {
  readonly now: readonly WeighedCall[];
  readonly then: readonly WeighedCall[];
}): Difference[] {
  const earlier = new Map(then.map(each => [each.statement, each]));
  const kept = new Set<Statement>();
  const found: Difference[] = [];
  for (const call of now) {
    const was = beforeOf(call.statement);
    if (was !== null) kept.add(was);
    const before = was === null ? undefined : earlier.get(was);
    if (before === undefined) found.push({ call, change: 'added', times: call.weight });
    else if (runsAnew(call, before))
      found.push({ call, change: 'more or less often', times: less(call.weight, before.weight) });
  }
  for (const call of then)
    if (!kept.has(call.statement)) found.push({ call, change: 'removed', times: less(NEVER, call.weight, true) });
  return found;
}

const NEVER: Weight = { least: 0, most: 0 };

/** False where the call runs as often as before. */
function runsAnew({ weight: now, around }: WeighedCall, { weight: then, around: before }: WeighedCall): boolean {
  if (around === before) return false;
  return now === null || then === null || now.least !== then.least || now.most !== then.most;
}

/** The difference of two weights. @param isGone the call is gone: the ends change places */
function less(now: Weight | null, then: Weight | null, isGone = false): Weight | null {
  if (now === null || then === null) return null;
  if (isGone) return { least: -then.most, most: -then.least };
  return { least: now.least - then.least, most: now.most - then.most };
}

function termOf(
  { call, change, times }: Difference,
  { grounds, caller, before, after }: Omit<Both, 'beforeOf'> & { readonly grounds: Grounds },
): PredictedTerm {
  const isGone = change === 'removed';
  const { text, offset, lines } = isGone ? before : after;
  const { statement, loops } = call;
  const { line, nameSpan } = statement.call!;
  const { callee, ...known } = caller.called(statement, text);
  const { cost, reason } = known.cost === null ? (grounds.bodies.of(statement.call!) ?? known) : known;
  const place = isGone
    ? { span: null, loops: [] }
    : {
        span: { start: nameSpan.start + offset, end: nameSpan.end + offset },
        loops: loops.map(({ start, headerEnd, ...loop }) => {
          return { ...loop, start: start + offset, headerEnd: headerEnd + offset };
        }),
      };
  const unknown = cost !== null && times === null ? 'it is not known how often it runs' : reason;
  return { line: line + lines, ...place, callee, change, times, around: reasonsOf(call), cost, reason: unknown };
}

/** Means and variances add up; only a branch whose way is not known gives two ends. */
function summed(
  terms: readonly PredictedTerm[],
  { rows, declaration, name, title, nameLine }: EditedMethod,
  own: MethodResponseTimes | null,
): PredictedMethod {
  const known = knownTerms(terms);
  const ends = (end: keyof Weight) => known.reduce((sum, { cost, times }) => sum + times[end] * cost.mean, 0);
  const runs = own === null ? 1 : callsOfWindow(own);
  const variance = known.reduce(
    (sum, term) => sum + varianceOf(term, runs),
    own === null || known.length === 0 ? 0 : windowVariance(own),
  );
  const [low, high] = [ends('least'), ends('most')].toSorted((a, b) => a - b) as [number, number];
  const measured = own?.mean ?? null;
  return {
    ...{ rows, declaration, name, title, line: nameLine, measured },
    change: (low + high) / 2,
    passed: 0,
    interval: [within(low, variance, measured)[0], within(high, variance, measured)[1]],
    reliability: reliabilityOf(known, low !== high),
    terms,
    unknown: terms.length - known.length,
  };
}

/** Variance of a term in the mean of a window with so many runs. A call that is gone adds none of its own: the variance of the method held it. */
function varianceOf({ cost, times }: KnownTerm, runs: number): number {
  const most = Math.max(Math.abs(times.least), Math.abs(times.most));
  return most ** 2 * cost.shared + (times.most > 0 ? (most * cost.single) / runs : 0);
}

/** The 80 % interval of a change: the interval of the whole time, less the time before. For a method that was not measured, the interval of the change alone. */
function within(change: number, variance: number, measured: number | null): readonly [number, number] {
  if (measured !== null && measured + change > 0) {
    const [low, high] = interval80(measured + change, variance);
    return [low - measured, high - measured];
  }
  const [low, high] = interval80(Math.abs(change), variance);
  return change < 0 ? [-high, -low] : [low, high];
}
