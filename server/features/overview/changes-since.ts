// The changes since another version, as the overview tells them: the findings of the comparison, else why there are none.
import { gatherBy } from '../../analysis/ask.ts';
import type { Baseline } from '../../analysis/baseline.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { ComparedShare } from '../../capabilities/compare/door.ts';
import { amountAt } from '../../metrics/method-times.ts';
import { type AnswerContext, baselineOf } from '../answers/answer.ts';
import { comparedTrees, incomparable, methodChange, usualScaling } from '../compare/door.ts';

type Changes = {
  readonly version: string;
  /** The version for people: the beginning of a commit's hash. */
  readonly shown: string;
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

/** @param methods whose changes are told too, in their order; null where the methods of both versions are not paired */
export async function changesSince(
  context: AnswerContext,
  data: LoadedData,
  version: string,
  methods: readonly number[],
): Promise<{ readonly changes: Changes; readonly ofMethods: readonly ComparedShare[] | null }> {
  const baseline = await baselineOf(context, data, version);
  const named = { version, shown: version.replace(/^([0-9a-f]{7})[0-9a-f]{33,}$/, '$1') };
  const refusal = incomparable(data, baseline.data);
  if (refusal !== null) return { changes: { ...named, text: refusal.message, findings: [] }, ofMethods: null };
  const options = { scaling: usualScaling(data, baseline.data), work: null, most: null, check: null };
  const found = await context.withCodeOf(data, baseline.data, code =>
    comparedTrees(data, baseline, { ...options, code }, context.reach.ask),
  );
  const findings = found.reports.map(({ sentence, verdict }) => ({ text: sentence, verdict }));
  return {
    changes: { ...named, text: found.sentence, findings },
    ofMethods: await changesOf(context, data, baseline, methods),
  };
}

/** How much of everything each method takes with all that it calls, now and before. */
async function changesOf({ reach }: AnswerContext, data: LoadedData, baseline: Baseline, methods: readonly number[]) {
  if (baseline.pairing.state !== 'done') return null;
  const sets = methods.map(method => ({ methods: baseline.pairing.rowsOf([method]) }));
  await gatherBy(reach.ask, { data: baseline.data, sets: sets.filter(set => set.methods.length > 1) });
  return methods.map(method => methodChange(data, [method], amountAt(data.values.total, method), baseline));
}
