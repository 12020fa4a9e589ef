// The processes that the recorder's rows measure: JVMs with fixed work, recorders, and what the system says of them.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '../../..');
const BUNDLE = join(ROOT, 'dist/bin/insitu.cjs');
const SOURCE = join(ROOT, 'server/cli/main.ts');
const TICKS_PER_SECOND = 100;
const LONGEST_SECONDS = 60;

/** A folder of this process's own, gone when it ends. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-bench-record-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Compiles Load.java; returns its class path. */
export function compiledLoad(folder: string): string {
  execFileSync('javac', ['-d', folder, join(import.meta.dirname, 'Load.java')]);
  return folder;
}

export type Running = { readonly pid: number; end(signal?: NodeJS.Signals): Promise<void> };

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a process that is ended with this one. */
export function start(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<NodeJS.ProcessEnv> = {},
): Running {
  const child = spawn(command, args, { cwd, stdio: 'ignore', env: { ...process.env, ...env } });
  const closed = new Promise<void>(resolve => child.on('close', () => resolve()));
  running.add(child);
  return {
    pid: child.pid!,
    async end(signal = 'SIGTERM') {
      child.kill(signal);
      await closed;
      running.delete(child);
    },
  };
}

/** `insitu record` as it is installed, from the bundle where there is one; into a folder of its own where `args` name no store. */
export function startRecorder(folder: string, args: readonly string[], env: Readonly<NodeJS.ProcessEnv> = {}): Running {
  const store = args.includes('--store') ? [] : ['--store', join(folder, 'store')];
  const place = [...store, '--spool', join(folder, 'spool'), '--project', 'bench', '--version', '1'];
  const program = existsSync(BUNDLE) ? BUNDLE : SOURCE;
  return start(process.execPath, [program, 'record', ...place, ...args], folder, env);
}

/** MiB of a process that are in memory. */
export function residentMiB(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(line) / 1024;
}

/** Seconds of CPU that a process has taken. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Waits until a recorder has saved what it read of so many JVMs; rejects when it does not. */
export async function untilSpooled(folder: string, jvms: number): Promise<void> {
  for (let waited = 0; ; waited++) {
    const found = globSync('spool/*/*.open', { cwd: folder }).map(path => dirname(path));
    if (new Set(found).size >= jvms) return;
    if (waited >= LONGEST_SECONDS) throw new Error(`the recorder follows ${new Set(found).size} JVMs of ${jvms}`);
    await seconds(1);
  }
}

export async function seconds(count: number): Promise<void> {
  await pause(count * 1000);
}
