// The facts of this process and machine that settings depend on.
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The outside that configuration depends on; given explicitly so that tests need no real home folder. */
export type Surroundings = { readonly env: Readonly<Record<string, string | undefined>>; readonly home: string };

/** This process's own surroundings. */
export function processSurroundings(): Surroundings {
  return { env: process.env, home: homedir() };
}

/** Where this machine keeps what can be made again. */
export function cacheFolder({ env, home }: Surroundings): string {
  return join(env.XDG_CACHE_HOME || join(home, '.cache'), 'insitu');
}
