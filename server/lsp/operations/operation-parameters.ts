// Schemas of the parameters that several operations take.

import * as v from 'valibot';
import {
  givenMethodNameSchema,
  positionSchema as position,
  textDocumentSchema as textDocument,
} from '../../model/document-terms.ts';
import { LONGEST_TEXT, MOST_ENTRIES } from '../../model/look-schema.ts';
import type { Given } from './operation.ts';

export const text = v.pipe(v.string(), v.maxLength(LONGEST_TEXT));
export const name = v.pipe(text, v.minLength(1));
export const texts = v.pipe(v.array(text), v.maxLength(MOST_ENTRIES));

export function integer(least: number, most: number) {
  return v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
}

/** A choice: an absent one stays as it was, null takes it back. */
export function choice<const S extends v.GenericSchema>(schema: S) {
  return v.optional(v.nullable(schema));
}

/** The document whose data are meant; absent for the data of the workspace's first source. */
export const ABOUT = { textDocument: v.nullish(textDocument) };

/** A position of a document. */
export const PLACE = { textDocument, position };

/** A method, or a position of a document. */
export const SUBJECT = { ...ABOUT, position: v.nullish(position), method: v.nullish(givenMethodNameSchema) };

export type AskedSubject = Given<typeof SUBJECT>;

/** The missing part of a subject; null where it is whole. */
export function subjectFlaw({ textDocument, position, method }: AskedSubject): string | null {
  if (method !== undefined || (textDocument !== undefined && position !== undefined)) return null;
  return `${textDocument === undefined ? 'textDocument' : 'position'}: this parameter is missing (give it a value)`;
}
