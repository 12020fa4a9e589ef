// Which dialect of collapsed stacks a file is written in, told from its first lines.
import { descriptorEnd, type FrameName, hasClassBefore, parseFrames } from '../frame-grammar.ts';

/** A line taken apart: the stack as text and the one or two numbers behind it. */
type CollapsedLine = { readonly stack: string; readonly values: readonly number[] };

/** The form that the lines of a file have in common. */
export type Dialect = {
  /** Numbers at the end of each line. */
  readonly columns: 1 | 2;
  /** Kind of the first frame: a method, a thread's plain name, or a thread with its id. */
  readonly first: 'frame' | 'thread' | 'tid';
  /** Whether the file says so itself. */
  readonly told?: true;
};

/** The remark in the first line of a file whose stacks all begin with a thread. Programs that know no remarks leave the line out. */
const THREADS_FIRST = '# the first frame is the thread';
export const TRUNCATED = '[truncated]';
export const NO_STACK = '[no stack]';
const TID = /^\[(?:(.*) )?tid=(\d+)\]$/;
/** A thread as scripts for perf write it: name, process, thread. */
const PERF_TID = /^[^/]+-(?:\d+|\?)\/\d+$/;

/** The numbers and the stack of a line; null where the line is none. */
export function parseLine(line: string, columns: 1 | 2): CollapsedLine | null {
  const values: number[] = [];
  let end = line.trimEnd().length;
  for (let column = 0; column < columns; column++) {
    const space = line.lastIndexOf(' ', end - 1);
    const text = line.slice(space + 1, end);
    if (!/^\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return null;
    values.unshift(Number(text));
    if (space < 0) return null;
    end = space;
  }
  return values.every(Number.isFinite) ? { stack: line.slice(0, end), values } : null;
}

/** A thread in front of a stack; its name may hold `;`. */
const TID_FIRST = /^\[(?:[^\n]*? )?tid=\d+\](?=;|$)/;

/** The frames of a stack: parted by `;`, except inside method descriptors, threads' names and before the method of `Lpkg/Class;`. */
export function splitStack(stack: string): string[] {
  const thread = stack.startsWith('[') ? TID_FIRST.exec(stack)?.[0] : undefined;
  if (thread === undefined && !/[(]|;\.|;::/.test(stack)) return stack.split(';');
  const frames: string[] = thread === undefined ? [] : [thread];
  if (thread === stack) return frames;
  let from = thread === undefined ? 0 : thread.length + 1;
  for (let at = from; at < stack.length; at++) {
    const code = stack.charCodeAt(at);
    if (code === 0x3b && !(stack[from] === 'L' && /^(?:\.|::)/.test(stack.slice(at + 1, at + 3)))) {
      frames.push(stack.slice(from, at));
      from = at + 1;
    } else if (code === 0x28) {
      const end = descriptorEnd(stack, at);
      if (end > at) at = end - 1;
    }
  }
  frames.push(stack.slice(from));
  return frames;
}

/** Whether a line has the form of a stack: names parted by `;`, or one name with a class, and a number that is whole. */
export function isStackLine(line: string): boolean {
  const two = parseLine(line, 2);
  const parsed = two ?? parseLine(line, 1);
  if (parsed === null || !Number.isInteger(parsed.values[0])) return false;
  const frames = splitStack(parsed.stack);
  if (frames.length > 1)
    return frames.every(isName) && frames.some(frame => !/\s/.test(frame) || frame.endsWith(')') || hasClass(frame));
  if (frames[0] === NO_STACK || tidName(frames[0]!) !== null) return true;
  const isStack = !/[{}"=,%]\S*$|^\W*[\d#*-]/.test(parsed.stack.replace(/\([^)]*\)/, ''));
  return isStack && isMethodAlone(parseFrames(frames[0]!)[0]!);
}

/** Whether a method can be a stack: a sentence with a number behind it is one of any text where no package tells more. */
function isMethodAlone(frame: FrameName): boolean {
  return hasClassBefore(frame) && (frame.className.includes('.') || !/\s/.test(frame.name));
}

/** `-` is a thread without a name. */
function isName(frame: string): boolean {
  return frame === '' || frame === '-' || (/[\p{L}_$]/u.test(frame) && !/^(?!0x)[\d"+-]|"/.test(frame.trim()));
}

function hasClass(frame: string): boolean {
  return hasClassBefore(parseFrames(frame)[0]!);
}

/** The thread's name where the frame is one with its id, `[name tid=17]` or `name-4711/4712`; null for others. */
export function tidName(frame: string): string | null {
  if (PERF_TID.test(frame)) return frame;
  const parts = TID.exec(frame);
  return parts === null ? null : (parts[1] ?? `tid ${parts[2]}`);
}

/** Whether a frame has the form of a method: a class in front, a line behind, or one of C++. */
function looksLikeMethod(frame: string): boolean {
  if (frame === TRUNCATED || frame === NO_STACK || /^\[\w+\]$/.test(frame) || frame.includes('::')) return true;
  if (hasClass(frame)) return true;
  if (/:-?\d+(?:_\[\w\])?$/.test(frame)) return true;
  return /^(?:[\p{L}\p{N}_$+]+[./])+[\p{L}\p{N}_$<>]+(?:\(.*|_\[\w\])?$/u.test(frame);
}

/**
 * Frames whose first is a thread by its plain name: names may hold `;`, and what is parted from them by it has a blank and is no method.
 * The same list where the name is whole.
 */
export function withWholeThread(frames: readonly string[]): readonly string[] {
  let end = 1;
  while (end < frames.length && /\s/.test(frames[end]!) && !looksLikeMethod(frames[end]!)) end++;
  return end === 1 ? frames : [frames.slice(0, end).join(';'), ...frames.slice(end)];
}

/** How many bytes of a file tell its dialect. */
export const SNIFFED = 1 << 18;

/** Stacks that all begin with a thread, with a remark that says so where a reader would not see it. */
export function withRemark(stacks: string): string {
  const seen = stacks.slice(0, SNIFFED).split('\n');
  return stacks === '' || tellDialect(seen).first === 'thread' ? stacks : `${THREADS_FIRST}\n${stacks}`;
}

/** The dialect of the lines at the start of a file; the last one may be cut off and is left out when there are others. */
export function tellDialect(lines: readonly string[]): Dialect {
  const written = lines.filter(line => line.trim() !== '' && !line.startsWith('#'));
  const two = written.filter(line => parseLine(line, 2) !== null).length;
  const columns = written.length > 0 && two === written.length ? 2 : 1;
  if (lines[0] === THREADS_FIRST) return { columns, first: 'thread', told: true };
  let stacks = 0;
  let tids = 0;
  let names = 0;
  let methods = 0;
  for (const line of written) {
    const parsed = parseLine(line, columns);
    if (parsed === null) continue;
    const [first = '', second] = withWholeThread(splitStack(parsed.stack));
    stacks++;
    if (tidName(first) !== null) tids++;
    else if (first !== '' && !looksLikeMethod(first)) names++;
    if (second !== undefined && looksLikeMethod(second)) methods++;
  }
  if (tids > 0 && tids * 2 >= stacks) return { columns, first: 'tid' };
  const threads = stacks > 0 && names >= stacks * 0.9 && methods >= stacks * 0.5;
  return { columns, first: threads ? 'thread' : 'frame' };
}
