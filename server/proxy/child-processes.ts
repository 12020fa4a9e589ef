// The two processes behind us: how they start, what of their output is a message, and what is known of their end.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { isAbsolute, join, sep } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { findProgram, withAbsolutePath } from '../base/find-program.ts';
import { printable, printableLine, printableLines } from '../base/printable.ts';
import { logOfEditor } from '../base/program-streams.ts';
import { type Frame, FrameSplitter } from '../lsp/wire/split-messages.ts';
import { LATE, within } from './both.ts';
import { type Family, familyOf } from './family.ts';
import { MOST_WAITING } from './server-end.ts';
import { needsShell, shellLine } from './shell-line.ts';

export type ServerProcess = {
  readonly write: (bytes: Buffer) => void;
  /** No more is written; a server that lives from its input ends then. */
  readonly close: () => void;
  /** Sends a signal to it and to all that it has started. */
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Exit status, or null where a signal ended it, or it never began. */
  readonly ended: Promise<number | null>;
};

type ServerOptions = {
  /** How it is called in the log. */
  readonly name: string;
  readonly command: readonly string[];
  readonly onFrame: (frame: Frame) => void;
  /** The server does not talk any more, or does not listen, with the known reason; calls after the first one say nothing new. */
  readonly onSilent: (reason: string) => void;
  readonly log: (line: string) => void;
  /** Where messages of the server go on to: it is not read while this is full. */
  readonly into: Writable;
  /** Whether a script may stand between us and it, with which it has to be ended. */
  readonly mayBeScript?: boolean;
};

/** So much of what it wrote last to standard error is told with its end. */
const LAST_WORDS = 400;
/** A server whose output has ended is given so long to end, so that its status can be told; the same the other way. */
const END_MILLIS = 2_000;
const ORPHANED =
  ', but what it has started lives on, which nothing can be sent to: a script has to wait for its Java server';

export function startServerProcess(options: ServerOptions): ServerProcess {
  const family = familyOf({ mayBeScript: options.mayBeScript === true });
  const child = started(options.command, family.options);
  const lastWords = passErrors(child.stderr);
  let end = '';
  readFrames(child.stdout, options, reason => {
    end ||= reason;
    options.log(`${options.name} ${reason}; it is ended`);
    options.onSilent(`${options.name} ${reason}`);
  });
  // Its end is told by its output.
  child.stdin.on('error', () => {});
  const { promise: ended, resolve } = Promise.withResolvers<number | null>();
  child.on('error', error => {
    end ||= `cannot be started: ${printableLine(error.message)}`;
    resolve(null);
  });
  const { promise: exited, resolve: hasExited } = Promise.withResolvers<void>();
  child.on('exit', (status, signal) => {
    end ||= status === null ? `was ended by ${signal}` : `ended with status ${status}`;
    hasExited();
  });
  child.on('close', resolve);
  // Its end and that of its output come soon after each other. Node.js closes the input of what has ended.
  const silent = [once(child.stdout, 'close'), exited].map(async part => {
    await part;
    // Where the reader is slow, what was written last is still on its way.
    let isLate = true;
    do isLate = (await within(ended, END_MILLIS)) === LATE;
    while (isLate && child.stdout.isPaused());
    if (isLate && !child.stdout.closed && options.mayBeScript === true) end += ORPHANED;
  });
  void Promise.race([ended, ...silent]).then(() =>
    options.onSilent(`${options.name} ${end || 'closed its output'}${lastWords()}`),
  );
  const kill = (signal: NodeJS.Signals): void => family.kill(child, signal);
  const write = (bytes: Buffer): void => {
    const waiting = child.stdin.writableLength;
    if (!child.stdin.writable || child.stdin.write(bytes) || waiting <= MOST_WAITING) return;
    end ||= `does not read, and ${MOST_WAITING >> 20} MiB wait for it`;
    options.onSilent(`${options.name} ${end}${lastWords()}`);
    // Waiting bytes are let go with their pipe.
    child.stdin.destroy();
    kill('SIGKILL');
  };
  return { write, close: () => void child.stdin.end(), kill, ended };
}

function started([given = '', ...words]: readonly string[], family: Family['options']): ChildProcessWithoutNullStreams {
  const options = { ...family, env: family.env ?? withAbsolutePath(process.env) };
  // A name alone is looked up; a path is what the user has written.
  const program = /[\\/]/.test(given) ? given : foundName(given);
  if (!needsShell(program))
    return spawn(program, words, { ...options, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
  const line = `"${shellLine([program, ...words])}"`;
  return spawn(shellProgram(), ['/d', '/s', '/c', line], {
    ...options,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsVerbatimArguments: true,
    windowsHide: true,
  });
}

/** Path of a server that is named without one. A file that is not there gives the usual message. */
function foundName(name: string): string {
  const endings = process.platform === 'win32' ? ['', '.exe', '.cmd', '.bat'] : [''];
  const found = endings.map(ending => findProgram(`${name}${ending}`, process.env)).find(path => path !== null);
  return found ?? join(sep, 'no folder of PATH', name);
}

/** Windows names its shell by an absolute path. */
function shellProgram(): string {
  const { ComSpec } = process.env;
  if (ComSpec !== undefined && isAbsolute(ComSpec)) return ComSpec;
  return findProgram('cmd.exe', process.env) ?? 'C:\\Windows\\System32\\cmd.exe';
}

function readFrames(
  output: Readable,
  { name, onFrame, log, into }: ServerOptions,
  onBroken: (reason: string) => void,
): void {
  let told = false;
  const onJunk = (bytes: Buffer) => {
    logOfEditor().write(bytes);
    if (!told) log(`${name} writes to its output what is no message: ${printable(bytes.toString('utf8', 0, 200))}`);
    told = true;
  };
  const splitter = new FrameSplitter({ onFrame, onJunk, onBroken });
  output.on('data', (chunk: Buffer) => {
    splitter.push(chunk);
    waitWhileFull(into, output);
  });
  output.on('close', () => {
    const left = splitter.end();
    if (left > 0) log(`${name} closed its output within a message, of which ${left} bytes had come`);
  });
}

/** Output goes on when there is room for it, or when the reader that would make room is gone. */
function waitWhileFull(into: Writable, output: Readable): void {
  if (!into.writableNeedDrain) return;
  output.pause();
  const goOn = (): void => {
    for (const event of ['drain', 'error', 'close']) into.off(event, goOn);
    output.resume();
  };
  for (const event of ['drain', 'error', 'close']) into.on(event, goOn);
}

/** Standard error goes on to ours. @returns a function that gives the end of it, for a log. */
function passErrors(errors: Readable): () => string {
  let last = '';
  errors.on('data', (chunk: Buffer) => {
    last = (last + chunk.toString('utf8', Math.max(0, chunk.length - LAST_WORDS))).slice(-LAST_WORDS);
    logOfEditor().write(chunk);
    waitWhileFull(logOfEditor(), errors);
  });
  return () => (last.trim() === '' ? '' : `; its last words: ${printableLines(last.trim())}`);
}
