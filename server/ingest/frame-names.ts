// Puts methods of formats other than JDK Flight Recorder's into a builder, within the memory that is planned for.
import type { ProfileBuilder } from '../cct/builder.ts';
import { type FrameName, isNativeImage, isUnread } from './frame-grammar.ts';
import type { IngestOptions } from './ingest.ts';
import type { ProblemList } from './problem-list.ts';
import { normaliseClassName } from './stable-names.ts';
import { ownCopy } from './text-lines.ts';
import { Unread } from './unread.ts';

/** Bytes that a profile may take while it grows, and what its parts take then: measured, rounded up. */
const MAX_BYTES = 500e6;
const COST = { node: 70, cell: 100, method: 350, thread: 500, character: 2, time: 400, bucket: 50 } as const;

/** Puts methods into a builder and says when the profile has become larger than any real one. */
export class MethodSink {
  readonly #builder: ProfileBuilder;
  readonly #names: IngestOptions['names'];
  readonly #classNames = new Map<string, string>();
  #text = 0;

  constructor(builder: ProfileBuilder, names: IngestOptions['names']) {
    this.#builder = builder;
    this.#names = names;
  }

  /** The row of a method. */
  row({ className, name, descriptor, flags }: FrameName): number {
    const { methods } = this.#builder;
    const before = methods.length;
    const copy = descriptor === null ? null : ownCopy(descriptor);
    const row = methods.method(this.#className(className), ownCopy(name), copy, flags);
    if (methods.length > before) this.#text += className.length + name.length + (descriptor?.length ?? 0);
    return row;
  }

  /** Counts other texts that are kept: names of threads. */
  keep(text: string): string {
    this.#text += text.length;
    return ownCopy(text);
  }

  /** Whether the profile has outgrown what memory is planned for: some four million nodes, each with a cell. */
  get full(): boolean {
    const { nodeCount, cellCount, methods, threads, times } = this.#builder;
    const tree =
      nodeCount * COST.node + cellCount * COST.cell + times.length * COST.time + times.bucketCount * COST.bucket;
    const tables = methods.length * COST.method + threads.length * COST.thread;
    return tree + tables + this.#text * COST.character > MAX_BYTES;
  }

  #className(className: string): string {
    let kept = this.#classNames.get(className);
    if (kept === undefined) {
      const copy = ownCopy(className);
      kept = this.#names === 'raw' ? copy : normaliseClassName(copy);
      this.#classNames.set(copy, kept);
    }
    return kept;
  }
}

/** The message when a sink is full. */
export const TOO_LARGE = 'the profile is too large: what follows was left out';

/** Counts frames whose names are no methods of Java although they look so. */
export class FrameCounts {
  readonly #names: Unread;
  readonly #symbols: Unread;

  /** `what` names the parts of the file that have a name each, in the plural. */
  constructor(what: string) {
    this.#names = new Unread(what);
    this.#symbols = new Unread(what);
  }

  /** Counts a name, which is that of one or more frames. */
  note(frames: readonly FrameName[], text: string): void {
    this.#names.note(!frames.some(frame => isUnread(frame, text)), text);
    this.#symbols.note(!frames.some(isNativeImage), text);
  }

  say(problems: ProblemList): void {
    this.#names.say(problems, 'have names that were not understood and count without a class');
    this.#symbols.say(problems, 'are symbols of native-image without debug information and count without a class');
  }
}
