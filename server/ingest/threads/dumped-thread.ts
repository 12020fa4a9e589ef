// One thread of a thread dump, the same for all notations of dumps.

export type ThreadState = 'NEW' | 'RUNNABLE' | 'BLOCKED' | 'WAITING' | 'TIMED_WAITING' | 'TERMINATED' | 'unknown';

/** A lock that a thread holds or waits for. */
export type DumpedLock = {
  readonly kind: 'held' | 'awaited';
  /** A monitor of `synchronized`, or what `LockSupport.park` was given. */
  readonly of: 'monitor' | 'synchronizer';
  /** Tells locks of one dump apart: an address or a hash; empty where the dump has none. */
  readonly id: string;
  /** Binary name of the lock's class; empty where the dump has none. */
  readonly className: string;
  /** Place of the frame in `frames` that took it; −1 where the dump does not tell. */
  readonly frame: number;
};

export type DumpedFrame = {
  /** Binary name with dots, without loader and module. */
  readonly className: string;
  readonly method: string;
  /** ≤ 0 is unknown. */
  readonly line: number;
};

/** One thread in one dump. */
export type DumpedThread = {
  readonly name: string;
  /** Its thread container; empty where the dump has none. */
  readonly group: string;
  readonly virtual: boolean;
  /** False for the JVM's own threads, which never run Java code. */
  readonly java: boolean;
  readonly state: ThreadState;
  /** null where the dump does not tell. */
  readonly priority: number | null;
  /** The priority that the operating system has for it; null where the dump does not tell. */
  readonly osPriority: number | null;
  /** Processor time since it started, and how long ago that was, in milliseconds; null where the dump does not tell. */
  readonly cpuMillis: number | null;
  readonly elapsedMillis: number | null;
  /** Its condition in the JVM's words: `runnable`, `waiting on condition`, …; null where the dump does not tell. */
  readonly condition: string | null;
  /** Tells it from other threads of its JVM in all dumps of a series; empty where the dump does not tell. */
  readonly id: string;
  /** Innermost first. */
  readonly frames: readonly DumpedFrame[];
  /** Whether frames at the root end are missing. */
  readonly truncated: boolean;
  readonly locks: readonly DumpedLock[];
};

/** Called for each dump of a series and each of its threads, in the order of the file. */
export type DumpVisitor = {
  /** A dump begins, taken at this time; null where the file does not tell. */
  readonly dump: (atMillis: number | null) => void;
  /** Returns false to stop reading. */
  readonly thread: (thread: DumpedThread) => boolean;
};

const STATES: readonly ThreadState[] = ['NEW', 'RUNNABLE', 'BLOCKED', 'WAITING', 'TIMED_WAITING', 'TERMINATED'];

/** The state that a text names. Never the text itself, which may be a part of a large string. */
export function threadState(text: string): ThreadState {
  return STATES.find(state => state === text) ?? 'unknown';
}

/** Time in milliseconds of `2026-11-20 16:51:30` (read as UTC, for a dump names no zone) or of an ISO time; null for other texts. */
export function parseTime(text: string): number | null {
  const plain = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/.exec(text);
  const iso = plain === null ? text : `${plain[1]}T${plain[2]}Z`;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/.test(iso)) return null;
  const millis = Date.parse(iso);
  return Number.isFinite(millis) ? millis : null;
}
