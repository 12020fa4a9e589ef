// Compares the loops, branches, calls and lambdas of a declaration with the text before: which are as they were, and which are new.
import type { PartRole, Statement } from '../../../grammar/statement.ts';
import { everyStatement, statementsIn } from '../../../grammar/statements.ts';
import { longestAscending } from './longest-ascending.ts';

/**
 * `unchanged` has its code, at its place in the statement around it; `moved` has its code at another place; `changed` is
 * there with other code, its own or of the statements in it; `new` was not there.
 */
type StatementState = 'unchanged' | 'moved' | 'changed' | 'new';

/** A statement of the current text, and what it was in the text before; null for a new one. */
type ComparedStatement = { readonly state: StatementState; readonly before: Statement | null };

export type StatementComparison = {
  /** The statements of the current text. */
  readonly current: readonly Statement[];
  /** By statement of the current text, at any depth. */
  readonly statements: ReadonlyMap<Statement, ComparedStatement>;
  /** Statements of the text before that are nowhere in the current one, without statements in them, in source order. */
  readonly removed: readonly Statement[];
};

/** One version of a declaration's code: what `statementsOf` found in a text. */
export type StatementVersion = { readonly text: string; readonly statements: readonly Statement[] };

/**
 * Compares the code of one declaration in two versions. Layout and comments do not count. Statements that
 * stand in the same part of the same statement are compared first, then statements whose code is found at another place.
 */
export function compareStatements(before: StatementVersion, after: StatementVersion): StatementComparison {
  const codes = new Codes();
  codes.read(before);
  codes.read(after);
  const comparison = new Comparison(codes, before.statements);
  comparison.match(before.statements, after.statements);
  comparison.matchMoved(before.statements, after.statements);
  const removed = [...comparison.removedOf(before.statements)];
  return { current: after.statements, statements: comparison.statements, removed };
}

/**
 * Statements by their code, as numbers that are equal for statements of the same code, however it is laid out. The key of a statement is
 * its own code with the numbers of the statements in it: the code of a deeply nested one is read once.
 */
class Codes {
  readonly #known = new Map<string, number>();
  readonly #codes = new Map<Statement, number>();

  read({ text, statements }: StatementVersion): void {
    // Inner statements come before outer ones.
    for (const statement of everyStatement(statements).reverse()) {
      const key = this.#keyOf(text, statement);
      const code = this.#known.get(key) ?? this.#known.size;
      this.#known.set(key, code);
      this.#codes.set(statement, code);
    }
  }

  of(statement: Statement): number {
    return this.#codes.get(statement)!;
  }

  #keyOf(text: string, statement: Statement): string {
    const { start, end } = statement.span;
    const pieces: string[] = [];
    let read = start;
    for (const child of statementsIn(statement)) {
      pieces.push(withoutLayout(text.slice(read, child.span.start)), `${this.of(child)}`);
      read = Math.max(read, child.span.end);
    }
    return [...pieces, withoutLayout(text.slice(read, end))].join('\0');
  }
}

/** Literals, which stay as they are, and runs of what is no code. */
const LAYOUT =
  /"""[\s\S]*?(?<!\\)"""|"(?:\\.|[^"\\\n\r])*"|'(?:\\.|[^'\\\n\r])*'|(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n\r]*)+/g;
const WORD = /[\w$\u0080-\uffff]/;
const SIGN = /[-+<>&|=!:*/.]/;

/** A text without comments, and with no more spaces than part words and signs. */
function withoutLayout(text: string): string {
  return text.replace(LAYOUT, (match, offset: number) => {
    if (match.startsWith('"') || match.startsWith("'")) return match;
    const [before, after] = [text[offset - 1] ?? '', text[offset + match.length] ?? ''];
    const parts = (kind: RegExp) => kind.test(before) && kind.test(after);
    return parts(WORD) || parts(SIGN) ? ' ' : '';
  });
}

/** Equal for statements of one kind: calls of the same name with as many arguments, loops and branches of the same form. */
function kindOf({ form, call }: Statement): string {
  return call === null ? form : `${form} ${call.name} ${call.argumentCount}`;
}

class Comparison {
  readonly statements = new Map<Statement, ComparedStatement>();
  readonly #codes: Codes;
  readonly #taken = new Set<Statement>();
  /** Statements of the earlier text that were taken, and all statements around them. */
  readonly #opened = new Set<Statement>();
  readonly #around: ReadonlyMap<Statement, Statement>;

  constructor(codes: Codes, before: readonly Statement[]) {
    this.#codes = codes;
    const around = new Map<Statement, Statement>();
    for (const statement of everyStatement(before))
      for (const child of statementsIn(statement)) around.set(child, statement);
    this.#around = around;
  }

  /** Matches the statements of one part. */
  match(before: readonly Statement[], after: readonly Statement[]): void {
    const pending: (readonly [readonly Statement[], readonly Statement[]])[] = [[before, after]];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [olds, news] = next;
      this.#matchBy(olds, news, true);
      for (const [one, other] of this.#matchBy(olds, news, false)) {
        for (const part of partPairs(one, other)) pending.push(part);
      }
    }
  }

  /**
   * Matches in order what is not matched yet.
   * @returns the pairs that were made
   */
  #matchBy(olds: readonly Statement[], news: readonly Statement[], byCode: boolean): [Statement, Statement][] {
    if (olds.every(old => this.#taken.has(old))) return [];
    const places = new Map<string | number, number[]>();
    for (const [place, old] of olds.entries()) {
      if (this.#taken.has(old)) continue;
      const key = byCode ? this.#codes.of(old) : kindOf(old);
      const list = places.get(key);
      if (list === undefined) places.set(key, [place]);
      else list.push(place);
    }
    for (const list of places.values()) list.reverse();
    const candidates: { readonly statement: Statement; readonly place: number }[] = [];
    for (const statement of news) {
      if (this.statements.has(statement)) continue;
      const place = places.get(byCode ? this.#codes.of(statement) : kindOf(statement))?.pop();
      // A statement with the same code elsewhere has moved.
      if (place !== undefined && (byCode || !this.#isSame(olds[place]!, statement)))
        candidates.push({ statement, place });
    }
    const kept = longestAscending(candidates.map(({ place }) => place));
    const pairs: [Statement, Statement][] = [];
    candidates.forEach(({ statement, place }, i) => {
      if (!kept.has(i)) return;
      const old = olds[place]!;
      pairs.push([old, statement]);
      if (byCode) this.#keepWhole(old, statement, 'unchanged');
      else this.#keep(old, statement, 'changed');
    });
    return pairs;
  }

  #isSame(before: Statement, after: Statement): boolean {
    return this.#codes.of(before) === this.#codes.of(after);
  }

  #keep(before: Statement, after: Statement, state: StatementState): void {
    this.#taken.add(before);
    for (let at: Statement | undefined = before; at !== undefined && !this.#opened.has(at); at = this.#around.get(at))
      this.#opened.add(at);
    this.statements.set(after, { state, before });
  }

  /** Keeps a statement and all statements in it: in equal code they are equal one by one. */
  #keepWhole(before: Statement, after: Statement, state: StatementState): void {
    const olds = everyStatement([before]);
    for (const [i, statement] of everyStatement([after]).entries()) this.#keep(olds[i]!, statement, state);
  }

  /** Finds the statements that are at another place now; the others are new. */
  matchMoved(before: readonly Statement[], after: readonly Statement[]): void {
    const left = new Map<number, Statement[]>();
    for (const old of everyStatement(before)) {
      if (this.#taken.has(old)) continue;
      const code = this.#codes.of(old);
      const list = left.get(code);
      if (list === undefined) left.set(code, [old]);
      else list.push(old);
    }
    for (const list of left.values()) list.reverse();
    for (const statement of everyStatement(after)) {
      if (this.statements.has(statement)) continue;
      const old = this.#wholeOf(left.get(this.#codes.of(statement)) ?? []);
      if (old === null) this.statements.set(statement, { state: 'new', before: null });
      else this.#keepWhole(old, statement, 'moved');
    }
  }

  /** The last statement in which nothing was taken; statements behind it leave the list, since they stay opened. */
  #wholeOf(list: Statement[]): Statement | null {
    for (let old = list.pop(); old !== undefined; old = list.pop()) if (!this.#opened.has(old)) return old;
    return null;
  }

  *removedOf(before: readonly Statement[]): Generator<Statement> {
    const pending = [...before].reverse();
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const isTaken = this.#taken.has(next);
      if (!isTaken) yield next;
      // A part of a removed statement may be elsewhere now, and a part of that one gone.
      for (const child of statementsIn(next).reverse()) if (isTaken || this.#taken.has(child)) pending.push(child);
    }
  }
}

/** Parts of the same role, in their order. */
function partPairs(before: Statement, after: Statement): (readonly [readonly Statement[], readonly Statement[]])[] {
  const olds = Map.groupBy(before.parts, ({ role }) => role);
  const seen = new Map<PartRole, number>();
  return after.parts.flatMap(({ role, statements }) => {
    const skip = seen.get(role) ?? 0;
    seen.set(role, skip + 1);
    const old = olds.get(role)?.[skip];
    return old === undefined ? [] : [[old.statements, statements] as const];
  });
}
