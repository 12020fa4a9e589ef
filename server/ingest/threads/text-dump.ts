// Reads thread dumps as text: what the JVM, its tools, ThreadInfo, VisualVM and Spring Boot write, alone or inside a log.

import type { ProblemList } from '../problem-list.ts';
import { ownCopy } from '../text-lines.ts';
import { Unread } from '../unread.ts';
import { isAgentFrame, parseAgentFrame, parseBareFrame, parseFrame } from './dumped-frames.ts';
import { parseLock } from './dumped-locks.ts';
import {
  type DumpedFrame,
  type DumpedLock,
  type DumpVisitor,
  parseTime,
  type ThreadState,
  threadState,
} from './dumped-thread.ts';
import { type Heading, parseHeading } from './headings.ts';
import { LogLines, TITLE } from './log-lines.ts';

const STATE = /^java\.lang\.Thread\.State: (\w{1,40})/;
const MOUNTED = 'Mounted virtual thread';
const END = /^(?:JNI global ref|Found \S+ (?:Java-level )?deadlock|Java stack information|Heap$)/;
/** The first line of an exception with its stack, or of its cause. */
const THROWN =
  /^(?:(?:Caused by|Suppressed): |Exception in thread ")|^(?:[\w$]+\.)+[\w$]+(?::|$)|(?:^|[\s.(])[\w$]*(?:Exception|Error|Throwable)\b/;
/** `0x00007f4012 * a.B.m(int) bci:3 line:7 (Interpreted frame)`, a Java frame among native ones. */
const MIXED = /^0x[0-9a-f]+\s+\* (.*\bbci:.*)$/;

const SYNCHRONIZERS = 'Locked ownable synchronizers';
const SPACE = 0x20;
const TAB = 0x09;

/** More frames than any JVM gives. */
const MAX_FRAMES = 100_000;
/** Threads of one dump without a title; programs with more are read as several dumps. */
const MAX_IDS = 100_000;

type Draft = {
  name: string;
  virtual: boolean;
  /** False until something shows that the thread runs Java code. */
  java: boolean;
  state: ThreadState;
  priority: number | null;
  readonly osPriority: number | null;
  cpuMillis: number | null;
  readonly elapsedMillis: number | null;
  readonly condition: string | null;
  id: string;
  frames: DumpedFrame[];
  truncated: boolean;
  locks: DumpedLock[];
  /** Whether only frames show that there is a thread. */
  readonly doubtful: boolean;
  /** Whether its notation is that of a dump to a file, where frames may stand without a word before them. */
  readonly toFile: boolean;
  /** Number of frames that could not be read. */
  unread: number;
  /** Whether an exception was logged between its frames. */
  cut: boolean;
};

const NOTHING_YET = { truncated: false, unread: 0, cut: false } as const;

/** Takes a file's lines one by one and calls the visitor. */
export class TextDumps {
  readonly #visitor: DumpVisitor;
  readonly #log = new LogLines();
  readonly #frames = new Unread('frames');
  readonly #threads = new Unread('threads');
  readonly #cut = new Unread('threads');
  /** Threads of the dump that has begun, where a repeated one begins the next. */
  readonly #ids = new Set<string>();
  #thread: Draft | null = null;
  #time: number | null = null;
  #inDump = false;
  #titled = false;
  /** Whether an empty line has come behind the thread's last line. */
  #gap = false;
  /** Whether what comes belongs to a log, so that frames are those of an exception. */
  #logged = false;
  #more = true;

  constructor(visitor: DumpVisitor) {
    this.#visitor = visitor;
  }

  /** Takes a line; false when the visitor wants no more. */
  line(raw: string): boolean {
    const line = this.#log.text(raw);
    const text = line.trim();
    if (text === '') this.#gap = true;
    else if (line.charCodeAt(0) === SPACE || line.charCodeAt(0) === TAB) this.#inside(text);
    else if (!this.#begins(line, text) && !this.#inside(text)) this.#between(text);
    return this.#more;
  }

  /** Takes the end of the file. */
  end(): void {
    this.#flush();
  }

  /** Says what could not be read. */
  say(problems: ProblemList): void {
    this.#threads.say(problems, 'could not be read');
    this.#frames.say(problems, 'could not be read');
    this.#cut.say(problems, 'were cut off by an exception in the log');
  }

  /** A line at the margin that ends the thread above it; false for others. */
  #begins(line: string, text: string): boolean {
    const time = line.startsWith('2') ? parseTime(text) : null;
    const heading = time === null ? parseHeading(line) : null;
    if (time !== null) {
      this.#flush();
      this.#time = time;
      // A dump to a file has no other title than its time; its threads follow.
      this.#inDump = false;
    } else if (line.startsWith(TITLE)) {
      this.#flush();
      this.#time ??= this.#log.titleMillis;
      this.#begin(true);
    } else if (heading !== null) {
      this.#flush();
      this.#open(heading);
    } else if (END.test(line)) {
      this.#flush();
    } else {
      return false;
    }
    return true;
  }

  #begin(titled: boolean): void {
    this.#inDump = true;
    this.#titled = titled;
    this.#ids.clear();
    this.#visitor.dump(this.#time);
    this.#time = null;
  }

  #open({ turn, toFile, ...heading }: Heading): void {
    if (!heading.doubtful) this.#need(turn);
    this.#thread = { ...heading, toFile, ...NOTHING_YET, frames: [], locks: [] };
    this.#gap = false;
    this.#logged = false;
  }

  /** Begins a dump where a thread needs one: none has begun, or a dump without a title repeats a thread. */
  #need(id: string): void {
    const repeated = !this.#titled && this.#ids.has(id);
    if (!this.#inDump || repeated) this.#begin(false);
    if (id !== '' && !this.#titled && this.#ids.size < MAX_IDS) this.#ids.add(ownCopy(id));
  }

  /** Takes a line of the thread: a frame, a lock, its state. False for lines of other kinds. */
  #inside(text: string): boolean {
    const thread = this.#thread;
    if (thread === null || this.#logged) return false;
    const state = text.startsWith('java') ? STATE.exec(text) : null;
    if (state !== null) {
      thread.state = threadState(state[1]!);
      thread.java = true;
    } else if (text.startsWith(MOUNTED)) {
      this.#mounted(thread);
    } else if (text === '...') {
      thread.truncated = true;
    } else if (!this.#frameLine(thread, text)) {
      return false;
    }
    this.#gap = false;
    return true;
  }

  #frameLine(thread: Draft, text: string): boolean {
    if (text.startsWith('at ')) return this.#frame(thread, parseFrame(text.slice(3)), text);
    if (text.startsWith('- ')) {
      const behind = text.slice(2).trim();
      if (isAgentFrame(behind)) return this.#frame(thread, parseAgentFrame(behind), behind);
      const lock = parseLock(behind, thread.frames.length - 1);
      if (lock !== null && thread.locks.length < MAX_FRAMES) thread.locks.push(lock);
      return true;
    }
    const mixed = MIXED.exec(text);
    if (mixed !== null) return this.#frame(thread, parseAgentFrame(mixed[1]!), text);
    const bare = parseBareFrame(text);
    if (bare === null && !(thread.toFile && text.includes('('))) return false;
    return this.#frame(thread, bare, text);
  }

  #frame(thread: Draft, frame: DumpedFrame | null, text: string): true {
    if (frame === null) {
      thread.unread++;
      this.#frames.unread(text.replace(/^at /, ''));
    } else if (thread.frames.length < MAX_FRAMES) {
      thread.frames.push(frame);
      this.#frames.read();
    }
    thread.truncated = frame === null || thread.frames.length === MAX_FRAMES;
    return true;
  }

  #mounted(carrier: Draft): void {
    this.#flush();
    const own = { name: '', virtual: true, java: true, state: 'RUNNABLE', id: '', cpuMillis: null } as const;
    this.#thread = { ...carrier, ...own, ...NOTHING_YET, frames: [], locks: [] };
  }

  /** A line at the margin that is no part of a dump: a log's own, with or without an exception. */
  #between(text: string): void {
    const thread = this.#thread;
    if (thread === null || this.#logged || text.startsWith(SYNCHRONIZERS)) return;
    const thrown = THROWN.test(text);
    thread.cut = thrown && !this.#gap && !isOutermost(thread.frames.at(-1));
    this.#logged = thrown || this.#gap;
  }

  #flush(): void {
    const thread = this.#thread;
    this.#thread = null;
    if (thread === null) return;
    const { doubtful, toFile, unread, cut, ...dumped } = thread;
    const empty = thread.frames.length === 0;
    if (empty && unread > 0) this.#threads.unread(thread.name);
    if (empty && (unread > 0 || doubtful)) return;
    if (doubtful) this.#need('');
    this.#threads.read();
    if (cut) this.#cut.unread(thread.name);
    else this.#cut.read();
    const java = thread.java || !empty;
    const truncated = !empty && (thread.truncated || cut);
    if (!this.#visitor.thread({ ...dumped, java, truncated, group: '' })) this.#more = false;
  }
}

/** Whether nothing calls this method, so that a stack that ends in it is whole. */
function isOutermost(frame: DumpedFrame | undefined): boolean {
  return (
    frame === undefined || frame.method === 'main' || (frame.className === 'java.lang.Thread' && frame.method === 'run')
  );
}
