// Which calls the compilers make for syntax that writes none, by the construct that the grammar reports on the line.
import type { CallSite, ImplicitConstruct } from '../../grammar/outline.ts';

const BUILDER = ['append', 'toString', '<init>', 'valueOf'];

/** Names of the methods called for each construct, by compilers for Java 8 to 25. */
const NAMES: Readonly<Record<ImplicitConstruct, readonly string[]>> = {
  forEach: ['iterator', 'hasNext', 'next'],
  concatenation: ['makeConcatWithConstants', 'makeConcat', ...BUILDER],
  tryWithResources: ['close', 'addSuppressed', '$closeResource'],
  switch: ['hashCode', 'equals', 'ordinal', 'typeSwitch', 'enumSwitch', 'requireNonNull', '<init>', 'getClass'],
  assert: ['desiredAssertionStatus', '<init>'],
  recordPattern: ['*'],
  superConstructor: ['<init>'],
  enumConstant: ['<init>', '$values'],
};

/** Methods that the language itself says a construct calls; any other of its calls is a compiler's choice. */
const NAMED_BY_LANGUAGE: Readonly<Partial<Record<ImplicitConstruct, readonly string[]>>> = {
  forEach: ['iterator', 'hasNext', 'next'],
  tryWithResources: ['close', 'addSuppressed'],
  superConstructor: ['<init>'],
  enumConstant: ['<init>'],
};

/** The implicit call site on the line whose construct makes calls of that name, best one whose own line it is; or null. */
export function recordedSite(sites: readonly CallSite[], line: number, name: string): RecordedSite | null {
  let found: RecordedSite | null = null;
  for (const site of sites) {
    const { construct } = site;
    if (construct === undefined) continue;
    const names = NAMES[construct];
    if (!names.includes(name) && !names.includes('*')) continue;
    const onItsLine = site.line === line;
    const named = NAMED_BY_LANGUAGE[construct]?.includes(name) === true;
    if (found === null || (onItsLine && !found.onItsLine)) found = { construct, onItsLine, named };
  }
  return found;
}

export type RecordedSite = {
  readonly construct: ImplicitConstruct;
  /** The call runs on the line that the outline gives to the site, not on another of its statement. */
  readonly onItsLine: boolean;
  /** The language names the method. */
  readonly named: boolean;
};

/** The call that compilers add where the outline has no site for it, or null: `boxing` and `null check` need only code on the line. */
export function addedByCompiler(sites: readonly CallSite[], owner: string, name: string): string | null {
  if (isBoxing(owner, name)) return 'boxing';
  const isCheck =
    (owner === 'java.util.Objects' && name === 'requireNonNull') ||
    (owner === 'java.lang.Object' && name === 'getClass');
  if (isCheck && sites.some(({ kind }) => kind === 'methodReference' || kind === 'new')) return 'null check';
  return null;
}

function isBoxing(owner: string, name: string): boolean {
  const box = /^java\.lang\.(?:Byte|Short|Integer|Long|Float|Double|Character|Boolean|Number)$/;
  return box.test(owner) && /^(?:valueOf|\w+Value)$/.test(name);
}
