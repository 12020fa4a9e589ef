// The method that a parameter or an argument names: the only one that fits, or a refusal with the names that may be meant.

import * as v from 'valibot';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { methodsNamed, type NamedMethods } from '../../analysis/named-methods.ts';
import { suggested } from '../../base/printable.ts';
import { methodsLike } from '../../metrics/methods-like.ts';
import { refused } from './answer.ts';

/** The parameter `method` of answers about one method. */
export const METHOD = {
  method: v.pipe(
    v.string(),
    v.description(
      'Method: com.acme.Shop.search, Shop#search(String), as much of the end as one method alone has, or id:… of an answer',
    ),
  ),
};

const MOST_NAMES = 8;

/** Rejects names that no method, or several methods, have. */
export function namedMethod(data: LoadedData, text: string): NamedMethods {
  const row = rowOfId(data, text);
  const found = row === null ? methodsNamed(data.profile.methods, text) : [{ name: text, rows: [row] }];
  if (found.length === 1) return found[0]!;
  if (found.length > 1) {
    const names = found.map(({ name }) => suggested(name));
    const more = names.length > MOST_NAMES ? `, or another of ${names.length}` : '';
    throw refused(`several methods are called "${text}"`, `write ${names.slice(0, MOST_NAMES).join(' or ')}${more}`);
  }
  const names = methodsLike(data.profile.methods, text).map(suggested).join(' or ');
  throw refused(
    `no method that ran is called "${text}"`,
    names === '' ? 'insitu top --platform lists the methods that ran' : `did you mean ${names}?`,
  );
}

/** The method whose id is given in place of its name; null for names, and for ids of methods that did not run. */
function rowOfId({ answers, profile }: LoadedData, text: string): number | null {
  const [, id] = /^id:([\w-]{8})$/.exec(text) ?? [];
  const row = id === undefined ? -1 : answers.keysOf(profile.methods).rowOf(id);
  return row < 0 ? null : row;
}
