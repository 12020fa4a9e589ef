// Methods whose samples are left out of what is looked at, as the query by call paths that the look then has.
import type { MethodInfo } from 'insitu/views';

const WHERE = ' where ';
const AND = ' and ';
const NOT = 'not * ..';

/** A name as queries take it without quotation marks; see grammar/path-syntax.ts. */
const PLAIN = /^(?:[^\s.()[\]|;,="]|\.(?!\.))+$/;

/** A method's name as a path takes it: with its parameters, where they are known. */
export function nameInQuery({ className, name, parameters }: MethodInfo): string {
  const full = className === '' ? name : `${className}.${name}`;
  if (!PLAIN.test(full)) return `"${full.replaceAll('"', '')}"`;
  return parameters === null ? full : `${full}(${parameters})`;
}

type Hiding = {
  /** The query without the hidden methods; null for everything. */
  readonly rest: string | null;
  readonly hidden: readonly string[];
};

/** A query with a `where` of another form hides nothing. */
export function hidingIn(path: string | undefined): Hiding {
  if (path === undefined) return { rest: null, hidden: [] };
  const at = path.indexOf(WHERE);
  const conditions = at < 0 ? [] : path.slice(at + WHERE.length).split(AND);
  if (conditions.length === 0 || !conditions.every(each => each.startsWith(NOT))) return { rest: path, hidden: [] };
  const rest = path.slice(0, at);
  return { rest: rest === '*' ? null : rest, hidden: conditions.map(each => each.slice(NOT.length)) };
}

/** undefined where there is no restriction. */
export function pathWith({ rest, hidden }: Hiding): string | undefined {
  if (hidden.length === 0) return rest ?? undefined;
  const conditions = hidden.map(name => `${NOT}${name}`);
  const at = rest === null ? -1 : rest.indexOf(WHERE);
  if (rest === null || at < 0) return `${rest ?? '*'}${WHERE}${conditions.join(AND)}`;
  return `${rest.slice(0, at)}${WHERE}(${rest.slice(at + WHERE.length)})${AND}${conditions.join(AND)}`;
}
