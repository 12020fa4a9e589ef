// The tool `importRecording`: recordings of the project or of a temporary folder become data, in the store or for this session alone.

import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import * as v from 'valibot';
import { AskFailed } from '../analysis/ask.ts';
import { realPath } from '../base/folders-above.ts';
import { Cancelled } from '../base/pause.ts';
import { printableName } from '../base/printable.ts';
import type { Problem } from '../base/problem.ts';
import { refused } from '../features/answers/answer.ts';
import { problemsOf } from '../features/answers/vocabulary.ts';
import { liesWithin } from '../mapping/within-roots.ts';
import { described, problemsSchema } from '../model/terms.ts';
import {
  type Imported,
  type ImportedMetric,
  importRecording,
  instanceOf,
} from '../workspace/import/import-recording.ts';
import { ADDED, LABEL, labelSchema, nextSteps, programFor, TARGET, type TargetHome } from './target.ts';
import type { Tool } from './tool.ts';

const MOST_FILES = 100;

const parameters = v.strictObject({
  files: described(
    v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(MOST_FILES)),
    'Recordings (.jfr, collapsed stacks, pprof, dumps, logs) in the project or a temporary folder, one for each JVM',
  ),
  label: described(labelSchema, LABEL),
  ...TARGET,
});

const metricSchema = v.object({ id: v.string(), unit: v.string(), samples: v.number(), weight: v.number() });

const result = v.object({
  ...ADDED,
  instances: described(v.array(v.string()), 'One for each JVM'),
  metrics: described(v.array(metricSchema), 'Of all files'),
  problems: problemsSchema,
  advice: v.array(v.string()),
});

export function importTool({ root, configuration, session }: TargetHome): Tool {
  return {
    name: 'importRecording',
    title: 'Imported recordings',
    description: 'Reads recordings under a label, so that an edit without a commit is compared with what was before.',
    parameters,
    result,
    writes: true,
    async answer(given, signal) {
      const { files, label, program: named, instance, session: isForSession } = v.parse(parameters, given);
      const current = configuration();
      const recordings = files.map(file => ({ file, path: recordingAt(file, root) }));
      const program = await programFor(current, session, named);
      const { project, settings, repository } = current;
      const store = isForSession === true ? session.open() : current.store;
      const done: Imported[] = [];
      const problems: Problem[] = [];
      for (const { file, path } of recordings) {
        if (signal.aborted) throw new Cancelled();
        const task = {
          ...{ recording: path, store, metrics: settings.metrics },
          execution: { project, program, version: label, instance: instance ?? instanceOf(path) },
          isInstanceNamed: instance != null,
          sources: { repository, tagPattern: settings.tagPattern, folder: null },
        };
        const imported = await importRecording(task, { signal });
        if (imported.snapshot !== null) done.push(imported);
        // Agents know the file by the name that they gave.
        problems.push(...imported.problems.map(each => (each.file === path ? { ...each, file } : each)));
      }
      if (done.length === 0)
        throw problems.length > 0 ? new AskFailed(problems) : refused('nothing was imported', 'give other recordings');
      if (isForSession === true) session.add(program, label);
      return {
        ...{ program, version: label, session: isForSession === true },
        instances: [...new Set(done.flatMap(each => each.instance ?? []))],
        metrics: sumsOf(done),
        problems: problemsOf(problems.filter(({ severity }) => severity !== 'info')),
        advice: nextSteps(label),
      };
    },
  };
}

function sumsOf(imported: readonly Imported[]): readonly ImportedMetric[] {
  const sums = new Map<string, ImportedMetric>();
  for (const { id, unit, samples, weight } of imported.flatMap(({ metrics }) => metrics)) {
    const known = sums.get(id) ?? { samples: 0, weight: 0 };
    sums.set(id, { id, unit, samples: known.samples + samples, weight: known.weight + weight });
  }
  return [...sums.values()];
}

/** The real path of a file that may be imported. Throws `AskFailed` for every other one, without telling whether it exists. */
function recordingAt(file: string, root: string): string {
  const path = resolve(root, file);
  const real = realPath(path);
  if (real === null || !liesWithin([root, tmpdir()], path))
    throw refused(
      `"${printableName(file)}" is no file of the project or of a temporary folder`,
      `give a path below ${printableName(root)} or ${printableName(tmpdir())}`,
    );
  return real;
}
