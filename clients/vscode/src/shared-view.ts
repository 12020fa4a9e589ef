// Links that show the same view elsewhere: version, metric and focus. A link may come from anywhere, so that each part is checked.
import type { Look, SourceStatus } from 'insitu/protocol';
import { encodedInLink } from './links.ts';

/** null or empty: as the settings have it. */
export type SharedView = Required<Pick<Look, 'focus'>> & {
  readonly [K in 'program' | 'version' | 'metric']: string | null;
};

const PATH = '/show';
const MOST_LETTERS = 2_000;
const MOST_FOCUSES = 20;
/** Letters that names have; what could steer a screen, or means something in a link, is refused. */
const NAME = /^[\p{L}\p{N} ._$#<>()/,+:;[\]*@-]{1,300}$/u;

/** @param scheme of the editor, such as `vscode`. Names with other letters are left out. */
export function linkTo(scheme: string, { program, versions, metric, focus }: SourceStatus): string {
  const [version = null] = versions;
  const parts = { program, version: versions.length === 1 ? version : null, metric };
  const given = [...Object.entries(parts), ...focus.map((each): [string, string] => ['focus', each])];
  const query = given.flatMap(([key, value]) =>
    value !== null && NAME.test(value) ? [`${key}=${encodedInLink(value)}`] : [],
  );
  return `${scheme}://insitu.insitu${PATH}?${query.join('&')}`;
}

/** The view that a link means, or why it means none. @param query as editors give it, already decoded once. */
export function sharedView({ path, query }: { readonly path: string; readonly query: string }): SharedView | string {
  if (path !== PATH) return 'the link is of no view';
  if (query.length > MOST_LETTERS) return 'the link is too long';
  const values: Record<'program' | 'version' | 'metric' | 'focus', string[]> = {
    program: [],
    version: [],
    metric: [],
    focus: [],
  };
  for (const part of query === '' ? [] : query.split('&')) {
    const at = part.indexOf('=');
    const [key, value] = [part.slice(0, at), part.slice(at + 1)];
    if (!(key === 'program' || key === 'version' || key === 'metric' || key === 'focus'))
      return 'the link has a part that is not known';
    if (!NAME.test(value)) return `the link's ${key} is no name`;
    values[key].push(value);
  }
  const { program, version, metric, focus } = values;
  if (Math.max(program.length, version.length, metric.length) > 1 || focus.length > MOST_FOCUSES)
    return 'the link has a part too often';
  return { program: program[0] ?? null, version: version[0] ?? null, metric: metric[0] ?? null, focus };
}

/** Whether a focus names a method: other expressions are taken only where the project has saved them. */
export function namesMethod(focus: string): boolean {
  return /^[\p{L}\p{N}_$.]+[.#][\p{L}\p{N}_$<>]+(?:\([^()]*\)[^()]*)?$/u.test(focus);
}
