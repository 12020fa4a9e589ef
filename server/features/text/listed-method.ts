// Names of methods in lists: what people read and can type again, and the same as fields for programs.
import type { MethodTable } from '../../cct/profile.ts';
import { parametersOf } from '../../mapping/parameters.ts';

export type ListedMethod = {
  readonly className: string;
  readonly method: string;
  /** JVM descriptor, null where the format has none. */
  readonly descriptor: string | null;
};

export function listedMethod({ strings, className, name, descriptor }: MethodTable, row: number): ListedMethod {
  const at = descriptor[row]!;
  return {
    className: strings[className[row]!]!,
    method: strings[name[row]!]!,
    descriptor: at < 0 ? null : strings[at]!,
  };
}

/** `com.acme.Shop.search(String, int)`. */
export function listedText({ className, method, descriptor }: ListedMethod): string {
  return `${className === '' ? '' : `${className}.`}${method}${parametersOf(descriptor)}`;
}
