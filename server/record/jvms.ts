// Finds the JVMs of this machine, in containers too as far as their processes can be seen.
import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  beganMillis,
  catches,
  innerPid,
  processIds,
  procText,
  programOf,
  rootOf,
  startTicksOf,
  userOf,
} from '../base/linux-processes.ts';
import type { Turn } from '../base/pause.ts';
import { readRegular } from '../base/regular-file.ts';
import { isMoment } from '../cct/limits.ts';
import { jvmIdentity } from '../cct/profile.ts';
import { pathWithin } from './paths-within.ts';
import { type PerfData, readPerfData } from './perf-data.ts';
import { PerfFolders } from './perf-folders.ts';

/** One running JVM. */
export type Jvm = {
  readonly pid: number;
  /** With the pid it tells a process from every other of this machine. */
  readonly startTicks: number;
  readonly user: number;
  /** Its file system, `/proc/4711/root`; empty where that is ours. */
  readonly root: string;
  /** Main class, module or jar, without its folder. */
  readonly name: string;
  /** Main class, module or jar as it was given. */
  readonly main: string;
  /** The arguments of the program. They may hold secrets: they are shown to the user on request, and never kept. */
  readonly args: string;
  /** Options of the JVM. May hold secrets too. */
  readonly jvmArgs: readonly string[];
  /** Folders and jars of its classes, with `:` between them; empty where it does not tell. */
  readonly classPath: string;
  /** `17.0.15`; empty where it does not tell. */
  readonly javaVersion: string;
  /** When it began, milliseconds since the epoch. */
  readonly sinceMillis: number;
  /** As its recordings name it; empty for what is not known. */
  readonly identity: string;
};

/** The stand-in for a JVM that is not known, for the data that were recorded of it. */
export function noJvm(name: string, main = name): Jvm {
  const nothing = {
    user: -1,
    root: '',
    args: '',
    jvmArgs: [],
    classPath: '',
    javaVersion: '',
    sinceMillis: 0,
    identity: '',
  };
  return { pid: 0, startTicks: 0, name, main, ...nothing };
}

/** All JVMs that this user can see, by pid. */
export function listJvms(): Jvm[] {
  return processIds()
    .flatMap(pid => describeJvm(pid) ?? [])
    .sort((a, b) => a.pid - b.pid);
}

/** The same with a turn after each process: a machine may have very many. */
export async function jvmsInTurns(turn: Turn): Promise<Jvm[]> {
  const found: Jvm[] = [];
  for (const pid of processIds()) {
    const jvm = describeJvm(pid);
    if (jvm !== null) found.push(jvm);
    await turn();
  }
  return found.sort((a, b) => a.pid - b.pid);
}

/**
 * Why a JVM cannot be recorded by `user`, as far as that can be told without attaching to it; null where nothing speaks against it.
 * @param user the numeric id; 0 may attach to everybody's.
 */
export function refusalOf(jvm: Jvm, user = process.geteuid?.() ?? -1): string | null {
  if (user !== 0 && user !== jvm.user) return FOREIGN;
  if (jvm.jvmArgs.includes('-XX:+DisableAttachMechanism')) return 'it was started with -XX:+DisableAttachMechanism';
  if (!catches(jvm.pid, SIGQUIT)) return 'it is starting, or was started with -Xrs';
  const major = Number(/^(?:1\.)?(\d+)/.exec(jvm.javaVersion)?.[1] ?? OLDEST);
  return major < OLDEST ? `its Java ${jvm.javaVersion} is too old: ${OLDEST} or newer can be recorded` : null;
}

export const ABSENT = 'it is not running';
const FOREIGN = 'it belongs to another user';

/** Why there is no JVM with this pid to be recorded, as far as that is for certain; null where there is one, or may be soon. */
export function absenceOf(pid: number, own = process.geteuid?.() ?? -1): string | null {
  const user = startTicksOf(pid) === null ? -1 : userOf(pid);
  if (user === -1) return ABSENT;
  return own === 0 || own === user ? null : FOREIGN;
}

const SIGQUIT = 3;
const SIGTERM = 15;
/** The first Java whose JVMs can be recorded. */
export const OLDEST = 11;
/** A file has 32 KiB by default; an option of the JVM can change that. */
const MOST_PERF_BYTES = 16 << 20;

/** The JVM with this pid; null when it is gone or none. */
export function describeJvm(pid: number): Jvm | null {
  if (pid === process.pid) return null;
  const startTicks = startTicksOf(pid);
  if (startTicks === null) return null;
  const isLauncher = /^javaw?(?: \(deleted\))?$/.test(basename(programOf(pid)));
  const root = rootOf(pid);
  const sinceMillis = beganMillis(startTicks);
  const perfData = perfDataOf(pid, root, sinceMillis);
  if (!isLauncher && perfData === null) return null;
  const command = textOf(perfData, 'sun.rt.javaCommand') ?? commandLine(pid);
  const [main = '', ...args] = command.split(' ');
  const jvmArgs = textOf(perfData, 'java.rt.vmArgs');
  return {
    pid,
    startTicks,
    user: userOf(pid),
    root,
    name: basename(main) || 'java',
    main,
    args: args.join(' '),
    jvmArgs: jvmArgs === null ? optionsOf(pid) : jvmArgs.split(' '),
    classPath: textOf(perfData, 'java.property.java.class.path') ?? '',
    javaVersion: textOf(perfData, 'java.property.java.version') ?? '',
    sinceMillis,
    identity: identityOf(pid, perfData, sinceMillis),
  };
}

/** Recordings tell the process id that the JVM sees, and when it was ready to run its program. */
function identityOf(pid: number, perfData: PerfData | null, sinceMillis: number): string {
  const readyMillis = Number(perfData?.get('sun.rt.vmInitDoneTime') ?? 0);
  return jvmIdentity(innerPid(pid), readyMillis > 0 && isMoment(readyMillis) ? readyMillis : sinceMillis);
}

/** Whether this very process still runs. */
export function isRunning({ pid, startTicks }: Jvm): boolean {
  return startTicksOf(pid) === startTicks;
}

const perfFolders = new PerfFolders();

/**
 * Whether a JVM has come so far that it runs its program. Before, it may take a question for its attach socket for one about its threads,
 * which it prints, and does not know commands that it knows later.
 */
export function hasBegun({ pid, root, sinceMillis }: Jvm): boolean {
  const file = perfFileOf(pid, root, sinceMillis);
  // Of one that keeps no such data its signals tell, which it sets up in the middle of its start.
  if (file === null) return catches(pid, SIGTERM);
  return Number(dataIn(file)?.get('sun.rt.createVmEndTime') ?? 0) > 0;
}

function perfDataOf(pid: number, root: string, sinceMillis: number): PerfData | null {
  const file = perfFileOf(pid, root, sinceMillis);
  return file === null ? null : dataIn(file);
}

/** A file that an earlier process with the same number has left is another user's or older than the process. */
function perfFileOf(pid: number, root: string, sinceMillis: number): string | null {
  const own = String(innerPid(pid));
  try {
    for (const folder of perfFolders.of(pathWithin(root, '/tmp'))) {
      const path = join(folder, own);
      const about = lstatSync(path, { throwIfNoEntry: false });
      if (about === undefined || !about.isFile() || about.size > MOST_PERF_BYTES) continue;
      if (about.uid === userOf(pid) && about.mtimeMs >= sinceMillis - 2000) return path;
    }
  } catch {
    // Closed to this user: what /proc tells has to do.
  }
  return null;
}

function dataIn(file: string): PerfData | null {
  try {
    return readPerfData(readRegular(file, MOST_PERF_BYTES));
  } catch {
    return null;
  }
}

function textOf(data: PerfData | null, name: string): string | null {
  const value = data?.get(name);
  return typeof value === 'string' ? value : null;
}

/** The words behind the options of `java`: the main class or jar and its arguments. */
function commandLine(pid: number): string {
  const words = wordsOf(pid);
  const at = words.findIndex((word, i) => i > 0 && !word.startsWith('-') && !TAKES_VALUE.test(words[i - 1]!));
  return at < 0 ? '' : words.slice(at).join(' ');
}

const TAKES_VALUE = /^(?:-cp|-classpath|--class-path|-p|--module-path|--add-(?:opens|exports|modules|reads))$/;

function optionsOf(pid: number): string[] {
  return wordsOf(pid).filter(word => word.startsWith('-'));
}

function wordsOf(pid: number): string[] {
  return (procText(pid, 'cmdline') ?? '').split('\0').filter(word => word !== '');
}
