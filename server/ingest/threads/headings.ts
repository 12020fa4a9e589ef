// Reads the line of a text dump that names a thread, in the notation of every program that writes one.
import { type DumpedThread, threadState } from './dumped-thread.ts';

/** The facts of the line about its thread; `java`: whether the notation is one for threads that run Java code. */
export type Heading = Omit<DumpedThread, 'group' | 'frames' | 'truncated' | 'locks'> & {
  /** The id, where a dump without a title repeats a thread only in the next dump; empty otherwise. */
  readonly turn: string;
  /** Whether the notation is that of a dump to a file. */
  readonly toFile: boolean;
  /** Whether nothing but frames below it shows that the line names a thread. */
  readonly doubtful: boolean;
};

/** The quote behind the name in `"main" #3 [11080] prio=5 … tid=0x… nid=11080 waiting on condition`, and what follows. */
const PRINTED =
  /"(?: \[[^\]]{0,40}\])?( #\d{1,19})?(?: \[\d{1,19}\])?((?: daemon)?(?: prio=-?\d{1,11})? \w{1,40}=\S.*)/sy;
/** The same in `#3 "main" virtual WAITING 2026-11-20T16:51:53.6Z`; all behind the name is optional. */
const DUMPED = /"((?: [a-z]{1,20}){0,4})(?: ([A-Z_]{1,40}))?(?: \d{4}-\S{1,60})?\s*$/y;
const DUMPED_HEAD = /^#\d{1,19} "/;
/** ThreadInfo.toString(): `"main" daemon prio=5 Id=20 WAITING on java.lang.Object@1b2c3d owned by "x" Id=5 (in native)`. */
const INFO =
  /"(?: daemon)?(?: prio=(-?\d{1,11}))? [Ii]d=(\d{1,19})(?: [^\n"]*)? (?:state=)?(NEW|RUNNABLE|BLOCKED|WAITING|TIMED_WAITING|TERMINATED)\b/y;
/** VisualVM and Spring Boot: `"main" - Thread t@20`. */
const NUMBERED = /" - Thread t@\d{1,19}\s*$/y;
/** jstack -F: `Thread 4711: (state = BLOCKED)`. The states are the JVM's own: BLOCKED is any waiting. */
const FORCED = /^Thread (\d{1,19}): \(state = (\w{1,40})\)/;
/** `jhsdb jstack --mixed` and `jstack -m`: `----------------- 4711 -----------------`. */
const RULED = /^-{10,40} (\d{1,19}) -{10,40}$/;
/** Any other words behind a name in quotes; a colon is what lists of deadlocks have. */
const OTHER = /"(?!:)(?:\s[^\n"]*)?$/y;
const STATE_WORD = /\b(NEW|RUNNABLE|BLOCKED|WAITING|TIMED_WAITING|TERMINATED)\b/;
/** States of the JVM in which Java says RUNNABLE. */
const RUNNING: ReadonlySet<string> = new Set(['IN_JAVA', 'IN_NATIVE', 'IN_VM']);

/** The heading in a line; null where the line names no thread. */
export function parseHeading(line: string): Heading | null {
  switch (line.charCodeAt(0)) {
    case 0x22:
      return quotedHeading(line);
    case 0x23:
      return dumpedHeading(line);
    case 0x54:
      return forcedHeading(line);
    case 0x2d: {
      const ruled = RULED.exec(line);
      return ruled === null ? null : { ...PLAIN, name: `Thread ${ruled[1]}`, doubtful: true };
    }
    default:
      return null;
  }
}

const PLAIN: Heading = {
  name: '',
  virtual: false,
  java: false,
  state: 'unknown',
  priority: null,
  osPriority: null,
  cpuMillis: null,
  elapsedMillis: null,
  condition: null,
  id: '',
  turn: '',
  toFile: false,
  doubtful: false,
};

function quotedHeading(line: string): Heading | null {
  const info = nameAnd(line, 1, INFO);
  if (info !== null) {
    const state = threadState(info.tail[3]!);
    const id = `${info.tail[2]} ${info.name}`;
    return { ...PLAIN, name: info.name, java: true, state, priority: numberOr(info.tail[1]), id, turn: id };
  }
  const printed = nameAnd(line, 1, PRINTED);
  if (printed !== null) {
    return { ...PLAIN, name: printed.name, java: printed.tail[1] !== undefined, ...printedFields(printed.tail[2]!) };
  }
  const numbered = nameAnd(line, 1, NUMBERED);
  if (numbered !== null) return { ...PLAIN, name: numbered.name, java: true };
  const other = nameAnd(line, 1, OTHER);
  if (other === null) return null;
  const state = threadState(STATE_WORD.exec(other.tail[0])?.[1] ?? '');
  return { ...PLAIN, name: other.name, state, doubtful: true };
}

/** `os_prio=0 cpu=12.34ms elapsed=5.67s tid=0x… nid=0x1b03 waiting on condition  [0x00007f…]`. */
function printedFields(text: string): Partial<Heading> {
  const [, milliseconds] = /\bcpu=(\d{1,15}(?:\.\d{1,9})?)ms\b/.exec(text) ?? [];
  const [, seconds] = /\belapsed=(\d{1,12}(?:\.\d{1,9})?)s\b/.exec(text) ?? [];
  const elapsed = numberOr(seconds);
  const [, condition] = /\bnid=\w{1,20} ([a-zA-Z][a-zA-Z. ()]{0,60}?)\s*(?:\[|$)/.exec(text) ?? [];
  return {
    priority: numberOr(/^(?: daemon)? prio=(-?\d+)/.exec(text)?.[1]),
    osPriority: numberOr(/\bos_prio=(-?\d{1,11})\b/.exec(text)?.[1]),
    cpuMillis: numberOr(milliseconds),
    elapsedMillis: elapsed === null ? null : elapsed * 1000,
    condition: condition ?? null,
    id: /\btid=(\w{1,20})/.exec(text)?.[1] ?? '',
  };
}

function dumpedHeading(line: string): Heading | null {
  const start = DUMPED_HEAD.exec(line);
  const dumped = start === null ? null : nameAnd(line, start[0].length, DUMPED);
  if (dumped === null) return null;
  const virtual = dumped.tail[1]!.includes(' virtual');
  const state = threadState(dumped.tail[2] ?? '');
  return { ...PLAIN, name: dumped.name, virtual, java: true, state, toFile: true };
}

function forcedHeading(line: string): Heading | null {
  const forced = FORCED.exec(line);
  if (forced === null) return null;
  const state = RUNNING.has(forced[2]!) ? 'RUNNABLE' : 'unknown';
  return { ...PLAIN, name: `Thread ${forced[1]}`, java: true, state };
}

function numberOr(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
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
