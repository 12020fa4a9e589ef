// How much of its processor time a JVM gave to its compiler, in each third of a recording: a JVM that still compiles is not as fast as it will be.
import type { CompilerThird } from '../ingest.ts';
import type { ChunkHeader } from './chunk-header.ts';
import type { Threads } from './chunk-threads.ts';
import type { Key } from './cursor.ts';
import { NotedEvents } from './noted-events.ts';
import type { ChunkContext } from './texts.ts';
import { THREAD_LOAD } from './told-types.ts';
import { millisAt } from './windows.ts';

/** `C2 CompilerThread0`, and the compilers of other JVMs: `JVMCI CompilerThread0`, `JIT Compilation Thread-000`. */
const COMPILER = /CompilerThread|^JIT Compilation Thread/;
const THIRDS = 3;

/** A span of a thread's time with its even load of the processors. */
type Load = { readonly since: number; readonly until: number; readonly load: number; readonly isCompiler: boolean };

/** The loads of threads, gathered over the chunks of a file. */
export class CompilerLoad {
  readonly #loads: Load[] = [];
  /** The time of each thread's latest event, in milliseconds. */
  readonly #last = new Map<Key, number>();
  /** The begin of each thread, in milliseconds. */
  readonly #begins = new Map<Key, number>();
  /** Milliseconds between two events of a thread. */
  readonly #gaps: number[] = [];

  begin(thread: Key, millis: number): void {
    this.#begins.set(thread, millis);
  }

  /** @param load part of all processors since the latest event of the thread, or since its begin */
  add(thread: Key, millis: number, load: number, isCompiler: boolean): void {
    const last = this.#last.get(thread);
    if (last !== undefined && millis > last) this.#gaps.push(millis - last);
    this.#last.set(thread, millis);
    const since = last ?? this.#begins.get(thread) ?? Number.NEGATIVE_INFINITY;
    this.#loads.push({ since, until: millis, load, isCompiler });
  }

  /** Processor time in each third of a span, in milliseconds of all processors; null where the recording does not tell. */
  thirds(startMillis: number, endMillis: number): readonly CompilerThird[] | null {
    if (this.#gaps.length === 0 || !(endMillis > startMillis)) return null;
    // A thread that did not run has no event: its next event is still about one period alone.
    const period = this.#gaps.toSorted((a, b) => a - b)[this.#gaps.length >> 1]!;
    const third = (endMillis - startMillis) / THIRDS;
    return Array.from({ length: THIRDS }, (_, at) => {
      const [from, until] = [startMillis + at * third, startMillis + (at + 1) * third];
      const sums = { compiler: 0, all: 0 };
      for (const each of this.#loads) {
        const since = Math.max(each.since, each.until - period);
        const millis = each.load * Math.max(0, Math.min(until, each.until) - Math.max(from, since));
        sums.all += millis;
        if (each.isCompiler) sums.compiler += millis;
      }
      return sums;
    });
  }
}

/** The events of one chunk that tell it. Made before the scan. */
export class ChunkCompilerLoad {
  readonly #header: ChunkHeader;
  readonly #starts: NotedEvents;
  readonly #loads: NotedEvents;

  constructor(context: ChunkContext, noted: Map<Key, number[]>, header: ChunkHeader) {
    this.#header = header;
    this.#starts = new NotedEvents(context, noted, 'jdk.ThreadStart', ['thread', 'startTime']);
    this.#loads = new NotedEvents(context, noted, THREAD_LOAD, ['eventThread', 'startTime', 'user', 'system']);
  }

  addTo(load: CompilerLoad, threads: Threads): void {
    const names = new Map<Key, boolean>();
    const isCompiler = (thread: Key) => {
      const known = names.get(thread) ?? COMPILER.test(threads.className(thread) ?? '');
      names.set(thread, known);
      return known;
    };
    this.#starts.each(event => load.begin(event.key(0), millisAt(this.#header, event.number(1))));
    const rows: [thread: Key, millis: number, part: number][] = [];
    this.#loads.each(event => {
      const part = Math.min(1, Math.max(0, event.float(2) + event.float(3)));
      rows.push([event.key(0), millisAt(this.#header, event.number(1)), part]);
    });
    rows.sort((a, b) => a[1] - b[1]);
    for (const [thread, millis, part] of rows) load.add(thread, millis, part, isCompiler(thread));
  }
}
