// The findings of a comparison in one sentence, alike on all faces.
import { ALPHA, type Scaling, tooFewText } from '../../capabilities/compare/door.ts';
import { percent, points } from './amount-text.ts';

/** Amounts are parts of everything before. */
type Finding = {
  readonly verdict: 'slower' | 'faster';
  /** The cause in words. */
  readonly text: string;
  readonly before: number;
  readonly now: number;
  readonly change: number;
};

type Found = {
  readonly scaling: Scaling;
  readonly reports: readonly Finding[];
  readonly jvms: { readonly before: number; readonly now: number };
  readonly tested: { readonly methods: number };
};

/**
 * `slower: Merge.sign, changed in 5ff63f3: +25 (0.10% → 25% of all before)`: points and percents of everything before; by share of
 * everything in each version, without the last words, so that nobody takes the one for the other.
 */
export function findingText({ verdict, text, before, now, change }: Finding, scaling: Scaling): string {
  const from = before === 0 ? '0' : percent(before);
  const to = now === 0 ? '0' : percent(now);
  return `${verdict}: ${text}: ${points(change)} (${from} → ${to}${scaling === 'share' ? '' : ' of all before'})`;
}

/** The only finding; of several how many, and the first one; without one why there is none. */
export function verdictText({ scaling, reports, jvms, tested }: Found): string {
  const [first] = reports;
  if (first === undefined)
    return tested.methods === 0
      ? tooFewText([jvms.before, jvms.now], ALPHA)
      : `no method got slower or faster beyond doubt (${jvms.before} JVMs before, ${jvms.now} now)`;
  if (reports.length === 1) return findingText(first, scaling);
  const slower = reports.filter(({ verdict }) => verdict === 'slower').length;
  const counts = [
    ...(slower > 0 ? [`${slower} slower`] : []),
    ...(slower < reports.length ? [`${reports.length - slower} faster`] : []),
  ];
  return `${counts.join(', ')}; first ${findingText(first, scaling)}`;
}
