// The data to show for everything open, and the reason where there are none: for the status command and for thin clients.
import type { LoadedData } from '../analysis/loaded-data.ts';
import { present } from '../base/present.ts';
import { printableLine, printableName } from '../base/printable.ts';
import { formatInEditor } from '../base/problem.ts';
import { describeLook, type Look } from '../model/look.ts';
import { type Choice, describeBaseline } from '../workspace/data/choice.ts';
import type { Source } from '../workspace/data/source.ts';
import type { WantedSource } from '../workspace/data/wanted-sources.ts';
import type { View } from '../workspace/state.ts';
import { commitText } from './facts/code-state.ts';
import { cautionsText, cutStacksOf, shortDataText } from './text/data-text.ts';

/**
 * The answer `status` says what each field means.
 * @param newer what was recorded later than what a source (by its key) shows by choice; null for nothing.
 * @param searchLimits why not all sources of the open folders are searched.
 */
export function statusOf(view: View, newer: (key: string) => string | null, searchLimits: readonly string[]) {
  const sources = view.sources.map(wanted => ({
    ...sourceStatus(wanted, newer(wanted.key)),
    ...codeOf(view, wanted),
  }));
  const configurationProblems = view.configurationProblems.map(formatInEditor);
  const documentProblems = view.documentProblems.map(formatInEditor);
  const shown = sources.flatMap(source => [...withReason(source), ...source.problems]);
  const others = [...configurationProblems, ...documentProblems, ...searchLimits];
  const text = [...shown, ...others].join('\n') || 'no Java file is open';
  return { sources, configurationProblems, documentProblems, searchLimits, text };
}

/** The data shown, and why these versions where no problem says that. */
export function withReason({ text, because, problems }: ReturnType<typeof sourceStatus>): string[] {
  const isSaid = because === '' || problems.some(problem => problem.includes(because));
  return isSaid ? [text] : [text, because];
}

function reasonOf(source: Source, choice: Choice, { provenance }: LoadedData): string {
  if (choice.version !== undefined) return `version ${printableName(choice.version)} was chosen`;
  if (source.wish.version !== null) return `version ${printableName(source.wish.version)} is what the settings say`;
  return printableLine(provenance.versionReason ?? '');
}

/** The facts about the recorded code that the shown version and the open files of a source tell. */
function codeOf(view: View, { source, state }: WantedSource) {
  const own = view.openFiles.filter(({ uri }) => view.document(uri)?.source === source);
  const profiled = own.map(({ mapping }) => mapping.profiled);
  const known = state?.data?.answers.commit ?? null;
  const commit = known?.value ?? profiled.find(each => each.commit !== null)?.commit ?? null;
  if (commit !== null) return { commit: commit.hash, codeState: `recorded from ${commitText(commit)}` };
  const problem = known?.problems[0] ?? profiled.find(each => each.problem !== null)?.problem ?? null;
  return { commit: null, codeState: printableLine(problem?.message ?? '') };
}

/** The chosen look, without the focus. */
function chosenLook({ baseline: _baseline, focus: _focus, ...look }: Choice): Look {
  return look;
}

/** The status of a source by its data; it is also logged when a load has ended. */
export function sourceStatus({ source, state, choice, baseline }: WantedSource, newer: string | null = null) {
  const data = state?.data ?? null;
  const { store, project } = source.wish;
  const program = data?.provenance.program ?? source.wish.program;
  const compared = baseline === null ? null : describeBaseline(baseline.wish);
  const problems = new Set(
    [
      ...(state?.problems ?? []),
      ...(baseline?.load?.state?.problems ?? []),
      ...(data?.provenance.recordingProblems ?? []),
    ].map(formatInEditor),
  );
  const common = {
    store,
    project,
    program,
    baseline: compared,
    focus: choice.focus ?? [],
    chosen: chosenLook(choice),
    newer,
    problems: [...problems],
  };
  if (data === null) {
    const loading = state === null || state.kind === 'loading';
    const title = [project, ...(program === null ? [] : [program])].map(printableName).join('/');
    return {
      ...common,
      state: loading ? 'loading' : 'none',
      versions: [],
      because: '',
      metric: null,
      samples: 0,
      part: describeLook(choice),
      losses: { lost: 0, truncated: 0, incomplete: 0 },
      text: loading ? `${title}: reading ${printableName(store)}` : `${title}: nothing to show`,
    } as const;
  }
  const { analysis, profile, provenance, metric, wish, selection } = data;
  const cautions = cautionsText(data);
  const against = compared === null ? '' : ` · compared with ${compared}`;
  return {
    ...common,
    state: state?.kind ?? 'loading',
    versions: [...new Set(provenance.executions.map(({ version }) => version))],
    because: reasonOf(source, choice, data),
    metric: metric.id,
    samples: analysis.whole.count,
    part: describeLook({ ...selection, ...present({ instances: wish.instances }) }),
    losses: {
      lost: profile.losses.lostSamples,
      truncated: cutStacksOf(data).cutOff,
      incomplete: analysis.incomplete.count,
    },
    text: printableLine(
      `${printableName(project)}/${shortDataText(data)}${against}${cautions === '' ? '' : ` (${cautions})`}${newer === null ? '' : `; ${newer}`}`,
    ),
  };
}
