// The calls of a method with the places in which they stand, and what decides how often these run.
import type { Span } from '../../../grammar/outline.ts';
import type { Statement, StatementPart } from '../../../grammar/statement.ts';
import { type Exits, endsAlways, exitOf, exitsOf, LOOPS } from './exits.ts';
import { Expressions, type FileNames, type Numbered } from './expressions.ts';
import { LambdaRuns } from './lambda-runs.ts';
import type { MethodCode } from './method-code.ts';
import { eachText, headerSpan, headerText, type Place, type Places, Surroundings } from './places.ts';

/** A loop of the text around a call. */
export type LoopOfText = {
  readonly place: Place;
  readonly start: number;
  readonly headerEnd: number;
  /** By which an assumption names it. */
  readonly header: string;
};

export type PlacedCall = {
  readonly statement: Statement;
  readonly place: Place;
  /** Loops of the method's text, outermost first. */
  readonly loops: readonly LoopOfText[];
  /** Whether another method than the one around it was recorded as its caller. */
  readonly isInLambda: boolean;
};

/** The tools that a version of a method is read with. */
export type Reading = {
  readonly places: Places;
  readonly numbers: Numbered;
  readonly names: FileNames;
};

/** Parts of a loop that run each time. */
const EACH_TIME: ReadonlySet<StatementPart['role']> = new Set(['condition', 'update', 'body']);

/** The place that statements stand at. */
type Standing = Pick<PlacedCall, 'place' | 'loops' | 'isInLambda'>;

type List = Standing & { readonly statements: readonly Statement[] };

/** One version of a method: its calls with their places. */
export class Flow {
  readonly code: MethodCode;
  readonly expressions: Expressions;
  readonly calls: readonly PlacedCall[];
  readonly #surroundings: Surroundings;
  readonly #exits: ReadonlyMap<Statement, Exits>;
  readonly #lambdas: LambdaRuns;

  /** @param entry where the method is called, for one that is taken into another */
  constructor(
    code: MethodCode,
    { places, numbers, names }: Reading,
    entry: Place = places.root,
    given: readonly string[] = [],
  ) {
    this.code = code;
    this.expressions = new Expressions(code, names, given, numbers);
    this.#surroundings = new Surroundings(places, this.expressions, code.text);
    this.#lambdas = new LambdaRuns(code.text, code.statements);
    this.#exits = exitsOf(code, statement => this.#exitKey(statement), numbers);
    this.calls = this.#walk(entry);
  }

  /** Whether all that a call costs is the code that it is given. */
  isRunner(call: Statement): boolean {
    return this.#lambdas.isRunner(call);
  }

  #walk(entry: Place): PlacedCall[] {
    const found: PlacedCall[] = [];
    const pending: List[] = [{ statements: this.code.statements, place: entry, loops: [], isInLambda: false }];
    for (let list = pending.pop(); list !== undefined; list = pending.pop()) {
      let { place } = list;
      const { loops, isInLambda } = list;
      for (const [at, statement] of list.statements.entries()) {
        const standing = { place, loops, isInLambda };
        if (statement.form === 'methodReference') found.push({ statement, ...this.#inLambda(statement, standing) });
        else if (statement.call !== null) found.push({ statement, ...standing });
        for (const inner of this.#listsIn(statement, standing)) if (inner.statements.length > 0) pending.push(inner);
        const isLast = at === list.statements.length - 1;
        if (!isLast && exitOf(this.#exits, statement).leaves !== '') place = this.#behind(statement, place);
      }
    }
    return found.sort((a, b) => orderOf(a) - orderOf(b));
  }

  /** The lists of statements in a statement, each with its place. */
  #listsIn(statement: Statement, standing: Standing): List[] {
    const { form, parts } = statement;
    if (LOOPS.has(form)) return this.#listsOfLoop(statement, standing);
    if (form === 'switch') return this.#listsOfSwitch(statement, standing);
    if (form === 'lambda') {
      const inside = this.#inLambda(statement, standing);
      return parts.map(({ statements }) => ({ statements, ...inside }));
    }
    const condition = parts.find(({ role }) => role === 'condition');
    return parts.map((part, i) => {
      const place = this.#placeOf({ statement, part, at: i }, standing.place, condition);
      return { ...standing, statements: part.statements, place };
    });
  }

  /** The place of code that is given to a call. */
  #inLambda(code: Statement, { place, loops }: Standing): Standing {
    const run = this.#lambdas.of(code);
    const inside = this.#surroundings.lambda(place, run);
    if (run.kind !== 'each') return { place: inside, loops, isInLambda: true };
    const { nameSpan, openParenthesis } = run.call.call!;
    const header = eachText(this.code.text, run.call);
    const loop = { place: inside, start: nameSpan.start, headerEnd: openParenthesis, header };
    return { place: inside, loops: [...loops, loop], isInLambda: true };
  }

  #placeOf(
    { statement, part, at }: { readonly statement: Statement; readonly part: StatementPart; readonly at: number },
    place: Place,
    condition: StatementPart | undefined,
  ): Place {
    const { form, span } = statement;
    const { role } = part;
    if (form === 'shortCircuit') return role === 'condition' ? place : this.#surroundings.behind(place, statement, at);
    if (role === 'catch') return this.#surroundings.branch(place, `catch ${this.#catchKey(statement, part)}`);
    if ((role === 'then' || role === 'else') && condition !== undefined)
      return this.#surroundings.when(place, condition, role === 'then');
    return role === 'then' || role === 'else' ? this.#surroundings.branch(place, `broken ${span.start}`) : place;
  }

  #listsOfLoop(statement: Statement, standing: Standing): List[] {
    const { place, loops } = standing;
    const inside = this.#surroundings.loop(place, statement, exitOf(this.#exits, statement).ends);
    const { start, end } = headerSpan(this.code.text, statement);
    const more = [...loops, { place: inside, start, headerEnd: end, header: headerText(this.code.text, statement) }];
    return statement.parts.map(({ role, statements }) =>
      EACH_TIME.has(role) ? { ...standing, statements, place: inside, loops: more } : { ...standing, statements },
    );
  }

  #listsOfSwitch({ parts }: Statement, standing: Standing): List[] {
    const selector = parts.find(({ role }) => role === 'selector');
    const value = selector === undefined ? '' : this.expressions.keyOf(selector.span);
    let before = '';
    return parts.map(part => {
      const { role, statements } = part;
      if (role !== 'case') return { ...standing, statements };
      const { label, falls } = this.#labelOf(part);
      const labels = `${before}${label}`;
      before = falls && !endsAlways(this.#exits, part) ? `${labels},` : '';
      const place = this.#surroundings.branch(standing.place, `switch ${value} ${labels}`);
      return { ...standing, statements, place };
    });
  }

  /** Code of a case with a colon goes on in the next one where nothing ends it. */
  #labelOf({ span }: StatementPart): { readonly label: string; readonly falls: boolean } {
    const words = this.expressions.wordsIn(span);
    const at = words.findIndex(({ image }) => image === ':' || image === '->');
    const end = words[at]?.start ?? span.end;
    return { label: this.expressions.keyOf({ start: span.start, end }), falls: words[at]?.image === ':' };
  }

  /** A key of the caught types, and of the earlier code that throws, with its conditions. */
  #catchKey(statement: Statement, part: StatementPart): string {
    const words = this.expressions.wordsIn(part.span);
    const open = words.findIndex(({ image }) => image === '{');
    const types = words.slice(0, open).map(({ image }) => image);
    const body = statement.parts.find(({ role }) => role === 'body');
    const thrown = body?.statements.map(each => exitOf(this.#exits, each).leaves).filter(key => key !== '') ?? [];
    // The name of the variable is the last word before the bracket.
    return `${types.slice(0, -2).join(' ')} ${thrown.join()}`;
  }

  /** Where the statements behind one stand that may leave the code around them. */
  #behind(statement: Statement, place: Place): Place {
    let [at, behind] = [statement, place];
    for (;;) {
      const of = (role: StatementPart['role']) => at.parts.find(part => part.role === role);
      const [condition, then, otherwise] = [of('condition'), of('then'), of('else')];
      if (at.form !== 'if' || condition === undefined) break;
      if (endsAlways(this.#exits, then)) {
        behind = this.#surroundings.when(behind, condition, false);
        const left = otherwise?.statements.filter(each => exitOf(this.#exits, each).leaves !== '') ?? [];
        if (left.length === 0) return behind;
        if (left.length > 1) break;
        at = left[0]!;
      } else if (
        endsAlways(this.#exits, otherwise) &&
        then?.statements.every(each => exitOf(this.#exits, each).leaves === '')
      )
        return this.#surroundings.when(behind, condition, true);
      else break;
    }
    return this.#surroundings.branch(behind, `unless ${exitOf(this.#exits, at).leaves}`);
  }

  #exitKey({ form, parts, span }: Statement): string {
    const condition = parts.find(({ role }) => role === 'condition' || role === 'selector' || role === 'iterable');
    if (condition !== undefined) return this.expressions.keyOf(condition.span);
    return form === 'try' || form === 'lambda' ? '' : this.expressions.keyOf(firstWord(span));
  }
}

function firstWord({ start }: Span): Span {
  return { start, end: start + 1 };
}

function orderOf({ statement: { call, span } }: PlacedCall): number {
  return call?.nameSpan.start ?? span.start;
}
