// What a server is started with.
import type { PartialSettings } from '../base/config.ts';

/** What the command line gives. */
export type ServerOptions = {
  readonly version?: string;
  /** Settings of the command line. */
  readonly overrides?: PartialSettings;
  /** Names of the commands that are offered. */
  readonly commands?: readonly string[];
  /** Pause between two looks at the store and insitu.json. */
  readonly watchMillis?: number;
};
