// Compares a type as written in a source file with an erased type of a descriptor, and says how well they agree.
//
// The candidates of a written type, best first: what the file says it is (a type variable's leftmost bound, a type declared
// here, an import, a qualified name); a type of that name in the same package, java.lang or an on-demand import; any type
// of that name; `Object`, when the name is unknown here and may stand for a type variable.
import type { Declaration, TypeText } from '../../grammar/outline.ts';
import { type DescriptorType, isPrimitive } from './descriptor.ts';
import { isStaticMember, isType, type OutlineIndex } from './outline-index.ts';

/** Rank of the agreement; ranks of several types add up, the smallest sum wins. */
export const RANK = { known: 0, nearby: 1, sameName: 2, againstScope: 8, perhapsVariable: 12, none: 1000 } as const;

/** An agreement and whether a type variable took part in it. */
export type Agreement = { readonly rank: number; readonly erased: boolean };

const NO: Agreement = { rank: RANK.none, erased: false };

/** How well `written`, seen from the declaration `scope`, erases to `type`. */
export function agree(index: OutlineIndex, scope: number, written: TypeText, type: DescriptorType): Agreement {
  const { name, from, erased } = leftmostBound(index, scope, written.name);
  if (written.dimensions !== type.dimensions) return NO;
  const rank = rankName(index, from, name, type.name);
  return rank === RANK.none ? NO : { rank, erased: erased || rank === RANK.perhapsVariable };
}

/**
 * The types that `written`, seen from the declaration `scope`, may erase to, best first, each of which `agree` accepts: `p.A$B`, `int`,
 * `java.lang.Object[]`. A name that nothing explains stands for any type of that name, whatever its package.
 */
export function erasureCandidates(index: OutlineIndex, scope: number, written: TypeText): string[] {
  const { name, from } = leftmostBound(index, scope, written.name);
  const known = isPrimitive(name) ? name : knownName(index, from, name);
  const names = known === null ? unexplained(index, name) : [known];
  return [...new Set(names)].map(each => each + '[]'.repeat(written.dimensions));
}

function unexplained({ outline: { packageName, imports } }: OutlineIndex, name: string): string[] {
  if (name.includes('.')) return [name];
  const onDemand = imports.filter(entry => entry.kind === 'onDemand').map(entry => entry.name);
  const nearby = [packageName, 'java.lang', ...onDemand].map(each => (each === '' ? name : `${each}.${name}`));
  return [...nearby, name, 'java.lang.Object'];
}

/** The name that a type variable stands for, with the place from which that is seen; any other name as it is. */
function leftmostBound(index: OutlineIndex, scope: number, written: string) {
  let name = written;
  let from = scope;
  let erased = false;
  // A bound may be another type variable; a cycle would not compile, but what is being typed need not compile.
  for (let hops = 0; hops < 16; hops++) {
    const variable = name.includes('.') ? null : findVariable(index, from, name);
    if (variable === null) break;
    erased = true;
    name = variable.bound ?? 'java.lang.Object';
    from = variable.scope;
  }
  return { name, from, erased };
}

function rankName(index: OutlineIndex, scope: number, written: string, erased: string): number {
  if (isPrimitive(written) || isPrimitive(erased)) return written === erased ? RANK.known : RANK.none;
  const known = knownName(index, scope, written);
  const flat = flatten(erased);
  if (known !== null && flat === flatten(known)) return RANK.known;
  const tail = flatten(written);
  if (flat === tail) return RANK.known;
  if (flat.endsWith(`.${tail}`)) {
    if (known !== null) return RANK.againstScope;
    return isNearby(index, flat.slice(0, flat.length - tail.length - 1)) ? RANK.nearby : RANK.sameName;
  }
  // `Sub.Member` may name a member type that Sub inherits: only the last name is sure.
  if (written.includes('.') && lastName(flat) === lastName(tail)) return RANK.againstScope;
  if (known === null && flat === 'java.lang.Object' && !written.includes('.')) return RANK.perhapsVariable;
  return RANK.none;
}

function lastName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** `$` separates nested names in binary names and may be part of a source name; both sides lose the difference. */
function flatten(name: string): string {
  return name.includes('$') ? name.replaceAll('$', '.') : name;
}

function isNearby(index: OutlineIndex, qualifier: string): boolean {
  const { packageName, imports } = index.outline;
  if (qualifier === packageName || qualifier === 'java.lang') return true;
  return imports.some(entry => entry.kind === 'onDemand' && flatten(entry.name) === qualifier);
}

/** Binary name of what the file itself says about a written name, or null. */
export function knownName(index: OutlineIndex, scope: number, written: string): string | null {
  const dot = written.indexOf('.');
  const first = dot < 0 ? written : written.slice(0, dot);
  const rest = dot < 0 ? '' : written.slice(dot);
  for (let row = scope; ; row = index.outline.declarations[row]!.parent) {
    const declared = index.scopes.get(row)?.get(first);
    if (declared !== undefined) return declared + rest;
    const enclosing = index.outline.declarations[row];
    if (enclosing !== undefined && isType(enclosing) && enclosing.name === first) return enclosing.binaryName + rest;
    if (row < 0) break;
  }
  for (const entry of index.outline.imports) {
    if (entry.kind === 'type' && entry.name.endsWith(first) && entry.name.at(-first.length - 1) === '.') {
      return entry.name + rest;
    }
  }
  return null;
}

/** The type variable that a simple name means at a place; `bound` null is `Object`. A nearer type of that name hides it. */
function findVariable(
  index: OutlineIndex,
  scope: number,
  name: string,
): { readonly bound: string | null; readonly scope: number } | null {
  const { declarations } = index.outline;
  for (let row = scope; row >= 0; ) {
    const declaration: Declaration = declarations[row]!;
    if (row !== scope && index.scopes.get(row)?.has(name)) return null;
    for (const parameter of declaration.typeParameters) {
      if (parameter.name === name) return { bound: parameter.bound?.name ?? null, scope: row };
    }
    if (isCutOff(index, declaration)) return null;
    row = declaration.parent;
  }
  return null;
}

/** Whether type variables of the surroundings are out of reach inside a declaration. */
function isCutOff(index: OutlineIndex, declaration: Declaration): boolean {
  if (declaration.kind === 'enumConstant' || declaration.kind === 'field') return false;
  return isStaticMember(index.outline, declaration);
}
