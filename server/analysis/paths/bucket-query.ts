// Writes the query that the samples of a bucket satisfy: they belong to an aspect and to none before it, or to no aspect at all.
import { parseMembers, parseQuery } from '../../../grammar/path-syntax.ts';
import type { Aspect } from './resolve-query.ts';

type BucketWish = {
  /** Names of the aspects in their order, without aspects that no method belongs to. */
  readonly names: readonly string[];
  /** Place of the bucket among the names; the number of names for the rest. */
  readonly place: number;
  /** Aspects that are not saved: the query has their definitions. */
  readonly unsaved: readonly Aspect[];
  /** The query that all samples satisfy; null without one. Its own aspects are not among the unsaved ones. */
  readonly within: string | null;
};

export function bucketQuery({ names, place, unsaved, within }: BucketWish): string {
  const name = names[place];
  const before = names.slice(0, place);
  const earlier = nameBeside('earlier', names);
  const [only = earlier] = before.length === 1 ? before : [];
  const union = before.length > 1 ? `let ${earlier} = ${before.join(' | ')}; ` : '';
  const conditions = [...(name === undefined ? [] : [`..${name}`]), ...(before.length === 0 ? [] : [`not ..${only}`])];
  const needed = name === undefined ? before : [...before, name];
  const lets = definitions(needed, unsaved);
  // Without aspects every stack belongs to none.
  const condition = conditions.join(' and ') || '*';
  return within === null ? `${lets}${union}${condition}` : joined(within, lets, union, condition);
}

/** Its own aspects stand first: the union may name them. */
function joined(within: string, lets: string, union: string, condition: string): string {
  const parsed = parseQuery(within);
  if (!('value' in parsed)) return within;
  const { conditionAt, condition: both } = parsed.value;
  const text = within.slice(conditionAt.from, conditionAt.to);
  const before = lets + within.slice(0, conditionAt.from) + union;
  return `${before}${both.kind === 'or' ? `(${text})` : text} and ${condition}${within.slice(conditionAt.to)}`;
}

/** The definitions of the unsaved names, each behind the definitions that it names. */
function definitions(names: readonly string[], unsaved: readonly Aspect[]): string {
  const values = new Map(unsaved.map(({ name, value }) => [name, value]));
  let text = '';
  const define = (name: string): void => {
    const value = values.get(name);
    if (value === undefined) return;
    values.delete(name);
    const members = parseMembers(value);
    if ('value' in members) for (const member of members.value) define(member.text);
    text += `let ${name} = ${value}; `;
  };
  for (const name of names) define(name);
  return text;
}

function nameBeside(wanted: string, names: readonly string[]): string {
  return names.includes(wanted) ? nameBeside(`${wanted}_`, names) : wanted;
}
