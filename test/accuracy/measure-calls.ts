// Looks for every invocation of the class files among the parsed call sites of its line, or among the constructs that call unseen.
import type { CallSite } from '../../grammar/outline.ts';
import { countLines } from '../../server/mapping/lines.ts';
import type { OutlineIndex } from '../../server/mapping/outline-index.ts';
import type { SitesByLine } from './call-lines.ts';
import { type ClassTruth, isLambdaBody, isSynthetic, type MethodTruth } from './class-files.ts';
import { constructBehind } from './constructs.ts';
import { Tally } from './tally.ts';

/** The row of the table about invocations, and how many constructs explain right ones that are not written, by kind. */
export type CallTallies = { readonly calls: Tally; readonly implicit: Map<string, number> };

export function callTallies(): CallTallies {
  return { calls: new Tally('invocation → call site'), implicit: new Map() };
}

/** Measures all invocations of one class; methods that stand nowhere in the source are left out. */
export function measureCalls(index: OutlineIndex, byLine: SitesByLine, truth: ClassTruth, tallies: CallTallies): void {
  for (const method of truth.methods) {
    if (!isWritten(index, truth, method)) continue;
    const constructs = new Set<string>();
    for (const text of method.calls ?? []) {
      const [line, owner, name] = text.split(' ');
      const sites = byLine.get(Number(line)) ?? [];
      const found = explain(sites, owner!, name!) ?? inHeader(index, truth, method, text);
      tallies.calls.add(
        found === null ? 'missing' : 'right',
        kindOfMiss(owner!, name!),
        () => `${truth.class}.${method.name} ${text}`,
      );
      // A loop asks for an iterator, whether it has more, and for the next: that is one construct.
      const construct = `${line} ${found}`;
      if (found === null || found === 'written' || constructs.has(construct)) continue;
      constructs.add(construct);
      tallies.implicit.set(found, (tallies.implicit.get(found) ?? 0) + 1);
    }
  }
}

function isWritten(index: OutlineIndex, truth: ClassTruth, method: MethodTruth): boolean {
  const type = index.typeByName.get(truth.class);
  if (type === undefined) return false;
  if (isLambdaBody(method) || method.name === '<clinit>') return true;
  if (isSynthetic(method)) return false;
  if (method.name === '<init>') return type.constructors.length > 0;
  const isImplicitValueOf =
    method.name === 'valueOf' && method.calls?.some(call => call.endsWith(' java.lang.Enum valueOf'));
  return type.methodsByName.has(method.name) && isImplicitValueOf !== true;
}

/**
 * Calls that stand on the header's line: filling an enum's list of constants, asking whether assertions are on, the constructor
 * behind a record's implicit one; newer compilers check the outer instance where an inner class's constructor begins.
 */
function inHeader(index: OutlineIndex, truth: ClassTruth, method: MethodTruth, call: string): string | null {
  const [line, owner, name] = call.split(' ');
  const type = index.typeByName.get(truth.class);
  if (type === undefined) return null;
  if (method.name === '<init>' && name === 'requireNonNull' && owner === 'java.util.Objects') return 'null check';
  if (method.name === '<init>' && owner === 'java.lang.Record') return 'superConstructor';
  if (name !== '$values' && name !== 'desiredAssertionStatus') return null;
  return countLines(type.declaration, [Number(line)]) > 0 ? 'type header' : null;
}

/** `written`, or the kind of construct on the line that makes the call; null when nothing explains it. */
function explain(sites: readonly CallSite[], owner: string, name: string): string | null {
  if (name === '<init>') {
    const simple = owner.slice(Math.max(owner.lastIndexOf('.'), owner.lastIndexOf('$')) + 1).replace(/^\d+/, '');
    for (const { kind, name: called } of sites) {
      if (kind === 'super' || kind === 'this') return 'written';
      if (kind === 'new' && (simple === '' || called === simple)) return 'written';
      if (kind === 'methodReference' && called === 'new') return 'written';
    }
  } else if (sites.some(site => (site.kind === 'call' || site.kind === 'methodReference') && site.name === name)) {
    return 'written';
  }
  return constructBehind(sites, owner, name);
}

function kindOfMiss(owner: string, name: string): string {
  if (name === '<init>') return '<init>';
  return owner.startsWith('java.lang.') || owner === '-' ? `${owner}.${name}` : 'call';
}
