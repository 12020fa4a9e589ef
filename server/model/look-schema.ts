// The schema of what is looked at; parameters of answers and operations, questions of the page and addresses are made of its fields.

import * as v from 'valibot';
import { MOMENT_FORMS, momentOf } from '../base/moment-text.ts';

/** The latest moment that a Date can hold. */
const LATEST_MILLIS = 8.64e15;

/** Milliseconds since the epoch have at least twelve digits; a text with fewer digits may be a day. */
function millisOf(text: string): number | null {
  return /^\d{12,}$/.test(text) ? Number(text) : momentOf(text);
}

/** A moment as people write it, or in milliseconds since the epoch, which is what is read. */
export function moment(meaning: string) {
  return v.pipe(
    v.union([v.string(), v.number()]),
    v.description(meaning),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const millis = typeof dataset.value === 'number' ? dataset.value : millisOf(dataset.value);
      if (millis !== null && Number.isInteger(millis) && Math.abs(millis) <= LATEST_MILLIS) return millis;
      addIssue({ message: 'this is no time', expected: `${MOMENT_FORMS}, or milliseconds since the epoch` });
      return NEVER;
    }),
  );
}

/** @param texts a list of texts */
function fieldsWith<
  const T extends v.GenericSchema<string>,
  const L extends v.GenericSchema<string[], readonly string[]>,
>(text: T, texts: L) {
  return {
    program: field(text, 'Program; default: the configured one, or the only one'),
    version: field(text, 'Version: a name, tag or commit; default: the one nearest to the code checked out'),
    instances: field(texts, 'Only what these instances (processes of the program) recorded, by their names'),
    metric: field(text, 'Metric, such as cpu, wall, alloc, lock; default: cpu-time where recorded, else cpu'),
    threads: field(texts, 'Only threads whose names match one of these patterns, such as http-*'),
    focus: field(
      texts,
      'Take as 100 %: a method, a call path (A.a;B.b), prefix:…, regex:…, query:… or a saved task; several are united, none take it back',
    ),
    from: moment(`Only what was recorded from then on: ${MOMENT_FORMS}`),
    to: moment('Only what was recorded before'),
    path: field(
      text,
      'Count only stacks that satisfy this query by call paths, such as "A ..B"; shares stay those of all samples',
    ),
  };
}

/** More characters or entries than these are no honest wish. */
export const LONGEST_TEXT = 10_000;
export const MOST_ENTRIES = 1_000;

const limited = v.pipe(v.string(), v.minLength(1), v.maxLength(LONGEST_TEXT));
const OWN = fieldsWith(limited, v.pipe(v.array(limited), v.maxLength(MOST_ENTRIES), v.readonly()));

/** The Look as an object of its own. An absent field is left to the settings. */
export const lookSchema = v.pipe(
  v.strictObject(
    each(OWN, v.exactOptional) as { [K in keyof typeof OWN]: v.ExactOptionalSchema<(typeof OWN)[K], undefined> },
  ),
  v.description('Which data are looked at, and which part of them. Without a metric it is the one that hints show.'),
);

// Agents read these for each answer: without limits, which the length of a message has anyway, and without "readonly", which JSON Schema lacks.
const PLAIN = fieldsWith(v.string(), v.array(v.string()));

type Plain = typeof PLAIN;

/** Fields of a look beside other parameters; null means absent. */
export const LOOK = each(PLAIN, v.nullish) as { [K in keyof Plain]: v.NullishSchema<Plain[K], undefined> };

/** Fields of a look that is changed: an absent field stays as it is, null takes the field back. */
export const CHANGED_LOOK = each(PLAIN, schema => v.optional(v.nullable(schema))) as {
  [K in keyof Plain]: v.OptionalSchema<v.NullableSchema<Plain[K], undefined>, undefined>;
};

const { focus: _focus, ...WITHOUT_FOCUS } = PLAIN;
const millis = v.pipe(v.number(), v.description('Milliseconds since the epoch'));
const CHOSEN = { ...WITHOUT_FOCUS, from: millis, to: millis };

/** The chosen fields of a look beside its focus, as answers tell them. */
export const chosenSchema = v.object(
  each(CHOSEN, v.exactOptional) as {
    [K in keyof typeof CHOSEN]: v.ExactOptionalSchema<(typeof CHOSEN)[K], undefined>;
  },
);

function each(fields: Readonly<Record<string, v.GenericSchema>>, made: (schema: v.GenericSchema) => v.GenericSchema) {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, made(schema)]));
}

/** A field with its meaning. */
function field<const S extends v.GenericSchema>(schema: S, meaning: string) {
  return v.pipe(schema, v.description(meaning));
}
