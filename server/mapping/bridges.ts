// Finds what a bridge forwards to: the written method of the same name whose parameters a generic supertype hides.
import type { Declaration } from '../../grammar/outline.ts';
import { METHOD_FLAG } from '../cct/profile.ts';
import { describeType } from './constructors.ts';
import { isPrimitive, parseDescriptor } from './descriptor.ts';
import { agree, knownName, RANK } from './erasure.ts';
import { type Frame, found, type Resolution } from './frame.ts';
import { countLines } from './observed-lines.ts';
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
 * Whether a method that the type does not write is one that javac wrote for an inherited method: a superclass in this file has a
 * public one of that name, or the line is the header's, as those of bridges are.
 */
export function isInherited(index: OutlineIndex, type: TypeIndex, { name, lines }: Frame): boolean {
  if (type.declaration.supertypes.length === 0) return false;
  if (countLines(type.declaration, lines) > 0) return true;
  return superclassesOf(index, type).some(above => inheritable(index, above, name).length > 0);
}

/** Public methods of that name with a body. */
export function inheritable({ outline }: OutlineIndex, type: TypeIndex, name: string): readonly number[] {
  return (type.methodsByName.get(name) ?? []).filter(row => {
    const { body, modifiers } = outline.declarations[row]!;
    return body !== null && modifiers.includes('public');
  });
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
  return superclassesOf(index, type).some(
    ({ declaration, methodsByName }) =>
      declaration.typeParameters.length === 0 && (methodsByName.get(frame.name) ?? []).some(fits),
  );
}

/** The superclasses that are declared in this file, the nearest first. */
function superclassesOf(index: OutlineIndex, type: TypeIndex): readonly TypeIndex[] {
  const found = new Set<TypeIndex>();
  const above = ({ declaration }: TypeIndex) => index.typeByName.get(superclassName(index, declaration) ?? '');
  for (let next = above(type); next !== undefined && !found.has(next); next = above(next)) found.add(next);
  return [...found];
}

/** Binary name of the first supertype: of this file or imported, else of the same package. null where there is none. */
export function superclassName(index: OutlineIndex, { parent, supertypes }: Declaration): string | null {
  const name = supertypes[0]?.name;
  if (name === undefined) return null;
  const { packageName } = index.outline;
  return knownName(index, parent, name) ?? (packageName === '' ? name : `${packageName}.${name}`);
}

/** Methods that the bridge can mean: as many parameters, primitives equal; the methods that share most parameter types first. */
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
