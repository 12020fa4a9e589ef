// Reads the names of a row of the method table. Rows die with their table, names mean the same in every one.
import { objectClassOf } from '../model/object-classes.ts';
import { pauseOf } from './gc-pauses.ts';
import type { MethodTable } from './profile.ts';

export type MethodName = {
  readonly className: string;
  readonly name: string;
  /** JVM descriptor, null where the recording has none. */
  readonly descriptor: string | null;
};

export function methodName(methods: MethodTable, row: number): MethodName {
  const { strings, className, name } = methods;
  return { className: strings[className[row]!]!, name: strings[name[row]!]!, descriptor: descriptorOf(methods, row) };
}

/** Null where the recording has none. */
export function descriptorOf({ strings, descriptor }: MethodTable, row: number): string | null {
  const at = descriptor[row]!;
  return at < 0 ? null : strings[at]!;
}

/** Whether a frame stands for objects or for pauses: people neither search for it nor name it. */
export function isNoMethod(className: string, name: string): boolean {
  return objectClassOf(className, name) !== null || pauseOf(className, name) !== null;
}
