// What every reader of outside profiles gives back, whatever the format.
import type { Problem } from '../base/problem.ts';
import type { Profile } from '../cct/profile.ts';

/** How a file is to be read. */
export type IngestOptions = {
  /** `raw` keeps the JVM's names for exports; `normalised` makes generated names stable so that runs merge. */
  readonly names: 'raw' | 'normalised';
  /** Event types to read; empty means every event that feeds a metric. */
  readonly events?: readonly string[];
  /** Called now and then with bytes read so far. */
  readonly onProgress?: (bytesRead: number, bytesTotal: number) => void;
  /** Asked between chunks and now and then inside one; reading stops soon after it aborts. */
  readonly signal?: AbortSignal;
};

/** What came out of a file. Never thrown: a broken file gives what could be read plus problems. */
export type Ingested = {
  /** null when nothing could be read at all; then at least one problem has severity `error`. */
  readonly profile: Profile | null;
  readonly format: 'jfr' | 'snapshot' | 'unknown';
  readonly startMillis: number;
  readonly endMillis: number;
  /** For people: `JDK Flight Recorder, OpenJDK 17.0.15`. */
  readonly recorder: string;
  readonly debugNonSafepoints: boolean | null;
  readonly problems: readonly Problem[];
};
