// The findings of a comparison in one sentence, alike on all faces.
import { ALPHA, tooFewText } from '../../capabilities/compare/door.ts';
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
  readonly reports: readonly Finding[];
  readonly jvms: { readonly before: number; readonly now: number };
  readonly tested: { readonly methods: number };
};

/** `slower: Merge.sign, changed in 5ff63f3: +25 (0.10% → 25%)`: points and percents of everything before. */
export function findingText({ verdict, text, before, now, change }: Finding): string {
  return `${verdict}: ${text}: ${points(change)} (${percent(before)} → ${percent(now)})`;
}

/** The only finding; of several how many, and the first one; without one why there is none. */
export function verdictText({ reports, jvms, tested }: Found): string {
  const [first] = reports;
  if (first === undefined)
    return tested.methods === 0
      ? tooFewText([jvms.before, jvms.now], ALPHA)
      : `no method got slower or faster beyond doubt (${jvms.before} JVMs before, ${jvms.now} now)`;
  if (reports.length === 1) return findingText(first);
  const slower = reports.filter(({ verdict }) => verdict === 'slower').length;
  const counts = [
    ...(slower > 0 ? [`${slower} slower`] : []),
    ...(slower < reports.length ? [`${reports.length - slower} faster`] : []),
  ];
  return `${counts.join(', ')}; first ${findingText(first)}`;
}
