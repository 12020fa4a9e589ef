// Runs a command in a process group of its own, shows what it prints, and kills the whole group when its time is up.
import { spawn } from 'node:child_process';

export type Ended = { readonly status: number | null; readonly killed: boolean; readonly seconds: number };

const running = new Set<number>();

/** Runs to the end or to the cap; never rejects. A command that cannot be started ends with status null. */
export function runCommand(command: string, args: readonly string[], cwd: string, capSeconds: number): Promise<Ended> {
  const started = performance.now();
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'], detached: true });
  const { pid } = child;
  if (pid !== undefined) running.add(pid);
  let killed = false;
  const timer = setTimeout(() => {
    killed = true;
    if (pid !== undefined) killGroup(pid);
  }, capSeconds * 1000);
  const end = (status: number | null): void => {
    clearTimeout(timer);
    if (pid !== undefined) {
      // Whatever a test left running must not disturb the next suite.
      killGroup(pid);
      running.delete(pid);
    }
    resolve({ status, killed, seconds: (performance.now() - started) / 1000 });
  };
  child.on('error', () => end(null));
  child.on('exit', status => end(status));
  return promise;
}

/** Ends everything that was started here; for when the run itself is interrupted. */
export function killRunning(): void {
  for (const pid of running) killGroup(pid);
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has ended by itself.
  }
}
