// The terms of editors: places in the text of a document, and runtime methods by their names; each as schema.

import * as v from 'valibot';
import { LONGEST_TEXT } from './look-schema.ts';
import { described } from './terms.ts';

const natural = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER));

const limited = v.pipe(v.string(), v.maxLength(LONGEST_TEXT));

// Clients may send more than these keys.
export const textDocumentSchema = v.object({ uri: limited });

export const positionSchema = described(
  v.object({ line: natural, character: natural }),
  'As in the Language Server Protocol: 0-based line and UTF-16 character.',
);

export const rangeSchema = v.object({ start: positionSchema, end: positionSchema });

export const locationSchema = v.object({ uri: v.string(), range: rangeSchema });

export const methodNameSchema = described(
  v.object({
    className: v.string(),
    name: v.string(),
    descriptor: described(v.nullable(v.string()), 'Of the JVM; null where the recording has none'),
  }),
  'Names a runtime method; what one answer gives can be asked about in the next.',
);

/** The same as a parameter. */
export const givenMethodNameSchema = v.object({
  className: limited,
  name: limited,
  descriptor: v.nullish(limited, null),
});

/** The schemas by the names that references and types have for them. */
export const DOCUMENT_TERMS = {
  TextDocumentIdentifier: textDocumentSchema,
  Position: positionSchema,
  Range: rangeSchema,
  Location: locationSchema,
  MethodName: methodNameSchema,
};
