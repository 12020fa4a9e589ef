// Stands between an editor and its Java server: starts that one and our own, and lets messages through.
import { join } from 'node:path';
import { logOfEditor, messagesToClient } from '../base/program-streams.ts';
import { processOutput } from '../base/terminal.ts';
import { FrameSplitter } from '../lsp/wire/split-messages.ts';
import { cacheFolder, processSurroundings } from '../workspace/settings/settings-context.ts';
import { LATE, within } from './both.ts';
import { type ServerProcess, startServerProcess } from './child-processes.ts';
import { knownServer } from './known-server.ts';
import { Router } from './router.ts';

type WrapOptions = {
  /** The Java server's command line, taken apart. */
  readonly java: readonly string[];
  /** That of our own server, which runs beside it: its work must keep no message of the Java server waiting. */
  readonly own: readonly string[];
  readonly version: string;
};

/** Servers that were told to exit are given so long, then a signal, then no choice; what even that does not end is left. */
const EXIT_MILLIS = 5_000;
const KILL_MILLIS = 2_000;
const LEAVE_MILLIS = 1_000;

/** Serves the client on standard input and output. @returns the exit status once everything has ended. */
export async function wrapJavaServer({ java, own, version }: WrapOptions): Promise<number> {
  const leaving = Promise.withResolvers<void>();
  const { err } = processOutput();
  const log = (line: string): void => err(`insitu: ${line}\n`);
  outliveReaders(leaving.resolve);
  const router = new Router({
    toClient: ({ bytes }) => void messagesToClient().write(bytes),
    toJava: bytes => servers.java.write(bytes),
    toOwn: bytes => servers.own.write(bytes),
    onExit: leaving.resolve,
    onGivenUp: side => void end(servers[side]),
    known: knownServer({ folder: join(cacheFolder(processSurroundings()), 'java-servers'), command: java, version }),
  });
  const into = messagesToClient();
  const servers: { readonly java: ServerProcess; readonly own: ServerProcess } = {
    java: startServerProcess({
      ...{ name: 'the Java server', command: java, log, into, mayBeScript: true },
      onFrame: frame => router.fromJava(frame),
      onSilent: reason => router.javaEnded(reason),
    }),
    own: startServerProcess({
      ...{ name: 'the insitu server', command: own, log, into },
      onFrame: frame => router.fromOwn(frame),
      onSilent: reason => router.ownEnded(reason),
    }),
  };
  let isBroken = false;
  const onBroken = (reason: string): void => {
    isBroken = true;
    log(`the editor ${reason}; the server ends`);
    leaving.resolve();
  };
  readClient(router, onBroken, leaving.resolve);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => leaving.resolve());
  await leaving.promise;
  const [status] = await Promise.all([end(servers.java), end(servers.own)]);
  return router.isLeaving && !isBroken ? (status ?? 1) : 1;
}

/** An editor that was killed reads no more: the servers are ended all the same, and not left behind. */
function outliveReaders(onGone: () => void): void {
  messagesToClient().removeAllListeners('error').on('error', onGone);
  logOfEditor().on('error', () => {});
}

function readClient(router: Router, onBroken: (reason: string) => void, onEnd: () => void): void {
  const splitter = new FrameSplitter({ onFrame: frame => router.fromClient(frame), onBroken });
  process.stdin.on('data', (chunk: Buffer) => splitter.push(chunk));
  process.stdin.once('close', onEnd);
  process.stdin.once('end', () => {
    const left = splitter.end();
    if (left > 0) onBroken(`closed the connection within a message, of which ${left} bytes had come`);
    onEnd();
  });
  process.stdin.on('error', onEnd);
}

/** Waits for a server that has been told to exit; what does not end by itself is ended. */
async function end({ close, kill, ended }: ServerProcess): Promise<number | null> {
  close();
  const signals = [
    setTimeout(() => kill('SIGTERM'), EXIT_MILLIS),
    setTimeout(() => kill('SIGKILL'), EXIT_MILLIS + KILL_MILLIS),
  ];
  const status = await within(ended, EXIT_MILLIS + KILL_MILLIS + LEAVE_MILLIS);
  for (const signal of signals) clearTimeout(signal);
  return status === LATE ? null : status;
}
