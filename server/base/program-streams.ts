// This process's streams as they are, for programs at their other end: text for people goes through terminal.ts.

/** Standard output as an editor or an agent reads it: protocol messages and nothing else. */
export function messagesToClient(): NodeJS.WriteStream {
  return process.stdout;
}

/**
 * Standard error as an editor keeps it, for what another program writes there: its bytes are its own affair, as they would be had the
 * editor started it.
 */
export function logOfEditor(): NodeJS.WriteStream {
  return process.stderr;
}
