// The answer `metrics`: all numbers of an open document, for clients that draw them themselves.

import * as v from 'valibot';
import { methodNameSchema, rangeSchema, textDocumentSchema } from '../../model/document-terms.ts';
import { changeSchema, described, shareSchema } from '../../model/terms.ts';
import { defineSessionAnswer } from './answer.ts';
import { optional } from './vocabulary.ts';

export const stateNameSchema = described(
  v.picklist(['unchanged', 'moved', 'renamed', 'changed', 'new', 'affected', 'unknown']),
  'State of a declaration since it was recorded',
);

export const neighboursSchema = described(
  v.object({ count: v.number(), largest: v.array(v.number()) }),
  'How many callers or callees there are, and the shares of the heaviest, at most three',
);

export const threadGroupsSchema = described(
  v.object({ count: v.number(), groups: v.array(v.object({ group: v.string(), share: v.number() })) }),
  'Shares by group of threads, at most six, heaviest first; "count" is how many threads there are',
);

const line = described(v.number(), 'From 0');

const declarationSchema = v.object({
  range: described(rangeSchema, 'The name'),
  fullRange: rangeSchema,
  kind: v.picklist(['method', 'lambda', 'initializer']),
  title: v.string(),
  state: stateNameSchema,
  methods: v.array(methodNameSchema),
  total: shareSchema,
  self: described(shareSchema, 'Share of everything, as "total"'),
  selfOfMethod: described(shareSchema, 'The same samples, of those of the method'),
  change: v.nullable(changeSchema),
  callers: neighboursSchema,
  callees: neighboursSchema,
  threads: threadGroupsSchema,
  calls: described(
    v.array(
      v.object({
        line,
        share: shareSchema,
        target: described(v.string(), 'Text of the hint behind the arrow'),
        targets: v.array(methodNameSchema),
        change: v.nullable(changeSchema),
      }),
    ),
    'Calls in it that were seen, by line',
  ),
  lines: described(v.array(v.object({ line, share: shareSchema })), 'Lines that were seen, by line'),
});

export const metrics = defineSessionAnswer({
  name: 'metrics',
  title: 'Numbers of a document',
  description: 'Gives every declaration of an open document that ran, with its calls, its lines and its graphic.',
  parameters: {
    textDocument: described(textDocumentSchema, 'The document, as it is on screen'),
    range: optional(rangeSchema, 'Only declarations that have a line in common with it'),
  },
  result: v.object({
    version: described(v.nullable(v.number()), 'Version of the text that it is about, as the client counts'),
    metric: v.object({ id: v.string(), unit: v.string() }),
    declarations: v.array(declarationSchema),
  }),
});
