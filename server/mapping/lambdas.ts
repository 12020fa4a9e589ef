// Finds the lambda behind `lambda$owner$N`: by its lines first, by the compiler's numbering where lines do not decide.
import { parseDescriptor } from './descriptor.ts';
import { type Frame, found, noSource, type Resolution } from './frame.ts';
import {
  isLambda,
  type LambdaName,
  type Numbering,
  numberLambdas,
  type Place,
  parseLambdaName,
} from './lambda-numbering.ts';
import type { LambdaRule } from './lambda-rule.ts';
import { countLines } from './observed-lines.ts';
import type { OutlineIndex, TypeIndex } from './outline-index.ts';
import { ambiguous } from './overloads.ts';

/** The known facts beside each frame of a class: all of its frames, and how lambdas of the program are usually numbered. */
export class Surroundings {
  readonly #frames: readonly Frame[];
  readonly #lambdaRule: LambdaRule | null;
  /** One, unless lines show that some frames are of another anonymous class. */
  readonly #numberings = new Map<TypeIndex, Numbering>();

  constructor(frames: readonly Frame[], lambdaRule: LambdaRule | null) {
    this.#frames = frames;
    this.#lambdaRule = lambdaRule;
  }

  /** How the lambdas of the class are numbered, worked out once for its frames; of a frame that is not among them, with it. */
  numbering({ outline: { declarations } }: OutlineIndex, type: TypeIndex, frame: Frame): Numbering {
    const frames = this.#frames;
    if (!frames.includes(frame)) return numberLambdas(declarations, type, [...frames, frame], this.#lambdaRule);
    const known = this.#numberings.get(type) ?? numberLambdas(declarations, type, frames, this.#lambdaRule);
    this.#numberings.set(type, known);
    return known;
  }
}

/** null when the frame's name is not a lambda's. The frames around it show how its class was numbered. */
export function resolveLambda(
  index: OutlineIndex,
  type: TypeIndex,
  frame: Frame,
  around: Surroundings,
): Resolution | null {
  const name = parseLambdaName(frame.name, type);
  if (name === null) return null;
  const possible = placesOf(index, type, frame, name);
  const onLines = placesOnLines(index, possible, frame.lines);
  const left = onLines.length > 0 ? onLines : possible;
  if (onLines.length === 1) return answer(onLines[0]!, 'line');
  const numbered = name.serializable ? undefined : around.numbering(index, type, frame).places.get(frame.name);
  if (numbered !== undefined && left.includes(numbered))
    return answer(numbered, onLines.length > 0 ? 'line' : 'name only');
  const lambdas = left.filter(isLambda);
  if (lambdas.length === 1) return answer(lambdas[0]!, onLines.length > 0 ? 'line' : 'name only');
  if (lambdas.length > 1)
    return ambiguous(
      index,
      lambdas.map(place => place.declaration),
    );
  if (left.length === 1) return answer(left[0]!, 'name only');
  return noSource(`no lambda in ${name.owner === '' ? 'this class' : name.owner}`);
}

function answer(place: Place, confidence: 'line' | 'name only'): Resolution {
  if (isLambda(place)) return found(place.declaration, confidence);
  return found(place.declaration, 'generated', 'method reference in this code');
}

/** Lambdas and references of the owner that the descriptor leaves: it holds captured variables first, then the lambda's own. */
function placesOf(index: OutlineIndex, type: TypeIndex, frame: Frame, name: LambdaName): readonly Place[] {
  const { declarations } = index.outline;
  const descriptor = frame.descriptor === null ? null : parseDescriptor(frame.descriptor);
  const places: readonly Place[] = [...type.lambdas, ...type.references];
  return places.filter(place => {
    if (name.owner === 'null') return !isLambda(place) || place.nested;
    if (name.owner !== '' && place.owner !== name.owner && !isInField(index, place, name.owner)) return false;
    if (descriptor === null || !isLambda(place)) return true;
    return declarations[place.declaration]!.parameters.length <= descriptor.parameters.length;
  });
}

/** Method references in a field's initialiser are named after the field by newer compilers: `lambda$FIELD$0`. */
function isInField(index: OutlineIndex, place: Place, owner: string): boolean {
  if (isLambda(place)) return false;
  const declaration = index.outline.declarations[place.declaration];
  return declaration?.kind === 'field' && declaration.name === owner;
}

function placesOnLines(index: OutlineIndex, places: readonly Place[], lines: readonly number[]): readonly Place[] {
  if (lines.length === 0) return [];
  let most = 1;
  let best: Place[] = [];
  for (const place of places) {
    const count = isLambda(place)
      ? countLines(index.outline.declarations[place.declaration]!, lines)
      : lines.filter(line => line === place.line).length;
    if (count < most) continue;
    if (count > most) best = [];
    most = count;
    best.push(place);
  }
  return best;
}
