// The folder in which this program keeps what it has to remember of this user.
import { homedir } from 'node:os';
import { join } from 'node:path';

/** By the XDG Base Directory Specification: `$XDG_STATE_HOME/insitu`, else `~/.local/state/insitu`. It need not exist. */
export function stateFolder(env: NodeJS.ProcessEnv = process.env, home: string = homedir()): string {
  return join(env.XDG_STATE_HOME || join(home, '.local', 'state'), 'insitu');
}
