// Writes the types of all answers and of their terms from the schemas.
import * as v from 'valibot';
import { ANSWERS } from '../server/features/answers/answer-table.ts';
import { TERMS, verdictSchema } from '../server/model/terms.ts';
import { declaredType, type NamedSchemas } from './schema-types.ts';

const HEADER =
  '// The types of all answers and of their terms, for clients: node .ci/docs.ts writes them from the schemas.\n';

const NAMED: NamedSchemas = new Map<v.GenericSchema, string>([
  [verdictSchema, 'Verdict'],
  ...Object.entries(TERMS).map(([name, schema]) => [schema, name] as const),
]);

export function answerTypes(): string {
  const results = ANSWERS.map(({ name, description, result }) => [name, v.pipe(result, v.description(description))]);
  const answers = v.pipe(v.object(Object.fromEntries(results)), v.description('What each answer gives, by its name.'));
  const terms = Array.from(NAMED, ([schema, name]) => declaredType(name, schema, NAMED));
  return [HEADER, ...terms, declaredType('Answers', answers, NAMED)].join('\n');
}
