// Reads thread dumps as JSON thread by thread: of `jcmd Thread.dump_to_file -format=json`, and of ThreadInfo as Spring Boot's actuator writes it.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { JSONParser } from '@streamparser/json';
import { messageOf } from '../../base/message-of.ts';
import type { ByteSource } from '../byte-source.ts';
import type { IngestOptions } from '../ingest.ts';
import type { ProblemList } from '../problem-list.ts';
import { Unread } from '../unread.ts';
import { frameOf, parseFrame } from './dumped-frames.ts';
import {
  type DumpedFrame,
  type DumpedLock,
  type DumpedThread,
  type DumpVisitor,
  parseTime,
  threadState,
} from './dumped-thread.ts';

const BLOCK_SIZE = 1 << 16;
/** Bytes without a thread, time or container: a single value that has grown beyond any thread's stack. */
const MAX_SILENCE = 1 << 21;
/** Paths of what is read, by notation. `infos` are ThreadInfo objects in a list, an object (Spring Boot) or an answer (Jolokia). */
const PATHS = {
  jdk: ['$.threadDump.time', '$.threadDump.threadContainers.*.container', '$.threadDump.threadContainers.*.threads.*'],
  list: ['$.*'],
  infos: ['$.threads.*', '$.value.*'],
} as const;

type JsonNotation = keyof typeof PATHS;

/** How a text that starts like this writes threads as JSON; null where it is no such text. */
export function jsonNotation(start: string): JsonNotation | null {
  const text = start.replace(/^\uFEFF/, '');
  if (/^\s*\{\s*"threadDump"\s*:/.test(text)) return 'jdk';
  if (!/"(?:threadName|stackTrace|blockedCount|lockedMonitors)"\s*:/.test(text)) return null;
  if (/^\s*\[\s*\{/.test(text)) return 'list';
  return /^\s*\{/.test(text) && /"(?:threads|value)"\s*:\s*\[/.test(text) ? 'infos' : null;
}

/** Reads one dump, or several one after the other. What comes behind a mistake in the notation is lost, and reported. */
export async function readJsonDumps(
  source: ByteSource,
  notation: JsonNotation,
  options: Pick<IngestOptions, 'onProgress' | 'signal'>,
  problems: ProblemList,
  visitor: DumpVisitor,
): Promise<void> {
  const dumps = new JsonDumps(visitor);
  await parseJson(source, notation, options, problems, dumps);
  dumps.say(problems);
}

async function parseJson(
  source: ByteSource,
  notation: JsonNotation,
  options: Pick<IngestOptions, 'onProgress' | 'signal'>,
  problems: ProblemList,
  dumps: JsonDumps,
): Promise<void> {
  let lastValue = 0;
  let position = 0;
  let stopped = false;
  const parser = new JSONParser({ paths: [...PATHS[notation]], keepStack: false, separator: '' });
  parser.onValue = ({ value, key }) => {
    lastValue = position;
    if (notation !== 'jdk') {
      // Such a dump has no time, and its first thread begins it.
      if (key === 0) dumps.time(null);
      stopped ||= !dumps.info(value);
    } else if (key === 'time') dumps.time(value);
    else if (key === 'container') dumps.container(value);
    else stopped ||= !dumps.thread(value);
  };
  const block = new Uint8Array(BLOCK_SIZE);
  try {
    while (position < source.size && !stopped) {
      if (options.signal?.aborted) return problems.addPart('reading was cancelled here', `byte ${position}`);
      const filled = source.read(position, block);
      if (filled === 0) break;
      // A mark of the byte order is no JSON.
      const mark = position === 0 && block[0] === 0xef && block[1] === 0xbb ? 3 : 0;
      parser.write(block.subarray(mark, filled));
      position += filled;
      if (position - lastValue > MAX_SILENCE) return problems.addPart('a value is too large', `byte ${lastValue}`);
      options.onProgress?.(position, source.size);
      await nextTurn();
    }
    if (!stopped && !parser.isEnded) parser.end();
  } catch (error) {
    const reason = messageOf(error);
    const message = `this is no JSON: ${reason.slice(0, 200)}`;
    problems.addPart(message, `within 64 KiB behind byte ${position}`);
  }
}

/** Longest run of characters that a time with its key takes. */
const TIME_LENGTH = 200;

/** Calls `take` with the times of all dumps in a file, some twice; JSON may stand on one line of any length. Null for what is no time. */
export async function eachJsonTime(
  source: ByteSource,
  { signal }: Pick<IngestOptions, 'signal'>,
  take: (millis: number | null) => void,
): Promise<void> {
  const block = Buffer.alloc(BLOCK_SIZE);
  let before = '';
  for (let position = 0; position < source.size && !signal?.aborted; ) {
    const filled = source.read(position, block);
    if (filled === 0) break;
    position += filled;
    const text = before + block.toString('latin1', 0, filled);
    for (const [, time] of text.matchAll(/"time"\s{0,40}:\s{0,40}"([^"]{1,40})"/g)) take(parseTime(time!));
    before = text.slice(-TIME_LENGTH);
    await nextTurn();
  }
}

/** The facts that no dump in JSON tells. */
const UNTOLD = { osPriority: null, cpuMillis: null, elapsedMillis: null, condition: null, id: '' } as const;

class JsonDumps {
  readonly #visitor: DumpVisitor;
  readonly #frames = new Unread('frames');
  readonly #threads = new Unread('threads');
  #group = '';

  constructor(visitor: DumpVisitor) {
    this.#visitor = visitor;
  }

  time(value: unknown): void {
    this.#visitor.dump(typeof value === 'string' ? parseTime(value) : null);
  }

  /** `java.util.concurrent.ThreadPoolExecutor@36b4cebe`: the class makes groups of the same kind one. */
  container(value: unknown): void {
    const name = typeof value === 'string' ? value : '';
    this.#group = name === '<root>' ? '' : name.replace(/@[0-9a-f]+$/, '');
  }

  /** A thread as the JDK writes it; false when the visitor wants no more. */
  thread(value: unknown): boolean {
    if (!isRecord(value)) return this.#unread(value);
    return this.#visit(value.stack, {
      name: textOf(value.name),
      group: this.#group,
      virtual: value.virtual === true,
      state: threadState(textOf(value.state)),
      priority: null,
      locks: [...heldLocks(value.monitorsOwned), ...awaitedLocks(value)],
    });
  }

  /** A ThreadInfo as object; false when the visitor wants no more. */
  info(value: unknown): boolean {
    if (!isRecord(value) || typeof value.threadName !== 'string') return this.#unread(value);
    return this.#visit(value.stackTrace, {
      name: value.threadName,
      group: '',
      virtual: false,
      state: threadState(textOf(value.threadState)),
      priority: typeof value.priority === 'number' ? value.priority : null,
      locks: infoLocks(value),
    });
  }

  /** Says what could not be read. */
  say(problems: ProblemList): void {
    this.#threads.say(problems, 'could not be read');
    this.#frames.say(problems, 'could not be read');
  }

  #visit(stack: unknown, thread: Omit<DumpedThread, 'frames' | 'truncated' | 'java' | keyof typeof UNTOLD>): boolean {
    const elements: readonly unknown[] = Array.isArray(stack) ? stack : [];
    const read = elements.map(element => this.#frame(element));
    const frames = read.filter(frame => frame !== null);
    if (frames.length === 0 && elements.length > 0) {
      this.#threads.unread(thread.name);
      return true;
    }
    this.#threads.read();
    return this.#visitor.thread({ ...UNTOLD, ...thread, java: true, frames, truncated: read.at(-1) === null });
  }

  #frame(element: unknown): DumpedFrame | null {
    const frame =
      typeof element === 'string'
        ? parseFrame(element.trim())
        : isRecord(element)
          ? frameOf(element.className, element.methodName, element.lineNumber)
          : null;
    if (frame !== null) this.#frames.read();
    else this.#frames.unread(shownJson(element));
    return frame;
  }

  #unread(value: unknown): true {
    this.#threads.unread(shownJson(value));
    return true;
  }
}

function shownJson(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function heldLocks(value: unknown): DumpedLock[] {
  const owned: readonly unknown[] = Array.isArray(value) ? value : [];
  return owned.filter(isRecord).flatMap(({ depth, locks }) => {
    const frame = typeof depth === 'number' && Number.isInteger(depth) ? depth : -1;
    const names: readonly unknown[] = Array.isArray(locks) ? locks : [];
    return names.filter(name => typeof name === 'string').map(name => lock('held', 'monitor', name, frame));
  });
}

function awaitedLocks({ blockedOn, waitingOn, parkBlocker }: Readonly<Record<string, unknown>>): DumpedLock[] {
  const awaited: DumpedLock[] = [];
  for (const name of [blockedOn, waitingOn])
    if (typeof name === 'string') awaited.push(lock('awaited', 'monitor', name, 0));
  const parked = isRecord(parkBlocker) ? parkBlocker.object : parkBlocker;
  if (typeof parked === 'string') awaited.push(lock('awaited', 'synchronizer', parked, 0));
  return awaited;
}

/** `java.lang.Thread@6367fa7a` as a lock. */
function lock(kind: DumpedLock['kind'], of: DumpedLock['of'], name: string, frame: number): DumpedLock {
  const at = name.lastIndexOf('@');
  return { kind, of, id: name.slice(at + 1), className: at < 0 ? '' : name.slice(0, at), frame };
}

/** Locks of a ThreadInfo: what it waits for stands in `lockName`, what it holds in two lists. */
function infoLocks(info: Readonly<Record<string, unknown>>): DumpedLock[] {
  const listed = (value: unknown, of: DumpedLock['of']): DumpedLock[] =>
    (Array.isArray(value) ? (value as readonly unknown[]) : []).filter(isRecord).map(held => ({
      kind: 'held',
      of,
      id: typeof held.identityHashCode === 'number' ? held.identityHashCode.toString(16) : '',
      className: textOf(held.className),
      frame: typeof held.lockedStackDepth === 'number' ? held.lockedStackDepth : -1,
    }));
  const locks = [...listed(info.lockedMonitors, 'monitor'), ...listed(info.lockedSynchronizers, 'synchronizer')];
  if (typeof info.lockName !== 'string') return locks;
  const of = /\.locks\.|Synchronizer/.test(info.lockName) ? 'synchronizer' : 'monitor';
  return [...locks, lock('awaited', of, info.lockName, 0)];
}
