// Queries by call paths for the page's analyzer: cost and refinements, and names to go on with.
import { refusalOf } from './refusal.ts';
import type { Viewed, ViewHost } from './view-host.ts';
import type { AskPathNames, AskPaths, PathNames, Paths } from './view-messages.ts';
import { subjectOf } from './viewed-data.ts';

const MOST_ROWS = 200;
const MOST_NAMES = 12;

export async function pathsAnswer(
  { door }: ViewHost,
  viewed: Viewed,
  { look, query, view, refine, at, least }: AskPaths,
  signal: AbortSignal,
): Promise<Paths> {
  const wish = {
    ...{ query, aspects: viewed.aspects, view, least, most: MOST_ROWS },
    refine: refine === null ? null : refine === 'up' ? { kind: refine, at } : { kind: refine },
  };
  const found = await door.ask(subjectOf(viewed, look), 'paths', wish, { signal, urgent: true });
  if (found.kind === 'failed') throw refusalOf(found.problems);
  if (found.kind === 'mistake') return { query, mistake: found.mistake };
  const { whole, amount, certainty, idle, elements, rows, hidden, splits, missing } = found.answer;
  return {
    ...{ query, whole, amount, certainty, idle, elements, hidden, splits, missing },
    rows: rows?.map(({ amount: total, ...row }) => ({ ...row, total })) ?? null,
  };
}

export function pathNamesAnswer(
  { door }: ViewHost,
  viewed: Viewed,
  { look, query, at }: AskPathNames,
  signal: AbortSignal,
): Promise<PathNames> {
  const wish = { query, at, aspects: viewed.aspects, most: MOST_NAMES };
  return door.ask(subjectOf(viewed, look), 'pathNames', wish, { signal, urgent: true });
}
