// Runs a shell command of the user in a folder, with an end: what it leaves running is ended too, and of its output the end is kept.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { findProgram, withAbsolutePath } from '../base/find-program.ts';
import { messageOf } from '../base/message-of.ts';

type CommandOptions = {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The command is ended after so many milliseconds. */
  readonly limitMillis: number;
  /** Ends the command at once. */
  readonly signal: AbortSignal;
  /** Names the processes of this run of insitu: they carry it in their environment. */
  readonly token: string;
};

/** The outcome of a command. */
export type CommandRun = {
  readonly end: 'done' | 'failed' | 'timeout' | 'cancelled';
  /** For people, of a command that is not done: `exit status 1`, `killed by SIGSEGV`. */
  readonly reason: string;
  /** From its start to its end. */
  readonly millis: number;
  /** The end of what it printed, on both streams. */
  readonly tail: string;
};

const TAIL_BYTES = 8 << 10;
/** In the environment of every process that a command starts. */
const TOKEN = 'INSITU_TRACK';
/** Variables that would lead git in the command to the repository of the user. */
const OUTSIDE = /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|COMMON_DIR|PREFIX|NAMESPACE|ALTERNATE_\w+)$/;
/** A process that starts others while it is looked for is looked for again. */
const MOST_LOOKS = 20;
const LOOK_MILLIS = 20;

/** Never rejects. */
export async function runCommand(command: string, options: CommandOptions): Promise<CommandRun> {
  const { folder, env, limitMillis, signal, token } = options;
  const shell = findProgram('sh', env);
  if (shell === null) return notStarted('there is no shell sh on the PATH');
  if (signal.aborted) return { ...notStarted(''), end: 'cancelled' };
  const kept = Object.entries(env).filter(([name]) => !OUTSIDE.test(name));
  const own = { ...withAbsolutePath(Object.fromEntries(kept)), PWD: folder, [TOKEN]: token };
  const started = performance.now();
  const child = spawn(shell, ['-c', command], {
    cwd: folder,
    env: own,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, which ends as a whole.
    detached: true,
    windowsHide: true,
  });
  const tail = new Tail();
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => tail.add(bytes)).on('error', () => {});
  let end: CommandRun['end'] | null = null;
  const stop = (why: 'timeout' | 'cancelled') => {
    end ??= why;
    killGroup(child.pid);
  };
  const cancel = () => stop('cancelled');
  signal.addEventListener('abort', cancel);
  const timer = setTimeout(() => stop('timeout'), limitMillis);
  const reason = await new Promise<string>(resolve => {
    child.on('error', error => resolve(messageOf(error)));
    child.on('exit', (status, name) =>
      resolve(name !== null ? `killed by ${name}` : status === 0 ? '' : `exit status ${status}`),
    );
  });
  const millis = performance.now() - started;
  clearTimeout(timer);
  signal.removeEventListener('abort', cancel);
  killGroup(child.pid);
  await killMarked(token);
  // Whatever still holds the pipes is not waited for.
  for (const stream of [child.stdout, child.stderr]) stream.destroy();
  const why = end === 'timeout' ? `took more than ${Math.round(limitMillis / 1000)} s` : reason;
  return { end: end ?? (reason === '' ? 'done' : 'failed'), reason: why, millis, tail: tail.text() };
}

function notStarted(reason: string): CommandRun {
  return { end: 'failed', reason, millis: 0, tail: '' };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}

/** Ends the processes that carry a token, where the system shows the environment of processes (Linux). */
export async function killMarked(token: string): Promise<void> {
  const mark = `\0${TOKEN}=${token}\0`;
  for (let look = 0; look < MOST_LOOKS; look++) {
    const marked = processIds().filter(pid => environmentOf(pid).includes(mark));
    if (marked.length === 0) return;
    for (const pid of marked)
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // The process has ended meanwhile.
      }
    await pause(LOOK_MILLIS);
  }
}

function processIds(): number[] {
  try {
    return readdirSync('/proc').flatMap(name => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

/** With a zero byte before and after each variable; empty where it may not be read. */
function environmentOf(pid: number): string {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`;
  } catch {
    return '';
  }
}

/** The last bytes of an output of any length. */
class Tail {
  #parts: Buffer[] = [];
  #bytes = 0;

  add(part: Buffer): void {
    this.#parts.push(part);
    this.#bytes += part.length;
    if (this.#bytes > 16 * TAIL_BYTES) this.#cut();
  }

  text(): string {
    this.#cut();
    return stripVTControlCharacters(this.#parts.join(''));
  }

  #cut(): void {
    const all = Buffer.concat(this.#parts);
    this.#parts = [Buffer.from(all.subarray(Math.max(0, all.length - TAIL_BYTES)))];
    this.#bytes = this.#parts[0]!.length;
  }
}
