// A method's time and self time as shares, and self time in words.
import type { Amount } from '../../metrics/analysis.ts';
import { type Share, samplesText, shareInProse } from './format-share.ts';

type MethodShares = {
  /** Of everything. */
  readonly total: Share;
  /** Of everything, too. */
  readonly self: Share;
  /** The same samples as `self`, of the method's own. */
  readonly selfOfMethod: Share;
};

export function sharesOf(
  { total, self }: { readonly total: Amount; readonly self: Amount },
  whole: Amount,
): MethodShares {
  return {
    total: { part: total.weight, whole: whole.weight, samples: total.count },
    self: { part: self.weight, whole: whole.weight, samples: self.count },
    selfOfMethod: { part: self.weight, whole: total.weight, samples: self.count },
  };
}

/** `itself running in 2.5 % (1,240 samples), 4 % of its own time`. */
export function selfText(self: Share, selfOfMethod: Share): string {
  if (self.samples === 0) return 'never itself running';
  const [share, samples, part] = [shareInProse(self), samplesText(self.samples), shareInProse(selfOfMethod)];
  const ofAll = share === samples ? samples : `${share} (${samples})`;
  return `itself running in ${ofAll}${part === samples ? '' : `, ${part} of its own time`}`;
}
