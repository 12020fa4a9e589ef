// A program that is called `java` and answers a recorder as a JVM would, with recordings of ours for its repository.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The properties of the fake JVM. */
export type FakeJvmOptions = {
  /** The version that it tells. */
  readonly version?: string;
  /** Chunk files that it has in its repository from when its recording begins. */
  readonly chunks?: readonly string[];
  /** The name of a recording of its own that runs from the beginning. */
  readonly recording?: string;
  /** Its answer to `Thread.print`. */
  readonly threads?: string;
  /** The command at which it ends instead of answering, such as `JFR.check`; it takes its socket away first, as a JVM does. */
  readonly endsAt?: string;
  /** The command after whose answer it ends. */
  readonly endsAfter?: string;
  /** A chunk file that it writes while it ends. */
  readonly lastChunk?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Options and arguments. */
  readonly args?: readonly string[];
  /** Runs as this user and group. */
  readonly user?: number;
};

export type FakeJvm = {
  readonly pid: number;
  /** The commands that it was asked to run. */
  readonly asked: () => readonly string[];
  readonly end: () => Promise<void>;
};

const MAIN = 'com.acme.Shop';

const PROGRAM = `
const { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { version, chunks, recording, threads, endsAt, endsAfter, lastChunk } = JSON.parse(process.env.FAKE_JVM);
const socket = '/tmp/.java_pid' + process.pid;
// As a JVM does with what an earlier one of its number has left.
rmSync(socket, { force: true });
const repository = join(process.cwd(), 'repository');
let running = '';
let depth = 64;
let isReady = false;
const ready = () => {
  isReady = true;
  writeFileSync('/proc/self/comm', 'JFR Recorder Th');
};
const begin = name => {
  ready();
  mkdirSync(repository, { recursive: true });
  chunks.forEach((file, i) => copyFileSync(file, join(repository, i + '.jfr')));
  running = 'Recording 1: name=' + name + ' (running)\\n';
};
if (recording !== '') begin(recording);
const answer = command => {
  const [name] = command.split(' ');
  if (name === 'VM.version') return 'OpenJDK 64-Bit Server VM version ' + version + '\\nJDK ' + version + '\\n';
  if (name === 'VM.flags') return '     bool DebugNonSafepoints = false\\n';
  if (name === 'JFR.check') {
    ready();
    return running === '' ? 'No available recordings.\\n' : running;
  }
  if (name === 'JFR.configure') {
    const wanted = /stackdepth=(\\d+)/.exec(command);
    if (wanted !== null && isReady) process.abort();
    depth = Number(wanted?.[1] ?? depth);
    return 'Repository path: ' + repository + '\\n\\nStack depth: ' + depth + '\\n';
  }
  if (name === 'Thread.print') return threads;
  if (name === 'JFR.start') {
    const settings = /settings=(\\S+)/.exec(command)[1];
    try {
      readFileSync(settings);
    } catch {
      return 'Could not parse setting ' + settings + '\\n';
    }
    begin('insitu');
    return 'Started recording 1.\\n';
  }
  if (name === 'JFR.stop') running = '';
  return '';
};
const end = () => {
  rmSync(socket, { force: true });
  setTimeout(() => {
    if (lastChunk !== '') copyFileSync(lastChunk, join(repository, 'last.jfr'));
    process.exit();
  }, 300);
};
process.on('exit', () => rmSync(socket, { force: true }));
process.on('SIGTERM', () => process.exit());
process.once('SIGQUIT', () => {
  const server = require('node:net').createServer({ allowHalfOpen: true }, client => {
    client.on('data', bytes => {
      const command = String(bytes).split('\\0')[2];
      console.log('asked ' + command);
      const [name] = command.split(' ');
      if (name === endsAt) {
        end();
        client.destroy();
        return;
      }
      const text = '0\\n' + answer(command);
      if (name === endsAfter) end();
      client.end(text);
    });
  });
  server.listen(socket);
});
setInterval(() => undefined, 60_000);
console.log('ready');
`;

/** Starts one that works in `folder`; its main class is com.acme.Shop. */
export async function startFakeJvm(folder: string, options: FakeJvmOptions = {}): Promise<FakeJvm> {
  const { version = '17.0.15', chunks = [], recording = '', threads = '', env = {}, args = [], user } = options;
  const { endsAt = '', endsAfter = '', lastChunk = '' } = options;
  const told = { version, chunks, recording, threads, endsAt, endsAfter, lastChunk };
  mkdirSync(folder, { recursive: true });
  const java = join(folder, 'java');
  sameFile(process.execPath, java);
  writeFileSync(join(folder, MAIN), PROGRAM, { mode: 0o644 });
  const child = spawn(java, [MAIN, ...args], {
    cwd: folder,
    env: { ...process.env, ...env, FAKE_JVM: JSON.stringify(told) },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(user === undefined ? {} : { uid: user, gid: user }),
  });
  let text = '';
  child.stdout!.on('data', part => (text += part));
  await once(child.stdout!, 'data');
  return { pid: child.pid!, asked: () => askedIn(text), end: () => endOf(child) };
}

/** A JVM is told by the name of its program file. */
function sameFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
    chmodSync(to, 0o755);
  }
}

function askedIn(text: string): string[] {
  return text.split('\n').flatMap(line => (line.startsWith('asked ') ? [line.slice('asked '.length)] : []));
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}
