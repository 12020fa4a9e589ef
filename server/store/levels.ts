// Levels of compaction: how long the spans are that become one snapshot, and how fine its windows stay, by the age of the data.

/** The compaction of data from some age on. All in milliseconds. */
export type CompactionLevel = {
  readonly olderThanMillis: number;
  /** Snapshots of one such span of the clock (UTC) become one. */
  readonly spanMillis: number;
  /** Windows finer than this are joined; 0 keeps them all. */
  readonly finestMillis: number;
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Hours after an hour, days of ten-minute windows after a day. */
export const DEFAULT_LEVELS: readonly CompactionLevel[] = [
  { olderThanMillis: HOUR, spanMillis: HOUR, finestMillis: 0 },
  { olderThanMillis: DAY, spanMillis: DAY, finestMillis: 10 * MINUTE },
];

export function oldestLevelFirst(levels: readonly CompactionLevel[]): readonly CompactionLevel[] {
  return [...levels].sort((a, b) => b.olderThanMillis - a.olderThanMillis);
}

/** The level of what began then. Its whole span must be that old: else it would be compacted again with every window that comes. */
export function levelAt(
  startMillis: number,
  oldestFirst: readonly CompactionLevel[],
  nowMillis: number,
): CompactionLevel | undefined {
  return oldestFirst.find(({ olderThanMillis, spanMillis }) => {
    const spanEnd = (Math.floor(startMillis / spanMillis) + 1) * spanMillis;
    return nowMillis - spanEnd >= olderThanMillis;
  });
}
