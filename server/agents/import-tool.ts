// The tool `importRecording`: a recording of the project or of a temporary folder becomes data, in the store or for this session alone.

import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import * as v from 'valibot';
import { AskFailed } from '../analysis/ask.ts';
import { realPath } from '../base/folders-above.ts';
import { printableName } from '../base/printable.ts';
import { refused } from '../features/answers/answer.ts';
import { problemsOf } from '../features/answers/vocabulary.ts';
import { liesWithin } from '../mapping/within-roots.ts';
import { described, problemsSchema } from '../model/terms.ts';
import { importRecording, instanceOf } from '../workspace/import/import-recording.ts';
import { ADDED, LABEL, labelSchema, nextSteps, programFor, TARGET, type TargetHome } from './target.ts';
import type { Tool } from './tool.ts';

const parameters = v.strictObject({
  file: described(
    v.string(),
    'Recording (.jfr, collapsed stacks, pprof, dumps, logs) in the project or a temporary folder',
  ),
  label: described(labelSchema, LABEL),
  ...TARGET,
});

const result = v.object({
  ...ADDED,
  metrics: v.array(v.object({ id: v.string(), unit: v.string(), samples: v.number(), weight: v.number() })),
  problems: problemsSchema,
  advice: v.array(v.string()),
});

export function importTool({ root, configuration, session }: TargetHome): Tool {
  return {
    name: 'importRecording',
    title: 'Imported recording',
    description: 'Reads a recording under a label, so that an edit without a commit is compared with what was before.',
    parameters,
    result,
    writes: true,
    async answer(given, signal) {
      const { file, label, program: named, instance, session: isForSession } = v.parse(parameters, given);
      const current = configuration();
      const recording = recordingAt(file, root);
      const program = await programFor(current, session, named);
      const { project, settings, repository } = current;
      const store = isForSession === true ? session.open() : current.store;
      const imported = await importRecording(
        {
          ...{ recording, store, metrics: settings.metrics },
          execution: { project, program, version: label, instance: instance ?? instanceOf(recording) },
          isInstanceNamed: instance != null,
          sources: { repository, tagPattern: settings.tagPattern, folder: null },
        },
        { signal },
      );
      // Agents know the file by the name that they gave.
      const problems = imported.problems.map(each => (each.file === recording ? { ...each, file } : each));
      if (imported.instance === null)
        throw problems.length > 0 ? new AskFailed(problems) : refused('nothing was imported', 'give another recording');
      if (isForSession === true) session.add(program, label);
      return {
        ...{ program, version: label, instance: imported.instance, session: isForSession === true },
        metrics: imported.metrics.map(({ id, unit, samples, weight }) => ({ id, unit, samples, weight })),
        problems: problemsOf(problems.filter(({ severity }) => severity !== 'info')),
        advice: nextSteps(label),
      };
    },
  };
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
