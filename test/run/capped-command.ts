// Runs a command, shows what it prints, and kills it with everything it started when its time is up.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

export type Ended = {
  readonly status: number | null;
  /** What ended it instead of a status; null for a command that could not be started, too. */
  readonly signal: NodeJS.Signals | null;
  readonly killed: boolean;
  readonly seconds: number;
};

/** What a command is started with beside its arguments. */
export type Surroundings = { readonly cwd: string; readonly env?: NodeJS.ProcessEnv; readonly output?: Output };

/** What a command prints is shown, or not. */
export type Output = 'inherit' | 'ignore';

/** Stands in the environment of everything that a command starts, also of what leaves its process group: tmux, daemons. */
const MARK = 'INSITU_RUN';
/** A killed process is gone when the system has taken its memory back, which takes a while on a busy machine. */
const LONGEST_DEATH_MILLIS = 10_000;
const LOOK_AGAIN_MILLIS = 20;

type Running = { readonly group: number; readonly mark: string };
const running = new Set<Running>();

/** Runs to the end or to the cap, and returns when nothing that was started is left; never rejects. A command that cannot be started ends with status null. */
export async function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env = process.env, output = 'inherit' }: Surroundings,
  capSeconds: number,
): Promise<Ended> {
  const started = performance.now();
  const mark = randomUUID();
  const child = spawn(command, args, {
    cwd,
    env: { ...env, [MARK]: `${env[MARK] ?? ''} ${mark}` },
    stdio: ['ignore', output, output],
    detached: true,
  });
  const run = child.pid === undefined ? null : { group: child.pid, mark };
  if (run !== null) running.add(run);
  let killed = false;
  const timer = setTimeout(() => {
    killed = true;
    if (run !== null) kill(run);
  }, capSeconds * 1000);
  const { promise, resolve } = Promise.withResolvers<Pick<Ended, 'status' | 'signal'>>();
  child.on('error', () => resolve({ status: null, signal: null }));
  child.on('exit', (status, signal) => resolve({ status, signal }));
  const ended = await promise;
  clearTimeout(timer);
  // Whatever a test left running must not disturb the next suite.
  if (run !== null) {
    await untilGone(run);
    running.delete(run);
  }
  return { ...ended, killed, seconds: (performance.now() - started) / 1000 };
}

/** Ends everything that was started here; for when the run itself is interrupted. */
export function killRunning(): void {
  for (const run of running) kill(run);
}

async function untilGone(run: Running): Promise<void> {
  const end = performance.now() + LONGEST_DEATH_MILLIS;
  while (kill(run) && performance.now() < end) await wait(LOOK_AGAIN_MILLIS);
}

/** Whether there was anything to kill. */
function kill({ group, mark }: Running): boolean {
  const left = processesOf(group, mark);
  for (const pid of [-group, ...left]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
  return left.length > 0;
}

/** Those of a group and those with a mark, as far as the system tells: Linux does, in /proc. Zombies hold nothing. */
function processesOf(group: number, mark: string): number[] {
  return processes().filter(pid => {
    const [state, , itsGroup] = contentOf(`/proc/${pid}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ');
    if (state === undefined || state === '' || 'ZX'.includes(state)) return false;
    return itsGroup === String(group) || contentOf(`/proc/${pid}/environ`).includes(mark);
  });
}

function processes(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    // It has ended meanwhile, or belongs to somebody else.
    return '';
  }
}
