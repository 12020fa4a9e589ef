// Calls that stand in the source and were not seen running where a call hierarchy looks: out of a declaration, and into it.

import type { CallSite, Declaration, Span } from '../../../grammar/outline.ts';
import { factsOf, type Reach } from '../../analysis/ask.ts';
import { joined } from '../../base/printable.ts';
import type { MethodName } from '../../cct/method-names.ts';
import { simpleClassName } from '../../mapping/class-names.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { SEARCH_MILLIS, searchCalls } from '../../workspace/files/call-search.ts';
import { seenWith } from '../../workspace/files/seen-with.ts';
import type { SourceFile } from '../../workspace/files/source-file.ts';
import { entryOf } from '../facts/entry-of.ts';
import { hoverTarget } from '../hover/hover-target.ts';
import {
  atCall,
  beginning,
  type Fallback,
  type HierarchyCall,
  type HierarchyItem,
  itemOfDeclaration,
  keyOfDeclaration,
  linkOf,
  wholeText,
} from './call-hierarchy-items.ts';
import { type Asking, type Located, rangeOf } from './locate.ts';
import { targetOf, type WrittenTarget } from './written-calls.ts';
import { WrittenTypes } from './written-types.ts';

const NOT_SEEN = 'not seen running';
const NO_SOURCE = 'no source in this workspace';

/** Calls and callees that the answer has already. */
type Listed = {
  /** Offsets of calls that were seen running. */
  readonly explained: ReadonlySet<number>;
  /** Callees that were seen running, each by its declaration and by its name. */
  readonly listed: ReadonlySet<string>;
};

/** Calls in the code of a declaration, its lambdas included, of methods that are not listed; what has a source first. */
export async function writtenCallees(
  asking: Asking,
  from: Located,
  { explained, listed }: Listed,
  { turn }: Pick<Reach, 'turn'>,
): Promise<HierarchyCall[]> {
  const file =
    from.path === null ? (asking.files?.openFile(from.document.uri) ?? null) : (asking.files?.file(from.path) ?? null);
  if (asking.files === null || file === null || file.text !== from.document.text) return [];
  const types = new WrittenTypes(asking.files);
  const found = new Map<string, { target: WrittenTarget; sites: CallSite[] }>();
  for (const site of from.document.outline.callSites) {
    if (!isInside(from.document, from.declaration, site) || explained.has(site.nameSpan.start)) continue;
    await turn();
    // A method that ran behind a call of a lambda is an entry of the lambda.
    if (site.declaration !== from.declaration.row && ranBehind(from.document, site)) continue;
    const target = targetOf(types, file, site);
    if (target === null) continue;
    const key = identityOf(target);
    if (listed.has(key)) continue;
    const known = found.get(key) ?? { target, sites: [] };
    known.sites.push(site);
    found.set(key, known);
  }
  const calls = Array.from(found.values(), ({ target, sites }) => {
    const ranges = sites.map(({ nameSpan }) => rangeOf(from.document.outline, nameSpan));
    const inLambda = sites.every(site => site.declaration !== from.declaration.row);
    const detail = [asking.state.data === null ? '' : NOT_SEEN, inLambda ? 'in a lambda' : ''];
    return { item: itemOfTarget(asking, target, detail, { uri: from.document.uri, range: ranges[0]! }), ranges };
  });
  const hasSource = ({ item }: HierarchyCall) => (item.detail.endsWith(NO_SOURCE) ? 1 : 0);
  return calls.sort((a, b) => hasSource(a) - hasSource(b));
}

/** Calls of a declaration from the files of the workspace, apart from `known` callers; found within a limit of time. */
export async function writtenCallers(
  asking: Asking,
  to: Located,
  known: ReadonlySet<string>,
  { turn }: Pick<Reach, 'turn'>,
): Promise<HierarchyCall[]> {
  const { files } = asking;
  const wanted = keyOfDeclaration(to.document, to.declaration);
  const name = wanted.name === '<init>' ? simpleClassName(wanted.className) : wanted.name;
  if (files === null || !/^[\w$]+$/.test(name) || to.declaration.kind === 'lambda') return [];
  const types = new WrittenTypes(files);
  const above = new Set(Array.from(types.withSupertypes(types.binary(wanted.className)), type => type.name));
  const { calls, isWhole } = await searchCalls(files, name, to.path, turn);
  const end = performance.now() + SEARCH_MILLIS;
  let isCut = !isWhole;
  const callers = new Map<string, { file: SourceFile; declaration: Declaration; spans: Span[]; through: string }>();
  for (const { file, site } of calls) {
    await turn();
    if (performance.now() > end) {
      isCut = true;
      break;
    }
    const target = targetOf(types, file, site);
    const through = target === null ? null : meaning(target, to, wanted, above);
    if (through === null) continue;
    const declaration = callerOf(file.outline.declarations, site);
    const key = declarationId(file.uri, declaration);
    if (known.has(key)) continue;
    const caller = callers.get(key) ?? { file, declaration, spans: [], through };
    caller.spans.push(site.nameSpan);
    callers.set(key, caller);
  }
  const limit = isCut ? 'not all files were searched' : '';
  return Array.from(callers.values(), ({ file, declaration, spans, through }) => {
    const seen = asking.state.data === null ? '' : NOT_SEEN;
    const notes = [seen, through === '' ? '' : `through ${simpleClassName(through)}`, limit];
    const item = itemOfWritten(asking, writtenAt(asking, { file, declaration }), notes);
    return { item, ranges: spans.map(span => rangeOf(file.outline, span)) };
  });
}

/** The target of a call at an offset by the source alone; null where it is not known or has no source. */
export function writtenTarget(document: DocumentView, offset: number): HierarchyItem | null {
  const { files } = document;
  const file = files?.openFile(document.uri) ?? null;
  const target = files === null || file === null ? null : hoverTarget(document, offset);
  if (files === null || file === null || target?.kind !== 'call') return null;
  const meant = targetOf(new WrittenTypes(files), file, target.site);
  const fallback = { uri: document.uri, range: rangeOf(document.outline, target.span) };
  return meant === null ? null : itemOfTarget(document, meant, [NOT_SEEN], fallback);
}

/** Equal for one declaration of one text. */
export function declarationId(uri: string, { row }: Pick<Declaration, 'row'>): string {
  return `${uri}#${row}`;
}

/** The same for a method without a source. */
export function nameId({ className, name }: Pick<MethodName, 'className' | 'name'>): string {
  return `${className}.${name}`;
}

/** An entry for a declaration that was not seen where it was looked for; its own path begins here. */
export function itemOfWritten(asking: Asking, located: Located, notes: readonly string[]): HierarchyItem {
  const { data } = asking.state;
  const { document, declaration } = located;
  const entry = entryOf(document, declaration.row);
  const total = data === null || entry === null ? null : factsOf(data, entry).total;
  if (data === null || entry === null || total === null || total.count === 0) {
    const link = linkOf(asking, [keyOfDeclaration(document, declaration)], false);
    return itemOfDeclaration(located, joined(notes), link);
  }
  const said = [`${NOT_SEEN} here`, ...notes.slice(1), `${wholeText(data, total)} elsewhere`];
  return itemOfDeclaration(located, joined(said), beginning(asking, data, entry.methods));
}

function itemOfTarget(
  asking: Asking,
  { className, name, source }: WrittenTarget,
  notes: readonly string[],
  fallback: Fallback,
): HierarchyItem {
  if (source !== null) return itemOfWritten(asking, writtenAt(asking, source), notes);
  const simple = simpleClassName(className);
  return {
    name: name === '<init>' ? `new ${simple}` : `${simple}.${name}`,
    kind: name === '<init>' ? 'constructor' : 'method',
    detail: joined([...notes, NO_SOURCE]),
    amounts: null,
    ...atCall(fallback),
    data: linkOf(asking, [{ className, name, descriptor: null }], false),
  };
}

function writtenAt(asking: Asking, { file, declaration }: NonNullable<WrittenTarget['source']>): Located {
  return { document: seenWith(file, asking), path: file.path, declaration, certain: true };
}

function identityOf(target: WrittenTarget): string {
  const { source } = target;
  return source === null ? nameId(target) : declarationId(source.file.uri, source.declaration);
}

/** Whether a site is code of the declaration or of a lambda in it. */
function isInside({ outline: { declarations } }: DocumentView, { row }: Declaration, site: CallSite): boolean {
  let at = site.declaration;
  while (at !== row && declarations[at]?.kind === 'lambda') at = declarations[at]!.parent;
  return at === row;
}

function ranBehind(document: DocumentView, site: CallSite): boolean {
  const target = hoverTarget(document, site.nameSpan.start);
  return target?.kind === 'call' && target.calls.length > 0;
}

/** Fields and initialisers call as themselves, lambdas as what they stand in. */
function callerOf(declarations: readonly Declaration[], site: CallSite): Declaration {
  let at = declarations[site.declaration]!;
  while (at.kind === 'lambda' && declarations[at.parent] !== undefined) at = declarations[at.parent]!;
  return at;
}

/** Empty for a call of the declaration itself, the class it is declared in for one that may reach it; null for others. */
function meaning(target: WrittenTarget, to: Located, wanted: MethodName, above: ReadonlySet<string>): string | null {
  if (target.name !== wanted.name) return null;
  const { source } = target;
  if (source?.file.uri === to.document.uri && source.declaration.row === to.declaration.row) return '';
  if (target.className === wanted.className || target.name === '<init>' || !above.has(target.className)) return null;
  const count = source?.declaration.parameters.length ?? to.declaration.parameters.length;
  return count === to.declaration.parameters.length ? target.className : null;
}
