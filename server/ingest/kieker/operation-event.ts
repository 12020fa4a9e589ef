// The events of a Kieker log that say when an operation was entered or left, and how two of them become one execution.

import { ownCopy } from '../text-lines.ts';
import type { RanIn } from '../trace-context.ts';
import { fieldsOf } from './fields.ts';

/** An operation was entered or left. */
type OperationEvent = {
  /** Number of the record's type, which the log gives a name in another file. */
  readonly type: string;
  /** In ticks of the log's clock. */
  readonly timestamp: string;
  readonly trace: string;
  /** Events of a trace are numbered from 0. */
  readonly order: number;
  readonly signature: string;
};

/** Where and for whom a trace ran. */
type TraceRecord = { readonly trace: string } & { readonly [Name in keyof RanIn]: string };

const WHOLE = /^-?\d{1,19}$/;

/** The event of `$type;[logged;]timestamp;trace;order;signature;class[;…]`; null for other records. */
export function parseEvent(line: string): OperationEvent | null {
  const fields = fieldsOf(line, 10);
  const at = numbersFrom(fields);
  // Three numbers, or four with the moment of logging; a signature follows, unlike in the record of a trace.
  if ((at !== 4 && at !== 5) || fields.length < at + 2 || fields.length > at + 3) return null;
  const [timestamp, trace, order] = fields.slice(at - 3) as [string, string, string];
  const signature = fields[at]!;
  if (!signature.includes('(') || !signature.includes('.') || !/^\d{1,9}$/.test(order)) return null;
  return { type: fields[0]!, timestamp, trace, order: Number(order), signature };
}

/** The trace of `$type;[logged;]trace;thread;session;host;parent trace;parent order[;[next order]]`; null for other records. */
export function parseTrace(line: string): TraceRecord | null {
  const fields = fieldsOf(line, 10);
  const at = numbersFrom(fields);
  if ((at !== 3 && at !== 4) || fields.length < at + 4 || fields.length > at + 5) return null;
  if (!fields.slice(at + 2, at + 4).every(each => WHOLE.test(each))) return null;
  return { trace: fields[at - 2]!, thread: fields[at - 1]!, session: fields[at]!, host: fields[at + 1]! };
}

/** The first field behind the type that is no whole number. */
function numbersFrom(fields: readonly string[]): number {
  let at = 1;
  while (at < fields.length && WHOLE.test(fields[at]!)) at++;
  return at;
}

/** Open traces beyond this are forgotten: nothing tells that they will end. */
const MOST_OPEN = 200_000;

/**
 * Finds which types of events say that an operation was entered: nothing in the events themselves tells. Such an event begins its
 * trace, or names another operation than the one that is open.
 */
export class EntryTypes {
  readonly #entries = new Set<string>();
  /** By trace: signatures of the operations that are open, and the number of the next event. */
  readonly #open = new Map<string, { readonly signatures: string[]; next: number }>();

  add({ type, trace, order, signature }: OperationEvent): void {
    const open = order === 0 ? { signatures: [], next: 0 } : this.#open.get(trace);
    // Where events are missing it is not known what is open.
    if (open === undefined || open.next++ !== order) {
      this.#open.delete(trace);
      return;
    }
    const { signatures } = open;
    if (order === 0 || signatures.at(-1) !== signature) this.#entries.add(ownCopy(type));
    if (this.#entries.has(type)) signatures.push(ownCopy(signature));
    else signatures.pop();
    if (signatures.length === 0) this.#open.delete(trace);
    else if (order === 0) {
      if (this.#open.size >= MOST_OPEN) this.#open.clear();
      this.#open.set(ownCopy(trace), open);
    }
  }

  has(type: string): boolean {
    return this.#entries.has(type);
  }
}

/** An operation that was entered and not left so far. */
type OpenOperation = { readonly signature: string; readonly entry: string; readonly order: number };

type OpenTrace = { readonly operations: OpenOperation[]; entered: number };

/** An execution with the events that it was made of. */
export type PairedEvents = {
  readonly signature: string;
  readonly trace: string;
  readonly entry: string;
  readonly exit: string;
  readonly order: number;
  readonly depth: number;
};

/** Pairs the events of traces. */
export class EventPairs {
  readonly #entries: EntryTypes;
  readonly #open = new Map<string, OpenTrace>();
  /** Events whose other half is missing. */
  single = 0;

  constructor(entries: EntryTypes) {
    this.#entries = entries;
  }

  /** The execution that ends with the event; null where it ends none. */
  add({ type, timestamp, trace, signature, order }: OperationEvent): PairedEvents | null {
    let open = this.#open.get(trace);
    if (this.#entries.has(type)) {
      if (open === undefined || order === 0) {
        this.single += open?.operations.length ?? 0;
        if (this.#open.size >= MOST_OPEN) this.end();
        open = { operations: [], entered: 0 };
        this.#open.set(trace, open);
      }
      open.operations.push({ signature, entry: timestamp, order: open.entered++ });
      return null;
    }
    const place = open?.operations.findLastIndex(each => each.signature === signature) ?? -1;
    if (open === undefined || place < 0) {
      this.single++;
      return null;
    }
    this.single += open.operations.length - place - 1;
    const { entry, order: entered } = open.operations[place]!;
    open.operations.length = place;
    if (place === 0) this.#open.delete(trace);
    return { signature, trace, entry, exit: timestamp, order: entered, depth: place };
  }

  /** Counts what is still open as single. */
  end(): void {
    for (const { operations } of this.#open.values()) this.single += operations.length;
    this.#open.clear();
  }
}
