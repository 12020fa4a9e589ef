// Works out which lambda of a class the compiler called `lambda$owner$N`, under both numbering rules of javac.
//
// Up to JDK 22 javac numbers lambdas when it leaves them (inner before outer) with one counter a class; later ones when it
// enters them (outer before inner) with one counter a (class, owner name). Some method references become lambdas and take a
// number too, and serializable lambdas take none; neither shows in the source for sure. So the places of a class in their
// order are aligned with the names that were observed, and the rule is chosen that explains more of them.
import type { Declaration } from '../../grammar/outline.ts';
import { parseDescriptor } from './descriptor.ts';
import type { Frame } from './frame.ts';
import type { LambdaRule } from './lambda-rule.ts';
import { countLines } from './observed-lines.ts';
import type { LambdaPlace, ReferencePlace, TypeIndex } from './outline-index.ts';

export type LambdaName = {
  /** Method name, `new`, `static`; `null` for lambdas inside lambdas (JDK 8); empty when the name has none (Eclipse). */
  readonly owner: string;
  readonly serializable: boolean;
  readonly number: number;
};

/** Splits `lambda$owner$N`, `lambda$owner$hash$N` and `lambda$N`; null for any other name. */
export function parseLambdaName(name: string, type: TypeIndex): LambdaName | null {
  if (!name.startsWith('lambda$')) return null;
  const match = /^lambda\$(?:(.*)\$)?(\d+)$/.exec(name);
  if (match === null) return null;
  // Fields of anonymous classes have their constructor's empty name.
  const owner = match[1] === '' ? 'new' : (match[1] ?? '');
  const number = Number(match[2]);
  const hashed = /^(.+)\$[0-9a-f]{1,8}$/.exec(owner);
  if (hashed !== null && !type.methodsByName.has(owner)) return { owner: hashed[1]!, serializable: true, number };
  return { owner, serializable: false, number };
}

export type Place = LambdaPlace | ReferencePlace;

/** The place that each observed name means, and how well the rule explains the names. */
export type Numbering = {
  readonly rule: LambdaRule;
  readonly score: number;
  readonly places: ReadonlyMap<string, Place>;
};

/**
 * Aligns the lambdas of a class with the names seen in it; `observed` may hold any frames of the class. Where both rules explain
 * them about as well, the `usual` one of the program decides, else that of the older compilers.
 */
export function numberLambdas(
  declarations: readonly Declaration[],
  type: TypeIndex,
  observed: readonly Frame[],
  usual: LambdaRule | null = null,
): Numbering {
  const names: Observed[] = [];
  const serializableOwners = new Set<string>();
  for (const frame of observed) {
    const name = parseLambdaName(frame.name, type);
    if (name === null || name.owner === '') continue;
    if (name.serializable) serializableOwners.add(name.owner);
    else names.push({ ...name, frame, parameters: parameterCount(frame) });
  }
  const context = { declarations, serializableOwners };
  const places: Place[] = [...type.lambdas, ...type.references];
  const perClass = alignPerClass(context, places, names);
  const perOwner = alignPerOwner(context, places, names);
  const favour = usual === 'perOwner' ? SCORE.usualRule : usual === 'perClass' ? -SCORE.usualRule : 0;
  return perOwner.score + favour > perClass.score ? perOwner : perClass;
}

type Observed = LambdaName & { readonly frame: Frame; readonly parameters: number };
type Context = { readonly declarations: readonly Declaration[]; readonly serializableOwners: ReadonlySet<string> };

function parameterCount(frame: Frame): number {
  const descriptor = frame.descriptor === null ? null : parseDescriptor(frame.descriptor);
  return descriptor === null ? -1 : descriptor.parameters.length;
}

function alignPerClass(context: Context, places: readonly Place[], names: readonly Observed[]): Numbering {
  const leaving = places.toSorted((a, b) => a.end - b.end || b.start - a.start);
  const result = new Map<string, Place>();
  return { rule: 'perClass', score: align(context, leaving, names, result), places: result };
}

function alignPerOwner(context: Context, places: readonly Place[], names: readonly Observed[]): Numbering {
  const entering = places.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const placesOf = Map.groupBy(entering, place => place.owner);
  const result = new Map<string, Place>();
  let score = 0;
  for (const [owner, group] of Map.groupBy(names, name => name.owner)) {
    score += align(context, placesOf.get(owner) ?? [], group, result);
  }
  return { rule: 'perOwner', score, places: result };
}

const SCORE = {
  fits: 2,
  lineFits: 4,
  lineMisses: -4,
  wrongOwner: -8,
  wrongParameters: -6,
  constructorReferenceCounts: -1,
  referenceCounts: -3,
  usualRule: 3,
  lambdaSkipped: -12,
  serializableSkipped: -1,
  unexplained: -8,
};

/** Above this many places the table would be too large for an answer while typing; then references are taken not to count. */
const PLACES_MAX = 600;

/**
 * Each place in its order takes the next number or none, so that the observed names fit best. Returns the best score and
 * enters the place of every observed name into `result`.
 */
function align(
  context: Context,
  ordered: readonly Place[],
  names: readonly Observed[],
  result: Map<string, Place>,
): number {
  const places = ordered.length > PLACES_MAX ? ordered.filter(isLambda) : ordered;
  const byNumber = Map.groupBy(names, name => name.number);
  const surelyAll = places.every(place => isLambda(place) && !context.serializableOwners.has(place.owner));
  if (surelyAll || places.length > PLACES_MAX) {
    let score = unexplained(byNumber, places.length);
    for (const [number, group] of byNumber) {
      score += fit(context, places[number], group);
      enter(result, group, places[number]);
    }
    return score;
  }
  const width = places.length + 1;
  const took = new Uint8Array(width * places.length);
  let best = new Float64Array(width).fill(Number.NEGATIVE_INFINITY);
  best[0] = 0;
  for (let i = 0; i < places.length; i++) {
    const place = places[i]!;
    const next = new Float64Array(width).fill(Number.NEGATIVE_INFINITY);
    const takeCost = taking(place);
    const skipCost = skipping(context, place);
    for (let n = 0; n <= i + 1; n++) {
      const skip = best[n]! + skipCost;
      const take =
        n === 0 ? Number.NEGATIVE_INFINITY : best[n - 1]! + takeCost + fit(context, place, byNumber.get(n - 1));
      next[n] = Math.max(skip, take);
      took[i * width + n] = take >= skip ? 1 : 0;
    }
    best = next;
  }
  const end = bestEnd(best, byNumber);
  for (let i = places.length - 1, n = end.count; i >= 0; i--) {
    if (took[i * width + n] === 0) continue;
    n--;
    enter(result, byNumber.get(n), places[i]);
  }
  return end.score;
}

function bestEnd(
  best: Float64Array,
  byNumber: ReadonlyMap<number, readonly Observed[]>,
): { count: number; score: number } {
  let end = { count: 0, score: Number.NEGATIVE_INFINITY };
  for (let count = 0; count < best.length; count++) {
    const score = best[count]! + unexplained(byNumber, count);
    if (score > end.score) end = { count, score };
  }
  return end;
}

/** Names whose number no place has taken when `count` places were numbered. */
function unexplained(byNumber: ReadonlyMap<number, readonly Observed[]>, count: number): number {
  let score = 0;
  for (const [number, group] of byNumber) if (number >= count) score += SCORE.unexplained * group.length;
  return score;
}

/** References to arrays' and inner classes' constructors become lambdas, most others do not. */
function taking(place: Place): number {
  if (isLambda(place)) return 0;
  return place.name === 'new' ? SCORE.constructorReferenceCounts : SCORE.referenceCounts;
}

function skipping(context: Context, place: Place): number {
  if (!isLambda(place)) return 0;
  return context.serializableOwners.has(place.owner) ? SCORE.serializableSkipped : SCORE.lambdaSkipped;
}

function fit(context: Context, place: Place | undefined, group: readonly Observed[] | undefined): number {
  if (place === undefined || group === undefined) return 0;
  let score = 0;
  for (const name of group) score += fitOne(context, place, name);
  return score;
}

function fitOne(context: Context, place: Place, name: Observed): number {
  const nestedOnly = name.owner === 'null';
  if (nestedOnly ? isLambda(place) && !place.nested : place.owner !== name.owner) return SCORE.wrongOwner;
  const { lines } = name.frame;
  if (!isLambda(place))
    return SCORE.fits + (lines.length === 0 ? 0 : lines.includes(place.line) ? SCORE.lineFits : SCORE.lineMisses);
  const lambda = context.declarations[place.declaration]!;
  if (name.parameters >= 0 && lambda.parameters.length > name.parameters) return SCORE.wrongParameters;
  if (lines.length === 0) return SCORE.fits;
  return SCORE.fits + (countLines(lambda, lines) === lines.length ? SCORE.lineFits : SCORE.lineMisses);
}

function enter(result: Map<string, Place>, group: readonly Observed[] | undefined, place: Place | undefined): void {
  if (group === undefined || place === undefined) return;
  for (const name of group) result.set(name.frame.name, place);
}

/** Whether a place is a lambda; else it is a method reference. */
export function isLambda(place: Place): place is LambdaPlace {
  return 'nested' in place;
}
