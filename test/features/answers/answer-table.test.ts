// The table of answers: every schema has a JSON Schema, and what does not fit becomes a problem with a way out.
import { toJsonSchema } from '@valibot/to-json-schema';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { formatProblem } from '../../../server/base/problem.ts';
import { ANSWERS, ANSWERS_BY_NAME } from '../../../server/features/answers/answer-table.ts';
import { checked } from '../../../server/features/answers/checked.ts';

const methods = ANSWERS.find(({ name }) => name === 'top')!;

function problemsOf(given: unknown): string[] {
  return checked(methods.parameters, given).problems.map(formatProblem);
}

describe.each(Object.entries(ANSWERS_BY_NAME))('%s', (_name, { parameters, result, ...others }) => {
  test('has schemas that can be converted and compiled', () => {
    for (const [schema, typeMode] of [
      [parameters, 'input'],
      [result, 'output'],
    ] as const)
      expect(
        new Ajv2020({ strict: false }).compile(
          Object(toJsonSchema(schema, { typeMode, errorMode: 'throw', target: 'draft-2020-12' })),
        ),
      ).toBeTypeOf('function');
  });

  test('is described by one sentence', () => expect(others.description).toMatch(/^[A-Z].*[^.]\.$/));

  test('refuses a parameter that it does not have', () => {
    const [problem] = checked(parameters, { surely: 1 }).problems.filter(({ place }) => place === 'surely');
    expect(problem?.message).toBe('there is no such parameter');
    const [first] = Object.keys(Object(parameters).entries);
    expect(problem?.remedy).toContain(first === undefined ? 'leave it out' : `known: ${first}`);
  });
});

test('rows stand in the table by their names', () =>
  expect(Object.values(ANSWERS_BY_NAME).map(({ name }) => name)).toEqual(Object.keys(ANSWERS_BY_NAME)));

test('absent, null and empty parameters mean the same', () => {
  for (const given of [undefined, null, {}, { limit: null, sort: null }])
    expect(checked(methods.parameters, given).problems).toEqual([]);
});

test.each([
  [{ limits: 5 }, 'limits: there is no such parameter (did you mean limit?)'],
  [{ limit: 0 }, 'limit: 0 is not allowed (allowed: 1 or more)'],
  [{ limit: 2.5 }, 'limit: 2.5 is not allowed (allowed: a whole number)'],
  [{ sort: 'size' }, 'sort: "size" is not allowed (allowed: "own" | "total" | "self" | "name" | "change")'],
  [{ focus: ['a', 7] }, 'focus.1: 7 is not allowed (allowed: a text)'],
])('%j: %s', (given, problem) => expect(problemsOf(given)).toEqual([problem]));

test('a parameter that is missing is named', () => {
  const callers = ANSWERS.find(({ name }) => name === 'callers')!;
  expect(checked(callers.parameters, {}).problems.map(formatProblem)).toEqual([
    'method: this parameter is missing (give it a value)',
  ]);
});

test('a long value and control characters do not reach a terminal', () => {
  const [text] = problemsOf({ sort: `\u001b[31m${'x'.repeat(10_000)}` });
  expect(text!.length).toBeLessThan(200);
  expect(text).not.toContain('\u001b');
});
