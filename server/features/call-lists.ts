// Who calls some methods, or whom they call: plain rows for lists, as call hierarchies open them.
import { answer } from '../analysis/ask.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import type { Amount } from '../metrics/analysis.ts';
import type { Share } from './text/format-share.ts';
import { type ListedMethod, listedMethod } from './text/listed-method.ts';

export type CallRow = ListedMethod & {
  /** Lines of the calls, in the caller as it was recorded, ascending; 0 is unknown. */
  readonly lines: readonly number[];
  /** Samples with this call, once, of everything that is looked at. */
  readonly total: Share;
  /** The same of the samples of the methods that were asked about: shares of their time. */
  readonly ofItsTime: Share;
};

type CallList = {
  readonly total: Share;
  /** What ran in the methods themselves, of everything that is looked at. */
  readonly self: Share;
  /** Heaviest first. A recursive stack may be in several. */
  readonly rows: readonly CallRow[];
};

/** @param methods rows of the method table that are taken as one */
export function callList(data: LoadedData, methods: readonly number[], direction: 'callers' | 'callees'): CallList {
  const [facts] = answer(data, 'numbers', { sets: [{ methods }] });
  const { next } = answer(data, 'along', { way: { direction, steps: [methods] } });
  const { whole } = data.analysis;
  const shareOf = (part: Amount, all: Amount) => ({ part: part.weight, whole: all.weight, samples: part.count });
  return {
    total: shareOf(facts!.total, whole),
    self: shareOf(facts!.self, whole),
    rows: next.map(({ methods: [method], lines, amount }) => ({
      ...listedMethod(data.profile.methods, method!),
      lines,
      total: shareOf(amount, whole),
      ofItsTime: shareOf(amount, facts!.total),
    })),
  };
}
