// Finds the constructor behind `<init>`: the compiler puts parameters of its own before and after the written ones.
import type { Declaration } from '../../grammar/outline.ts';
import type { DescriptorType } from './descriptor.ts';
import { type Frame, found, type Resolution } from './frame.ts';
import { countLines } from './observed-lines.ts';
import { isStaticMember, isType, type OutlineIndex, type TypeIndex } from './outline-index.ts';
import { chooseOverload, type ParameterView, type ParameterViews, parametersOf } from './overloads.ts';

/** The constructor, or the type's header where the compiler made it. Lines of initialisers do not count against it. */
export function resolveConstructor(index: OutlineIndex, type: TypeIndex, frame: Frame): Resolution {
  const { declaration, constructors } = type;
  const header = (): Resolution =>
    found(declaration.row, 'header', `implicit constructor of ${describeType(declaration)}`);
  if (constructors.length === 0) return header();
  const isRecord = declaration.kind === 'record';
  const seen = frame.lines.filter(line => countInitializers(index, type, line) === 0);
  if (frame.descriptor === null && isRecord && !hasAnyLine(index, constructors, seen)) return header();
  const chosen = chooseOverload(index, constructors, { ...frame, lines: seen }, constructorParameters(index));
  if (chosen !== null) return chosen;
  if (isRecord) return header();
  return chooseOverload(index, constructors, { ...frame, lines: seen, descriptor: null }) ?? header();
}

/** `record Point`, `anonymous class`. */
export function describeType(type: Declaration): string {
  return type.kind === 'anonymousClass' ? 'anonymous class' : `${type.kind} ${type.name}`;
}

function countInitializers(index: OutlineIndex, type: TypeIndex, line: number): number {
  const { declarations } = index.outline;
  let count = 0;
  for (const row of type.instanceInitializers) count += countLines(declarations[row]!, [line]);
  return count;
}

function hasAnyLine(index: OutlineIndex, rows: readonly number[], lines: readonly number[]): boolean {
  return rows.some(row => countLines(index.outline.declarations[row]!, lines) > 0);
}

/**
 * An inner class gets its outer instance first, an enum its name and ordinal; local classes get captured variables at the
 * end (javac) or the front (others); a constructor reached from a nest mate may end with a marker type `Outer$1`.
 */
function constructorParameters(index: OutlineIndex): ParameterViews {
  return (declared, all) => {
    const type = index.outline.declarations[declared.parent]!;
    const written = parametersOf(index, declared).length;
    const views: ParameterView[] = [];
    for (const types of withoutMarker(all)) {
      if (type.kind === 'enum') views.push({ types: types.slice(2), cost: 0 }, { types, cost: UNUSUAL });
      else if (isStaticMember(index.outline, type)) views.push({ types, cost: 0 });
      else if (type.local) views.push(...windows(types, written, isInStaticCode(index, type) ? 0 : 1));
      else if (isInner(index, type)) views.push({ types: types.slice(1), cost: 0 });
      else views.push({ types, cost: 0 });
    }
    return views;
  };
}

const UNUSUAL = 4;

function isInner(index: OutlineIndex, type: Declaration): boolean {
  const outer = index.outline.declarations[type.parent];
  return outer !== undefined && isType(outer);
}

/** Whether a local class stands in code without `this`. */
function isInStaticCode(index: OutlineIndex, type: Declaration): boolean {
  const { declarations } = index.outline;
  let member = type;
  while (member.parent >= 0 && !isType(declarations[member.parent]!)) member = declarations[member.parent]!;
  return isStaticMember(index.outline, member);
}

function withoutMarker(types: readonly DescriptorType[]): readonly (readonly DescriptorType[])[] {
  const last = types.at(-1);
  if (last === undefined || !/\$\d+$/.test(last.name)) return [types];
  return [types, types.slice(0, -1)];
}

/** Runs of the written length; the nearer to where javac begins the written parameters, the better. */
function windows(types: readonly DescriptorType[], length: number, usual: number): ParameterView[] {
  const views: ParameterView[] = [];
  for (let from = 0; from + length <= types.length; from++) {
    views.push({ types: types.slice(from, from + length), cost: Math.abs(from - usual) });
  }
  return views;
}
