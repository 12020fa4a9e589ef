// Takes apart the names of frames as profilers other than the JDK's write them.
import type { ProfileBuilder } from '../cct/builder.ts';
import { METHOD_FLAG } from '../cct/profile.ts';
import type { IngestOptions } from './ingest.ts';
import { normaliseClassName } from './stable-names.ts';
import { ownCopy } from './text-lines.ts';

/** A frame's method in the words of a profile. */
export type FrameName = {
  /** Binary name with dots; empty for frames without a class. */
  readonly className: string;
  readonly name: string;
  readonly descriptor: string | null;
  /** Bits of METHOD_FLAG. */
  readonly flags: number;
};

/** `(ILjava/lang/String;)V`, anywhere in a text; a class file allows 255 parameters. */
const DESCRIPTOR = /\((?:\[*(?:[BCDFIJSZ]|L[^;()]+;)){0,255}\)\[*(?:[BCDFIJSZV]|L[^;()]+;)/y;

/** The end of the method descriptor that begins at `open`, or −1 where none does. */
export function descriptorEnd(text: string, open: number): number {
  DESCRIPTOR.lastIndex = open;
  return DESCRIPTOR.test(text) ? DESCRIPTOR.lastIndex : -1;
}

/** `com/acme/Shop`, with what follows the slash of a hidden class: `com/acme/Shop$$Lambda/0x0000` or `…+0x0000`. */
const INTERNAL_CLASS = /^((?:[^\s./;(:]+\/)+[^\s./;(:]+?)((?:[/+.]0x[0-9a-fA-F]+|\/\d+)?)$/;
const HIDDEN_ONLY = /^[^/]+\/(?:0x[0-9a-fA-F]+|\d+)$/;
/** Marks that async-profiler puts behind a name: compiled, inlined, kernel, interpreted, first tier. */
const MARK = /_\[([jik01])\]$/;

/**
 * `Class.method`, `Class.method(descriptor)`, `pkg/Class.method`, with or without async-profiler's mark behind it.
 * Names with `::`, backticks or the kernel's mark are no Java; a name without a dot has no class.
 */
export function parseFrameName(text: string): FrameName {
  const mark = MARK.exec(text);
  const bare = mark === null ? text : text.slice(0, mark.index);
  if (mark?.[1] === 'k' || /::|`/.test(bare)) return foreign(bare);
  const open = bare.indexOf('(');
  const described = open > 0 && descriptorEnd(bare, open) === bare.length;
  const head = described ? bare.slice(0, open) : bare;
  // Parameters in another notation stay in the name, and so do dots in them.
  const paren = head.indexOf('(', 1);
  const dot = head.lastIndexOf('.', paren < 0 ? head.length : paren);
  const descriptor = described ? bare.slice(open) : null;
  if (dot <= 0 || dot === head.length - 1) return { className: '', name: head, descriptor, flags: 0 };
  return { className: withDots(head.slice(0, dot)), name: head.slice(dot + 1), descriptor, flags: 0 };
}

function foreign(name: string): FrameName {
  return { className: '', name, descriptor: null, flags: METHOD_FLAG.foreign };
}

/** `com/acme/Shop` with dots; names that have them already, and slashes of hidden classes, stay as they are. */
function withDots(className: string): string {
  if (!className.includes('/') || HIDDEN_ONLY.test(className)) return className;
  const parts = INTERNAL_CLASS.exec(className);
  return parts === null ? className : parts[1]!.replaceAll('/', '.') + parts[2]!;
}

/** Bytes that a profile may take while it grows, and what its parts take then: measured, rounded up. */
const MAX_BYTES = 500e6;
const COST = { node: 70, cell: 100, method: 350, thread: 500, character: 2 } as const;

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
    const { nodeCount, cellCount, methods, threads } = this.#builder;
    const tree = nodeCount * COST.node + cellCount * COST.cell;
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
