// Finds the lambda behind `lambda$owner$N`: by its lines first, by the compiler's numbering where lines do not decide.
import { parseDescriptor } from './descriptor.ts';
import { type Frame, found, noSource, type Resolution } from './frame.ts';
import { isLambda, type LambdaName, type Numbering, numberLambdas, parseLambdaName } from './lambda-numbering.ts';
import { bestByLines } from './lines.ts';
import type { LambdaPlace, OutlineIndex, TypeIndex } from './outline-index.ts';
import { ambiguous } from './overloads.ts';

/** null when the frame's name is not a lambda's. `siblings` are the frames known of the class; they show how it was numbered. */
export function resolveLambda(
  index: OutlineIndex,
  type: TypeIndex,
  frame: Frame,
  siblings: readonly Frame[],
): Resolution | null {
  const name = parseLambdaName(frame.name, type);
  if (name === null) return null;
  const { declarations } = index.outline;
  const rows = candidates(index, type, frame, name).map(place => place.declaration);
  const byLines = bestByLines(declarations, rows, frame.lines);
  if (byLines.hits > 0 && byLines.rows.length === 1) return found(byLines.rows[0]!, 'line');
  const place = name.serializable ? undefined : numberingOf(index, type, frame, siblings).places.get(frame.name);
  if (place !== undefined && isLambda(place) && byLines.rows.includes(place.declaration)) {
    return found(place.declaration, byLines.hits > 0 ? 'line' : 'name only');
  }
  if (byLines.hits === 0) {
    const reference =
      place !== undefined && !isLambda(place)
        ? place
        : type.references.find(entry => entry.owner === name.owner && frame.lines.includes(entry.line));
    if (reference !== undefined) return found(reference.declaration, 'generated', 'method reference in this code');
  }
  if (byLines.rows.length === 0) return noSource(`no lambda in ${name.owner || 'this class'}`);
  if (byLines.rows.length === 1) return found(byLines.rows[0]!, 'name only');
  return ambiguous(index, byLines.rows);
}

/** Lambdas of the owner that the descriptor leaves: it holds captured variables first, then the lambda's own parameters. */
function candidates(index: OutlineIndex, type: TypeIndex, frame: Frame, name: LambdaName): readonly LambdaPlace[] {
  const descriptor = frame.descriptor === null ? null : parseDescriptor(frame.descriptor);
  return type.lambdas.filter(place => {
    if (name.owner === 'null' ? !place.nested : name.owner !== '' && place.owner !== name.owner) return false;
    if (descriptor === null) return true;
    return index.outline.declarations[place.declaration]!.parameters.length <= descriptor.parameters.length;
  });
}

const numberings = new WeakMap<readonly Frame[], Map<TypeIndex, Numbering>>();

function numberingOf(index: OutlineIndex, type: TypeIndex, frame: Frame, siblings: readonly Frame[]): Numbering {
  const { declarations } = index.outline;
  if (!siblings.includes(frame)) return numberLambdas(declarations, type, [...siblings, frame]);
  let cached = numberings.get(siblings);
  if (cached === undefined) {
    cached = new Map();
    numberings.set(siblings, cached);
  }
  let numbering = cached.get(type);
  if (numbering === undefined) {
    numbering = numberLambdas(declarations, type, siblings);
    cached.set(type, numbering);
  }
  return numbering;
}
