// Words of predictions, for hints, hovers, lists and terminals alike.

import type {
  Direction,
  PredictedCaller,
  PredictedMethod,
  PredictedTerm,
  TermCost,
  UnpredictedMethod,
} from '../../analysis/prediction/prediction.ts';
import { printableName } from '../../base/printable.ts';
import { callsText, nanosText } from '../text/times-text.ts';

/** The parts of a prediction that its text tells. */
type Told = Pick<PredictedMethod, 'ends' | 'reliability' | 'direction'>;

/** `≈ +12 ms, likely`; with `+ ?` where something of it is not known. */
export function predictionText(told: Told & Pick<PredictedMethod, 'unknown'>): string {
  // Of a sum that may be slower or faster all terms are known.
  if (told.ends === null)
    return `${unknownText(told.direction)}, unknown${told.unknown === 0 ? ': slower or faster' : ''}`;
  return `${endsText(told.ends)}${told.unknown > 0 ? ' + ?' : ''}, ${told.reliability}`;
}

/** `≈ +12 ms likely`, what a hint says. */
export function hintText(told: Told, isOpen: boolean): string {
  if (told.ends === null) return `${unknownText(told.direction)} unknown`;
  return `${endsText(told.ends)}${isOpen ? ' + ?' : ''} ${told.reliability}`;
}

/** `≈ + ?` for what is slower, `≈ − ?` for what is faster, by an amount that is not known. */
function unknownText(direction: Direction): string {
  return direction === 0 ? '≈ ?' : `≈ ${direction > 0 ? '+' : '−'} ?`;
}

/** `≈ +12 ms`, `≤ +12 ms` for anything from 0 on, `≈ +4 ms to +12 ms`. */
export function endsText([low, high]: readonly [number, number]): string {
  if (signedNanos(low) === signedNanos(high)) return changeText(high);
  if (low === 0) return `≤ ${signedNanos(high)}`;
  if (high === 0) return `≥ ${signedNanos(low)}`;
  return `≈ ${signedNanos(low)} to ${signedNanos(high)}`;
}

function changeText(change: number): string {
  return `≈ ${signedNanos(change)}`;
}

/** `+12 ms`, `−3 µs`. */
export function signedNanos(nanos: number): string {
  return `${nanos < 0 ? '−' : '+'}${nanosText(Math.abs(nanos))}`;
}

/** `+1.12 ms to +1.97 ms`. */
export function intervalText([low, high]: readonly [number, number]): string {
  return `${signedNanos(low)} to ${signedNanos(high)}`;
}

/** `≈ +12 ms of 1.2 s`, with both ends where they alone are known. */
export function callerText({
  ends,
  measured,
  isParallel,
}: Pick<PredictedCaller, 'ends' | 'measured' | 'isParallel'>): string {
  if (ends === null) return isParallel ? 'runs in parallel: unknown' : 'unknown';
  return `${endsText(ends)} of ${nanosText(measured)}`;
}

/** `run (line 12): not predicted: its code has more than 200,000 characters`. */
export function unpredictedText({ name, line, reason }: UnpredictedMethod): string {
  return `${printableName(name)} (line ${line}): not predicted: ${reason}`;
}

/** Terms of a method that are listed. */
const MOST_TERMS = 20;

/** The lines of the first terms, with how many are left. */
export function termLines(
  terms: readonly PredictedTerm[],
  lineOf: (term: PredictedTerm) => string = termText,
  bullet = '',
): string[] {
  const left = terms.length - MOST_TERMS;
  return [...terms.slice(0, MOST_TERMS).map(lineOf), ...(left > 0 ? [`${bullet}and ${left} more`] : [])];
}

const RULES: Readonly<Record<TermCost['rule'], string>> = {
  load: 'by the load',
  caller: 'from here',
  all: 'of all callers',
  sums: 'of all callers, which are not known',
  body: 'by its code',
  assumed: 'assumed',
};

/** `line 64: com.acme.Shop.advise added × 3, 3 times (literal): 507 µs a call of all callers, 62 calls in 1 windows`. */
function termText(term: PredictedTerm): string {
  const { line, callee, change } = term;
  return `line ${line}: ${printableName(callee)} ${change} ${oftenText(term)}: ${costText(term)}`;
}

/** `com.acme.shop.Shop.advise added × 3`, with the reason where something of it is unknown. */
export function termCause({ callee, change, times, reason }: PredictedTerm): string {
  return `${printableName(callee)} ${change}${times === null ? '' : ` ${timesText(times)}`}${reason === '' ? '' : `: ${reason}`}`;
}

/** `× 3, 3 times (literal)`. */
export function oftenText({ times, around }: Pick<PredictedTerm, 'times' | 'around'>): string {
  return [timesText(times), ...around.filter(text => text !== '× ?')].join(', ');
}

/** The cost of a call with its provenance, or why the cost or the number of runs is not known. */
export function costText({ cost, reason }: Pick<PredictedTerm, 'cost' | 'reason'>): string {
  if (cost === null) return `unknown, ${reason}`;
  const fit = cost.rSquared === null ? '' : `, r² ${cost.rSquared.toFixed(2)}`;
  const windows = `${cost.windows} window${cost.windows === 1 ? '' : 's'}`;
  const from = cost.rule === 'assumed' ? '' : `, ${callsText(cost.calls)} in ${windows}${fit}`;
  const [least, most] = cost.ends;
  const differ = least === most ? '' : `, some next to nothing: ${nanosText(least)} to ${nanosText(most)}`;
  const one = `${nanosText(cost.mean)} a call ${RULES[cost.rule]}${from}${differ}`;
  return reason === '' ? one : `unknown, ${reason}; ${one}`;
}

/** `× 3`, `× ≤ 3`, `× 2 to 3`; `× ?` where it is not known. */
export function timesText(times: PredictedTerm['times']): string {
  if (times === null) return '× ?';
  if (times.least === 0 && times.most > 0) return `× ≤ ${short(times.most)}`;
  return times.least === times.most ? `× ${short(times.most)}` : `× ${short(times.least)} to ${short(times.most)}`;
}

function short(times: number): string {
  return String(Number(times.toPrecision(3)));
}
