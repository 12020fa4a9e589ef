// The entries of a call hierarchy: their names, numbers and places, and how they name runtime methods from one answer to the next.

import type { Declaration, Parameter } from '../../../grammar/outline.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { joined } from '../../base/printable.ts';
import { type MethodName, methodName } from '../../cct/method-names.ts';
import { rowsOfClass } from '../../mapping/class-index.ts';
import { plainClassName } from '../../mapping/class-names.ts';
import { isType } from '../../mapping/outline-index.ts';
import type { Amount } from '../../metrics/analysis.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { labelOf } from '../facts/subject.ts';
import { countsText, FEW_SAMPLES, fewSamplesText, partOf, samplesText, shareInProse } from '../text/format-share.ts';
import { methodLabel, methodNameOf } from '../text/runtime-names.ts';
import { type Asking, type Located, placeOf, type TextRange } from './locate.ts';

/** The data that an entry carries from one answer to the next question. */
export type HierarchyData = {
  /** The document that was asked first; its data hold for the whole hierarchy. */
  readonly uri: string;
  /** How `path` goes on; null at its start. */
  readonly direction: 'callees' | 'callers' | null;
  /** From what was asked first to this entry; several methods in a step are taken as one. */
  readonly path: readonly (readonly MethodName[])[];
  /** Whether the methods were seen running. */
  readonly seen: boolean;
};

export type HierarchyItem = {
  readonly name: string;
  readonly kind: 'method' | 'constructor' | 'lambda' | 'initializer';
  readonly detail: string;
  /** Samples within the path, and those of the entry that it belongs to; null where it was not seen running there. */
  readonly amounts: Amounts | null;
  /** Whether the place is the method's for sure; null where no source is known, and the place is that of the call. */
  readonly isCertain: boolean | null;
  readonly uri: string;
  /** The whole declaration; where no source is known, the call that leads to it. */
  readonly range: TextRange;
  /** The name. */
  readonly selectionRange: TextRange;
  readonly data: HierarchyData;
};

/** A part of a whole. */
export type Amounts = { readonly part: Amount; readonly whole: Amount };

/** An entry with the places of the calls, in the text of the caller; none where that one has no source. */
export type HierarchyCall = { readonly item: HierarchyItem; readonly ranges: readonly TextRange[] };

/** Where something stands that has no place of its own: at the call that leads to it. */
export type Fallback = { readonly uri: string; readonly range: TextRange };

/** Rows of the methods, without methods that the data do not have. */
export function rowsOf(data: LoadedData, keys: readonly MethodName[]): number[] {
  const rows = new Set<number>();
  for (const { className, name, descriptor } of keys)
    for (const row of rowsOfClass(data.classes, plainClassName(className))) {
      const own = methodName(data.profile.methods, row);
      if (own.name !== name) continue;
      if (descriptor === null || own.descriptor === null || own.descriptor === descriptor) rows.add(row);
    }
  return [...rows].sort((a, b) => a - b);
}

/** The methods of a step of a path, as they are found again in other data. */
export function namesOf({ profile }: LoadedData, rows: readonly number[]): MethodName[] {
  return rows.map(row => methodName(profile.methods, row));
}

/** The data of an entry whose own path begins with it. */
export function beginning(asking: Asking, data: LoadedData, rows: readonly number[]): HierarchyData {
  return linkOf(asking, namesOf(data, rows), true);
}

export function linkOf({ uri = '' }: Asking, methods: readonly MethodName[], seen: boolean): HierarchyData {
  return { uri, direction: null, path: [methods], seen };
}

/** An entry for methods that ran; `located` null where no source is known. */
export function itemOfRows(
  asking: Asking,
  data: LoadedData,
  rows: readonly number[],
  located: Located | null,
  entry: {
    readonly amounts: Amounts;
    readonly numbers: string;
    readonly link: HierarchyData;
    readonly fallback: Fallback;
  },
): HierarchyItem {
  const notes = [entry.numbers];
  if (located === null) notes.push(whyNotLocated(asking));
  else if (!located.certain) notes.push('~ perhaps not here');
  const kind = kindOfName(methodNameOf(data.profile.methods, rows[0]!));
  return {
    name: kind === 'lambda' ? methodLabel(data.profile.methods, rows[0]!) : labelOf(data, rows[0]!),
    kind,
    detail: joined(notes),
    amounts: entry.amounts,
    ...(located === null ? atCall(entry.fallback) : atDeclaration(located)),
    data: entry.link,
  };
}

function atDeclaration(located: Located) {
  const { uri, fullRange, range, certain } = placeOf(located);
  return { isCertain: certain, uri, range: fullRange, selectionRange: range };
}

/** The place of an entry without a source. */
export function atCall({ uri, range }: Fallback) {
  return { isCertain: null, uri, range, selectionRange: range };
}

function whyNotLocated({ files }: Asking): string {
  if (files?.isComplete === false) return 'source not found yet';
  return files?.knowsAll === false ? 'source not found' : 'no source in this workspace';
}

/** An entry for a declaration of the source, whether it ran or not. */
export function itemOfDeclaration(
  located: Located,
  detail: string,
  data: HierarchyData,
  amounts: Amounts | null = null,
): HierarchyItem {
  const { declaration, document } = located;
  const name = labelOfDeclaration(document, declaration);
  return { name, kind: kindOf(declaration), detail, amounts, ...atDeclaration(located), data };
}

/** How the JVM names a declaration's method; a lambda's name is not known from the source alone. */
export function keyOfDeclaration({ outline }: DocumentView, declaration: Declaration): MethodName {
  const type = typeAround(outline.declarations, declaration);
  const className = type?.binaryName ?? '';
  const { kind, modifiers } = declaration;
  if (kind === 'method') return { className, name: declaration.name, descriptor: null };
  if (kind === 'lambda') return { className, name: 'lambda$', descriptor: null };
  const isStatic = kind === 'staticInitializer' || kind === 'enumConstant' || modifiers.includes('static');
  return { className, name: isStatic ? '<clinit>' : '<init>', descriptor: null };
}

/** `Shop.search(String, int)`, as it is written. */
export function labelOfDeclaration({ outline }: DocumentView, declaration: Declaration): string {
  const type = typeAround(outline.declarations, declaration);
  const owner = type?.name || type?.supertypes[0]?.name || '';
  const parameters = declaration.parameters.map(parameterText).join(', ');
  switch (declaration.kind) {
    case 'method':
      return `${owner === '' ? '' : `${owner}.`}${declaration.name}(${parameters})`;
    case 'constructor':
    case 'compactConstructor':
      return `new ${owner}(${parameters})`;
    case 'lambda':
      return `lambda in ${owner}`;
    case 'field':
    case 'enumConstant':
      return `${owner}.${declaration.name}`;
    default:
      return isType(declaration) ? `new ${owner}` : `initialiser of ${owner}`;
  }
}

function typeAround(declarations: readonly Declaration[], declaration: Declaration): Declaration | undefined {
  let at: Declaration | undefined = declaration;
  while (at !== undefined && !isType(at)) at = declarations[at.parent];
  return at;
}

function parameterText({ name, type }: Parameter): string {
  if (type === null) return name;
  return type.name.slice(type.name.lastIndexOf('.') + 1) + '[]'.repeat(type.dimensions);
}

function kindOf({ kind }: Declaration): HierarchyItem['kind'] {
  if (kind === 'method' || kind === 'lambda') return kind;
  return kind === 'constructor' || kind === 'compactConstructor' ? 'constructor' : 'initializer';
}

function kindOfName(name: string): HierarchyItem['kind'] {
  if (name === '<init>') return 'constructor';
  if (name === '<clinit>') return 'initializer';
  return name.startsWith('lambda$') ? 'lambda' : 'method';
}

/** `41 % · 140 samples`; the count alone where the share is next to nothing. */
export function partText(part: Amount, whole: Amount): string {
  if (part.count < FEW_SAMPLES) return fewSamplesText(part.count);
  const share = shareInProse(partOf(part, whole));
  return share.endsWith('%') ? `${share} · ${samplesText(part.count)}` : share;
}

/** `62 % of cpu · 140 of 226 samples`. */
export function wholeText({ analysis: { whole }, metric }: LoadedData, part: Amount): string {
  if (part.count === 0) return `not seen in ${metric.id}`;
  if (part.count < FEW_SAMPLES) return `${fewSamplesText(part.count)} of ${metric.id}`;
  const share = shareInProse(partOf(part, whole));
  const counts = countsText(part.count, whole.count);
  return share.endsWith('%') ? `${share} of ${metric.id} · ${counts}` : `${counts} of ${metric.id}`;
}
