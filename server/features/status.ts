// What there is to show for everything open, and why not where there is nothing: for the status command and for thin clients.
import { formatProblem } from '../base/problem.ts';
import type { View, WantedSource } from '../workspace/state.ts';
import { cautionsText, shortDataText } from './data-text.ts';

export type SourceStatus = {
  readonly state: 'loading' | 'ready' | 'none';
  readonly store: string;
  readonly project: string;
  /** null until it is known which one is shown. */
  readonly program: string | null;
  readonly versions: readonly string[];
  readonly metric: string | null;
  readonly samples: number;
  /** Each one line: what, where, what to do. */
  readonly problems: readonly string[];
  /** One line for people. */
  readonly text: string;
};

export type Status = {
  readonly sources: readonly SourceStatus[];
  /** Mistakes in insitu.json. */
  readonly configurationProblems: readonly string[];
  /** Everything for people, line by line. */
  readonly text: string;
};

export function statusOf(view: View): Status {
  const sources = view.sources.map(sourceStatus);
  const configurationProblems = view.configurationProblems.map(formatProblem);
  const lines = [...sources.flatMap(({ text, problems }) => [text, ...problems]), ...configurationProblems];
  return { sources, configurationProblems, text: lines.join('\n') || 'no Java file is open' };
}

/** Also what is logged when a load has ended. */
export function sourceStatus({ source, state }: WantedSource): SourceStatus {
  const data = state?.data ?? null;
  const { store, project } = source;
  const name = data?.provenance.program ?? source.program;
  const common = { store, project, program: name, problems: (state?.problems ?? []).map(formatProblem) };
  if (data === null) {
    const loading = state === null || state.kind === 'loading';
    const title = name === null ? project : `${project}/${name}`;
    const text = `${title}: ${loading ? 'reading' : 'nothing to show from'} ${store}`;
    return { ...common, state: loading ? 'loading' : 'none', versions: [], metric: null, samples: 0, text };
  }
  const versions = [...new Set(data.provenance.executions.map(({ version }) => version))];
  const cautions = cautionsText(data);
  return {
    ...common,
    state: state?.kind ?? 'loading',
    versions,
    metric: data.metric.id,
    samples: data.analysis.whole.count,
    text: `${project}/${shortDataText(data)}${cautions === '' ? '' : ` (${cautions})`}`,
  };
}
