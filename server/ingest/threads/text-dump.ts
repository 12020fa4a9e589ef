// Reads thread dumps as text: what jstack, `jcmd Thread.print`, a SIGQUIT and `jcmd Thread.dump_to_file` write.
import {
  type DumpedFrame,
  type DumpedLock,
  type DumpVisitor,
  parseFrame,
  parseTime,
  type ThreadState,
  threadState,
} from './dumped-thread.ts';

/** The quote behind the name in `"main" #3 [11080] prio=5 … tid=0x… nid=11080 waiting on condition`, and what follows. */
const PRINTED_TAIL =
  /"(?: \[[^\]]{0,40}\])?( #\d{1,19})?(?: \[\d{1,19}\])?((?: daemon)?(?: prio=-?\d{1,11})? \w{1,40}=\S.*)/sy;
/** The same in `#3 "main" virtual WAITING 2026-11-20T16:51:53.6Z`; all behind the name is optional. */
const DUMPED_TAIL = /"( virtual)?(?: ([A-Z_]{1,40}))?(?: \d{4}-\S{1,60})?$/y;
const DUMPED_HEAD = /^#\d{1,19} "/;
const STATE = /^java\.lang\.Thread\.State: (\w{1,40})/;
const MOUNTED = 'Mounted virtual thread';
const END = /^(?:JNI global ref|Found \S+ (?:Java-level )?deadlock|Java stack information|Heap$)/;

/** More frames than any JVM gives. */
const MAX_FRAMES = 100_000;

type Draft = {
  name: string;
  virtual: boolean;
  java: boolean;
  state: ThreadState;
  priority: number | null;
  frames: DumpedFrame[];
  locks: DumpedLock[];
};

/** Takes a file's lines one by one and calls the visitor. */
export class TextDumps {
  readonly #visitor: DumpVisitor;
  #thread: Draft | null = null;
  #time: number | null = null;
  #inDump = false;

  constructor(visitor: DumpVisitor) {
    this.#visitor = visitor;
  }

  /** Takes a line; false when the visitor wants no more. */
  line(line: string): boolean {
    if (line === '') return true;
    const first = line.charCodeAt(0);
    if (first === 0x20 || first === 0x09) return this.#inside(line);
    const time = parseTime(line.trim());
    if (time !== null) {
      const more = this.#flush();
      this.#time = time;
      // A dump to a file has no other title than its time; its threads follow.
      this.#inDump = false;
      return more;
    }
    if (line.startsWith('Full thread dump')) {
      const more = this.#flush();
      this.#begin();
      return more;
    }
    return this.#head(line);
  }

  /** Takes the end of the file. */
  end(): boolean {
    return this.#flush();
  }

  #begin(): void {
    this.#inDump = true;
    this.#visitor.dump(this.#time);
    this.#time = null;
  }

  #head(line: string): boolean {
    const printed = line.startsWith('"') ? nameAnd(line, 1, PRINTED_TAIL) : null;
    const start = printed === null ? DUMPED_HEAD.exec(line) : null;
    const dumped = start === null ? null : nameAnd(line, start[0].length, DUMPED_TAIL);
    if (printed === null && dumped === null) {
      return END.test(line) ? this.#flush() : true;
    }
    const more = this.#flush();
    if (!this.#inDump) this.#begin();
    const priority = printed === null ? null : /^(?: daemon)? prio=(-?\d+)/.exec(printed.tail[2]!);
    this.#thread = {
      name: (printed ?? dumped)?.name ?? '',
      virtual: dumped?.tail[1] !== undefined,
      java: dumped !== null || printed?.tail[1] !== undefined,
      state: threadState(dumped?.tail[2] ?? ''),
      priority: priority === null ? null : Number(priority[1]),
      frames: [],
      locks: [],
    };
    return more;
  }

  #inside(line: string): boolean {
    const thread = this.#thread;
    if (thread === null) return true;
    const text = line.trim();
    if (text.startsWith('at ')) {
      const frame = parseFrame(text.slice(3));
      if (frame !== null && thread.frames.length < MAX_FRAMES) thread.frames.push(frame);
    } else if (text.startsWith('- ')) {
      const lock = parseLock(text, thread.frames.length - 1);
      if (lock !== null && thread.locks.length < MAX_FRAMES) thread.locks.push(lock);
    } else if (text.startsWith(MOUNTED)) {
      const more = this.#flush();
      const locks: DumpedLock[] = [];
      this.#thread = { ...thread, name: '', virtual: true, java: true, state: 'RUNNABLE', frames: [], locks };
      return more;
    } else {
      const state = STATE.exec(text);
      if (state !== null) {
        thread.state = threadState(state[1]!);
        thread.java = true;
      }
    }
    return true;
  }

  #flush(): boolean {
    const thread = this.#thread;
    this.#thread = null;
    return thread === null || this.#visitor.thread({ ...thread, group: '' });
  }
}

type Titled = { readonly name: string; readonly tail: RegExpExecArray };

/** The thread's name from `from` to the last quote that `tail` fits behind, for names may hold quotes; null where none does. */
function nameAnd(line: string, from: number, tail: RegExp): Titled | null {
  for (let quote = line.lastIndexOf('"'); quote >= from; quote = line.lastIndexOf('"', quote - 1)) {
    tail.lastIndex = quote;
    const found = tail.exec(line);
    if (found !== null) return { name: line.slice(from, quote), tail: found };
  }
  return null;
}

/** `- locked <0x…> (a X)`, `- waiting to lock <…>`, `- parking to wait for  <…>`, `- <0x…> (a X)`; null for others. */
function parseLock(text: string, frame: number): DumpedLock | null {
  const open = text.indexOf('<');
  const close = text.indexOf('>', open);
  if (open < 0 || close < 0) return null;
  const what = text.slice(2, open).trim();
  const inside = text.slice(open + 1, close);
  const end = text.lastIndexOf(')');
  const named = text.startsWith(' (a ', close + 1) && end > close + 5 ? text.slice(close + 5, end) : undefined;
  if (what === '' && named !== undefined)
    return { kind: 'held', of: 'synchronizer', id: inside, className: named, frame: -1 };
  if (!/^(?:locked|waiting|parking|eliminated)/.test(what)) return null;
  // `<java.lang.Thread@6367fa7a>` holds class and hash; the other notation has the address there and the class behind it.
  const at = named === undefined ? inside.lastIndexOf('@') : -1;
  const className = named ?? (at > 0 ? inside.slice(0, at) : '');
  const id = at > 0 ? inside.slice(at + 1) : inside.startsWith('0x') ? inside : '';
  const held = what.startsWith('locked') || what.startsWith('eliminated');
  return {
    kind: held ? 'held' : 'awaited',
    of: what.startsWith('parking') ? 'synchronizer' : 'monitor',
    id,
    className,
    frame,
  };
}
