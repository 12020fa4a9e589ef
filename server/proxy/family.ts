// How a server is ended with all that it has started, on each system.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { findProgram, withAbsolutePath } from '../base/find-program.ts';
import { processIds, procText } from '../base/linux-processes.ts';

export type Family = {
  /** With these it has to be started. */
  readonly options: Pick<SpawnOptions, 'detached' | 'env'>;
  /** Sends a signal to the server and to all that it has started. */
  readonly kill: (server: ChildProcess, signal: NodeJS.Signals) => void;
};

/** Every process that a server has started bears this in its environment, even when its parent has changed. */
const MARK = 'INSITU_WRAPPED';

/** Of a server that starts nothing. */
const ALONE: Family = { options: {}, kill: (server, signal) => void server.kill(signal) };

/** Of one in front of which a script may stand. */
export function familyOf({ mayBeScript }: { readonly mayBeScript: boolean }): Family {
  if (process.platform === 'win32') return { options: {}, kill: killTree };
  if (!mayBeScript) return ALONE;
  return process.platform === 'linux' ? markedFamily() : { options: { detached: true }, kill: killGroup };
}

/** A group would miss what a script's job control has put into groups of their own. */
function markedFamily(): Family {
  const mark = `${MARK}=${randomUUID()}`;
  const [name = '', value] = mark.split('=');
  return {
    options: { env: { ...withAbsolutePath(process.env), [name]: value } },
    kill: (server, signal) => {
      // When it has ended itself, its number may be that of another process.
      const isAlive = server.pid !== undefined && server.exitCode === null && server.signalCode === null;
      const started = startedBy(isAlive ? server.pid : null, mark);
      // A process that restarts ended processes must not see such an end first.
      if (isAlive) server.kill(signal);
      for (const pid of started) if (pid !== server.pid) send(pid, signal);
    },
  };
}

/** Its processes, itself included where it lives; what has gone into a session of its own means to outlive who started it. */
function startedBy(root: number | null, mark: string): number[] {
  const session = placeOf(process.pid)?.session;
  const parents = new Map<number, number>();
  for (const pid of processIds()) {
    const place = placeOf(pid);
    if (place !== null && place.session === session) parents.set(pid, place.parent);
  }
  const isBelow = (pid: number): boolean => {
    const seen = new Set<number>();
    // Processes come and go while they are listed: what was read may even go round in a circle.
    for (let at: number | undefined = pid; at !== undefined && !seen.has(at); at = parents.get(at)) {
      if (at === root) return true;
      seen.add(at);
    }
    return false;
  };
  return [...parents.keys()].filter(pid => isBelow(pid) || procText(pid, 'environ')?.includes(mark) === true);
}

function placeOf(pid: number): { readonly parent: number; readonly session: number } | null {
  const stat = procText(pid, 'stat');
  if (stat === null) return null;
  // The name in brackets may hold anything, brackets and blanks too.
  const [, parent, , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { parent: Number(parent), session: Number(session) };
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) send(-pid, signal);
}

function killTree({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  const program = findProgram('taskkill.exe', process.env);
  if (program === null) return;
  const child = spawn(program, ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
  child.on('error', () => {});
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process is gone.
  }
}
