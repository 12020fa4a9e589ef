// Reads thread dumps as JSON, what `jcmd Thread.dump_to_file -format=json` writes, thread by thread.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { JSONParser } from '@streamparser/json';
import { messageOf } from '../../base/message-of.ts';
import type { ByteSource } from '../byte-source.ts';
import type { IngestOptions } from '../ingest.ts';
import type { ProblemList } from '../problem-list.ts';
import { type DumpedLock, type DumpVisitor, parseFrame, parseTime, threadState } from './dumped-thread.ts';

const BLOCK_SIZE = 1 << 16;
/** Bytes without a thread, time or container: a single value that has grown beyond any thread's stack. */
const MAX_SILENCE = 1 << 20;
const CONTAINER = '$.threadDump.threadContainers.*.container';
const THREAD = '$.threadDump.threadContainers.*.threads.*';
const TIME = '$.threadDump.time';

/** Reads one dump, or several one after the other. What comes behind a mistake in the notation is lost, and reported. */
export async function readJsonDumps(
  source: ByteSource,
  options: Pick<IngestOptions, 'onProgress' | 'signal'>,
  problems: ProblemList,
  visitor: DumpVisitor,
): Promise<void> {
  let lastValue = 0;
  let position = 0;
  let stopped = false;
  const dumps = new JsonDumps(visitor);
  const parser = new JSONParser({ paths: [TIME, CONTAINER, THREAD], keepStack: false, separator: '' });
  parser.onValue = ({ value, key }) => {
    lastValue = position;
    if (key === 'time') dumps.time(value);
    else if (key === 'container') dumps.container(value);
    else if (!stopped) stopped = !dumps.thread(value);
  };
  const block = new Uint8Array(BLOCK_SIZE);
  try {
    while (position < source.size && !stopped) {
      if (options.signal?.aborted) return problems.add('warning', 'reading was cancelled here', `byte ${position}`);
      const filled = source.read(position, block);
      if (filled === 0) break;
      parser.write(block.subarray(0, filled));
      position += filled;
      if (position - lastValue > MAX_SILENCE)
        return problems.add('warning', 'a value is too large', `byte ${lastValue}`);
      options.onProgress?.(position, source.size);
      await nextTurn();
    }
    if (!stopped && !parser.isEnded) parser.end();
  } catch (error) {
    const reason = messageOf(error);
    const message = `this is no JSON: ${reason.slice(0, 200)}`;
    problems.add('warning', message, `within 64 KiB behind byte ${position}`);
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

class JsonDumps {
  readonly #visitor: DumpVisitor;
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

  thread(value: unknown): boolean {
    if (!isRecord(value)) return true;
    const stack: readonly unknown[] = Array.isArray(value.stack) ? value.stack : [];
    const frames = stack.map(frame => (typeof frame === 'string' ? parseFrame(frame) : null));
    return this.#visitor.thread({
      name: typeof value.name === 'string' ? value.name : '',
      group: this.#group,
      virtual: value.virtual === true,
      java: true,
      state: threadState(typeof value.state === 'string' ? value.state : ''),
      priority: null,
      frames: frames.filter(frame => frame !== null),
      locks: [...heldLocks(value.monitorsOwned), ...awaitedLocks(value)],
    });
  }
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
