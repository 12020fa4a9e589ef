// Walks over the threads of a file of thread dumps, text or JSON.
import type { ByteSource } from '../byte-source.ts';
import type { IngestOptions } from '../ingest.ts';
import type { ProblemList } from '../problem-list.ts';
import { readLines, startAsText } from '../text-lines.ts';
import type { DumpVisitor } from './dumped-thread.ts';
import { jsonNotation, readJsonDumps } from './json-dump.ts';
import { TextDumps } from './text-dump.ts';

/** Characters of a line; the JVM cuts names of methods and classes off at this length. */
const MAX_LINE = 1 << 16;

/** Whether a file begins as a thread dump in JSON. */
export function isJson(start: Uint8Array): boolean {
  return jsonNotation(startAsText(start) ?? '') !== null;
}

/**
 * Calls the visitor for every dump and thread in a file, with states, priorities and locks. Memory is bounded by one thread.
 * Text and JSON are told apart by the first bytes.
 */
export async function eachDumpedThread(
  source: ByteSource,
  options: Pick<IngestOptions, 'onProgress' | 'signal'>,
  problems: ProblemList,
  visitor: DumpVisitor,
): Promise<void> {
  const start = new Uint8Array(Math.min(4096, source.size));
  const filled = source.read(0, start);
  const notation = jsonNotation(startAsText(start.subarray(0, filled)) ?? '');
  if (notation !== null) return await readJsonDumps(source, notation, options, problems, visitor);
  const dumps = new TextDumps(visitor);
  let more = true;
  await readLines(source, options, problems, (line, number) => {
    if (line.length > MAX_LINE) {
      problems.addPart(`the line is too long for a thread dump: ${line.length} characters`, `line ${number}`);
      return true;
    }
    more = dumps.line(line);
    return more;
  });
  if (more) dumps.end();
  dumps.say(problems);
}
