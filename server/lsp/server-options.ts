// The options that a server is started with.
import type { PartialSettings } from '../base/config.ts';

/** The options of the command line. */
export type ServerOptions = {
  readonly version?: string;
  /** Settings of the command line. */
  readonly overrides?: PartialSettings;
  /** Names of the commands that are offered. */
  readonly commands?: readonly string[];
  /** Pause between two looks at the store and insitu.json. */
  readonly watchMillis?: number;
};
