// How often each call of a method runs in one run of the method: by the loops and branches around it, measured where a call tells.
import type { Statement, StatementPart } from '../../../grammar/statement.ts';

/** Times a call runs in one run of its method; the ends differ where a branch is not known. */
export type Weight = { readonly least: number; readonly most: number };

export type WeighedCall = {
  readonly statement: Statement;
  /** null where a loop around it runs a number of times that is not known. */
  readonly weight: Weight | null;
  /** What decides about it, outermost first: `5 times (literal)`, `12 times (measured by find)`, `× ?`. */
  readonly around: readonly string[];
};

/** Times that a call ran in one run of its method, where both were measured. */
type Measured = (statement: Statement) => number | null;

const LOOPS: ReadonlySet<Statement['form']> = new Set(['for', 'forEach', 'while', 'do']);
/** Parts of a loop that run each time. */
const EACH_TIME: ReadonlySet<StatementPart['role']> = new Set(['condition', 'update', 'body']);
/** Parts of a branch of which one runs or none. */
const ONE_OF: ReadonlySet<StatementPart['role']> = new Set(['then', 'else', 'case', 'catch']);
/** `for (int i = 0; i < 10; i++)`, also with `<=` and another name. */
const COUNTED =
  /^for\s*\(\s*(?:final\s+)?\w+\s+(\w+)\s*=\s*(\d{1,9})\s*;\s*\1\s*(<|<=)\s*(\d{1,9})\s*;\s*(?:\1\s*\+\+|\+\+\s*\1)\s*\)/;

const ONCE: Weight = { least: 1, most: 1 };

/** Every call of the statements, at any depth. Calls in lambdas are left out: it is not known where a lambda runs. */
export function weighCalls(text: string, statements: readonly Statement[], measured: Measured): WeighedCall[] {
  const found: WeighedCall[] = [];
  const walk = (list: readonly Statement[], weight: Weight | null, around: readonly string[]) => {
    for (const statement of list) {
      if (statement.form === 'lambda') continue;
      if (statement.call !== null) found.push({ statement, weight, around });
      for (const part of statement.parts) {
        const inner = insideOf(text, statement, part, weight, measured);
        walk(part.statements, inner.weight, inner.reason === '' ? around : [...around, inner.reason]);
      }
    }
  };
  walk(statements, ONCE, []);
  return found;
}

function insideOf(
  text: string,
  statement: Statement,
  part: StatementPart,
  outer: Weight | null,
  measured: Measured,
): { readonly weight: Weight | null; readonly reason: string } {
  const isLoop = LOOPS.has(statement.form) && EACH_TIME.has(part.role);
  const isBranch = !LOOPS.has(statement.form) && ONE_OF.has(part.role);
  if (!isLoop && !isBranch) return { weight: outer, reason: '' };
  const by = tellingCall(part, measured);
  if (by !== null)
    return { weight: { least: by.times, most: by.times }, reason: `${timesText(by.times)} (measured by ${by.name})` };
  if (isBranch) {
    const reason = 'in a branch of which it is not known how often it runs';
    return { weight: outer === null ? null : { least: 0, most: outer.most }, reason };
  }
  const literal = literalBound(text.slice(statement.span.start, statement.span.end));
  if (literal === null) return { weight: null, reason: '× ?' };
  const weight = outer === null ? null : { least: outer.least * literal, most: outer.most * literal };
  return { weight, reason: `${timesText(literal)} (literal)` };
}

/** A measured call that runs whenever the part runs: it stands in no loop or branch of its own. */
function tellingCall(
  part: StatementPart,
  measured: Measured,
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
