// Finds what a bridge forwards to: the written method of the same name whose parameters a generic supertype hides.
import { METHOD_FLAG } from '../cct/profile.ts';
import { describeType } from './constructors.ts';
import { isPrimitive, parseDescriptor } from './descriptor.ts';
import { agree, knownName, RANK } from './erasure.ts';
import { type Frame, found, type Resolution } from './frame.ts';
import { isStaticMember, type OutlineIndex, type TypeIndex } from './outline-index.ts';

/** Whether the class file says that the method is a bridge. */
export function isBridge(frame: Frame): boolean {
  return (frame.flags & (METHOD_FLAG.known | METHOD_FLAG.bridge)) === (METHOD_FLAG.known | METHOD_FLAG.bridge);
}

/** The target of a bridge; the type's header when it forwards to an inherited method or nothing tells to which of several. */
export function resolveBridge(index: OutlineIndex, type: TypeIndex, frame: Frame): Resolution {
  const targets = forwardsToSupertype(index, type, frame) ? [] : bridgeTargets(index, type, frame);
  if (targets.length === 1) return found(targets[0]!, 'generated', 'bridge to this method');
  const where = targets.length > 1 ? `one of ${targets.length} methods of that name` : 'an inherited method';
  return found(type.declaration.row, 'header', `bridge in ${describeType(type.declaration)} to ${where}`);
}

/**
 * Whether the bridge only makes an inherited method of a less visible class callable: a supertype in this file has a method of
 * exactly these parameters, without type variables, and the type itself has none.
 */
function forwardsToSupertype(index: OutlineIndex, type: TypeIndex, frame: Frame): boolean {
  const descriptor = frame.descriptor === null ? null : parseDescriptor(frame.descriptor);
  if (descriptor === null) return false;
  const { parameters } = descriptor;
  const fits = (row: number): boolean => equalParameters(index, row, parameters) === parameters.length;
  if ((type.methodsByName.get(frame.name) ?? []).some(fits)) return false;
  const seen = new Set<TypeIndex>();
  for (let next = supertypeOf(index, type); next !== undefined && !seen.has(next); next = supertypeOf(index, next)) {
    seen.add(next);
    const isGeneric = next.declaration.typeParameters.length > 0;
    if (!isGeneric && (next.methodsByName.get(frame.name) ?? []).some(fits)) return true;
  }
  return false;
}

/** The superclass where it is declared in this file. */
function supertypeOf(index: OutlineIndex, { declaration }: TypeIndex): TypeIndex | undefined {
  const written = declaration.supertypes[0];
  const name = written === undefined ? null : knownName(index, declaration.parent, written.name);
  return name === null ? undefined : index.typeByName.get(name);
}

/** Methods that the bridge can mean: as many parameters, primitives equal; those that share most parameter types first. */
function bridgeTargets(index: OutlineIndex, type: TypeIndex, frame: Frame): readonly number[] {
  const descriptor = frame.descriptor === null ? null : parseDescriptor(frame.descriptor);
  const rows = (type.methodsByName.get(frame.name) ?? []).filter(row => {
    const declaration = index.outline.declarations[row]!;
    return !isStaticMember(index.outline, declaration);
  });
  if (descriptor === null) return rows;
  let best: number[] = [];
  let most = -1;
  for (const row of rows) {
    const equal = equalParameters(index, row, descriptor.parameters);
    if (equal < most || equal < 0) continue;
    if (equal > most) best = [];
    most = equal;
    best.push(row);
  }
  return best;
}

function equalParameters(
  index: OutlineIndex,
  row: number,
  types: readonly { readonly name: string; readonly dimensions: number }[],
): number {
  const { parameters } = index.outline.declarations[row]!;
  if (parameters.length !== types.length) return -1;
  let equal = 0;
  for (let i = 0; i < types.length; i++) {
    const written = parameters[i]!.type;
    const type = types[i]!;
    if (written === null) continue;
    const { rank } = agree(index, row, written, type);
    if (rank < RANK.perhapsVariable) equal++;
    else if (type.dimensions === 0 && isPrimitive(type.name)) return -1;
    else if (isPrimitive(written.name) && written.dimensions === 0) return -1;
    else if (type.dimensions > written.dimensions) return -1;
  }
  return equal;
}
