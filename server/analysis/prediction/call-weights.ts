// How often each call of a method runs in one run of the method: by the loops and branches around it, measured where a call tells.
import type { Statement, StatementPart } from '../../../grammar/statement.ts';

/** Times a call runs in one run of its method; the ends differ where a branch is not known. */
export type Weight = { readonly least: number; readonly most: number };

/** A loop around a call. */
export type LoopAround = {
  /** Offset of its first word. */
  readonly start: number;
  /** Offset behind its header. */
  readonly headerEnd: number;
  /** Its header without needless spaces, by which an assumption names it. */
  readonly header: string;
  /** Iterations of one run of the loop; null where that is not known. */
  readonly times: number | null;
};

/** A reason for how often a call runs, `5 times (literal)` or `× ?`, and the reasons around it. */
type Around = { readonly id: number; readonly reason: string; readonly outer: Around | null };

/** Gives the same object for the same reasons in the same order, so that deeply nested calls are compared at once. */
export class Surroundings {
  readonly #known = new Map<string, Around>();

  inside(outer: Around | null, reason: string): Around {
    const key = `${outer?.id ?? -1} ${reason}`;
    const around = this.#known.get(key) ?? { id: this.#known.size, reason, outer };
    this.#known.set(key, around);
    return around;
  }
}

export type WeighedCall = {
  readonly statement: Statement;
  /** null where a loop around it runs a number of times that is not known. */
  readonly weight: Weight | null;
  readonly around: Around | null;
  /** Loops around the call, outermost first; loops that are too deep are left out. */
  readonly loops: readonly LoopAround[];
};

type Weighing = {
  /** Times that a call ran in one run of its method, where both were measured. */
  readonly measured: (statement: Statement) => number | null;
  /** Iterations of a loop by its header, where they are assumed. */
  readonly assumed: (header: string) => number | null;
  readonly surroundings: Surroundings;
};

const LOOPS: ReadonlySet<Statement['form']> = new Set(['for', 'forEach', 'while', 'do']);
/** Parts of a loop that run each time. */
const EACH_TIME: ReadonlySet<StatementPart['role']> = new Set(['condition', 'update', 'body']);
/** Parts of a branch of which one runs or none. */
const ONE_OF: ReadonlySet<StatementPart['role']> = new Set(['then', 'else', 'case', 'catch']);
/** `for (int i = 0; i < 10; i++)`, also with `<=` and another name. */
const COUNTED =
  /^for\s*\(\s*(?:final\s+)?\w+\s+(\w+)\s*=\s*(\d{1,9})\s*;\s*\1\s*(<|<=)\s*(\d{1,9})\s*;\s*(?:\1\s*\+\+|\+\+\s*\1)\s*\)/;
/** Longer headers of counting loops are not looked for. */
const LONGEST_COUNTED = 500;

/** Loops around a call: the product of the iterations of more loops has no meaning. */
const MOST_LOOPS = 50;
/** Runs of a call in one run of its method: more runs take longer than anybody waits. */
const MOST_TIMES = 1e12;

const IN_BRANCH = 'in a branch of which it is not known how often it runs';
const UNKNOWN_TIMES = '× ?';
const TOO_DEEP = `in more than ${MOST_LOOPS} loops`;
const TOO_OFTEN = 'more than 10¹² times';

type Place = Omit<WeighedCall, 'statement'>;
type Outside = { readonly outer: Place; readonly weighing: Weighing };

/** Every call of the statements, at any depth. Calls in lambdas are left out: it is not known where a lambda runs. */
export function weighCalls(text: string, statements: readonly Statement[], weighing: Weighing): WeighedCall[] {
  const found: WeighedCall[] = [];
  const pending: { readonly statement: Statement; readonly outer: Place }[] = [];
  const add = (list: readonly Statement[], outer: Place) => {
    for (let i = list.length - 1; i >= 0; i--) pending.push({ statement: list[i]!, outer });
  };
  add(statements, { weight: { least: 1, most: 1 }, around: null, loops: [] });
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { statement, outer } = next;
    if (statement.form === 'lambda') continue;
    if (statement.call !== null) found.push({ statement, ...outer });
    for (const part of statement.parts.toReversed())
      if (part.statements.length > 0) add(part.statements, insideOf(text, statement, part, { outer, weighing }));
  }
  return found;
}

function insideOf(text: string, statement: Statement, part: StatementPart, { outer, weighing }: Outside): Place {
  const isLoop = LOOPS.has(statement.form) && EACH_TIME.has(part.role);
  const isBranch = !LOOPS.has(statement.form) && ONE_OF.has(part.role);
  if (!isLoop && !isBranch) return outer;
  const { weight, loops } = outer;
  const inside = (reason: string) => weighing.surroundings.inside(outer.around, reason);
  if (isLoop && loops.length >= MOST_LOOPS) {
    const around = outer.around?.reason === TOO_DEEP ? outer.around : inside(TOO_DEEP);
    return { weight: null, around, loops };
  }
  const by = tellingCall(part, weighing.measured);
  const header = isLoop ? headerOf(text, statement) : null;
  const literal = literalBound(text, statement);
  const assumed = header === null ? null : weighing.assumed(header.header);
  const times = assumed ?? literal;
  const more =
    header === null ? loops : [...loops, { ...header, times: by === null ? times : timesInside(by.times, weight) }];
  if (by !== null) {
    const around = inside(`${timesText(by.times)} (measured by ${by.name})`);
    return { weight: { least: by.times, most: by.times }, around, loops: more };
  }
  if (isBranch) {
    const inBranch = weight === null ? null : { least: 0, most: weight.most };
    return { weight: inBranch, around: inside(IN_BRANCH), loops };
  }
  if (times === null) return { weight: null, around: inside(UNKNOWN_TIMES), loops: more };
  const around = inside(`${timesText(times)} (${assumed === null ? 'literal' : 'assumed'})`);
  if (weight === null) return { weight, around, loops: more };
  const inner = { least: weight.least * times, most: weight.most * times };
  if (inner.most > MOST_TIMES)
    return { weight: null, around: weighing.surroundings.inside(around, TOO_OFTEN), loops: more };
  return { weight: inner, around, loops: more };
}

/** Reasons for how often a call runs, outermost first; branches in branches are told once. */
export function reasonsOf({ around }: WeighedCall): string[] {
  const reasons: string[] = [];
  for (let at = around; at !== null; at = at.outer)
    if (at.reason !== IN_BRANCH || reasons.at(-1) !== IN_BRANCH) reasons.push(at.reason);
  return reasons.reverse();
}

/** Iterations of a loop that runs so often itself. */
function timesInside(times: number, outer: Weight | null): number {
  return outer !== null && outer.most > 0 ? times / outer.most : times;
}

function headerOf(text: string, { span, parts, form }: Statement): Omit<LoopAround, 'times'> {
  const body = parts.find(({ role }) => role === 'body')?.span.start ?? span.end;
  const [start, end] = form === 'do' ? [span.start, span.start + 'do'.length] : [span.start, body];
  const condition = parts.find(({ role }) => role === 'condition')?.span;
  const written =
    form === 'do' && condition !== undefined
      ? `do while (${text.slice(condition.start, condition.end)})`
      : text.slice(start, end).trimEnd();
  return { start, headerEnd: start + text.slice(start, end).trimEnd().length, header: written.replaceAll(/\s+/g, ' ') };
}

/** A measured call that runs whenever the part runs: it stands in no loop or branch of its own. */
function tellingCall(
  part: StatementPart,
  measured: Weighing['measured'],
): { readonly times: number; readonly name: string } | null {
  const pending = part.statements.toReversed();
  for (let statement = pending.pop(); statement !== undefined; statement = pending.pop()) {
    const times = statement.call === null ? null : measured(statement);
    if (times !== null && statement.call !== null) return { times, name: statement.call.name };
    if (statement.form === 'lambda' || LOOPS.has(statement.form)) continue;
    for (const { role, statements } of statement.parts.toReversed())
      if (!ONE_OF.has(role)) for (const inner of statements.toReversed()) pending.push(inner);
  }
  return null;
}

function literalBound(text: string, { span, form }: Statement): number | null {
  if (form !== 'for') return null;
  const [, , from, sign, to] = COUNTED.exec(text.slice(span.start, span.start + LONGEST_COUNTED)) ?? [];
  if (from === undefined || to === undefined) return null;
  return Math.max(0, Number(to) - Number(from) + (sign === '<=' ? 1 : 0));
}

function timesText(times: number): string {
  const text = Number(times.toPrecision(3));
  return text === 1 ? 'once' : `${text} times`;
}
