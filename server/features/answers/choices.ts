// The answer `choices`: what there is to choose from, in the store and in the data that are shown.

import * as v from 'valibot';
import { textDocumentSchema } from '../../model/document-terms.ts';
import { described } from '../../model/terms.ts';
import { defineSessionAnswer } from './answer.ts';
import { EXECUTION_ROW } from './executions.ts';
import { tagsOfVersionsSchema } from './status.ts';
import { optional } from './vocabulary.ts';

const millis = described(v.number(), 'Milliseconds since the epoch');
const thread = { name: v.string(), share: v.number() };

export const choicesSchema = described(
  v.object({
    project: v.string(),
    executions: described(
      v.array(
        v.object({
          ...EXECUTION_ROW,
          shown: described(v.boolean(), 'Whether its data are among the data that are shown'),
        }),
      ),
      'All of the project, the latest first',
    ),
    metrics: v.array(v.object({ id: v.string(), unit: v.string(), shown: v.boolean() })),
    threads: v.array(
      v.object({
        group: v.string(),
        ...thread,
        name: described(v.string(), 'Threads whose names differ in digits alone are one entry, "reader-#"'),
        threads: v.exactOptional(
          described(
            v.array(v.object(thread)),
            'The threads of the entry by name, as far as their names are kept; absent where it is one thread',
          ),
        ),
      }),
    ),
    windows: v.array(v.object({ from: millis, to: millis })),
    tags: tagsOfVersionsSchema,
  }),
  'The executions of one project in the store, and the selected ones. Metrics, threads and windows are of the loaded data.',
);

export const choices = defineSessionAnswer({
  name: 'choices',
  title: 'What can be chosen',
  description: 'Lists the executions of the store, and the metrics, threads and windows of the data that are shown.',
  parameters: {
    textDocument: optional(textDocumentSchema, 'Document whose data are meant; default: the data of the first folder'),
  },
  result: choicesSchema,
});
