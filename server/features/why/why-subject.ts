// Which method the question is about: by its name at run time, or by a line of the source.

import type { Declaration, Outline } from '../../../grammar/outline.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { hasParameters } from '../../analysis/named-methods.ts';
import { descriptorOf } from '../../cct/method-names.ts';
import { rowsOfClass } from '../../mapping/class-index.ts';
import { plainClassName } from '../../mapping/class-names.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import { inRanges } from '../../mapping/observed-lines.ts';
import { ownLines } from '../../mapping/text-index.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { stateOf } from '../facts/code-state.ts';
import { entryOf, entryOfRows } from '../facts/entry-of.ts';
import { comparisonFor } from '../facts/recorded-place.ts';
import { ownsCode, titleOf } from '../hints/method-hints.ts';
import { methodNameOf } from '../text/runtime-names.ts';

/** The subject of the question. */
export type WhySubject = {
  /** For people: `com.acme.Shop.search`, `static initialiser of com.acme.Shop`. */
  readonly title: string;
  /** Binary name that its class had when it was recorded. */
  readonly className: string;
  /** Name at run time; empty where several methods or none of its own stand behind it. */
  readonly name: string;
  /** The runtime methods behind it, as far as they were seen; null when none was. */
  readonly entry: MappedDeclaration | null;
  /**
   * The method in the source: `bodiless` are abstract methods, `new` was not there when the data were recorded, `unknown` where no
   * source was looked at.
   */
  readonly source: 'declared' | 'bodiless' | 'missing' | 'new' | 'unknown';
  /** `com.acme.Shop.search` of every method that its class has in the source. */
  readonly siblings: readonly string[];
  /** Methods of its class that ran and are not in the source: it may have been one of them. Empty where the recorded text tells. */
  readonly formerNames: readonly string[];
};

/**
 * Classes that a text may mean: the class of this name, else the classes whose names end in it at a name boundary (`Shop`, `Cart` for `Shop$Cart`).
 * Sorted; empty when none was seen.
 */
export function classesCalled({ classes, profile }: LoadedData, text: string): string[] {
  if (rowsOfClass(classes, text).length > 0) return [text];
  const { strings, className } = profile.methods;
  const names = new Set(Array.from(new Set(className), row => plainClassName(strings[row]!)));
  return [...names]
    .filter(name => name.endsWith(text) && /[.$]/.test(name[name.length - text.length - 1] ?? ''))
    .sort();
}

/**
 * The method `name` of a class. `name` may be `new` or the class's own for constructors, `static` for its initialiser, and
 * carry parameters as lists show them: `search(String, int)`. Recorded names come before names that are in the source now.
 * @param document the file that declares the class, null when there is none or it was not looked for
 */
export function subjectOfMethod(
  data: LoadedData,
  className: string,
  name: string,
  document: DocumentView | null,
): WhySubject {
  const [bare = '', parameters] = name.split(/(?=\()/);
  const runtimeName = runtimeNameOf(className, bare.trim());
  const { methods } = data.profile;
  const isMeant = (row: number) => hasParameters(descriptorOf(methods, row), parameters);
  const rows = rowsOfClass(data.classes, className).filter(
    row => methodNameOf(methods, row) === runtimeName && isMeant(row),
  );
  const declared = document === null ? null : declaredMethods(document.outline, className);
  const named = declared?.filter(each => each.name === runtimeName) ?? [];
  const first = named[0]?.row ?? -1;
  return {
    title: `${className}.${name}`,
    className: document === null || first < 0 ? className : recordedMethod(document, first).className,
    name: runtimeName,
    entry: rows.length > 0 ? entryOfRows(rows) : entryOfDeclared(document, named, isMeant),
    source: sourceOfMethod(document, declared, runtimeName),
    siblings: (declared ?? []).map(each => `${className}.${each.name}`),
    formerNames: document === null ? [] : formerNames(document, className),
  };
}

/** The recorded methods of declarations that had other names then. */
function entryOfDeclared(
  document: DocumentView | null,
  named: readonly DeclaredMethod[],
  hasParameters: (row: number) => boolean,
): MappedDeclaration | null {
  const entries = named.flatMap(({ row }) => (document === null ? [] : (entryOf(document, row) ?? [])));
  const fitting = entries.filter(({ methods }) => methods.some(hasParameters));
  // The parameters may be others by now.
  const chosen = fitting.length === 0 && named.length === 1 ? entries : fitting;
  const [only, ...others] = chosen;
  if (only === undefined || others.length === 0) return only ?? null;
  return entryOfRows([...new Set(chosen.flatMap(({ methods }) => methods))].sort((a, b) => a - b));
}

/** Class and name that a declaration of the text on screen had when it was recorded. */
export function recordedMethod(
  document: DocumentView,
  row: number,
): { readonly className: string; readonly name: string } {
  const comparison = comparisonFor(document, row);
  const before = comparison?.profiled.declarations[comparison.profiledRow(row)];
  const [outline, declaration] =
    comparison === null || before === undefined
      ? [document.outline, document.outline.declarations[row]!]
      : [comparison.profiled, before];
  return { className: enclosingType(outline, declaration), name: declaration.name };
}

function runtimeNameOf(className: string, name: string): string {
  if (name === 'static') return '<clinit>';
  const simple = className.slice(Math.max(className.lastIndexOf('.'), className.lastIndexOf('$')) + 1);
  return name === 'new' || name === simple ? '<init>' : name;
}

/** `row` is −1 for what the compiler writes. */
type DeclaredMethod = { readonly name: string; readonly hasBody: boolean; readonly row: number };

/** Methods that the class has in the source, constructors as `<init>`; null where it is not declared there. */
function declaredMethods({ declarations }: Outline, className: string): DeclaredMethod[] | null {
  const type = declarations.find(({ binaryName }) => binaryName === className);
  if (type === undefined) return null;
  const own = declarations.filter(({ parent }) => parent === type.row);
  const named = own.filter(ownsCode).map(({ kind, name, body, row }) => ({
    row,
    name: kind === 'method' ? name : kind === 'staticInitializer' ? '<clinit>' : '<init>',
    hasBody: body !== null,
  }));
  // Members that the compiler adds where the source has none.
  const implicit = ['<init>'];
  if (type.kind === 'enum') implicit.push('values', 'valueOf');
  if (type.kind === 'record')
    implicit.push('equals', 'hashCode', 'toString', ...type.parameters.map(parameter => parameter.name));
  return [...named, ...implicit.map(name => ({ row: -1, name, hasBody: true }))];
}

function formerNames({ mapped, outline }: DocumentView, className: string): string[] {
  if (mapped === null || mapped.profiled.from !== 'opened' || mapped.profiled.problem === null) return [];
  const { classes, profile } = mapped.data;
  const declared = new Set(declaredMethods(outline, className)?.map(({ name }) => name));
  const ran = rowsOfClass(classes, className).map(row => methodNameOf(profile.methods, row));
  // Methods of the compiler's own are in no source.
  return [...new Set(ran)]
    .filter(name => !declared.has(name) && !/[$<]/.test(name))
    .map(name => `${className}.${name}`);
}

function sourceOfMethod(
  document: DocumentView | null,
  declared: readonly DeclaredMethod[] | null,
  name: string,
): WhySubject['source'] {
  if (document === null || declared === null) return 'unknown';
  const found = declared.filter(each => each.name === name);
  // The static initialiser of a class may stand in its fields alone; lambdas have no name in the source.
  if (found.length === 0) return name === '<clinit>' || name.startsWith('lambda$') ? 'unknown' : 'missing';
  if (found.every(({ row }) => row >= 0 && stateOf(document, row).name === 'new')) return 'new';
  return found.some(({ hasBody }) => hasBody) ? 'declared' : 'bodiless';
}

/** The subject on a line: a declaration that begins there, else the innermost one whose code it is; null where nothing runs. */
export function subjectAtLine(document: DocumentView, line: number): WhySubject | null {
  const { outline } = document;
  const onLine = outline.declarations.filter(each => runs(document, each) && standsOn(outline, each, line));
  // A lambda written on one line shares it with the code around, which is meant then.
  const declaration = onLine.findLast(({ kind }) => kind !== 'lambda') ?? onLine.at(-1);
  if (declaration === undefined) return null;
  const className = enclosingType(outline, declaration);
  const simple = declaration.kind === 'method' ? declaration.name : '';
  return {
    title: titleAt(outline, declaration, className),
    className: recordedMethod(document, declaration.row).className,
    name: /onstructor$/.test(declaration.kind) ? '<init>' : simple,
    entry: entryOf(document, declaration.row),
    source: sourceAt(document, declaration),
    siblings: [],
    formerNames: formerNames(document, className),
  };
}

function sourceAt(document: DocumentView, { kind, body, row }: Declaration): WhySubject['source'] {
  if (kind === 'method' && body === null) return 'bodiless';
  return stateOf(document, row).name === 'new' ? 'new' : 'declared';
}

/** Types are left out, and fields without a value. */
function runs({ text }: DocumentView, declaration: Declaration): boolean {
  const { kind, nameSpan, span } = declaration;
  if (kind === 'field') return text.slice(nameSpan.end, span.end).includes('=');
  return ownsCode(declaration) || kind === 'enumConstant';
}

function standsOn(outline: Outline, declaration: Declaration, line: number): boolean {
  const own = ownsCode(declaration) ? ownLines(outline, declaration) : declaration.lines;
  return inRanges(own, line);
}

function enclosingType({ declarations }: Outline, declaration: Declaration): string {
  let type: Declaration | undefined = declaration;
  while (type !== undefined && type.binaryName === '') type = declarations[type.parent];
  return type?.binaryName ?? '';
}

function titleAt({ declarations }: Outline, declaration: Declaration, className: string): string {
  const { kind, name, parent } = declaration;
  if (kind === 'lambda') {
    let owner = declarations[parent];
    while (owner?.kind === 'lambda') owner = declarations[owner.parent];
    return `lambda in ${className}${owner === undefined || owner.name === '' ? '' : `.${owner.name}`}`;
  }
  if (kind === 'method' || kind === 'field' || kind === 'enumConstant') return `${className}.${name}`;
  if (kind === 'staticInitializer' || kind === 'instanceInitializer')
    return `${titleOf(declaration).replace(/^this /, '')} of ${className}`;
  return `new ${className}`;
}
