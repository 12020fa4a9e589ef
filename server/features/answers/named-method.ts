// The methods that a parameter or an argument means: by name, by id, or by a place of a file; or a refusal with a way out.

import * as v from 'valibot';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { methodsNamed, type NamedMethods } from '../../analysis/named-methods.ts';
import { printableName, suggested } from '../../base/printable.ts';
import { methodsLike } from '../../metrics/methods-like.ts';
import { described } from '../../model/terms.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { subjectOf } from '../calls/implementation.ts';
import { entryOfRows } from '../facts/entry-of.ts';
import { type Subject, subjectOfEntry } from '../facts/subject.ts';
import { askedOffset } from '../hover/hover-target.ts';
import { subjectAtLine } from '../why/why-subject.ts';
import { type AnswerContext, NothingThere, refused } from './answer.ts';

/** The parameter `method` of answers about one method. */
export const METHOD = {
  method: described(
    v.string(),
    'Method: com.acme.Shop.search, Shop#search(String), as much of the end as one method alone has, id:… of an answer, or file:line[:column]',
  ),
};

/** A place in a file as a parameter names it; `column` counts UTF-16 units from 1, and is null where the line is meant. */
export type NamedPlace = { readonly file: string; readonly line: number; readonly column: number | null };

/** `src/Shop.java:12` or `src/Shop.java:12:7`; null for other texts. */
export function namedPlace(text: string): NamedPlace | null {
  const [, file, line, column] = /^(.+?):(\d+)(?::(\d+))?$/s.exec(text) ?? [];
  if (file === undefined) return null;
  return { file, line: Number(line), column: column === undefined ? null : Number(column) };
}

/** The methods that a parameter `method` means, taken as one. Rejects with `AskFailed`. */
export async function askedMethod(context: AnswerContext, data: LoadedData, text: string): Promise<Subject> {
  const place = namedPlace(text);
  if (place === null) return subjectOfEntry(data, entryOfRows(namedMethod(data, text).rows));
  const { document } = await context.document(place.file, data);
  const found = await subjectAtPlace(context, data, document, place);
  if (found !== null) return found;
  const message = `nothing that ran stands at ${printableName(text)}`;
  throw new NothingThere([{ severity: 'error', message, remedy: 'the answer "why" tells why' }]);
}

/** The methods that ran at a place: of the declaration whose code a line is, at a column also behind a call; null where nothing ran. */
export async function subjectAtPlace(
  { reach }: AnswerContext,
  data: LoadedData,
  document: DocumentView,
  { line, column }: NamedPlace,
): Promise<Subject | null> {
  if (column === null) {
    const entry = subjectAtLine(document, line)?.entry ?? null;
    return entry === null ? null : subjectOfEntry(data, entry);
  }
  const position = { line: line - 1, character: Math.max(0, column - 1) };
  return subjectOf(document, data, askedOffset(document, position), reach);
}

const MOST_NAMES = 8;

/** Rejects names that no method, or several methods, have. */
export function namedMethod(data: LoadedData, text: string): NamedMethods {
  const row = rowOfId(data, text);
  const found = row === null ? methodsNamed(data.profile.methods, text) : [{ name: text, rows: [row] }];
  if (found.length === 1) return found[0]!;
  if (found.length > 1) {
    const names = found.map(({ name }) => suggested(name));
    const more = names.length > MOST_NAMES ? `, or another of ${names.length}` : '';
    throw refused(`several methods are called "${text}"`, `write ${names.slice(0, MOST_NAMES).join(' or ')}${more}`);
  }
  const names = methodsLike(data.profile.methods, text).map(suggested).join(' or ');
  throw refused(
    `no method that ran is called "${text}"`,
    names === '' ? 'insitu top --platform lists the methods that ran' : `did you mean ${names}?`,
  );
}

/** The method whose id is given in place of its name; null for names, and for ids of methods that did not run. */
function rowOfId({ answers, profile }: LoadedData, text: string): number | null {
  const [, id] = /^id:([\w-]{8})$/.exec(text) ?? [];
  const row = id === undefined ? -1 : answers.keysOf(profile.methods).rowOf(id);
  return row < 0 ? null : row;
}
