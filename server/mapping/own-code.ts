// Which code is own: chosen once for a program's data, by the setting, by the sources of the project, or as all but the platform's.
import { printableName } from '../base/printable.ts';
import { type MethodTable, PARTIAL_METHOD } from '../cct/profile.ts';
import { sharedUint8 } from '../cct/shared-columns.ts';
import { isPlatformClass, isWithin, packageOf } from './platform-classes.ts';
import type { SourcePackages } from './source-packages.ts';

export type OwnCode = {
  /** One byte a method row, 1 where the method is own code; in shared memory. */
  readonly isOwn: Uint8Array;
  /** For people: packages of own code, and why they are. */
  readonly text: string;
};

/** The facts that decide which code is own code. */
export type OwnCodeWish = {
  /** Packages that the setting `code.own` names, each with the packages below it; empty where it names none. */
  readonly named: readonly string[];
  /** null where no sources are known. */
  readonly sources: SourcePackages | null;
};

/** Own code where neither a setting nor sources tell. */
export const NOTHING_TOLD: OwnCodeWish = { named: [], sources: null };

/** Names in the setting, with commas between them; `com.acme`, `com.acme.` and `com.acme.*` are one. */
export function namedPackages(setting: string | null): readonly string[] {
  const names = (setting ?? '').split(',').map(name => name.trim().replace(/\.?\*?$/, ''));
  return names.filter(name => name !== '');
}

/** Native code, and names that a reader did not understand, are no own code: nothing tells whose they are. */
export function ownCode(methods: MethodTable, { named, sources }: OwnCodeWish): OwnCode {
  const { strings, className } = methods;
  const classes = [...new Set(className.subarray(PARTIAL_METHOD + 1))].filter(at => strings[at] !== '');
  const packages = new Set(classes.map(at => packageOf(strings[at]!)));
  if (named.length > 0) {
    const isNamed = (name: string) => named.some(each => name === each || isWithin(name, each));
    return withCode(methods, name => isNamed(packageOf(name)), `${namesText(named)} (setting code.own)`);
  }
  const found = sources === null ? [] : [...packages].filter(name => sources.has(name));
  // Sources of the platform make own code in the project of the platform alone.
  const others = found.filter(name => !isPlatformClass(`${name}.`));
  const own = new Set(others.length > 0 ? others : found);
  if (own.size > 0)
    return withCode(methods, name => own.has(packageOf(name)), `${namesText([...own])} (sources in the project)`);
  return withCode(methods, name => !isPlatformClass(name), ALL_BUT_PLATFORM);
}

const ALL_BUT_PLATFORM = "all but the Java platform's (no package that ran has sources in the project)";

function withCode(methods: MethodTable, isOwnClass: (name: string) => boolean, text: string): OwnCode {
  const { strings, className, length } = methods;
  const classes = new Set(className.subarray(PARTIAL_METHOD + 1));
  const ownClasses = new Set([...classes].filter(at => strings[at] !== '' && isOwnClass(strings[at]!)));
  const isOwn = sharedUint8(length);
  for (let row = PARTIAL_METHOD + 1; row < length; row++) isOwn[row] = ownClasses.has(className[row]!) ? 1 : 0;
  return { isOwn, text };
}

/** More packages are counted. */
const MOST_NAMED = 3;

/** Packages below a named one are not named. */
function namesText(names: readonly string[]): string {
  const outermost = names.filter(name => !names.some(other => isWithin(name, other))).sort();
  const shown = outermost.slice(0, MOST_NAMED).map(name => (name === '' ? 'no package' : `${printableName(name)}.*`));
  const more = outermost.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
