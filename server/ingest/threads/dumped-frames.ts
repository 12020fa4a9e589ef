// Reads the frames of thread dumps: the notation of StackTraceElement, and the notations of the serviceability agent (jhsdb, jstack -F).
import type { DumpedFrame } from './dumped-thread.ts';

/** The address or number of a hidden class: `/0x0000000097022368` or `/1324119927`, before the method's dot. */
const HIDDEN = /\/(?:0x[0-9a-fA-F]+|\d+)(?=\.[^./]*$)/;
/** A binary name: parts between dots, without spaces, brackets and quotes. */
const CLASS = /^[^\s.()[\]<>;:,"'`=]+(?:\.[^\s.()[\]<>;:,"'`=]+)*$/;
/** The text in the brackets of a frame: a file with or without a line, or a word for none. */
const LOCATION =
  /^(?:.*[/ ])?(?:Native Method|Unknown Source|Redefined|<[\w.-]+>|[^\s/:()]+\.\w+|[^\s/:()]+(?=:))(?::(-?\d{1,9}))?$/;
/** Characters of a frame that nothing but its form tells apart from other lines. */
const MAX_BARE = 2000;
/** ` - a.B.m(int, java.lang.String) @bci=3, line=7 (Compiled frame)` without the dash; older agents add `pc=` and `Method*=`. */
const AGENT_TAIL = /^\)\s*@bci=-?\d+(?:,\s*line=(\d{1,9}))?(?:,\s*[\w*]+=[^\s,]+)*\s*(?:\(.*\))?$/;
/** `a.B.m(int) bci:3 line:7 (Interpreted frame)`, from `--mixed`. */
const MIXED_TAIL = /^\)\s*bci:-?\d+(?:\s+line:(\d{1,9}))?(?:\s.*)?$/;

/** `java.base/java.lang.Object.wait(Object.java:389)`; null where the text is no frame. */
export function parseFrame(text: string): DumpedFrame | null {
  const bare = text.endsWith(')') ? text : withoutPackaging(text);
  const open = bare.lastIndexOf('(');
  if (open <= 0 || !bare.endsWith(')')) return null;
  const line = /:(\d{1,9})\)$/.exec(bare);
  return methodFrame(bare.slice(0, open), line === null ? 0 : Number(line[1]));
}

/** The same frame where no word says that it is one, so the location must be a location. */
export function parseBareFrame(text: string): DumpedFrame | null {
  const open = text.lastIndexOf('(');
  if (open <= 0 || !text.endsWith(')') || text.length > MAX_BARE || !LOCATION.test(text.slice(open + 1, -1)))
    return null;
  return parseFrame(text);
}

/** Whether a line behind a dash is a frame of the serviceability agent. */
export function isAgentFrame(text: string): boolean {
  return / @bci=-?\d/.test(text);
}

/** `demo.Mix.burn(java.lang.String, int[]) @bci=33, line=28 (Compiled frame)`, or the notation of `--mixed`; null for others. */
export function parseAgentFrame(text: string): DumpedFrame | null {
  const open = text.indexOf('(');
  const close = open < 0 ? -1 : text.indexOf(')', open);
  if (close < 0) return null;
  const tail = text.slice(close);
  const found = AGENT_TAIL.exec(tail) ?? MIXED_TAIL.exec(tail);
  return found === null ? null : methodFrame(text.slice(0, open), Number(found[1] ?? 0));
}

/** A frame by its class, method and line as separate values, as JSON has them; null where a name is missing. */
export function frameOf(className: unknown, method: unknown, line: unknown): DumpedFrame | null {
  if (typeof className !== 'string' || typeof method !== 'string' || className === '' || method === '') return null;
  return { className, method, line: typeof line === 'number' && Number.isInteger(line) && line > 0 ? line : 0 };
}

/** Takes away what loggers put behind a frame: ` ~[shop.jar:1.2]`, ` [classes/:na]`. */
function withoutPackaging(text: string): string {
  if (!text.endsWith(']')) return text;
  const open = text.lastIndexOf('[');
  return text.slice(0, Math.max(0, open)).replace(/~$/, '').trimEnd();
}

/** Takes loader and module away: all before the last slash that is not the slash of a hidden class. */
function methodFrame(qualified: string, line: number): DumpedFrame | null {
  const hidden = HIDDEN.exec(qualified);
  const slash = qualified.lastIndexOf('/', hidden === null ? qualified.length : hidden.index - 1);
  const name = qualified.slice(slash + 1);
  const dot = name.lastIndexOf('.');
  if (dot <= 0 || dot === name.length - 1) return null;
  const className = name.slice(0, dot);
  return isClassName(className) ? { className, method: name.slice(dot + 1), line } : null;
}

/** Spaces stand only behind a `$`: a class inside a Kotlin method whose name is a sentence. */
function isClassName(text: string): boolean {
  const space = text.indexOf(' ');
  return CLASS.test(space < 0 ? text : text.slice(0, space)) && (space < 0 || text.lastIndexOf('$', space) > 0);
}
