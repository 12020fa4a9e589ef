// Finds the lines of a program's output in logs that put something before each of them: times, containers, quoting.

import { parseTime } from './dumped-thread.ts';

/** The words that begin a dump of the JVM. */
export const TITLE = 'Full thread dump';
/** Longer beginnings are no prefix of a log. */
const MAX_PREFIX = 200;
const PREFIX_TIME = /(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))?(Z|[+-]\d\d:?\d\d)?/;
const JSON_LINE = /^\{\s*"(?:log|message|msg)"\s*:\s*"/;

/** Takes the prefix away that the title of a dump has, in each line that begins alike: numbers may differ. */
export class LogLines {
  #prefix: RegExp | null = null;
  #before = '';
  /** Time of the last title: of the line above it, or of what the log puts before it; null where neither tells. */
  titleMillis: number | null = null;

  /** The program's own line in a line of the log. */
  text(line: string): string {
    const inside = line.startsWith('{') ? fromJson(line) : line;
    const title = inside.indexOf(TITLE);
    if (title >= 0) this.#titled(inside, title);
    this.#before = inside;
    return this.#without(inside);
  }

  #titled(line: string, title: number): void {
    const prefix = title > MAX_PREFIX ? '' : line.slice(0, title);
    this.#prefix = prefix === '' ? null : likePrefix(prefix);
    this.titleMillis = parseTime(this.#without(this.#before).trim()) ?? prefixTime(prefix);
  }

  #without(line: string): string {
    const found = this.#prefix?.exec(line);
    return found ? line.slice(found[0].length) : line;
  }
}

function prefixTime(prefix: string): number | null {
  const found = PREFIX_TIME.exec(prefix);
  return found === null ? null : parseTime(`${found[1]}T${found[2]}.${found[3] ?? '0'}${found[4] ?? 'Z'}`);
}

/** The text of a JSON log line, as container engines write it: `{"log":"\t at a.B.m(B.java:1)\n","time":"…"}`. */
function fromJson(line: string): string {
  if (!JSON_LINE.test(line)) return line;
  try {
    const { log, message, msg } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    const text = log ?? message ?? msg;
    return typeof text === 'string' ? text.replace(/\r?\n$/, '') : line;
  } catch {
    return line;
  }
}

/** Only numbers differ from line to line in a prefix; logs cut spaces off at the end of an empty line. */
function likePrefix(prefix: string): RegExp {
  const parts = prefix
    .trimEnd()
    .split(/\d+/)
    .map(part => part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  const space = prefix.length - prefix.trimEnd().length;
  return new RegExp(`^${parts.join('\\d+')}${space === 0 ? '' : `(?:\\s{${space}}|\\s*$)`}`);
}
