// Data and baselines as a choice asks for them, the same for all faces: what was loaded is completed, or refused with a way out.

import { AskFailed, type Reach } from '../analysis/ask.ts';
import type { Baseline } from '../analysis/baseline.ts';
import { wholeFocus } from '../analysis/focus-methods.ts';
import { completeData, type LoadedData, type TransferableData } from '../analysis/loaded-data.ts';
import { Pairing, type Renames, verdictsIn } from '../analysis/pairing.ts';
import type { Outcome } from '../base/problem.ts';
import { listedMetrics } from '../cct/listed-metrics.ts';
import { type RecordedFile, refused } from '../features/answers/answer.ts';
import { OpenRepositories } from '../mapping/recorded/open-repositories.ts';
import { TYPED, TYPED_FROM } from '../model/time-types.ts';
import { followFileToBaseline, followToBaseline } from '../workspace/code/follow-elsewhere.ts';
import type { Source } from '../workspace/data/source.ts';

/**
 * The focus is as it is printed, and as it is looked for in a baseline. Throws `AskFailed` without data, and for another metric.
 * @param metric the only one that will do; without it another one may be loaded in place of what the settings name.
 */
export function completeChosen({ value, problems }: Outcome<TransferableData | null>, metric?: string): LoadedData {
  if (value === null) throw new AskFailed(problems);
  const data = completeData(withWholeFocus(value));
  if (metric === undefined || data.metric.id === metric) return data;
  throw notRecorded(metric, data);
}

/** A metric that was asked for is not one of those present. */
export function notRecorded(
  metric: string,
  { profile, provenance }: Pick<LoadedData, 'profile'> & Partial<Pick<LoadedData, 'provenance'>>,
): AskFailed {
  const present = listedMetrics(profile).map(({ id }) => id);
  const recorded = `recorded: ${present.join(', ') || 'nothing'}`;
  if (metric !== TYPED.id) return refused(`metric "${metric}" was not recorded`, recorded);
  const isOpen = provenance?.entries.some(({ liveMillis }) => liveMillis !== undefined) === true;
  if (isOpen) return refused('typed time of the open window follows when it ends', recorded);
  return refused(`metric "${metric}" was not recorded`, `${TYPED_FROM}; ${recorded}`);
}

type Compared = {
  /** Of the baseline. */
  readonly source: Source;
  readonly data: LoadedData;
  readonly baseline: LoadedData;
  /** The name of the baseline, for people. */
  readonly named: string;
  readonly ask: Reach['ask'];
  /** The file that the question is about. */
  readonly file?: RecordedFile | undefined;
};

/** A renamed or moved method is one method where git has the texts of both versions. Rejects with `AskFailed` for another metric. */
export async function baselineFor({ source, data, baseline, named, ask, file }: Compared): Promise<Baseline> {
  if (baseline.metric.id !== data.metric.id)
    throw refused(
      `${named} has no samples of ${data.metric.id} to compare with`,
      `choose another metric: ${listedMetrics(baseline.profile)
        .map(({ id }) => id)
        .join(', ')}`,
    );
  const renames = await followRenames(source, data, baseline, file);
  const pairing = Pairing.pending(data, baseline).with({ renames, files: new Map() });
  const wish = { became: pairing.becameRows(), scaling: 'share', work: null, code: null, check: null } as const;
  const verdicts = verdictsIn(await ask(data, 'evidence', wish, baseline));
  return { data: baseline, pairing: pairing.withVerdicts(data, baseline, verdicts) };
}

async function followRenames(
  source: Source,
  data: LoadedData,
  baseline: LoadedData,
  file: RecordedFile | undefined,
): Promise<Renames> {
  const repositories = new OpenRepositories();
  try {
    const hot = await followToBaseline(repositories, source, data, baseline);
    if (file === undefined) return hot;
    return new Map([...hot, ...(await followFileToBaseline(repositories, file, source, [data, baseline]))]);
  } finally {
    repositories.close();
  }
}

function withWholeFocus({ folded, selected }: TransferableData): TransferableData {
  const { focus, tasks = [], ...others } = selected.selection;
  if (focus === undefined) return { folded, selected };
  const whole = focus.map(spec => wholeFocus(folded.profile.methods, spec, tasks));
  return { folded, selected: { ...selected, selection: { ...others, tasks, focus: whole } } };
}
