// Predictions of the edits of a program with known costs, beside what the edits came to.
import { join } from 'node:path';
import type { PredictedMethod } from '../../../server/analysis/prediction/prediction.ts';
import { predictFile } from '../../../server/features/prediction/predict-file.ts';
import { ingestFile } from '../../../server/ingest/read.ts';
import { openedText } from '../../../server/mapping/recorded/profiled-text.ts';
import { documentWithData } from '../../../server/workspace/document/document-view.ts';
import { KeptMapping } from '../../../server/workspace/document/kept-mapping.ts';
import type { Engine } from '../engines/engines.ts';
import { loadedFrom } from '../profiles/loaded.ts';
import { isKnowable, type KnownEdit, knownProgram, runKnown } from './known-costs.ts';

export type Judged = {
  readonly edit: KnownEdit;
  /** Nanoseconds of one run, by the program's clock. */
  readonly before: number;
  readonly after: number;
  /** null where nothing is predicted. */
  readonly predicted: PredictedMethod | null;
};

/** Runs both versions of the program, records the first, and predicts every edit from that recording. */
export async function judgedPredictions(
  jdk: Engine,
  folder: string,
  { seed, edits: count, rounds }: { readonly seed: string; readonly edits: number; readonly rounds: number },
): Promise<Judged[]> {
  const program = knownProgram(seed, count);
  const recording = join(folder, 'before.jfr');
  const before = runKnown(jdk, folder, program, 'before', rounds, recording);
  const after = runKnown(jdk, folder, program, 'after', rounds);
  const { profile, problems } = await ingestFile(recording, { names: 'normalised', windowMillis: 5_000 });
  if (profile?.times === undefined) throw new Error(`nothing was traced: ${JSON.stringify(problems)}`);
  const data = loadedFrom(profile);
  const predicted = new Map<string, PredictedMethod>();
  for (const [name, text] of program.after) {
    const mapping = new KeptMapping({ ...openedText(program.before.get(name)!), from: 'commit' });
    const document = documentWithData(text, data, undefined, `${name}.java`, { mapping });
    for (const method of (await predictFile(document, data)).methods) predicted.set(method.name, method);
  }
  return program.edits.map((edit, i) => ({
    edit,
    before: before[i]!,
    after: after[i]!,
    predicted: predicted.get(edit.method) ?? null,
  }));
}

type Judgement = {
  /** Edits whose cost can be known, and how many intervals hold what they came to. */
  readonly edits: number;
  readonly inside: number;
  /** Median of the error of a change, as a part of what it came to, where every callee was measured. */
  readonly error: number;
  /** Median of the upper by the lower end of the predicted time of a method. */
  readonly ratio: number;
  /** Predictions that should say unknown or nothing, or do not say where a term is from; a line each. */
  readonly wrongly: readonly string[];
};

export function judgementOf(judged: readonly Judged[]): Judgement {
  const known = judged.filter(({ edit }) => isKnowable(edit.kind));
  const told = known.flatMap(({ predicted, ...each }) => (predicted === null ? [] : [{ ...each, predicted }]));
  const errors = told.flatMap(({ before, after, predicted: { change, reliability } }) =>
    change === null || reliability === 'rough' ? [] : [Math.abs(change / (after - before) - 1)],
  );
  const ratios = told.flatMap(({ predicted: { mean } }) => (mean === null ? [] : [mean[1] / mean[0]]));
  return {
    edits: known.length,
    inside: known.filter(isInside).length,
    error: middle(errors),
    ratio: middle(ratios),
    wrongly: judged.flatMap(flawOf),
  };
}

/**
 * Whether the interval of the method's mean holds what it took: both versions ran at different times. Without a prediction the change is
 * told to be small: below 1 ms and 1 % of the method.
 */
function isInside({ before, after, predicted }: Judged): boolean {
  const change = after - before;
  if (predicted === null) return Math.abs(change) < 1e6;
  const { mean, measured } = predicted;
  if (mean === null || measured === null) return false;
  const [low, high] = mean.map(end => end - measured);
  return low! <= change && change <= high!;
}

function flawOf({ edit: { kind, method }, predicted }: Judged): string[] {
  const flaws = [
    ...(kind === 'no effect' && predicted !== null ? ['predicts a change'] : []),
    ...(kind !== 'no effect' && !isKnowable(kind) && (predicted?.unknown ?? 0) === 0 ? ['is not unknown'] : []),
    ...(predicted?.terms ?? []).flatMap(({ callee, cost, times, reason }) =>
      (cost === null || times === null) === (reason === '') ? [`${callee}: no provenance`] : [],
    ),
  ];
  return flaws.map(flaw => `${method} (${kind}): ${flaw}`);
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** So many of `edits` 80 % intervals hold at least, unless by a chance of 5 % or less: one-sided, binomial. */
export function leastInside(edits: number): number {
  let below = 0;
  for (let inside = 0; inside <= edits; inside++) {
    below += binomial(edits, inside) * 0.8 ** inside * 0.2 ** (edits - inside);
    if (below > 0.05) return inside;
  }
  return edits;
}

function binomial(all: number, chosen: number): number {
  let ways = 1;
  for (let at = 0; at < chosen; at++) ways *= (all - at) / (at + 1);
  return ways;
}
