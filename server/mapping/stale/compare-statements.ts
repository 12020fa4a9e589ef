// What became of the loops, branches, calls and lambdas of a declaration: which are as they were, and which are new.
import type { PartRole, Statement } from '../../../grammar/statement.ts';
import { longestAscending } from './longest-ascending.ts';

/**
 * `unchanged` has its code, at its place among the statements of what it stands in; `moved` has its code at another place; `changed` is
 * there with other code, its own or of what stands in it; `new` was not there.
 */
type StatementState = 'unchanged' | 'moved' | 'changed' | 'new';

/** A statement of the current text, and what it was in the text before; null for a new one. */
type ComparedStatement = { readonly state: StatementState; readonly before: Statement | null };

export type StatementComparison = {
  /** Those of the current text. */
  readonly current: readonly Statement[];
  /** By statement of the current text, at any depth. */
  readonly statements: ReadonlyMap<Statement, ComparedStatement>;
  /** Statements of the text before that are nowhere in the current one, without those in them, in source order. */
  readonly removed: readonly Statement[];
};

/** One version of a declaration's code: what `statementsOf` found in a text. */
export type StatementVersion = { readonly text: string; readonly statements: readonly Statement[] };

/**
 * Compares the code of one declaration in two versions. Layout and comments do not count. Statements that
 * stand in the same part of the same statement are compared first, then those whose code is found at another place.
 */
export function compareStatements(before: StatementVersion, after: StatementVersion): StatementComparison {
  const comparison = new Comparison(new Code(before.text), new Code(after.text));
  comparison.match(before.statements, after.statements);
  comparison.matchMoved(before.statements, after.statements);
  const removed = [...comparison.removedOf(before.statements)];
  return { current: after.statements, statements: comparison.statements, removed };
}

/** The statements of one text as keys. */
class Code {
  readonly #text: string;
  readonly #keys = new Map<Statement, string>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Equal for statements of the same code, however it is laid out. */
  of(statement: Statement): string {
    let key = this.#keys.get(statement);
    if (key === undefined) {
      key = withoutLayout(this.#text.slice(statement.span.start, statement.span.end));
      this.#keys.set(statement, key);
    }
    return key;
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
  readonly #before: Code;
  readonly #after: Code;
  readonly #taken = new Set<Statement>();

  constructor(before: Code, after: Code) {
    this.#before = before;
    this.#after = after;
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
    const places = new Map<string, number[]>();
    for (const [place, old] of olds.entries()) {
      if (this.#taken.has(old)) continue;
      const key = byCode ? this.#before.of(old) : kindOf(old);
      const list = places.get(key);
      if (list === undefined) places.set(key, [place]);
      else list.push(place);
    }
    for (const list of places.values()) list.reverse();
    const candidates: { readonly statement: Statement; readonly place: number }[] = [];
    for (const statement of news) {
      if (this.statements.has(statement)) continue;
      const place = places.get(byCode ? this.#after.of(statement) : kindOf(statement))?.pop();
      // What has the same code elsewhere has moved.
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
    return this.#before.of(before) === this.#after.of(after);
  }

  #keep(before: Statement, after: Statement, state: StatementState): void {
    this.#taken.add(before);
    this.statements.set(after, { state, before });
  }

  /** Keeps a statement and all in it: of equal code, what stands in it is equal one by one. */
  #keepWhole(before: Statement, after: Statement, state: StatementState): void {
    const olds = [...everyOf([before])];
    for (const [i, statement] of [...everyOf([after])].entries()) this.#keep(olds[i]!, statement, state);
  }

  /** Finds what stands at another place now; what is left then is new. */
  matchMoved(before: readonly Statement[], after: readonly Statement[]): void {
    const left = new Map<string, Statement[]>();
    for (const old of everyOf(before)) {
      if (this.#taken.has(old)) continue;
      const key = this.#before.of(old);
      const list = left.get(key);
      if (list === undefined) left.set(key, [old]);
      else list.push(old);
    }
    for (const statement of everyOf(after)) {
      if (this.statements.has(statement)) continue;
      const old = left
        .get(this.#after.of(statement))
        ?.find(each => [...everyOf([each])].every(one => !this.#taken.has(one)));
      if (old === undefined) this.statements.set(statement, { state: 'new', before: null });
      else this.#keepWhole(old, statement, 'moved');
    }
  }

  *removedOf(before: readonly Statement[]): Generator<Statement> {
    const pending = [...before].reverse();
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (this.#taken.has(next)) pending.push(...childrenOf(next).reverse());
      else {
        yield next;
        // Something in it may be elsewhere now, and something else in that gone.
        pending.push(
          ...childrenOf(next)
            .filter(child => this.#taken.has(child))
            .reverse(),
        );
      }
    }
  }
}

function childrenOf({ parts }: Statement): Statement[] {
  return parts.flatMap(({ statements }) => statements);
}

/** The statements and all in them, each before those in it. */
function* everyOf(statements: readonly Statement[]): Generator<Statement> {
  const pending = [...statements].reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    yield next;
    pending.push(...childrenOf(next).reverse());
  }
}

/** Parts of the same role, in their order. */
function partPairs(before: Statement, after: Statement): (readonly [readonly Statement[], readonly Statement[]])[] {
  const seen = new Map<PartRole, number>();
  return after.parts.flatMap(({ role, statements }) => {
    const skip = seen.get(role) ?? 0;
    seen.set(role, skip + 1);
    const old = before.parts.filter(part => part.role === role)[skip];
    return old === undefined ? [] : [[old.statements, statements] as const];
  });
}
