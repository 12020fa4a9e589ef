// Takes thread dumps of a JVM now and then, kept on disk until the window ends.

import { closeSync, constants, fstatSync, lstatSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { messageOf } from '../base/message-of.ts';
import type { Problem } from '../base/problem.ts';
import type { Profile } from '../cct/profile.ts';
import { ingestFile } from '../ingest/read.ts';
import { diagnose } from './attach.ts';
import type { Jvm } from './jvms.ts';
import { KnownProcessors } from './usable-processors.ts';

/** More of a window's dumps are not kept. */
const MOST_BYTES = 64 << 20;
/** A dump begins with the JVM's own time, which names no zone. */
const LOCAL_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\r?$/m;

type DumpOptions = {
  readonly jvm: Jvm;
  /** Mean time between two dumps: each interval is drawn from half of it to one and a half, so that no regular work is met always or never. */
  readonly everyMillis: number;
  /** Whether the owners of locks of java.util.concurrent are named, for which the JVM walks its heap while all threads wait. */
  readonly ownedSynchronizers?: boolean;
  /** Where those of the open window are gathered. */
  readonly file: () => string;
  /** Whether there is room for so many bytes more. */
  readonly hasRoom: (bytes: number) => boolean;
  readonly report: (problems: readonly Problem[]) => void;
  readonly ask?: typeof diagnose;
};

/** The dumps of one JVM. Nothing here waits for the JVM. */
export class ThreadDumps {
  readonly #options: DumpOptions;
  #nextAt = 0;
  #isAsking = false;
  /** The file that is being read, and what came meanwhile. */
  #reading: string | null = null;
  #held: string[] = [];
  readonly #processors: KnownProcessors;
  /** The latest dump: the first interval of the next window begins with it. */
  #latest = '';
  /** Whether the window's file begins with a dump that was counted before. */
  #continues = false;

  constructor(options: DumpOptions) {
    this.#options = options;
    this.#processors = new KnownProcessors(options.jvm.pid);
  }

  /** Asks for a dump when it is time; it comes later. */
  take(): void {
    if (this.#isAsking || performance.now() < this.#nextAt) return;
    this.#nextAt = performance.now() + this.#options.everyMillis * (0.5 + Math.random());
    this.#isAsking = true;
    void this.#ask().finally(() => {
      this.#isAsking = false;
    });
  }

  /** The profile of the window's dumps, null without dumps. The dumps stay until `forget`. */
  async profile(): Promise<Profile | null> {
    this.#reading = this.#options.file();
    return dumpedProfile(this.#reading, this.#processors.now(), this.#continues);
  }

  /** Forgets the dumps of the last `profile`, which is kept elsewhere now. */
  forget(): void {
    if (this.#reading !== null) rmSync(this.#reading, { force: true });
    this.#reading = null;
    for (const text of this.#held.splice(0)) this.#keep(text);
  }

  /** Bytes on disk. */
  get bytes(): number {
    return sizeOf(this.#options.file());
  }

  async #ask(): Promise<void> {
    const { jvm, ownedSynchronizers = false, ask = diagnose, report } = this.#options;
    const at = new Date().toISOString();
    const { value, problems } = await ask(jvm, ownedSynchronizers ? 'Thread.print -l' : 'Thread.print');
    report(problems);
    if (value === null) return;
    this.#processors.now();
    const text = `${value.replace(LOCAL_TIME, at)}\n`;
    if (this.#reading === null) this.#keep(text);
    else this.#held.push(text);
  }

  #keep(text: string): void {
    const { file, hasRoom, report } = this.#options;
    const path = file();
    const drop = (reason: string) =>
      report([{ severity: 'warning', message: `a thread dump is lost: ${reason}`, file: path, remedy: REMEDY }]);
    try {
      const size = sizeOf(path);
      const begin = size === 0 && hasRoom(this.#latest.length + text.length) ? this.#latest : '';
      const kept = begin + text;
      if (size + kept.length > MOST_BYTES || !hasRoom(kept.length)) {
        drop('there are too many of this window');
        return;
      }
      append(path, kept);
      if (size === 0) this.#continues = begin !== '';
      this.#latest = text;
    } catch (error) {
      drop(messageOf(error));
    }
  }
}

/** Through no link, and without waiting for who reads a pipe. */
const APPEND =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

function append(path: string, text: string): void {
  const descriptor = openSync(path, APPEND, 0o600);
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error('this is a pipe or a device, not a file');
    writeFileSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

const REMEDY = 'make room in the spool, or take fewer with --threads-every';

/**
 * The profile of a file of thread dumps; null for none.
 * @param processors that the JVM could use; null where that is not known
 * @param continuesDump whether the first dump was counted in another window
 */
export async function dumpedProfile(
  file: string,
  processors: number | null,
  continuesDump = false,
): Promise<Profile | null> {
  if (sizeOf(file) === 0) return null;
  const known = processors === null ? {} : { processors };
  return (await ingestFile(file, { names: 'normalised', continuesDump, ...known })).profile;
}

function sizeOf(file: string): number {
  return lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
