// Facts about processes, from /proc of Linux.
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';

/** The text of a file below /proc; null when the process is gone or closed to this user. */
export function procText(pid: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return null;
  }
}

/** All processes that this one can see. */
export function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter(pid => Number.isInteger(pid) && pid > 0);
  } catch {
    return [];
  }
}

/**
 * When a process began, in clock ticks since the machine did: with its number it is told from every other. null when it is gone,
 * or only waits to be buried.
 */
export function startTicksOf(pid: number): number | null {
  return startTicksIn(procText(pid, 'stat'));
}

/** When a thread of a process began; null when it is gone. */
export function threadStartTicks(pid: number, thread: string): number | null {
  return startTicksIn(procText(pid, `task/${thread}/stat`));
}

function startTicksIn(stat: string | null): number | null {
  // The name in brackets may hold anything, brackets and blanks too.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields === undefined || fields[0] === 'Z' || fields[0] === 'X') return null;
  return Number(fields[19]);
}

/** Ticks of a second, on every machine that a JVM runs on. */
const TICKS = 100;

/**
 * When a process began, milliseconds since the epoch and up to a second early; 0 where the system does not tell. The times of its
 * folder in /proc say only when a process first looked there.
 */
export function beganMillis(startTicks: number): number {
  try {
    const boot = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1];
    return boot === undefined ? 0 : Number(boot) * 1000 + (startTicks * 1000) / TICKS;
  } catch {
    return 0;
  }
}

/** The user that a process acts as; −1 when it is gone. */
export function userOf(pid: number): number {
  return Number(/^Uid:\s+\d+\s+(\d+)/m.exec(procText(pid, 'status') ?? '')?.[1] ?? -1);
}

/** The number of a process inside its own container. */
export function innerPid(pid: number): number {
  return innerNumber(procText(pid, 'status'), pid);
}

/** The number of a thread inside its own container. */
export function innerThread(pid: number, thread: string): number {
  return innerNumber(procText(pid, `task/${thread}/status`), Number(thread));
}

function innerNumber(status: string | null, outer: number): number {
  const numbers = /^NSpid:\s+(.*)$/m
    .exec(status ?? '')?.[1]
    ?.trim()
    .split(/\s+/);
  return Number(numbers?.at(-1) ?? outer);
}

/** Whether a process has a handler for the signal; without one SIGQUIT would end it. */
export function catches(pid: number, signal: number): boolean {
  const mask = /^SigCgt:\s+([0-9a-f]+)$/m.exec(procText(pid, 'status') ?? '')?.[1];
  return mask !== undefined && (BigInt(`0x${mask}`) & (1n << BigInt(signal - 1))) !== 0n;
}

/** Whether a process has a thread of this name, of which the system keeps 15 bytes; null where that cannot be told. */
export function hasThread(pid: number, name: string): boolean | null {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const kept = name.slice(0, 15);
    return threads.some(thread => procText(pid, `task/${thread}/comm`)?.trimEnd() === kept);
  } catch {
    return null;
  }
}

/** The program file of a process; empty when that is closed to this user. */
export function programOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return '';
  }
}

/** The file system as the process sees it: its path, or an empty text where that is also ours. */
export function rootOf(pid: number): string {
  try {
    const theirs = statSync(`/proc/${pid}/root/`);
    const ours = statSync('/');
    return theirs.dev === ours.dev && theirs.ino === ours.ino ? '' : `/proc/${pid}/root`;
  } catch {
    return '';
  }
}

/** Whether the file system of a process is open to this one. */
export function isShown(pid: number): boolean {
  try {
    return statSync(`/proc/${pid}/root/`).isDirectory();
  } catch {
    return false;
  }
}

/** Told anew at each start of the machine; empty where the system does not tell. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
