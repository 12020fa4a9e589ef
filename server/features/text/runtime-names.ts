// Spells classes and methods of a profile for people.
import { printableName } from '../../base/printable.ts';
import type { MethodTable } from '../../cct/profile.ts';
import { simpleClassName } from '../../mapping/class-names.ts';

export function classNameOf(methods: MethodTable, row: number): string {
  return methods.strings[methods.className[row]!]!;
}

export function methodNameOf(methods: MethodTable, row: number): string {
  return methods.strings[methods.name[row]!]!;
}

/** `lambda$run$0` → `run`; `new` and `static` as the JVM names constructors and initialisers; null for other names. */
export function methodOfLambda(name: string): string | null {
  return /^lambda\$(.+)\$[^$]*$/.exec(name)?.[1] ?? null;
}

function isLambda(name: string): boolean {
  return name.startsWith('lambda$');
}

/** `Shop.run`, `new Shop`, `static initialiser of Shop`, `lambda in Shop.run`: for people, see `printableName`. */
export function methodLabel(methods: MethodTable, row: number): string {
  return printableName(nameInClass(classNameOf(methods, row), methodNameOf(methods, row)));
}

/** The same of a method by its class and name, as they are. */
export function nameInClass(className: string, name: string): string {
  const type = simpleClassName(className);
  if (name === '<init>') return `new ${type}`;
  if (name === '<clinit>') return `static initialiser of ${type}`;
  if (isLambda(name)) return `lambda in ${type}.${methodOfLambda(name) ?? '?'}`;
  return type === '' ? name : `${type}.${name}`;
}
