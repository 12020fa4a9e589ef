// Looks for every invocation of the class files among the parsed call sites of its line, or among the constructs that call unseen.
import type { CallSite } from '../../grammar/outline.ts';
import { countLines } from '../../server/mapping/observed-lines.ts';
import type { OutlineIndex } from '../../server/mapping/outline-index.ts';
import type { SitesByLine } from './call-lines.ts';
import { type Accessors, type ClassTruth, isLambdaBody, isSynthetic, type MethodTruth } from './class-files.ts';
import { addedByCompiler, type RecordedSite, recordedSite } from './constructs.ts';
import { Tally } from './tally.ts';

/** How an invocation was found; `construct` names what makes it when nobody wrote it. */
export type Finding =
  /** A call of that name is written on its line. */
  | { readonly how: 'written' }
  /** The outline has a site of kind `implicit` there, whose construct makes such calls. */
  | ({ readonly how: 'recorded' } & RecordedSite)
  /** The outline has no site that makes it; the compiler is known to add such calls. */
  | { readonly how: 'explained'; readonly construct: string };

/** The row of the table about invocations, and how those were found that are right. */
export type CallTallies = {
  readonly calls: Tally;
  /** Invocations by how they were found, then by construct. */
  readonly found: Readonly<Record<Finding['how'], Map<string, number>>>;
  /** Of the invocations at recorded sites: how many run on the site's own line, and how many the language names. */
  readonly recorded: { onItsLine: number; named: number };
  /** Constructs that make calls which are not written, however many each makes, by kind. */
  readonly constructs: Map<string, number>;
};

export function callTallies(): CallTallies {
  return {
    calls: new Tally('invocation → call site'),
    found: { written: new Map(), recorded: new Map(), explained: new Map() },
    recorded: { onItsLine: 0, named: 0 },
    constructs: new Map(),
  };
}

function countIn(counts: Map<string, number>, kind: string): void {
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
}

/** The facts about the file in which invocations are looked for. */
export type CallSource = {
  readonly index: OutlineIndex;
  readonly byLine: SitesByLine;
  /** The text of the file by line, the first at index 0. */
  readonly lines: readonly string[];
  readonly accessors: Accessors;
};

/** Measures all invocations of one class; methods that stand nowhere in the source are left out. */
export function measureCalls(source: CallSource, truth: ClassTruth, tallies: CallTallies): void {
  const { index } = source;
  for (const method of truth.methods) {
    if (!isWritten(index, truth, method)) continue;
    const constructs = new Set<string>();
    for (const text of method.calls ?? []) {
      const [line, owner, name] = text.split(' ');
      const found = find(source, Number(line), owner!, name!) ?? inHeader(index, truth, method, text);
      tallies.calls.add(
        found === null ? 'missing' : 'right',
        kindOfMiss(owner!, name!),
        () => `${truth.class}.${method.name} ${text}`,
      );
      if (found === null) continue;
      if (found.how === 'written') {
        countIn(tallies.found.written, 'written');
        continue;
      }
      countIn(tallies.found[found.how], found.construct);
      if (found.how === 'recorded') {
        if (found.onItsLine) tallies.recorded.onItsLine++;
        if (found.named) tallies.recorded.named++;
      }
      // A loop asks for an iterator, whether it has more, and for the next: that is one construct.
      const construct = `${line} ${found.construct}`;
      if (!constructs.has(construct)) countIn(tallies.constructs, found.construct);
      constructs.add(construct);
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
function inHeader(index: OutlineIndex, truth: ClassTruth, method: MethodTruth, call: string): Finding | null {
  const [line, owner, name] = call.split(' ');
  const type = index.typeByName.get(truth.class);
  if (type === undefined) return null;
  if (method.name === '<init>' && name === 'requireNonNull' && owner === 'java.util.Objects')
    return { how: 'explained', construct: 'null check' };
  if (method.name === '<init>' && owner === 'java.lang.Record') return { how: 'explained', construct: 'record header' };
  if (name !== '$values' && name !== 'desiredAssertionStatus') return null;
  return countLines(type.declaration, [Number(line)]) > 0 ? { how: 'explained', construct: 'type header' } : null;
}

/** The site on the line that makes the call, through an accessor or directly; null without one. */
function find({ byLine, lines, accessors }: CallSource, line: number, owner: string, name: string): Finding | null {
  const sites = byLine.get(line) ?? [];
  const target = accessors.get(`${owner} ${name}`);
  if (target === undefined) return explain(sites, line, owner, name);
  if (!target.isField) return explain(sites, line, target.owner, target.name);
  const isNamed = lines[line - 1]?.split(/[^\w$]+/).includes(target.name) === true;
  return isNamed ? { how: 'explained', construct: 'private field' } : null;
}

/** The site on the line that makes the call; null without one. */
function explain(sites: readonly CallSite[], line: number, owner: string, name: string): Finding | null {
  if (name === '<init>') {
    const simple = owner.slice(Math.max(owner.lastIndexOf('.'), owner.lastIndexOf('$')) + 1).replace(/^\d+/, '');
    for (const { kind, name: called } of sites) {
      if (kind === 'super' || kind === 'this') return { how: 'written' };
      if (kind === 'new' && (simple === '' || called === simple)) return { how: 'written' };
      if (kind === 'methodReference' && called === 'new') return { how: 'written' };
    }
  } else if (sites.some(site => (site.kind === 'call' || site.kind === 'methodReference') && site.name === name)) {
    return { how: 'written' };
  }
  const recorded = recordedSite(sites, line, name);
  if (recorded !== null) return { how: 'recorded', ...recorded };
  const added = addedByCompiler(sites, owner, name);
  return added === null ? null : { how: 'explained', construct: added };
}

function kindOfMiss(owner: string, name: string): string {
  if (name === '<init>') return '<init>';
  return owner.startsWith('java.lang.') || owner === '-' ? `${owner}.${name}` : 'call';
}
