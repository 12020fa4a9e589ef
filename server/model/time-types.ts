// The types of typed time: what threads do with their time, in words, and how well it is known.

/** The metric whose innermost frames are time types, or the frames behind these. Its reader says how much time a sample stands for. */
export const TYPED = { id: 'typed', unit: 'nanoseconds', kind: 'sampled', events: [], periodNanos: 0 } as const;

/** Where typed time comes from, for people whose data have none. */
export const TYPED_FROM =
  'insitu record, thread dumps, and insitu import --time-types tell what threads did with their time';

type Meaning = {
  readonly words: string;
  /** Of its marks in pictures, on light and on dark paper. */
  readonly colour: string;
  /**
   * `estimate`: how long threads ran, or on which call paths, may be estimated. `lowerBound`: where events tell the time, waits below a
   * threshold are missing, and waits that had not ended. `null`: the time is counted.
   */
  readonly known: 'estimate' | 'lowerBound' | null;
};

/** By the frame that stands below the innermost one. */
export const TIME_TYPES = {
  ':RUN': { words: 'running', known: 'estimate', colour: '#2e8b57' },
  ':LOAD': { words: 'waiting for a processor', known: 'estimate', colour: '#c2741a' },
  ':PRIO': { words: 'waiting behind threads of higher priority', known: 'estimate', colour: '#a85d2a' },
  // One of these three, where the number of processors or the priorities are not known.
  ':RUNNABLE': { words: 'running or waiting for a processor', known: null, colour: '#6f8f3c' },
  // To enter `synchronized`.
  ':MONITOR': { words: 'waiting for a monitor', known: 'lowerBound', colour: '#cc4a43' },
  // A lock of java.util.concurrent whose owner a dump names.
  ':LOCK': { words: 'waiting for a lock', known: null, colour: '#b84a86' },
  ':WAIT': { words: 'waiting for something else', known: 'lowerBound', colour: '#4a7fc1' },
  ':PARK': { words: 'parked', known: 'lowerBound', colour: '#7b6fc4' },
  ':SLEEP': { words: 'sleeping', known: 'lowerBound', colour: '#6f8296' },
  ':IO': { words: 'reading or writing', known: 'lowerBound', colour: '#2b8c94' },
  // Threads ran unsampled, waited for less than a threshold, or still waited when the chunk ended.
  ':UNRECORDED': { words: 'not recorded', known: null, colour: '#868686' },
} as const satisfies Readonly<Record<`:${string}`, Meaning>>;

export type TimeType = keyof typeof TIME_TYPES;

/** Whether a frame is a time type: `:RUN`, without a class. */
export function isTimeType(className: string, method: string): boolean {
  return className === '' && method.startsWith(':');
}
