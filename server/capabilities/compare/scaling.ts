// How amounts of two trees are made comparable: by share, per second, as they are, or anchored on code that did not change.
import type { ContextAmounts } from './tree-comparison.ts';

export type Scaling = 'share' | 'perSecond' | 'absolute' | 'anchored';

/** The divisors of the amounts of each side, and the name of the scaling. */
export type Scale = { readonly scaling: Scaling; readonly by: readonly [first: number, second: number] };

/** The amounts of one side for a scale. */
export type ScaledSide = {
  readonly whole: number;
  /** Of all windows that are looked at. */
  readonly seconds: number;
  /** Number of JVMs, or units of work that they did together: absolute amounts are of one. */
  readonly work: number;
  /** The absolute value of one unit of the amounts: processor time of a sample; 1 where the amounts are absolute. */
  readonly worth: number;
  /** Self amounts of the methods of both sides whose code did not change, in one order. */
  readonly anchors: Float64Array;
};

/** The wished scale; shares where it is not possible: no window has a length, or no anchor has an amount on both sides. */
export function scaleOf(scaling: Scaling, first: ScaledSide, second: ScaledSide): Scale {
  if (scaling === 'absolute')
    return { scaling, by: [(first.work || 1) / first.worth, (second.work || 1) / second.worth] };
  if (scaling === 'perSecond' && first.seconds > 0 && second.seconds > 0)
    return { scaling, by: [first.seconds, second.seconds] };
  const ratio = scaling === 'anchored' ? medianRatio(first, second) : null;
  if (ratio !== null && first.whole > 0) return { scaling: 'anchored', by: [first.whole, first.whole * ratio] };
  return { scaling: 'share', by: [first.whole || 1, second.whole || 1] };
}

/** The ratio, second to first, that half of the anchors' amount lies below; null without anchors. */
function medianRatio(first: ScaledSide, second: ScaledSide): number | null {
  const ratios = Array.from(first.anchors, (before, at) => {
    const now = second.anchors[at]!;
    return { ratio: now / before, mass: Math.min(before / first.whole, now / second.whole) };
  }).filter(({ mass }) => mass > 0);
  ratios.sort((a, b) => a.ratio - b.ratio);
  let left = ratios.reduce((sum, { mass }) => sum + mass, 0) / 2;
  for (const { ratio, mass } of ratios) {
    left -= mass;
    if (left <= 0) return ratio;
  }
  return null;
}

/**
 * The divisors that make the amounts of each JVM parts of everything before, which is the mean over the JVMs before.
 * @param before the amounts of all JVMs of the first side together. @param jvms of the first side, then of the second one.
 */
export function divisorsOf(scaling: Scaling, before: ScaledSide, jvms: readonly ScaledSide[]): number[] {
  switch (scaling) {
    case 'share':
      return jvms.map(({ whole }) => whole);
    case 'absolute':
      return jvms.map(({ work, worth }) => (before.whole * before.worth * work) / (before.work * worth));
    case 'perSecond':
      return jvms.map(({ seconds }) => (seconds * before.whole) / before.seconds);
    case 'anchored':
      return jvms.map(jvm => (medianRatio(before, jvm) ?? 0) * before.whole);
  }
}

/** A context's numbers under a scale. */
export type Heights = {
  /** E of both sides: the scaled amount at or below the context; 0 where it is not there. */
  readonly first: number;
  readonly second: number;
  /**
   * H. Kept: how much E grew. Added: E less what its children had in the first tree. Removed: E less what its children have in the
   * second; positive where cost is gone.
   */
  readonly height: number;
  /** How much the scaled amount of the context itself grew. */
  readonly self: number;
};

export function heightsOf({ state, total, self, children }: ContextAmounts, { by }: Scale): Heights {
  const [first, second] = [total[0] / by[0], total[1] / by[1]];
  const height =
    state === 'kept' ? second - first : state === 'added' ? second - children / by[0] : first - children / by[1];
  return { first, second, height, self: self[1] / by[1] - self[0] / by[0] };
}

/** The amounts of a context, before and now, where its own part in a change is asked for. */
export type OwnAmounts = { readonly before: number; readonly now: number };

/**
 * Of a kept context what it ran itself; of an added or removed one all of it, against what is kept nearest below it on the other side.
 */
export function ownAmounts({ state, total, self, nearest }: ContextAmounts, { by }: Scale): OwnAmounts {
  if (state === 'kept') return { before: self[0] / by[0], now: self[1] / by[1] };
  if (state === 'added') return { before: nearest / by[0], now: total[1] / by[1] };
  return { before: total[0] / by[0], now: nearest / by[1] };
}
