// The operation that puts recordings of this machine into the store, with progress that can be cancelled, and shows them where that is no surprise.
import { basename } from 'node:path';
import { formatProblem } from '../../base/problem.ts';
import type { Execution } from '../../snapshot/snapshot.ts';
import { latestEntry } from '../../workspace/data/store-contents.ts';
import {
  type Imported,
  type ImportTask,
  importRecording,
  instanceOf,
} from '../../workspace/import/import-recording.ts';
import type { ImportAnswer, ImportMessage } from '../protocol.ts';
import { type Asked, ask } from './about.ts';
import { pathOfWish } from './compare-with.ts';
import { type Context, operation, WrongParameters } from './operation.ts';
import { type Parameters, present } from './parameters.ts';

export const importRecordings = operation({
  name: 'importRecording',
  parameters: readImport,
  answer: importAll,
  show: ({ session }, { imported, problems }) => {
    const [first] = session.status().sources;
    const done = `insitu: ${imported} recording${imported === 1 ? '' : 's'} imported`;
    session.pages.tell([done, ...problems, ...(imported > 0 && first !== undefined ? [first.text] : [])].join('\n'));
  },
});

function readImport(given: Parameters): ImportMessage {
  const wish = {
    files: given.texts('files') ?? [],
    ...present({ program: given.text('program'), version: given.text('version'), instance: given.text('instance') }),
  };
  if (wish.files.length === 0 || wish.files.includes('')) given.complain('"files" must be a list of paths');
  return wish;
}

async function importAll(context: Context, wish: ImportMessage): Promise<ImportAnswer> {
  const { session, token } = context;
  const asked = await ask(context, {});
  const target = targetOf(asked, context, wish);
  const paths = wish.files.map(file => pathOfWish(context, file));
  const results: { readonly imported: Imported; readonly version: string }[] = [];
  const cancelled = new AbortController();
  const listener = token.onCancellationRequested(() => cancelled.abort());
  const progress = session.beginProgress('insitu: importing recordings', () => cancelled.abort());
  for (const [at, recording] of paths.entries()) {
    const { store, metrics, execution, sources } = target;
    const task = {
      recording,
      store,
      metrics,
      ...(sources && { sources }),
      execution: { ...execution, instance: wish.instance ?? instanceOf(recording) },
    };
    const onProgress = (read: number, all: number) =>
      progress.report((100 * (at + (all > 0 ? read / all : 0))) / paths.length, basename(recording));
    results.push({
      imported: await importRecording(task, { signal: cancelled.signal, onProgress }),
      version: execution.version,
    });
    if (cancelled.signal.aborted) break;
  }
  progress.end();
  listener.dispose();
  const done = results.filter(({ imported }) => imported.snapshot !== null);
  if (done.length > 0) await showImported(context, asked, target);
  return {
    imported: done.length,
    problems: results
      .flatMap(({ imported }) => imported.problems)
      .filter(({ severity }) => severity !== 'info')
      .map(formatProblem),
  };
}

type Target = Pick<ImportTask, 'store' | 'metrics' | 'sources'> & { readonly execution: Omit<Execution, 'instance'> };

/** As the command line imports; where neither the wish nor settings name the program, it is the one that is shown. */
function targetOf({ data }: Asked, { session }: Context, { program, version }: ImportMessage): Target {
  const configuration = session.workspace.view().configuration(null);
  if (configuration === null) throw new WrongParameters('no folder is open whose project this could belong to');
  const { settings, store, project, repository } = configuration;
  const named = program ?? settings.program ?? data?.provenance.program;
  if (named === undefined || named === '')
    throw new WrongParameters('"program" is missing: which program was recorded?');
  const execution = { project, program: named, version: version ?? settings.version ?? 'unknown' };
  const sources = { repository, tagPattern: settings.tagPattern, folder: null };
  return { store, metrics: settings.metrics, execution, sources };
}

/** Shows what was imported where nothing was shown, or where it is the newest of the program that is shown. */
async function showImported(context: Context, before: Asked, { store, execution }: Target): Promise<void> {
  const { session, token } = context;
  const { project, program, version } = execution;
  const latest = await latestEntry({ store, project }, program);
  const isNewest = latest !== null && latest.execution.version === version;
  const shown = before.data?.provenance.program;
  if (shown === undefined || (shown === program && isNewest)) {
    const { instances: _, fromMillis: _from, toMillis: _to, ...part } = session.workspace.view().choice(null).part;
    session.choose(null, { ...session.workspace.view().choice(null), program, version, part });
  }
  session.reloadSources();
  await session.readiness.untilLoaded(token);
}
