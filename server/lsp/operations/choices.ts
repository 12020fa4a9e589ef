// The operation that lists the possible choices: executions of the store, metrics, threads and windows.

import { windowTimes } from '../../cct/jvms.ts';
import { listedMetrics } from '../../cct/listed-metrics.ts';
import { choices as choicesAnswer } from '../../features/answers/choices.ts';
import { executionOf } from '../../features/answers/executions.ts';
import { executionRows } from '../../features/executions.ts';
import { describedEntries } from '../../workspace/data/store-contents.ts';
import { askAbout } from '../gather.ts';
import type { Choices } from '../protocol.ts';
import { type Asked, ask } from './about.ts';
import { type Context, sessionOperation } from './operation.ts';

/** Threads beyond these have next to nothing. */
const MOST_THREADS = 500;

export const choices = sessionOperation(choicesAnswer, {
  answer: async (context, about) => {
    const asked = await ask(context, about);
    const found = await choicesOf(context, asked);
    const versions = [...new Set(found.executions.map(({ version }) => version))];
    const source = asked.wanted?.source;
    return { ...found, tags: source === undefined ? {} : await context.session.status.tagsOf(source, versions) };
  },
});

export async function choicesOf({ session, token }: Context, { data, wanted }: Asked): Promise<Omit<Choices, 'tags'>> {
  const { store, project } = wanted?.source.wish ?? { store: null, project: '' };
  const entries = store === null ? [] : (await describedEntries({ store, project })).value;
  const ofStore = {
    project,
    executions: executionRows(entries, data).map(row => ({ ...executionOf(row), shown: row.shown })),
  };
  if (data === null) return { ...ofStore, metrics: [], threads: [], windows: [] };
  const { profile, metric } = data;
  const threads = await askAbout(session.questions, data, { name: 'threads', parameters: null, token });
  return {
    ...ofStore,
    metrics: listedMetrics(profile).map(({ id, unit }) => ({ id, unit, shown: id === metric.id })),
    threads: threads.slice(0, MOST_THREADS),
    windows: windowTimes(profile.windows).map(({ startMillis, endMillis }) => ({
      from: startMillis,
      to: endMillis,
    })),
  };
}
