// Writes the query that the samples of a bucket satisfy: they belong to an aspect and to none before it, or to no aspect at all.
import {
  type ConditionSyntax,
  type MemberSyntax,
  parseMembers,
  parseQuery,
  type QuerySyntax,
} from '../../../grammar/path-syntax.ts';
import type { Aspect } from './resolve-query.ts';

type BucketWish = {
  /** Names of the aspects in their order, without aspects that no method belongs to. */
  readonly names: readonly string[];
  /** Place of the bucket among the names; the number of names for the rest. */
  readonly place: number;
  /** Names of all aspects, with the aspects of the query `within`: the query gives none of them another meaning. */
  readonly known: readonly string[];
  /** Aspects that are not saved: the query has their definitions, and those of saved aspects that name them. */
  readonly unsaved: readonly Aspect[];
  readonly saved: readonly Aspect[];
  /** The query that all samples satisfy; null without one. It defines none of the unsaved aspects, and does not know them. */
  readonly within: string | null;
};

export function bucketQuery({ names, place, known, unsaved, saved, within }: BucketWish): string {
  const name = names[place];
  const before = names.slice(0, place);
  const filter = syntaxOf(within);
  const own = new Set(filter?.aspects.map(aspect => aspect.name));
  const changed = changedAspects(unsaved, saved, own);
  const taken = new Set([...known, ...(filter === null ? [] : mentionsIn(filter).map(({ text }) => text))]);
  const earlier = nameBeside('earlier', taken);
  const [only = earlier] = before.length === 1 ? before : [];
  const union = before.length > 1 ? `let ${earlier} = ${before.join(' | ')}; ` : '';
  const conditions = [...(name === undefined ? [] : [`..${name}`]), ...(before.length === 0 ? [] : [`not ..${only}`])];
  const lets = definitions(name === undefined ? before : [...before, name], changed);
  // Without aspects, all stacks belong to the rest.
  const condition = conditions.join(' and ') || '*';
  if (within === null || filter === null) return `${lets}${union}${condition}`;
  const meanings = new Map(saved.filter(each => changed.has(each.name)).map(each => [each.name, each.value]));
  return joined(withSavedMeanings(within, filter, meanings, taken), lets + union, condition);
}

/** The aspects of the query stand first: the definitions behind them may name them. */
function joined(within: string, lets: string, condition: string): string {
  const filter = syntaxOf(within);
  if (filter === null) return within;
  const { conditionAt, condition: both } = filter;
  const text = within.slice(conditionAt.from, conditionAt.to);
  const before = within.slice(0, conditionAt.from) + lets;
  return `${before}${both.kind === 'or' ? `(${text})` : text} and ${condition}${within.slice(conditionAt.to)}`;
}

/** The query with new names for the saved aspects whose meaning the definitions behind the query change. */
function withSavedMeanings(
  within: string,
  filter: QuerySyntax,
  meanings: ReadonlyMap<string, string>,
  taken: Set<string>,
): string {
  const others = new Map<string, string>();
  let [text, lets] = [within, ''];
  for (const { text: name, from, to } of mentionsIn(filter).toSorted((a, b) => b.from - a.from)) {
    const value = meanings.get(name);
    if (value === undefined) continue;
    const other = others.get(name) ?? nameBeside(name, taken);
    if (!others.has(name)) lets += `let ${other} = ${value}; `;
    others.set(name, other);
    taken.add(other);
    text = text.slice(0, from) + other + text.slice(to);
  }
  return lets + text;
}

/** The unsaved aspects and the saved ones that name them, with their definitions. */
function changedAspects(
  unsaved: readonly Aspect[],
  saved: readonly Aspect[],
  own: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const changed = new Map(unsaved.map(({ name, value }) => [name, value]));
  for (let size = -1; changed.size > Math.max(size, 0); ) {
    size = changed.size;
    for (const { name, value } of saved)
      if (!changed.has(name) && !own.has(name) && namesIn(value).some(each => changed.has(each)))
        changed.set(name, value);
  }
  return changed;
}

/** The definitions of the changed names, each behind the definitions that it uses. */
function definitions(names: readonly string[], changed: ReadonlyMap<string, string>): string {
  const defined = new Set<string>();
  let text = '';
  const define = (name: string): void => {
    const value = changed.get(name);
    if (value === undefined || defined.has(name)) return;
    defined.add(name);
    for (const each of namesIn(value)) define(each);
    text += `let ${name} = ${value}; `;
  };
  for (const name of names) define(name);
  return text;
}

function syntaxOf(query: string | null): QuerySyntax | null {
  const parsed = query === null ? null : parseQuery(query);
  return parsed !== null && 'value' in parsed ? parsed.value : null;
}

function namesIn(definition: string): readonly string[] {
  const parsed = parseMembers(definition);
  return 'value' in parsed ? parsed.value.filter(mayBeAspect).map(({ text }) => text) : [];
}

/** The parts of a query that may name an aspect. */
function mentionsIn({ aspects, condition, where }: QuerySyntax): readonly MemberSyntax[] {
  const all = [...aspects.flatMap(({ members }) => members), ...membersOf(condition)];
  return [...all, ...(where === null ? [] : membersOf(where))].filter(mayBeAspect);
}

function membersOf(condition: ConditionSyntax): readonly MemberSyntax[] {
  if (condition.kind === 'path') return condition.elements.map(({ member }) => member);
  return condition.kind === 'not' ? membersOf(condition.operand) : condition.operands.flatMap(membersOf);
}

function mayBeAspect({ isQuoted, parameters }: MemberSyntax): boolean {
  return !isQuoted && parameters === null;
}

function nameBeside(wanted: string, names: ReadonlySet<string>): string {
  return names.has(wanted) ? nameBeside(`${wanted}_`, names) : wanted;
}
