// Checks what any face was given against a schema: the values, or a problem with the path, the value and what is allowed.

import * as v from 'valibot';
import { printableName } from '../../base/printable.ts';
import type { Problem } from '../../base/problem.ts';
import { nearestNames } from '../../metrics/nearest-names.ts';

type Checked<T> = { readonly value: T; readonly problems: readonly [] } | Refusal;
type Refusal = { readonly value: null; readonly problems: readonly Problem[] };

const LONGEST_VALUE = 60;
/** More do not help: a long list may be wrong in every entry. */
const MOST_PROBLEMS = 10;
const NAMED = 'give each value with its name';
/** The kinds of values and of limits, by the library's words for them. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  Array: 'a list',
  Object: 'an object',
};
const LIMITS: Readonly<Record<string, (limit: string) => string>> = {
  min_value: limit => `${limit} or more`,
  max_value: limit => `${limit} or less`,
  min_length: limit => `a length of ${limit} or more`,
  max_length: limit => `a length of ${limit} or less`,
};

/** Absent parameters are an empty object. */
export function checked<S extends v.GenericSchema>(schema: S, given: unknown): Checked<v.InferOutput<S>> {
  if (Array.isArray(given) || typeof (given ?? {}) !== 'object')
    return {
      value: null,
      problems: [{ severity: 'error', message: 'the parameters must be an object', remedy: NAMED }],
    };
  const result = v.safeParse(schema, given ?? {});
  if (result.success) return { value: result.output, problems: [] };
  return { value: null, problems: result.issues.slice(0, MOST_PROBLEMS).map(issue => problemOf(schema, issue)) };
}

function problemOf(schema: v.GenericSchema, issue: v.BaseIssue<unknown>): Problem {
  const path = v.getDotPath(issue) ?? '';
  const place = path === '' ? {} : { place: path };
  const names = 'entries' in schema ? Object.keys(Object(schema.entries)) : [];
  if (issue.expected === 'never') {
    const [near] = nearestNames(names, path, 1);
    const known = names.length === 0 ? 'leave it out' : `known: ${names.join(', ')}`;
    const remedy = near === undefined ? known : `did you mean ${near}?`;
    return { severity: 'error', message: 'there is no such parameter', ...place, remedy };
  }
  if (issue.received === 'undefined')
    return { severity: 'error', message: 'this parameter is missing', ...place, remedy: 'give it a value' };
  return notAllowed(path, issue.input, allowedText(issue));
}

/** The problem of a value at a path of the parameters; an empty path means all of them. */
export function notAllowed(path: string, value: unknown, allowed: string): Problem {
  const message = `${valueText(value)} is not allowed`;
  return { severity: 'error', message, ...(path !== '' && { place: path }), remedy: `allowed: ${allowed}` };
}

function allowedText({ type, expected, message }: v.BaseIssue<unknown>): string {
  if (type === 'integer') return 'a whole number';
  // An expression says nothing to people: its schema has words.
  if (type === 'regex') return message;
  const text = expected ?? 'another value';
  const limit = /^[<>]=(.+)$/.exec(text)?.[1];
  if (limit !== undefined && LIMITS[type] !== undefined) return LIMITS[type](limit);
  const kinds = text.replace(/^\((.*)\)$/, '$1').split(' | ');
  return kinds.map(kind => KINDS[kind] ?? kind).join(' | ');
}

function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return printableName(text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text);
}
