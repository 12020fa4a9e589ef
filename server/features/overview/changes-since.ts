// What changed since another version, as the overview tells it: the findings of the comparison, else why there are none.
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { type AnswerContext, baselineOf } from '../answers/answer.ts';
import { comparedTrees, incomparable, usualScaling } from '../compare/door.ts';

export type Changes = {
  readonly version: string;
  /** The verdict in a sentence. */
  readonly text: string;
  readonly findings: readonly { readonly text: string; readonly verdict: 'slower' | 'faster' }[];
};

/** The version of the program that was recorded last before the shown ones; null where they are the first. */
export async function versionBefore(context: AnswerContext, { provenance, wish }: LoadedData): Promise<string | null> {
  if (wish.files !== undefined) return null;
  const { rows } = await context.executions({ all: false, program: provenance.program });
  const shown = new Set(provenance.executions.map(({ version }) => version));
  const before = rows.filter(({ version, from }) => !shown.has(version) && from < provenance.startMillis);
  return (
    before.reduce<(typeof before)[0] | null>((last, row) => (last === null || row.to > last.to ? row : last), null)
      ?.version ?? null
  );
}

export async function changesSince(context: AnswerContext, data: LoadedData, version: string): Promise<Changes> {
  const baseline = await baselineOf(context, data, version);
  const refusal = incomparable(data, baseline.data);
  if (refusal !== null) return { version, text: refusal.message, findings: [] };
  const options = { scaling: usualScaling(data, baseline.data), work: null, most: 0, check: null };
  const found = await context.withCodeOf(data, baseline.data, code =>
    comparedTrees(data, baseline, { ...options, code }, context.reach.ask),
  );
  const findings = found.reports.map(report => ({ text: report.sentence, verdict: report.verdict }));
  return { version, text: found.sentence, findings };
}
