// The operation that puts recordings of this machine into the store, with progress that can be cancelled, and shows them where that is no surprise.

import { basename } from 'node:path';
import * as v from 'valibot';
import { printableName } from '../../base/printable.ts';
import { formatProblem } from '../../base/problem.ts';
import { openRepository } from '../../mapping/git/git-repository.ts';
import { EXECUTION_NAMES } from '../../model/execution.ts';
import { MOST_ENTRIES } from '../../model/look-schema.ts';
import { latestEntry } from '../../workspace/data/store-contents.ts';
import { type Imported, importRecording, instanceOf } from '../../workspace/import/import-recording.ts';
import type { ImportAnswer, ImportMessage } from '../protocol.ts';
import { type Asked, ask } from './about.ts';
import { pathOfWish } from './compare-with.ts';
import { type Context, operation, WrongParameters } from './operation.ts';
import { ABOUT, name } from './operation-parameters.ts';

export const importRecordings = operation({
  name: 'importRecording',
  parameters: {
    ...ABOUT,
    files: v.pipe(v.array(name), v.minLength(1), v.maxLength(MOST_ENTRIES)),
    ...EXECUTION_NAMES,
  },
  answer: async (context, wish): Promise<ImportAnswer> => {
    const { session, token } = context;
    const asked = await ask(context, wish);
    const target = await targetOf(asked, context, wish);
    const paths = wish.files.map(file => pathOfWish(context, file));
    const { program, version } = target.execution;
    const results: Imported[] = [];
    const cancelled = new AbortController();
    const listener = token.onCancellationRequested(() => cancelled.abort());
    const progress = session.beginProgress('insitu: importing recordings', () => cancelled.abort());
    for (const [at, recording] of paths.entries()) {
      const task = {
        ...target,
        recording,
        isInstanceNamed: wish.instance !== undefined,
        execution: { ...target.execution, instance: wish.instance ?? instanceOf(recording) },
      };
      const onProgress = (read: number, all: number) =>
        progress.report((100 * (at + (all > 0 ? read / all : 0))) / paths.length, basename(recording));
      results.push(await importRecording(task, { signal: cancelled.signal, onProgress }));
      if (cancelled.signal.aborted) break;
    }
    progress.end();
    listener.dispose();
    const done = results.filter(({ snapshot }) => snapshot !== null);
    if (done.length > 0) await showImported(context, asked, target);
    return {
      imported: done.length,
      program,
      version,
      problems: results
        .flatMap(({ problems }) => problems)
        .filter(({ severity }) => severity !== 'info')
        .map(formatProblem),
    };
  },
  show: ({ session }, { imported, program, version, problems }) => {
    const [first] = session.status.now().sources;
    const as = imported > 0 ? ` as ${printableName(program)} ${printableName(version)}` : '';
    const done = `insitu: ${imported} recording${imported === 1 ? '' : 's'} imported${as}`;
    session.pages.tell(done, ...problems, ...(imported > 0 && first !== undefined ? [first.text] : []));
  },
});

/**
 * As the command line imports. Where neither the wish nor settings name them, the program is the one that is shown, and the version
 * the commit that is checked out.
 */
async function targetOf({ uri, data }: Asked, { session }: Context, { program, version }: ImportMessage) {
  const configuration = session.workspace.view().configuration(uri);
  if (configuration === null) throw new WrongParameters('no folder is open whose project this could belong to');
  const { settings, store, project, repository } = configuration;
  const named = program || settings.program || data?.provenance.program;
  if (!named) throw new WrongParameters('"program" is missing: which program was recorded?');
  const recorded = version || settings.version || (await checkedOut(repository)) || 'unknown';
  const execution = { project, program: named, version: recorded };
  const sources = { repository, tagPattern: settings.tagPattern, folder: null };
  return { store, metrics: settings.metrics, execution, sources };
}

/** Hash of the commit that is checked out; null outside git, and before the first commit. */
async function checkedOut(root: string | null): Promise<string | null> {
  const repository = root === null ? null : (await openRepository(root)).value;
  if (repository === null) return null;
  try {
    return await repository.head();
  } finally {
    repository.close();
  }
}

/** Shows what was imported where nothing was shown, or where it is the newest of the program that is shown. */
async function showImported(
  context: Context,
  before: Asked,
  { store, execution }: Awaited<ReturnType<typeof targetOf>>,
): Promise<void> {
  const { session, token } = context;
  const { uri } = before;
  const { project, program, version } = execution;
  const latest = await latestEntry({ store, project }, program);
  const isNewest = latest !== null && latest.execution.version === version;
  const shown = before.data?.provenance.program;
  if (shown === undefined || (shown === program && isNewest)) {
    const { instances: _instances, from: _from, to: _to, ...choice } = session.workspace.view().choice(uri);
    session.choose(uri, { ...choice, program, version });
  }
  session.reloadSources();
  await session.readiness.untilLoaded(token, uri);
}
