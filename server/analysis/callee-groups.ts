// Which callees of one line a reader of the source takes for one call: callees of one name, of one created class, or all lambdas.
import type { MethodTable } from '../cct/profile.ts';

/** How the calls of a group are written. */
export type CalleeKind = 'method' | 'creation' | 'lambda';

/** A number for each method row: equal where callees of one line belong together. */
export function calleeGroups(methods: MethodTable): Int32Array {
  const numbers = new Map<string, number>();
  const groups = new Int32Array(methods.length);
  for (let row = 0; row < methods.length; row++) {
    const { kind, name } = calleeKindAndName(methods, row);
    // No method's name has a slash.
    const key = kind === 'method' ? name : `/${name}`;
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    groups[row] = number;
  }
  return groups;
}

/** The name is the method's, or the binary name of the class that is created or initialised; empty for lambdas. */
export function calleeKindAndName(methods: MethodTable, row: number): { kind: CalleeKind; name: string } {
  const name = methods.strings[methods.name[row]!]!;
  if (name.startsWith('lambda$')) return { kind: 'lambda', name: '' };
  if (name === '<init>' || name === '<clinit>')
    return { kind: 'creation', name: methods.strings[methods.className[row]!]! };
  return { kind: 'method', name };
}
