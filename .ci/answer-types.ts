// Writes the types of all answers and of their terms from the schemas.
import * as v from 'valibot';
import type { Answer, SessionAnswer } from '../server/features/answers/answer.ts';
import { ANSWERS, SESSION_ANSWERS } from '../server/features/answers/answer-table.ts';
import {
  callHierarchyEntrySchema,
  callHierarchyRowSchema,
  callHierarchySchema,
} from '../server/features/answers/call-hierarchy.ts';
import { choicesSchema } from '../server/features/answers/choices.ts';
import { neighboursSchema, stateNameSchema, threadGroupsSchema } from '../server/features/answers/metrics.ts';
import {
  recordingSchema,
  sourceStatusSchema,
  statusSchema,
  tagsOfVersionsSchema,
} from '../server/features/answers/status.ts';
import { DOCUMENT_TERMS } from '../server/model/document-terms.ts';
import { EXECUTION } from '../server/model/execution.ts';
import { lookSchema } from '../server/model/look-schema.ts';
import { described, TERMS, verdictSchema } from '../server/model/terms.ts';
import { declaredType, type NamedSchemas } from './schema-types.ts';

const HEADER =
  '// The types of all answers and of their terms, for clients: node .ci/docs.ts writes them from the schemas.\n';

/** The text of the server's `GivenLook`. */
const GIVEN_LOOK =
  '/** A look beside other parameters: null means absent. */\nexport type GivenLook = { readonly [Key in keyof Look]?: Look[Key] | null | undefined };\n';

const NAMED: NamedSchemas = new Map<v.GenericSchema, string>([
  [lookSchema, 'Look'],
  [v.object(EXECUTION), 'Execution'],
  [verdictSchema, 'Verdict'],
  ...Object.entries({ ...TERMS, ...DOCUMENT_TERMS }).map(([name, schema]) => [schema, name] as const),
  [tagsOfVersionsSchema, 'TagsOfVersions'],
  [recordingSchema, 'RecordingMessage'],
  [sourceStatusSchema, 'SourceStatus'],
  [statusSchema, 'Status'],
  [choicesSchema, 'Choices'],
  [callHierarchySchema, 'CallHierarchy'],
  [callHierarchyRowSchema, 'CallHierarchyRow'],
  [callHierarchyEntrySchema, 'CallHierarchyEntry'],
  [stateNameSchema, 'StateName'],
  [neighboursSchema, 'Neighbours'],
  [threadGroupsSchema, 'ThreadGroups'],
]);

export function answerTypes(): string {
  const terms = Array.from(NAMED, ([schema, name]) => declaredType(name, schema, NAMED));
  return [
    ...[HEADER, ...terms, GIVEN_LOOK],
    resultTypes('Answers', 'What each answer gives, by its name.', ANSWERS),
    resultTypes('SessionAnswers', 'What the answers give that editors alone get.', SESSION_ANSWERS),
  ].join('\n');
}

function resultTypes(name: string, meaning: string, rows: readonly (Answer | SessionAnswer)[]): string {
  const results = rows.map(row => [
    row.name,
    NAMED.has(row.result) ? row.result : described(row.result, row.description),
  ]);
  return declaredType(name, described(v.object(Object.fromEntries(results)), meaning), NAMED);
}
