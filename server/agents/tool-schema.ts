// Schemas of parameters as tools list them: as few words as say all. What a parameter means is told by the first tool that has it.

import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema, InferOutput } from 'valibot';
import { formatProblem } from '../base/problem.ts';
import { type Data, isData } from '../features/answers/answer-text.ts';
import { checked } from '../features/answers/checked.ts';

type ToolParameters<S extends GenericSchema> = StandardSchemaWithJSON<Record<string, unknown>, InferOutput<S>>;

/** Keywords left out of the list: a call that breaks them is refused with a message that names them. */
const UNSAID: ReadonlySet<string> = new Set(['$schema', 'additionalProperties', 'minimum', 'maximum', 'minLength']);

export class ToolSchemas {
  /** Descriptions by parameter, as tools have told them so far. */
  readonly #told = new Map<string, string>();

  /** The schema of the next tool, for the protocol's library, with our texts for what does not fit. Null still means absent. */
  next<S extends GenericSchema<unknown, Record<string, unknown>>>(schema: S): ToolParameters<S> {
    const { input, output } = toStandardJsonSchema(schema)['~standard'].jsonSchema;
    const listed = this.#listed(input({ target: 'draft-2020-12' }));
    return {
      '~standard': {
        version: 1,
        jsonSchema: { input: () => listed, output },
        vendor: 'insitu',
        validate: given => {
          const { value, problems } = checked(schema, given);
          if (value !== null) return { value };
          // The library joins several issues by commas, which our texts have too.
          return { issues: [{ message: problems.map(formatProblem).join('; ') }] };
        },
      },
    };
  }

  #listed({ properties, required, ...schema }: Data): Data {
    const parameters = Object.entries(isData(properties) ? properties : {}).map(([name, value]) => {
      const { description, ...type } = short(Object(value));
      const isTold = this.#told.get(name) === description;
      if (typeof description === 'string') this.#told.set(name, this.#told.get(name) ?? description);
      return [name, { ...type, ...(description !== undefined && !isTold && { description }) }];
    });
    return {
      ...short(schema),
      properties: Object.fromEntries(parameters),
      ...(Array.isArray(required) && required.length > 0 && { required }),
    };
  }
}

/** Without null as another way to leave a parameter out, and without limits. */
function short(schema: Data): Data {
  const { anyOf, ...others } = schema;
  const ways = Array.isArray(anyOf) ? anyOf.filter(isData).filter(({ type }) => type !== 'null') : [];
  if (ways.length === 1) return short({ ...ways[0], ...others });
  const types = ways.map(({ type }) => type);
  const isSimple = ways.length > 0 && ways.every(way => typeof way.type === 'string' && Object.keys(way).length === 1);
  const entries = Object.entries({
    ...(isSimple ? { type: types } : ways.length > 0 && { anyOf: ways.map(short) }),
    ...others,
  });
  return Object.fromEntries(
    entries.filter(([name]) => !UNSAID.has(name)).map(([name, value]) => [name, isData(value) ? short(value) : value]),
  );
}
