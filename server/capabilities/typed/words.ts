// Time types in words: what threads do with their time.
import type { Profile } from '../../cct/profile.ts';
import { TIME_TYPES, TYPED } from '../../model/time-types.ts';
import type { TimeTypeAmount } from './amounts.ts';
import { certaintyOf } from './certainty.ts';

/** Whether it was recorded what threads do with their time. */
export function hasTimeTypes({ metrics }: Profile): boolean {
  return metrics.some(({ id }) => id === TYPED.id);
}

/** The words for a share of recorded time, where nobody knows how much of the time that no event tells belongs there. */
export const OF_RECORDED = 'of what was recorded';

/** `62 % running (estimated), 21 % waiting for a monitor`: shares of the recorded time. Parts below 1 % are left out. */
export function typesText(profile: Profile, types: readonly TimeTypeAmount[]): string {
  const typed = profile.metrics.findIndex(({ id }) => id === TYPED.id);
  const whole = types.reduce((sum, { weight }) => sum + weight, 0);
  const parts = types.flatMap(({ type, weight }) => {
    const percent = Math.round((100 * weight) / whole);
    const { estimated } = certaintyOf(profile, typed, type);
    const words = (TIME_TYPES as Readonly<Record<string, { readonly words: string } | undefined>>)[type]?.words ?? type;
    return percent < 1 ? [] : [`${percent} % ${words}${estimated ? ' (estimated)' : ''}`];
  });
  return parts.join(', ');
}
