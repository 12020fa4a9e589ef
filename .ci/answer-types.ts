// Writes the types of all answers and of their terms from the schemas.
import * as v from 'valibot';
import type { Answer } from '../server/features/answers/answer.ts';
import { ANSWERS_BY_NAME } from '../server/features/answers/answer-table.ts';
import { EXECUTION } from '../server/model/execution-schema.ts';
import { lookSchema } from '../server/model/look-schema.ts';
import { described, TERMS, verdictSchema } from '../server/model/terms.ts';
import { declaredType, type NamedSchemas } from './schema-types.ts';

const HEADER =
  '// The types of all answers and of their terms, for clients: node .ci/docs.ts writes them from the schemas.\n';

/** As `GivenLook` of the server. */
const GIVEN_LOOK =
  '/** A look beside other parameters: null means absent. */\nexport type GivenLook = { readonly [Key in keyof Look]?: Look[Key] | null | undefined };\n';

const NAMED: NamedSchemas = new Map<v.GenericSchema, string>([
  [lookSchema, 'Look'],
  [v.object(EXECUTION), 'Execution'],
  [verdictSchema, 'Verdict'],
  ...Object.entries(TERMS).map(([name, schema]) => [schema, name] as const),
]);

export function answerTypes(): string {
  const table: Readonly<Record<string, Answer>> = ANSWERS_BY_NAME;
  const results = Object.entries(table).map(([name, row]) => [name, described(row.result, row.description)]);
  const answers = described(v.object(Object.fromEntries(results)), 'What each answer gives, by its name.');
  const terms = Array.from(NAMED, ([schema, name]) => declaredType(name, schema, NAMED));
  return [HEADER, ...terms, GIVEN_LOOK, declaredType('Answers', answers, NAMED)].join('\n');
}
