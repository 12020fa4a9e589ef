// Opens a link that shows a version, metric and focus.
import type { Choices, Status } from 'insitu/protocol';
import type { Ask } from './calls.ts';
import { executionWish, tasksOf } from './choices.ts';
import { warn } from './notices.ts';
import { namesMethod, type SharedView, sharedView } from './shared-view.ts';

type Opening = {
  readonly ask: Ask;
  /** Takes the status of the server after a choice. */
  readonly took: (status: Status | null) => void;
};

/** Shows what a link means, as far as this workspace has it. The link may come from anywhere: it can only choose what could be picked. */
export async function openShared(
  { ask, took }: Opening,
  uri: { readonly path: string; readonly query: string },
): Promise<void> {
  const view = sharedView(uri);
  const problem = typeof view === 'string' ? view : await chooseShared(ask, view, took);
  if (problem !== null) void warn(`insitu: ${problem}.`);
}

async function chooseShared(ask: Ask, view: SharedView, took: Opening['took']): Promise<string | null> {
  const { program, version, metric, focus } = view;
  const known = await ask<Choices>('choices', {});
  if (known === null) return 'the link cannot be followed without data';
  const fits = (each: Choices['executions'][number]): boolean =>
    (program === null || each.program === program) && (version === null || each.version === version);
  if ((program !== null || version !== null) && !known.executions.some(fits))
    return `the link is of ${[program, version].filter(each => each !== null).join(' ')}, which this project has no data of`;
  const saved = new Set((await tasksOf(ask)).map(({ name }) => name));
  const unknown = focus.find(each => !namesMethod(each) && !saved.has(each));
  if (unknown !== undefined)
    return `the link's focus "${unknown}" is neither a method nor a saved task of this project`;
  let status = await ask<Status>('select', { ...executionWish(program, version), metric: null });
  const metrics = (await ask<Choices>('choices', {}))?.metrics ?? [];
  const hasMetric = metrics.some(({ id }) => id === metric);
  if (hasMetric) status = await ask<Status>('select', { metric });
  if (focus.length > 0) status = await ask<Status>('focus', { focus: [...focus] });
  else status = await ask<Status>('clearFocus', {});
  took(status);
  return metric === null || hasMetric ? null : `the link's metric "${metric}" was not recorded`;
}
