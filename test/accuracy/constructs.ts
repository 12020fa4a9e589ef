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

/** The construct on the line that may make the call, or null; `boxing` and `null check` need only code on the line. */
export function constructBehind(sites: readonly CallSite[], owner: string, name: string): string | null {
  for (const { construct } of sites) {
    if (construct === undefined) continue;
    const names = NAMES[construct];
    if (names.includes(name) || names.includes('*')) return construct;
  }
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
