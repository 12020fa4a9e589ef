// The subject of a question: the runtime methods behind a place in the text, or behind a name.

import type { LoadedData } from '../../analysis/loaded-data.ts';
import { firstNames, printableName } from '../../base/printable.ts';
import { descriptorOf, type MethodName } from '../../cct/method-names.ts';
import { rowsOfClass } from '../../mapping/class-index.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import { parametersOf } from '../../mapping/parameters.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { hoverTarget } from '../hover/hover-target.ts';
import { listedMethod, listedText } from '../text/listed-method.ts';
import { methodLabel, methodNameOf } from '../text/runtime-names.ts';
import { entryOfRows } from './entry-of.ts';

/** Runtime methods that are taken as one. */
export type Subject = {
  readonly entry: MappedDeclaration;
  /** For people: `Shop.search(String, int)`, `Shop.find(int), Shop.find(String)`. */
  readonly label: string;
};

/** The methods that ran at an offset: of a declaration whose name stands there, or behind a call; null where nothing ran. */
export function subjectAt(document: DocumentView, data: LoadedData, offset: number): Subject | null {
  const target = hoverTarget(document, offset);
  if (target === null) return null;
  if (target.kind === 'declaration') return target.entry === null ? null : subjectOfEntry(data, target.entry);
  const rows = new Set(target.calls.flatMap(({ targets }) => targets));
  return rows.size === 0 ? null : subjectOfEntry(data, entryOfRows([...rows].sort((a, b) => a - b)));
}

/** Methods of a name; all overloads where the descriptor is null. */
export function subjectNamed(data: LoadedData, { className, name, descriptor }: MethodName): Subject | null {
  const { methods } = data.profile;
  const rows = rowsOfClass(data.classes, className).filter(
    row => methodNameOf(methods, row) === name && (descriptor === null || descriptorOf(methods, row) === descriptor),
  );
  return rows.length === 0 ? null : subjectOfEntry(data, entryOfRows(rows));
}

/** The methods that ran in place of a method without code of its own, taken as one. */
export function subjectBehind(rows: readonly number[], name: string): Subject {
  const entry = entryOfRows(rows.toSorted((a, b) => a - b));
  return { entry, label: `what ran behind ${printableName(name)}` };
}

/** Overloads that are named. */
const MOST_OVERLOADS = 8;

/** Some methods taken as one: overloads are all named, of other methods the first one. */
export function subjectOfEntry(data: LoadedData, entry: MappedDeclaration): Subject {
  const labels = [...new Set(entry.methods.map(row => labelOf(data, row)))];
  const areOverloads = new Set(labels.map(each => each.replace(/\(.*$/s, ''))).size === 1;
  return { entry, label: firstNames(labels, areOverloads ? MOST_OVERLOADS : 1) };
}

/** `Shop.search(String, int)`. */
export function labelOf({ profile: { methods } }: LoadedData, row: number): string {
  return printableName(`${methodLabel(methods, row)}${parametersOf(descriptorOf(methods, row))}`);
}

/** `com.acme.Shop.search` of each method, as a focus names it; each once. */
export function focusNames({ profile: { methods } }: LoadedData, rows: readonly number[]): string[] {
  return [...new Set(rows.map(row => listedText({ ...listedMethod(methods, row), descriptor: null })))];
}
