// The operation that lists what can be chosen: executions of the store, metrics, threads and windows.

import type { Wish } from '../../analysis/wish.ts';
import { timeSpan } from '../../base/moment-text.ts';
import { windowTimes } from '../../cct/jvms.ts';
import { listedMetrics } from '../../cct/processor-time.ts';
import { executionRows } from '../../features/executions.ts';
import { describedEntries } from '../../workspace/data/store-contents.ts';
import { askAbout } from '../gather.ts';
import type { About, ExecutionsMessage } from '../protocol.ts';
import { type Asked, ask } from './about.ts';
import { type Context, operation } from './operation.ts';
import { present } from './operation-parameters.ts';

/** Threads beyond these have next to nothing. */
const MOST_THREADS = 500;

export const executions = operation({
  name: 'executions',
  parameters: given => present({ textDocument: given.textDocument() }),
  answer: taggedExecutions,
  show: showExecutions,
});

async function taggedExecutions(context: Context, about: About): Promise<ExecutionsMessage> {
  const asked = await ask(context, about);
  const found = await executionsOf(context, asked);
  const versions = [...new Set(found.executions.map(({ version }) => version))];
  const source = asked.wanted?.source;
  return { ...found, tags: source === undefined ? {} : await context.session.status.tagsOf(source, versions) };
}

export async function executionsOf(
  context: Context,
  { data, wanted }: Asked,
): Promise<Omit<ExecutionsMessage, 'tags'>> {
  const entries = wanted === null ? [] : (await describedEntries(placeOf(wanted.source.wish))).value;
  const rows = executionRows(entries, data);
  const threads =
    data === null
      ? null
      : await askAbout(context.session.questions, data, { name: 'threads', parameters: null, token: context.token });
  return {
    project: wanted?.source.wish.project ?? '',
    executions: rows.map(({ project: _project, bytes: _bytes, ...row }) => row),
    metrics:
      data === null
        ? []
        : listedMetrics(data.profile).map(({ id, unit }) => ({ id, unit, shown: id === data.metric.id })),
    threads: (threads ?? []).slice(0, MOST_THREADS),
    windows:
      data === null
        ? []
        : windowTimes(data.profile.windows).map(({ startMillis, endMillis }) => ({
            fromMillis: startMillis,
            toMillis: endMillis,
          })),
  };
}

function placeOf({ store, project }: Pick<Wish, 'store' | 'project'>) {
  return { store, project };
}

function showExecutions({ session }: Context, { project, executions: rows }: ExecutionsMessage): Promise<void> {
  return session.pages.show({
    file: 'executions',
    title: `Executions of ${project}`,
    intro: [],
    head: ['shown', 'version', 'recorded', 'snapshots', 'program and instance'],
    rows: rows.map(({ shown, program, version, instance, fromMillis, toMillis, snapshots }) => ({
      cells: [shown ? 'shown' : '', version, timeSpan(fromMillis, toMillis), `${snapshots}`],
      name: `${program} ${instance}`,
      place: null,
    })),
    whenEmpty:
      'There are no recordings of this project yet; insitu.importRecording imports one, insitu.record records a JVM.',
  });
}
