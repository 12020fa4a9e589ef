// Where code stands in a method: the loops, branches and exits that decide how often it runs, equal in both versions where they are the same.
import type { Span } from '../../../grammar/outline.ts';
import type { Statement, StatementPart } from '../../../grammar/statement.ts';
import type { Expressions } from './expressions.ts';
import type { LambdaRun } from './lambda-runs.ts';
import { type LoopLength, lengthOf, lengthOfSource } from './loop-length.ts';

/** The innermost loop, branch or exit around a place. */
type Around =
  | {
      readonly kind: 'loop';
      /** By which an assumption names it. */
      readonly header: string;
      readonly length: LoopLength | null;
      /** Whether `break`, `return` or `throw` may end the loop, or not all elements of a stream come. */
      readonly hasExits: boolean;
      /** Whether the loop may not run at all though there are elements. */
      readonly mayBeNone: boolean;
      /** Key of the same loop without its exits. */
      readonly bare: string;
    }
  /** `opposite` is the key of what runs where this does not. */
  | { readonly kind: 'branch'; readonly opposite: string | null }
  /** Code in a lambda. */
  | { readonly kind: 'lambda'; readonly runs: 'never' | 'elsewhere' | 'unknown' };

export type Place = {
  readonly id: number;
  readonly outer: Place | null;
  /** null for the method itself. */
  readonly around: Around | null;
  readonly key: string;
  /** Loops around it. */
  readonly loops: number;
};

/** Gives the same place for the same keys in the same order. */
export class Places {
  readonly #known = new Map<string, Place>();
  readonly root: Place = { id: 0, outer: null, around: null, key: '', loops: 0 };

  inside(outer: Place, key: string, around: Around): Place {
    const known = this.#known.get(`${outer.id} ${key}`);
    if (known !== undefined) return known;
    const loops = outer.loops + (around.kind === 'loop' ? 1 : 0);
    const place = { id: this.#known.size + 1, outer, around, key, loops };
    this.#known.set(`${outer.id} ${key}`, place);
    return place;
  }

  /** The place with another key in the same surroundings, where any code stands there. */
  beside({ outer }: Place, key: string): Place | null {
    return outer === null ? null : (this.#known.get(`${outer.id} ${key}`) ?? null);
  }

  all(): Place[] {
    return [this.root, ...this.#known.values()];
  }
}

/** Which operands of a condition decide, and by which sign they are joined. */
type Operands = { readonly spans: readonly Span[]; readonly sign: '&&' | '||' | null };

/** Places of one version of a method. */
export class Surroundings {
  readonly #places: Places;
  readonly #expressions: Expressions;
  readonly #text: string;

  constructor(places: Places, expressions: Expressions, text: string) {
    this.#places = places;
    this.#expressions = expressions;
    this.#text = text;
  }

  /** @param exit tells the exits of the loop apart; empty without any */
  loop(outer: Place, statement: Statement, exit: string): Place {
    const bare = `loop ${this.#headerKey(statement)}`;
    const header = headerText(this.#text, statement);
    const length = lengthOf(statement, this.#expressions);
    const around: Around = { kind: 'loop', header, length, hasExits: exit !== '', mayBeNone: false, bare };
    return this.#places.inside(outer, `${bare} ${exit}`, around);
  }

  /** The place of code that runs where a condition holds, or where it does not. */
  when(outer: Place, condition: StatementPart, holds: boolean): Place {
    const { spans, sign } = operandsOf(condition, this.#text);
    // `a && b` holds where both do, and `a || b` does not hold where both do not.
    if (sign === (holds ? '&&' : '||')) return spans.reduce((place, span) => this.#one(place, span, holds), outer);
    return this.#one(outer, condition.span, holds);
  }

  /** The place of code behind the first operands of an expression. */
  behind(outer: Place, statement: Statement, count: number): Place {
    const { spans, sign } = operandsOf({ ...statement.parts[0]!, statements: [statement] }, this.#text);
    const before = spans.slice(0, count);
    if (sign !== null) return before.reduce((place, span) => this.#one(place, span, sign === '&&'), outer);
    const span = { start: before[0]!.start, end: before.at(-1)!.end };
    return this.branch(outer, `behind ${this.#expressions.keyOf(span)}`);
  }

  branch(outer: Place, key: string): Place {
    return this.#places.inside(outer, key, { kind: 'branch', opposite: null });
  }

  /** The place of code that is given to a call: a loop over the elements where it runs for `each` of them, else a lambda or a branch. */
  lambda(outer: Place, run: LambdaRun): Place {
    if (run.kind === 'maybe') return this.branch(outer, 'maybe');
    if (run.kind !== 'each')
      return this.#places.inside(outer, `lambda ${run.kind}`, { kind: 'lambda', runs: run.kind });
    const bare = `loop each ${this.#expressions.keyOf(run.source.span)}`;
    const exit = run.reach === 'all' ? '' : run.reach;
    const length = lengthOfSource(run.source, this.#expressions);
    const around: Around = {
      ...{ kind: 'loop', header: eachText(this.#text, run.call), length, bare },
      ...{ hasExits: exit !== '', mayBeNone: run.reach === 'some' },
    };
    return this.#places.inside(outer, `${bare} ${exit}`, around);
  }

  #one(outer: Place, span: Span, holds: boolean): Place {
    const { key, isNegated } = positive(this.#expressions.keyOf(span));
    const [own, opposite] = [holds !== isNegated, holds === isNegated];
    return this.#places.inside(outer, `if ${key} ${own}`, { kind: 'branch', opposite: `if ${key} ${opposite}` });
  }

  /** For loops that run equally often: the variables have what they are assigned, also what the body assigns. */
  #headerKey({ form, parts }: Statement): string {
    const of = (role: StatementPart['role']) => {
      const part = parts.find(each => each.role === role);
      return part === undefined ? '' : this.#expressions.keyOf(part.span);
    };
    if (form === 'forEach') return `each ${of('iterable')}`;
    return `${form === 'do' ? 'do' : ''} ${of('condition')};${of('update')}`;
  }
}

/** `words.forEach(…)` without needless spaces, by which an assumption names what runs for each element. */
export function eachText(text: string, { span, call }: Statement): string {
  return `${text.slice(span.start, call!.openParenthesis).replaceAll(/\s+/g, ' ')}(…)`;
}

/** The header without needless spaces. */
export function headerText(text: string, { span, parts, form }: Statement): string {
  const { start, end } = headerSpan(text, { span, parts, form });
  const condition = parts.find(({ role }) => role === 'condition')?.span;
  if (form !== 'do' || condition === undefined) return text.slice(start, end).replaceAll(/\s+/g, ' ');
  return `do while (${text.slice(condition.start, condition.end)})`.replaceAll(/\s+/g, ' ');
}

/** From the first word of a loop to the end of its header. */
export function headerSpan(text: string, { span, parts, form }: Pick<Statement, 'span' | 'parts' | 'form'>): Span {
  if (form === 'do') return { start: span.start, end: span.start + 'do'.length };
  const body = parts.find(({ role }) => role === 'body')?.span.start ?? span.end;
  return { start: span.start, end: span.start + text.slice(span.start, body).trimEnd().length };
}

/** Operands that `&&` alone or `||` alone joins; the condition as a whole where both do. */
function operandsOf({ span, statements }: StatementPart, text: string): Operands {
  const whole = statements.find(({ form }) => form === 'shortCircuit');
  if (whole === undefined || whole.span.start !== span.start) return { spans: [span], sign: null };
  const spans = whole.parts.map(part => part.span);
  const signs = new Set(spans.slice(1).map(({ start }, i) => text.slice(spans[i]!.end, start).match(/&&|\|\|/)?.[0]));
  const [sign] = signs;
  return { spans, sign: signs.size === 1 && (sign === '&&' || sign === '||') ? sign : null };
}

/** Conditions that hold where others do not, with these others. */
const NEGATED: readonly (readonly [sign: string, positive: string])[] = [
  ['!=', '=='],
  ['>=', '<'],
  ['<=', '>'],
];

/** A condition without its negation: `a != b` is `a == b`, negated. */
function positive(key: string): { readonly key: string; readonly isNegated: boolean } {
  if (/^!(?:[\w$.#@]|\([^()]*\))+$/.test(key)) return { key: key.slice(1), isNegated: true };
  // Only one comparison, and nothing that may be one of generic types.
  const signs = key.match(/==|!=|<=|>=|&&|\|\||[<>?]/g) ?? [];
  const found = signs.length === 1 ? NEGATED.find(([sign]) => sign === signs[0]) : undefined;
  return found === undefined ? { key, isNegated: false } : { key: key.replace(found[0], found[1]), isNegated: true };
}
