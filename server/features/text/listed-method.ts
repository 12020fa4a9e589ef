// Names of methods in lists: what people read and can type again, and the same as fields for programs.
import { methodName } from '../../cct/method-names.ts';
import type { MethodTable } from '../../cct/profile.ts';
import { parametersOf } from '../../mapping/parameters.ts';

export type ListedMethod = {
  readonly className: string;
  readonly method: string;
  /** JVM descriptor, null where the format has none. */
  readonly descriptor: string | null;
};

export function listedMethod(methods: MethodTable, row: number): ListedMethod {
  const { name, ...others } = methodName(methods, row);
  return { ...others, method: name };
}

/** `com.acme.Shop.search(String, int)`. */
export function listedText({ className, method, descriptor }: ListedMethod): string {
  return `${className === '' ? '' : `${className}.`}${method}${parametersOf(descriptor)}`;
}
