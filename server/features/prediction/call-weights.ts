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

export type WeighedCall = {
  readonly statement: Statement;
  /** null where a loop around it runs a number of times that is not known. */
  readonly weight: Weight | null;
  /** What decides about it, outermost first: `5 times (literal)`, `12 times (measured by find)`, `× ?`. */
  readonly around: readonly string[];
  /** Loops that it runs in, outermost first. */
  readonly loops: readonly LoopAround[];
};

type Weighing = {
  /** Times that a call ran in one run of its method, where both were measured. */
  readonly measured: (statement: Statement) => number | null;
  /** Iterations of a loop by its header, where they are assumed. */
  readonly assumed: (header: string) => number | null;
};

const LOOPS: ReadonlySet<Statement['form']> = new Set(['for', 'forEach', 'while', 'do']);
/** Parts of a loop that run each time. */
const EACH_TIME: ReadonlySet<StatementPart['role']> = new Set(['condition', 'update', 'body']);
/** Parts of a branch of which one runs or none. */
const ONE_OF: ReadonlySet<StatementPart['role']> = new Set(['then', 'else', 'case', 'catch']);
/** `for (int i = 0; i < 10; i++)`, also with `<=` and another name. */
const COUNTED =
  /^for\s*\(\s*(?:final\s+)?\w+\s+(\w+)\s*=\s*(\d{1,9})\s*;\s*\1\s*(<|<=)\s*(\d{1,9})\s*;\s*(?:\1\s*\+\+|\+\+\s*\1)\s*\)/;

type Around = Omit<WeighedCall, 'statement'>;

/** Every call of the statements, at any depth. Calls in lambdas are left out: it is not known where a lambda runs. */
export function weighCalls(text: string, statements: readonly Statement[], weighing: Weighing): WeighedCall[] {
  const found: WeighedCall[] = [];
  const walk = (list: readonly Statement[], outer: Around) => {
    for (const statement of list) {
      if (statement.form === 'lambda') continue;
      if (statement.call !== null) found.push({ statement, ...outer });
      for (const part of statement.parts) walk(part.statements, insideOf(text, statement, part, { outer, weighing }));
    }
  };
  walk(statements, { weight: { least: 1, most: 1 }, around: [], loops: [] });
  return found;
}

type Outside = { readonly outer: Around; readonly weighing: Weighing };

function insideOf(text: string, statement: Statement, part: StatementPart, { outer, weighing }: Outside): Around {
  const isLoop = LOOPS.has(statement.form) && EACH_TIME.has(part.role);
  const isBranch = !LOOPS.has(statement.form) && ONE_OF.has(part.role);
  if (!isLoop && !isBranch) return outer;
  const { weight, around, loops } = outer;
  const by = tellingCall(part, weighing.measured);
  const header = isLoop ? headerOf(text, statement) : null;
  const literal = literalBound(text.slice(statement.span.start, statement.span.end));
  const assumed = header === null ? null : weighing.assumed(header.header);
  const times = assumed ?? literal;
  const more =
    header === null ? loops : [...loops, { ...header, times: by === null ? times : timesInside(by.times, weight) }];
  if (by !== null) {
    const reason = `${timesText(by.times)} (measured by ${by.name})`;
    return { weight: { least: by.times, most: by.times }, around: [...around, reason], loops: more };
  }
  if (isBranch) {
    const reason = 'in a branch of which it is not known how often it runs';
    return { weight: weight === null ? null : { least: 0, most: weight.most }, around: [...around, reason], loops };
  }
  if (times === null) return { weight: null, around: [...around, '× ?'], loops: more };
  const reason = `${timesText(times)} (${assumed === null ? 'literal' : 'assumed'})`;
  const inner = weight === null ? null : { least: weight.least * times, most: weight.most * times };
  return { weight: inner, around: [...around, reason], loops: more };
}

/** The calls of the statements, at any depth, also in lambdas. */
export function* callStatements(
  statements: readonly Statement[],
): Generator<Statement & { readonly call: NonNullable<Statement['call']> }> {
  for (const statement of statements) {
    const { call, parts } = statement;
    if (call !== null) yield { ...statement, call };
    for (const part of parts) yield* callStatements(part.statements);
  }
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
  for (const statement of part.statements) {
    const times = statement.call === null ? null : measured(statement);
    if (times !== null && statement.call !== null) return { times, name: statement.call.name };
    if (statement.form === 'lambda' || LOOPS.has(statement.form)) continue;
    for (const inner of statement.parts) {
      const found = ONE_OF.has(inner.role) ? null : tellingCall(inner, measured);
      if (found !== null) return found;
    }
  }
  return null;
}

function literalBound(loop: string): number | null {
  const [, , from, sign, to] = COUNTED.exec(loop) ?? [];
  if (from === undefined || to === undefined) return null;
  return Math.max(0, Number(to) - Number(from) + (sign === '<=' ? 1 : 0));
}

function timesText(times: number): string {
  const text = Number(times.toPrecision(3));
  return text === 1 ? 'once' : `${text} times`;
}
