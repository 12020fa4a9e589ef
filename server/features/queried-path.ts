// What a query by call paths costs and how it is refined, with shares of the whole and of the path, for every face; and the query of a call.
import type { LoadedData } from '../analysis/loaded-data.ts';
import { elementText } from '../analysis/paths/refined-text.ts';
import type { AnswerTo } from '../analysis/questions/question-table.ts';
import { wilsonInterval } from '../metrics/interval.ts';
import { focusNames } from './facts/subject.ts';
import type { Share } from './text/format-share.ts';

type Answered = Extract<AnswerTo<'paths'>, { kind: 'answer' }>['answer'];

export type QueriedPath = {
  /** Samples that satisfy the query, of all samples of the view. */
  readonly cost: Share;
  readonly wholeSamples: number;
  /** 95 %, fractions of 1: sampling error only. */
  readonly interval: { readonly low: number; readonly high: number };
  readonly rows:
    | readonly {
        readonly name: string;
        readonly isAspect: boolean;
        /** The refined query. */
        readonly query: string;
        readonly ofWhole: Share;
        readonly ofPath: Share;
      }[]
    | null;
  readonly hidden: number;
  readonly splits: Answered['splits'];
  readonly missing: Answered['missing'];
};

export function queriedPath(answered: Answered): QueriedPath {
  const { whole, effectiveWhole, amount, rows, hidden, splits, missing } = answered;
  const share = (part: Answered['amount'], of: Answered['amount']): Share => ({
    part: part.weight,
    whole: of.weight,
    samples: part.count,
  });
  return {
    cost: share(amount, whole),
    wholeSamples: whole.count,
    interval: wilsonInterval(whole.weight === 0 ? 0 : amount.weight / whole.weight, effectiveWhole),
    rows:
      rows?.map(({ amount: own, ...row }) => ({ ...row, ofWhole: share(own, whole), ofPath: share(own, amount) })) ??
      null,
    hidden,
    splits,
    missing,
  };
}

/** A call with more combinations of caller and callee has no query that a person reads. */
const MOST_CALLS = 4;

/** The query of a direct call, by rows of callers and callees: `Shop.run CardPayment.pay`; null where none, or too many, are meant. */
export function queryOfCall(data: LoadedData, callers: readonly number[], callees: readonly number[]): string | null {
  const namesOf = (methods: readonly number[]) => focusNames(data, methods).map(name => elementText(name, false));
  const targets = namesOf(callees);
  const calls = namesOf(callers).flatMap(caller => targets.map(callee => `${caller} ${callee}`));
  return calls.length === 0 || calls.length > MOST_CALLS ? null : calls.join(' or ');
}
