// Runs a command, shows what it prints, and kills it with everything it started when a watch says that it is over.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

export type Ended = {
  readonly status: number | null;
  /** The signal that ended it instead of a status; null for a command that could not be started, too. */
  readonly signal: NodeJS.Signals | null;
  /** Why the command was killed; null where it ended by itself. */
  readonly killed: string | null;
  readonly seconds: number;
};

/** The surroundings that a command is started with beside its arguments. */
export type Surroundings = { readonly cwd: string; readonly env?: NodeJS.ProcessEnv; readonly output?: Output };

/** Whether the output of a command is shown. */
export type Output = 'inherit' | 'ignore';

/** Looks at a running command again and again. */
export type Watch = {
  readonly everyMillis: number;
  /** Why the command is killed now, in words; null lets it go on. @param cpuSeconds the processor time of all processes that it started and that still run, with the processes that these waited for. */
  readonly look: (cpuSeconds: number) => string | null;
};

/** Stands in the environment of everything that a command starts, also of what leaves its process group: tmux, daemons. */
const MARK = 'INSITU_RUN';
/** A killed process is gone when the system has taken its memory back, which takes a while on a busy machine. */
const LONGEST_DEATH_MILLIS = 10_000;
const LOOK_AGAIN_MILLIS = 20;

type Running = { readonly group: number; readonly mark: string };
const running = new Set<Running>();

/** Runs to the end, or until the watch ends it, and returns when nothing that was started is left; never rejects. A command that cannot be started ends with status null. */
export async function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env = process.env, output = 'inherit' }: Surroundings,
  { everyMillis, look }: Watch,
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
  let killed: string | null = null;
  const timer = setInterval(() => {
    if (run === null || killed !== null) return;
    killed = look(cpuSecondsOf(run));
    if (killed !== null) kill(run);
  }, everyMillis);
  const { promise, resolve } = Promise.withResolvers<Pick<Ended, 'status' | 'signal'>>();
  child.on('error', () => resolve({ status: null, signal: null }));
  child.on('exit', (status, signal) => resolve({ status, signal }));
  const ended = await promise;
  clearInterval(timer);
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
      // The process has ended by itself.
    }
  }
  return left.length > 0;
}

/** Ticks of the system's clock in a second, in which /proc tells processor time: 100 on every Linux. */
const TICKS = 100;
/** Where utime, stime, cutime and cstime stand behind the name, in /proc/PID/stat. */
const TIMES = [11, 15] as const;

function cpuSecondsOf({ group, mark }: Running): number {
  const ticks = processesOf(group, mark).flatMap(pid => statOf(pid).slice(...TIMES));
  return ticks.reduce((sum, each) => sum + Number(each), 0) / TICKS;
}

/** The processes of a group and the processes with a mark, as far as the system tells: Linux does, in /proc. Zombies hold nothing. */
function processesOf(group: number, mark: string): number[] {
  return processes().filter(pid => {
    const [state, , itsGroup] = statOf(pid);
    if (state === undefined || state === '' || 'ZX'.includes(state)) return false;
    return itsGroup === String(group) || contentOf(`/proc/${pid}/environ`).includes(mark);
  });
}

/** Fields of a process behind its name in /proc/PID/stat: state, parent, group and so on. */
function statOf(pid: number): string[] {
  return contentOf(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');
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
    // The process has ended meanwhile, or belongs to somebody else.
    return '';
  }
}
