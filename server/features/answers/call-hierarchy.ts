// The answer `callHierarchy`: who calls a method or whom it calls, within the path so far, with places in texts that need not be saved.

import * as v from 'valibot';
import {
  givenMethodNameSchema,
  locationSchema,
  methodNameSchema,
  positionSchema,
  rangeSchema,
  textDocumentSchema,
} from '../../model/document-terms.ts';
import { described, shareSchema } from '../../model/terms.ts';
import { defineSessionAnswer } from './answer.ts';
import type { CallHierarchyRow } from './answer-types.ts';
import { optional } from './vocabulary.ts';

const MOST_LEVELS = 4;

const directionSchema = v.picklist(['incoming', 'outgoing']);

export const callHierarchyEntrySchema = described(
  v.object({
    uri: v.string(),
    selectionRange: rangeSchema,
    data: described(
      v.object({
        uri: v.string(),
        direction: v.nullable(v.picklist(['callees', 'callers'])),
        path: v.array(described(v.array(methodNameSchema), 'Methods that are taken as one step')),
        seen: v.boolean(),
      }),
      'For the server alone',
    ),
  }),
  'A row of a call tree as it is asked about again; an item of the call hierarchy of the protocol will do as well.',
);

export const callHierarchyRowSchema: v.GenericSchema<CallHierarchyRow> = v.object({
  label: described(v.string(), 'For people: Shop.search(String, int)'),
  kind: v.picklist(['method', 'constructor', 'lambda', 'initializer']),
  methods: described(v.array(methodNameSchema), 'Several where runtime methods of one declaration are taken as one'),
  share: described(
    v.nullable(shareSchema),
    'Of the row that it belongs to, within the path; of everything for what was asked about; null where it was not seen running there',
  ),
  written: described(v.boolean(), 'Whether it is only written: not seen running here'),
  detail: described(v.string(), 'As call hierarchies say it: "41 % · 140 samples · no source in this workspace"'),
  location: described(
    v.nullable(locationSchema),
    'In the current text of its file; null without a source in the workspace',
  ),
  certain: described(v.boolean(), 'Whether the location is the declaration of the method for sure'),
  fromRanges: described(
    v.array(rangeSchema),
    'The calls, in the text of the caller; none where that one has no source, and for the method that was asked about',
  ),
  item: described(callHierarchyEntrySchema, 'To ask about the rows below'),
  rows: described(
    v.nullable(v.array(v.lazy(() => callHierarchyRowSchema))),
    'The rows below; null where they were not asked for',
  ),
});

export const callHierarchySchema = described(
  v.object({
    direction: directionSchema,
    rows: described(
      v.array(callHierarchyRowSchema),
      'The methods that were asked about, each with the rows below it; of an item the rows below it',
    ),
  }),
  'The tree of callers or callees of a method.',
);

export const callHierarchy = defineSessionAnswer({
  name: 'callHierarchy',
  title: 'Call tree with places',
  description: 'Lists who calls a method, or whom it calls: first calls that ran, then calls that are only written.',
  parameters: {
    textDocument: optional(textDocumentSchema, 'The document in which it stands, or whose data are meant'),
    position: optional(positionSchema, 'Where the name of a method or of a call stands'),
    method: optional(givenMethodNameSchema, 'A method by its names, in place of a position'),
    direction: v.nullish(described(directionSchema, 'Callers ("incoming"), or callees (default)'), 'outgoing'),
    depth: optional(
      v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_LEVELS)),
      'Levels that are unfolded; default 1',
    ),
    item: optional(
      v.object({
        uri: textDocumentSchema.entries.uri,
        selectionRange: rangeSchema,
        data: described(v.record(v.string(), v.unknown()), 'As it was given'),
      }),
      'The item of a row of an earlier answer, in place of a method: the rows below it are asked for',
    ),
  },
  result: callHierarchySchema,
});
