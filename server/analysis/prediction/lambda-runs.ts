// How often the code of a lambda, or what a method reference names, runs: told by the call to which it is given.
import type { Span } from '../../../grammar/outline.ts';
import type { Statement } from '../../../grammar/statement.ts';
import { everyStatement } from '../../../grammar/statements.ts';

/** How a call runs code that it is given. */
export type LambdaRun =
  | {
      /** The code runs once for each element. */
      readonly kind: 'each';
      /** The source of the elements. */
      readonly source: Source;
      /** How many elements reach the code: `some` may be none, `first` are one at least. */
      readonly reach: 'all' | 'first' | 'some';
      /** The call. */
      readonly call: Statement;
    }
  /** `maybe`: the code runs once or not at all. `never`: nothing asks for the elements of the stream. */
  | { readonly kind: 'maybe' | 'never' | 'elsewhere' | 'unknown' };

/** `span`: an expression with the elements. `numbers`: from the first to the second number, which is an element only where `isClosed`. */
export type Source =
  | { readonly kind: 'elements'; readonly span: Span }
  | { readonly kind: 'arguments'; readonly span: Span; readonly count: number }
  | { readonly kind: 'numbers'; readonly span: Span; readonly ends: readonly [Span, Span]; readonly isClosed: boolean };

/** Calls that make a stream of what they are called on. */
const STREAMS = new Set(['stream', 'lines', 'chars', 'codePoints']);
/** Operations of a stream that take each element that reaches them. */
const TAKING = new Set(
  ['map', 'mapToObj', 'mapToInt', 'mapToLong', 'mapToDouble', 'filter', 'peek', 'flatMap', 'mapMulti'].concat([
    'forEach',
    'forEachOrdered',
    'anyMatch',
    'allMatch',
    'noneMatch',
    'takeWhile',
    'dropWhile',
  ]),
);
/** Operations behind which fewer elements may be left. */
const FEWER = new Set(['filter', 'limit', 'skip', 'takeWhile', 'dropWhile', 'distinct']);
/** Operations that may end before all elements were taken; `count` may take none. */
const SHORT = new Set(['limit', 'takeWhile', 'findFirst', 'findAny', 'anyMatch', 'allMatch', 'noneMatch']);
/** Operations behind which any number of elements may come. */
const MORE = new Set(['flatMap', 'mapMulti', 'flatMapToInt', 'flatMapToObj']);
const PARALLEL = new Set(['parallel', 'parallelStream']);
const TERMINAL = new Set(
  ['forEach', 'forEachOrdered', 'collect', 'toList', 'toArray', 'reduce', 'count', 'sum', 'min', 'max'].concat([
    'average',
    'summaryStatistics',
    'anyMatch',
    'allMatch',
    'noneMatch',
    'findFirst',
    'findAny',
  ]),
);
/** Terminal operations that give what the stream found, or nothing. */
const FINDING = new Set(['findFirst', 'findAny', 'min', 'max', 'reduce']);
/** Operations of an optional value that run what they are given once, or not at all. */
const OF_OPTIONALS = new Set(['map', 'filter', 'flatMap', 'or']);
/** Calls of collections that run what they are given once for each element. */
const OF_COLLECTIONS = new Set(['forEach', 'removeIf', 'replaceAll']);
/** Calls that run what they are given once, or not at all. */
const MAYBE = new Set(
  ['computeIfAbsent', 'computeIfPresent', 'compute', 'merge', 'ifPresent', 'ifPresentOrElse'].concat([
    'orElseGet',
    'orElseThrow',
    'requireNonNullElseGet',
  ]),
);
/** Calls that hand what they are given to another thread, or may. */
const ELSEWHERE = new Set(
  ['supplyAsync', 'runAsync', 'submit', 'execute', 'schedule', 'scheduleAtFixedRate', 'invokeAll', 'invokeAny'].concat([
    'scheduleWithFixedDelay',
    'startVirtualThread',
    'Thread',
    'thenApplyAsync',
    'thenAcceptAsync',
    'thenRunAsync',
  ]),
);

/** The calls of one version of a method that are given code. */
export class LambdaRuns {
  readonly #text: string;
  /** The call whose argument a lambda or method reference is. */
  readonly #takers = new Map<Statement, Statement>();
  /** By call, the next call in the chain, which is called on its result. */
  readonly #next = new Map<Statement, Statement>();
  /** By call, the call before it in the chain, on whose result it is called. */
  readonly #before = new Map<Statement, Statement>();

  constructor(text: string, statements: readonly Statement[]) {
    this.#text = text;
    for (const call of everyStatement(statements)) {
      if (call.call === null) continue;
      for (const { role, span, statements: inner } of call.parts)
        for (const each of inner) {
          if (each.span.start !== span.start || each.span.end !== span.end) continue;
          if (role === 'argument' && isCode(each)) this.#takers.set(each, call);
          if (role === 'receiver' && each.call !== null) {
            this.#next.set(each, call);
            this.#before.set(call, each);
          }
        }
    }
  }

  /** @param code a lambda or a method reference */
  of(code: Statement): LambdaRun {
    const call = this.#takers.get(code);
    if (call?.call == null) return UNKNOWN;
    const { name, argumentCount } = call.call;
    const chain = this.#chainOf(call);
    if (ELSEWHERE.has(name) || chain.some(each => PARALLEL.has(each.call!.name))) return { kind: 'elsewhere' };
    const at = chain.indexOf(call);
    const first = chain.findLastIndex((each, i) => i < at && sourceOf(each) !== null);
    const isFound = chain.slice(Math.max(0, first), at).some(each => FINDING.has(each.call!.name));
    if (first >= 0 && isFound) return MAYBE.has(name) || OF_OPTIONALS.has(name) ? { kind: 'maybe' } : UNKNOWN;
    if (first >= 0) return TAKING.has(name) ? this.#inStream(chain, first, at) : UNKNOWN;
    const receiver = call.parts.find(({ role }) => role === 'receiver');
    if (OF_COLLECTIONS.has(name) && receiver !== undefined && chain.length === 1)
      return { kind: 'each', source: { kind: 'elements', span: receiver.span }, reach: 'all', call };
    // A cache is asked for a key, and loads what it lacks.
    if (MAYBE.has(name) || (name === 'get' && argumentCount === 2)) return { kind: 'maybe' };
    return UNKNOWN;
  }

  /** Whether all that a call costs is the code that it is given, which runs in it. */
  isRunner({ parts }: Statement): boolean {
    const given = parts.flatMap(({ role, statements }) => (role === 'argument' ? statements : []));
    return given.some(each => isCode(each) && !['unknown', 'elsewhere'].includes(this.of(each).kind));
  }

  #inStream(chain: readonly Statement[], first: number, at: number): LambdaRun {
    const names = chain.map(each => each.call!.name);
    const above = names.slice(first + 1, at);
    if (above.some(name => MORE.has(name))) return UNKNOWN;
    if (!names.slice(at).some(name => TERMINAL.has(name))) return this.#isDropped(chain) ? { kind: 'never' } : UNKNOWN;
    const isFewer = above.some(name => FEWER.has(name)) || names.slice(at).includes('count');
    const reach = isFewer ? 'some' : names.slice(at).some(name => SHORT.has(name)) ? 'first' : 'all';
    return { kind: 'each', source: sourceOf(chain[first]!)!, reach, call: chain[at]! };
  }

  /** Whether nothing in the method goes on with the stream: it is returned, or stands alone. */
  #isDropped(chain: readonly Statement[]): boolean {
    const { start } = chain[0]!.span;
    return /(?:[;{}]|\breturn)\s*$/.test(this.#text.slice(Math.max(0, start - MOST_SPACE), start));
  }

  /** The calls of a chain, the innermost first. */
  #chainOf(call: Statement): Statement[] {
    const chain = [call];
    for (let at = this.#before.get(call); at !== undefined; at = this.#before.get(at)) chain.unshift(at);
    for (let at = this.#next.get(call); at !== undefined; at = this.#next.get(at)) chain.push(at);
    return chain;
  }
}

const UNKNOWN: LambdaRun = { kind: 'unknown' };
/** At most so many characters between two statements are read. */
const MOST_SPACE = 200;

function isCode({ form }: Statement): boolean {
  return form === 'lambda' || form === 'methodReference';
}

/** The source that a call makes a stream of; null where it makes none, or the text does not tell its source. */
function sourceOf({ call, parts, span }: Statement): Source | null {
  const receiver = parts.find(({ role }) => role === 'receiver');
  const given = parts.filter(({ role }) => role === 'argument').map(part => part.span);
  const { name, argumentCount } = call!;
  const [one, two] = given;
  if ((name === 'range' || name === 'rangeClosed') && one !== undefined && two !== undefined && given.length === 2)
    return { kind: 'numbers', span, ends: [one, two], isClosed: name === 'rangeClosed' };
  if (receiver === undefined) return null;
  if (name === 'stream' && argumentCount === 1 && one !== undefined) return { kind: 'elements', span: one };
  if (name === 'of' && argumentCount > 1) return { kind: 'arguments', span, count: argumentCount };
  return STREAMS.has(name) && argumentCount === 0 ? { kind: 'elements', span: receiver.span } : null;
}
