// Time types in words: what threads do with their time.
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { certaintyOf } from '../../analysis/paths/typed-certainty.ts';
import type { TimeTypeAmount } from '../../analysis/surroundings-answer.ts';
import { type TimeType, TYPED_METRIC } from '../../ingest/threads/typed-time.ts';
import { plural } from './format-share.ts';

/** Types that events of flight recordings tell besides. */
type RecordedType = 'PARK' | 'SLEEP' | 'IO' | 'UNRECORDED';

const WORDS: Readonly<Record<`:${TimeType | RecordedType}`, string>> = {
  ':RUN': 'running',
  ':LOAD': 'waiting for a processor',
  ':PRIO': 'waiting behind threads of higher priority',
  ':RUNNABLE': 'running or waiting for a processor',
  ':MONITOR': 'waiting for a monitor',
  ':LOCK': 'waiting for a lock',
  ':WAIT': 'waiting for something else',
  ':PARK': 'parked',
  ':SLEEP': 'sleeping',
  ':IO': 'reading or writing',
  ':UNRECORDED': 'not recorded',
};

/** Whether it was recorded what threads do with their time. */
export function hasTimeTypes({ profile }: LoadedData): boolean {
  return profile.metrics.some(({ id }) => id === TYPED_METRIC);
}

/**
 * `62 % running (estimated), ≥ 21 % waiting for a monitor · 120 samples of threads`. Parts below 1 % are left out. Waits that events tell
 * are lower bounds.
 */
export function typesText({ profile }: LoadedData, types: readonly TimeTypeAmount[]): string {
  const typed = profile.metrics.findIndex(({ id }) => id === TYPED_METRIC);
  const whole = types.reduce((sum, { weight }) => sum + weight, 0);
  const samples = types.reduce((sum, { count }) => sum + count, 0);
  const parts = types.flatMap(({ type, weight }) => {
    const percent = Math.round((100 * weight) / whole);
    const { lowerBound, estimated } = certaintyOf(profile, typed, type, false);
    const words = (WORDS as Readonly<Record<string, string>>)[type] ?? type;
    return percent < 1 ? [] : [`${lowerBound ? '≥ ' : ''}${percent} % ${words}${estimated ? ' (estimated)' : ''}`];
  });
  return `${parts.join(', ')} · ${plural(samples, 'sample')} of threads`;
}
