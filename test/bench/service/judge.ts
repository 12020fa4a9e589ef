// Judges predictions of the service's edits by what the edits came to, each as a part of the unedited method's time.
import type { PredictedMethod, PredictedTerm } from '../../../server/analysis/prediction/prediction.ts';
import { predictFile } from '../../../server/features/prediction/predict-file.ts';
import { ingestFile } from '../../../server/ingest/read.ts';
import { openedText } from '../../../server/mapping/recorded/profiled-text.ts';
import { documentWithData } from '../../../server/workspace/document/document-view.ts';
import { KeptMapping } from '../../../server/workspace/document/kept-mapping.ts';
import { loadedFrom } from '../../support/profiles/loaded.ts';
import { median } from '../row.ts';
import { editedText, type ServiceEdit } from './edits.ts';
import { DESK, type Truth } from './run-service.ts';

/** The judgement of the predictions for an edit. */
export type JudgedEdit = {
  readonly edit: ServiceEdit;
  readonly truth: Truth;
  /** null where nothing is predicted. */
  readonly predicted: PredictedMethod | null;
};

/** Why nothing is known of a term: every unknown is of one of these kinds. */
const UNKNOWNS = [
  'it is not known how often it runs',
  'it calls the method again',
  'it is given other values',
  'its calls take very different times',
  'its calls were not timed',
  'methods are called so',
  'it calls itself',
];

/** Predictions of the edits from a recording of the unedited service. */
export async function predictedEdits(
  edits: readonly ServiceEdit[],
  recording: string,
): Promise<(PredictedMethod | null)[]> {
  const { profile, problems } = await ingestFile(recording, { names: 'normalised', windowMillis: 5_000 });
  if (profile?.times === undefined) throw new Error(`nothing was traced: ${JSON.stringify(problems)}`);
  const data = loadedFrom(profile);
  const mapping = new KeptMapping({ ...openedText(DESK), from: 'commit' });
  const found: (PredictedMethod | null)[] = [];
  for (const edit of edits) {
    const document = documentWithData(editedText(DESK, edit), data, undefined, 'shop/Desk.java', { mapping });
    const { methods } = await predictFile(document, data);
    found.push(methods.find(({ name }) => name === edit.method) ?? null);
  }
  return found;
}

/** A share with its 95 % interval: E. Wilson, "Probable inference, the law of succession, and statistical inference" (1927). */
export type Share = { readonly found: number; readonly of: number; readonly low: number; readonly high: number };

export function shareOf(found: number, of: number): Share {
  const z = 1.96;
  const [part, spread] = [found / of, z * Math.sqrt((found * (of - found)) / of ** 3 + z ** 2 / (4 * of ** 2))];
  const [middle, scale] = [part + z ** 2 / (2 * of), 1 + z ** 2 / of];
  return { found, of, low: (middle - spread) / scale, high: (middle + spread) / scale };
}

/** Edits that change the time by less are not asked for a number. */
const LEAST = 0.1;
const CLOSE = 1.5;

export type JudgedService = {
  /** Of edits that change the time by a tenth or more: how many have a number. */
  readonly numbers: Share;
  /** Of the others of them: how many have no unknown of a kind that is listed. */
  readonly silent: number;
  readonly wrongSigns: number;
  readonly measuredWrongly: number;
  readonly changes: Share;
  readonly means: Share;
  readonly changeRatio: number;
  readonly meanRatio: number;
  readonly error: number;
  /** The wrong statements, a line each. */
  readonly flaws: readonly string[];
};

export function judge(all: readonly JudgedEdit[]): JudgedService {
  const large = all.filter(({ truth }) => Math.abs(truth.ratio - 1) >= LEAST);
  const told = all.flatMap(each => {
    const { predicted } = each;
    return predicted?.interval == null || predicted.mean === null || predicted.measured === null
      ? []
      : [{ ...each, ...partsOf(predicted, predicted.measured), reliability: predicted.reliability }];
  });
  const counted = told.filter(({ truth }) => Math.abs(truth.ratio - 1) >= LEAST);
  // Of an edit that may change nothing, by what it came to, nothing has to be told.
  const isOwed = ({ predicted, truth: { low, high } }: JudgedEdit) => predicted !== null || low > 1 || high < 1;
  const silent = large.filter(each => each.predicted?.change == null && !isNamed(each.predicted) && isOwed(each));
  const wrong = told.filter(({ change, truth: { low, high } }) => (change > 0 ? high < 1 : change < 0 && low > 1));
  // Beyond what the truth itself may be.
  const far = counted.filter(({ reliability, change, truth: { low, high } }) => {
    const [least, most] = [change * CLOSE, change / CLOSE].toSorted((a, b) => a - b);
    return reliability === 'measured' && (most! < low - 1 || least! > high - 1);
  });
  const holds = ([low, high]: Ends, { truth }: JudgedEdit) => low <= truth.ratio - 1 && truth.ratio - 1 <= high;
  const missed = counted.filter(each => !holds(each.interval, each));
  const line = (what: string, { edit, truth, predicted }: JudgedEdit) =>
    `${what}: ${edit.kind}, ${edit.method}: ${truth.ratio.toFixed(3)} (${truth.low.toFixed(3)} to ${truth.high.toFixed(3)}), told ${toldOf(predicted)}`;
  return {
    numbers: shareOf(counted.length, large.length),
    silent: silent.length,
    wrongSigns: wrong.length,
    measuredWrongly: far.length,
    changes: shareOf(counted.length - missed.length, counted.length),
    means: shareOf(counted.filter(each => holds(each.mean, each)).length, counted.length),
    changeRatio: median(counted.map(({ interval }) => ratioOf(interval))),
    meanRatio: median(counted.map(({ mean }) => ratioOf(mean))),
    error: median(counted.map(({ change, truth: { ratio } }) => Math.abs(change / (ratio - 1) - 1))),
    flaws: [
      ...silent.map(each => line('silent', each)),
      ...wrong.map(each => line('wrong sign', each)),
      ...far.map(each => line('measured wrongly', each)),
      ...missed.map(each => line('outside', each)),
    ],
  };
}

type Ends = readonly [low: number, high: number];

/**
 * `right`: the interval of the change has something of what the edit came to, or nothing is told of an edit that changes less than a
 * tenth. `unknown`: no number, for a reason that is named. `beside`: of the right sign, and outside. `wrong`: all else.
 */
export type Verdict = 'right' | 'unknown' | 'beside' | 'wrong';

export function verdictOf({ predicted, truth: { ratio, low, high } }: JudgedEdit): Verdict {
  if (predicted === null) return Math.abs(ratio - 1) < LEAST || (low < 1 && high > 1) ? 'right' : 'wrong';
  if (predicted.interval === null || predicted.measured === null) return isNamed(predicted) ? 'unknown' : 'wrong';
  const { change, interval, measured } = predicted;
  if (interval[0] / measured <= high - 1 && interval[1] / measured >= low - 1) return 'right';
  return (change > 0 ? high < 1 : low > 1) || predicted.reliability === 'measured' ? 'wrong' : 'beside';
}

/** Whether a call is told to be a query in a loop. */
export function isToldAsQuery(predicted: PredictedMethod | null): boolean {
  return predicted?.terms.some(({ query }) => query !== null) ?? false;
}

function partsOf({ change, interval, mean }: PredictedMethod, measured: number) {
  const part = ([low, high]: Ends): Ends => [low / measured, high / measured];
  const [low, high] = part(mean!);
  return { change: change! / measured, interval: part(interval!), mean: [low - 1, high - 1] as Ends };
}

/** Upper by lower end of the time of the method. */
function ratioOf([low, high]: Ends): number {
  return low > -1 ? (1 + high) / (1 + low) : Number.POSITIVE_INFINITY;
}

function isNamed(predicted: PredictedMethod | null): boolean {
  const isUnknown = ({ cost, times }: PredictedTerm) => cost === null || times === null;
  const open = predicted?.terms.filter(isUnknown) ?? [];
  // Of a sum that may be slower or faster all terms are known.
  if (predicted?.reliability === 'unknown' && open.length === 0) return true;
  return open.length > 0 && open.every(({ reason }) => UNKNOWNS.some(kind => reason.includes(kind)));
}

/** `+12 % (+10 % to +15 %), likely`. */
export function toldOf(predicted: PredictedMethod | null): string {
  if (predicted === null) return 'nothing';
  const { reliability, measured, terms } = predicted;
  const open = terms.filter(({ reason }) => reason !== '').map(({ callee, reason }) => `${callee} ${reason}`);
  if (predicted.change === null || measured === null) return `unknown: ${open.join('; ')}`;
  const percent = (value: number) => `${((100 * value) / measured).toFixed(1)} %`;
  const [low, high] = predicted.interval.map(percent);
  return `${percent(predicted.change)} (${low} to ${high}), ${reliability}${open.length > 0 ? ` + ? ${open.join('; ')}` : ''}`;
}
