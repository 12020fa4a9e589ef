// Which methods a text means that a person typed or copied from a list: with or without package, class and parameters.
import { descriptorOf, isNoMethod } from '../cct/method-names.ts';
import { type MethodTable, PARTIAL_METHOD } from '../cct/profile.ts';
import { parametersOf } from '../mapping/parameters.ts';

export type NamedMethods = {
  /** `com.acme.Shop.search`. */
  readonly name: string;
  /** Rows of the method table: overloads, unless the text has parameters. */
  readonly rows: readonly number[];
};

/**
 * Methods of that very name, else methods whose name ends in the text at a name boundary (`Shop.search`, `search`). `#` may stand
 * before the method; `new` and `static` are constructors and static initialisers. In table order; empty where none fits.
 */
export function methodsNamed(methods: MethodTable, text: string): NamedMethods[] {
  const [name = '', parameters] = text
    .trim()
    .replace('#', '.')
    .split(/(?=\()/);
  const wanted = name
    .trim()
    .replace(/(^|\.)new$/, '$1<init>')
    .replace(/(^|\.)static$/, '$1<clinit>');
  if (wanted === '') return [];
  const found = new Map<string, number[]>();
  const { strings } = methods;
  for (let row = PARTIAL_METHOD + 1; row < methods.length; row++) {
    const own = strings[methods.name[row]!]!;
    // Cheaper than putting all names together.
    if (!wanted.endsWith(own) && !own.endsWith(wanted)) continue;
    const className = strings[methods.className[row]!]!;
    if (isNoMethod(className, own)) continue;
    const full = className === '' ? own : `${className}.${own}`;
    const isMeant = full === wanted || (full.endsWith(wanted) && /[.$]/.test(full[full.length - wanted.length - 1]!));
    if (!isMeant || !hasParameters(descriptorOf(methods, row), parameters)) continue;
    found.set(full, [...(found.get(full) ?? []), row]);
  }
  const exact = found.get(wanted);
  if (exact !== undefined) return [{ name: wanted, rows: exact }];
  return Array.from(found, ([full, rows]) => ({ name: full, rows }));
}

/** Whether a method may have the parameters that were written, as lists show them or as a descriptor; true where nothing tells. */
export function hasParameters(descriptor: string | null, written: string | undefined): boolean {
  if (written === undefined || descriptor === null) return true;
  const plain = (text: string) => text.replaceAll(' ', '');
  return descriptor === written || plain(parametersOf(descriptor)) === plain(written);
}
