// Speaks to a JVM through its attach socket, as jcmd does, without anything of a JDK beside it.

import { closeSync, lstatSync, openSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { catches, innerPid, isShown } from '../base/linux-processes.ts';
import { messageOf } from '../base/message-of.ts';
import type { Outcome, Problem } from '../base/problem.ts';
import { hasBegun, isRunning, type Jvm } from './jvms.ts';
import { pathWithin } from './paths-within.ts';

const SIGQUIT = 3;
/** A JVM is ready some 100 ms after it starts; on a busy machine later. */
const START_MILLIS = 10_000;
/** A JVM that ends takes its socket away first; its process is gone a moment later. */
const END_MILLIS = 2000;
const LOOK_MILLIS = 20;
/** A JVM that is starting or swapping answers late. */
const SOCKET_MILLIS = 10_000;
const ANSWER_MILLIS = 60_000;
/** A thread dump of 10,000 threads has some 20 MB. */
const MOST_ANSWER_BYTES = 256 << 20;
/** The JVM takes no longer argument. */
const MOST_COMMAND_BYTES = 1023;

/** Runs a diagnostic command, such as `JFR.check`, in a JVM; null and why when it cannot be reached or refuses. */
export async function diagnose(jvm: Jvm, command: string): Promise<Outcome<string | null>> {
  try {
    if (Buffer.byteLength(command) > MOST_COMMAND_BYTES) return refusal(jvm, 'the command is too long for a JVM');
    const path = await socketOf(jvm);
    const answer = await ask(path, `1\0jcmd\0${command}\0\0\0`);
    const line = answer.indexOf('\n');
    if (line < 0) throw new Error('it hung up');
    const [code, text] = [answer.slice(0, line), answer.slice(line + 1)];
    if (code === '0') return { value: text, problems: [] };
    return refusal(jvm, `${command.split(' ')[0]} failed: ${text.trim().split('\n')[0] || `code ${code}`}`);
  } catch (error) {
    // Whatever fails with a JVM that ends, fails because of that.
    if (await hasEnded(jvm)) return refusal(jvm, ENDED);
    return refusal(jvm, messageOf(error), REMEDY);
  }
}

const ENDED = 'it has ended';

/** The problems without the ones that the end of a JVM causes: its end is told by itself. */
export function unlessEnded(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ message }) => message !== ENDED);
}

/** Whether a JVM with which something failed is gone, or is so a moment later. */
export async function hasEnded(jvm: Jvm): Promise<boolean> {
  for (const until = performance.now() + END_MILLIS; isRunning(jvm); await pause(LOOK_MILLIS))
    if (performance.now() > until) return false;
  return true;
}

const REMEDY =
  'run insitu as the user and group of the JVM or as root, and without -XX:+DisableAttachMechanism in the JVM';

function refusal(jvm: Jvm, message: string, remedy?: string): Outcome<null> {
  const file = `JVM ${jvm.pid} (${jvm.name})`;
  return { value: null, problems: [{ severity: 'error', message, file, ...(remedy === undefined ? {} : { remedy }) }] };
}

/** The path of a JVM's attach socket; asks it to open one where it has none. */
async function socketOf(jvm: Jvm): Promise<string> {
  const inner = innerPid(jvm.pid);
  const tmp = pathWithin(jvm.root, '/tmp');
  const path = join(tmp, `.java_pid${inner}`);
  if (isSocketOf(jvm, path)) return path;
  const ownUser = process.geteuid?.() ?? -1;
  if (ownUser !== 0 && ownUser !== jvm.user) throw new Error('it belongs to another user');
  if (!(await isReady(jvm))) throw new Error('it cannot be attached to: it is starting, or ran with -Xrs');
  // Without its files its answer would not be found, and the signal would only make it print its threads.
  if (!isShown(jvm.pid)) throw new Error('the system does not show its files to this user and group');
  const trigger = requestFile(jvm, inner, tmp);
  try {
    // The number may be another process's by now, which the signal would end.
    if (!isRunning(jvm)) throw new Error(ENDED);
    process.kill(jvm.pid, 'SIGQUIT');
    const until = performance.now() + SOCKET_MILLIS;
    for (let wait = LOOK_MILLIS; performance.now() < until && isRunning(jvm); wait = Math.min(2 * wait, 500)) {
      await pause(wait);
      if (isSocketOf(jvm, path)) return path;
    }
  } finally {
    rmSync(trigger, { force: true });
  }
  throw new Error('it opens no attach socket');
}

/** Whether a signal asks for a socket. A JVM that is starting is waited for; one that ran with -Xrs will never be ready. */
async function isReady(jvm: Jvm): Promise<boolean> {
  const left = Math.min(START_MILLIS, jvm.sinceMillis + START_MILLIS - Date.now());
  const until = performance.now() + left;
  while (!(catches(jvm.pid, SIGQUIT) && hasBegun(jvm))) {
    if (performance.now() >= until) return catches(jvm.pid, SIGQUIT);
    if (!isRunning(jvm) || jvm.jvmArgs.includes('-Xrs')) return false;
    await pause(LOOK_MILLIS);
  }
  return true;
}

/**
 * Makes the file that tells a JVM that a signal asks for a socket; in its working folder, or beside the socket. Both are places where
 * others may write: a file there of this name is never written through.
 */
function requestFile(jvm: Jvm, inner: number, tmp: string): string {
  const name = `.attach_pid${inner}`;
  for (const folder of [`/proc/${jvm.pid}/cwd`, tmp]) {
    try {
      const path = join(folder, name);
      if (isLeftBehind(jvm, path)) rmSync(path);
      closeSync(openSync(path, 'wx', 0o600));
      return path;
    } catch {
      // A working folder may be gone or read-only: the other place does as well.
    }
  }
  throw new Error('neither its working folder nor its /tmp can be written to');
}

/** Whether an earlier client of this JVM has not removed the file. */
function isLeftBehind(jvm: Jvm, path: string): boolean {
  try {
    const about = lstatSync(path);
    return about.isFile() && (about.uid === jvm.user || about.uid === process.geteuid?.());
  } catch {
    return false;
  }
}

/** Whether the path is a socket that only this JVM's user or root can have made. */
function isSocketOf(jvm: Jvm, path: string): boolean {
  try {
    const about = lstatSync(path);
    return about.isSocket() && (about.uid === jvm.user || about.uid === 0);
  } catch {
    return false;
  }
}

function ask(path: string, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    const socket = createConnection({ path });
    socket.setTimeout(ANSWER_MILLIS, () => socket.destroy(new Error('it does not answer')));
    socket.on('connect', () => socket.write(request));
    socket.on('data', part => {
      bytes += part.length;
      if (bytes > MOST_ANSWER_BYTES) socket.destroy(new Error('its answer has no end'));
      else parts.push(part);
    });
    socket.on('end', () => resolve(Buffer.concat(parts).toString('utf8')));
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('it hung up')));
  });
}
