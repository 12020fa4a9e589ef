// The common part of operations that change the look: the change itself, waiting for its data, and one line about it.
import type { Choice } from '../../workspace/data/choice.ts';
import type { Status } from '../protocol.ts';
import type { Asked } from './about.ts';
import type { Context } from './operation.ts';

/**
 * Changes what is looked at and answers the status as soon as the document's own data are there, whatever else is being read; where they
 * take long, with those shown meanwhile.
 */
export async function chooseAndTell(
  { session, token }: Context,
  { uri }: Pick<Asked, 'uri'>,
  change: (before: Choice) => Choice,
): Promise<Status> {
  const before = session.workspace.view().choice(uri);
  const choice = change(before);
  if (JSON.stringify(choice) !== JSON.stringify(before)) session.choose(uri, choice);
  await session.readiness.untilLoaded(token, uri);
  return session.status.withCommits();
}

/** One line that says what is looked at now. */
export function tellStatus({ session }: Context, { sources, text }: Status): void {
  const [first] = sources;
  tellLines(session, first === undefined ? text.split('\n') : [first.text, ...first.problems]);
}

/** A message of which the first line says from whom it is. */
export function tellLines({ pages }: Context['session'], [first = '', ...more]: readonly string[]): void {
  pages.tell(`insitu: ${first}`, ...more);
}
