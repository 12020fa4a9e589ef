// Spans as protocol buffers, each message behind its length in four bytes, as the collector's file exporter writes them.
import type { ByteSource } from '../byte-source.ts';
import type { Fields } from '../pprof/wire.ts';
import { Fields as Message } from '../pprof/wire.ts';
import { type Attributes, clientOf, hostOf, methodOfSpan, READ_ATTRIBUTES, type Span } from './span.ts';

const LENGTH_BYTES = 4;
const MOST_MESSAGE = 64 << 20;

const TRACES = { resourceSpans: 1 } as const;
/** Scopes of version 0.15 of the protocol stand under a number of their own, older scopes under the number of today. */
const RESOURCE_SPANS = { resource: 1, scopeSpans: 2, instrumentationLibrarySpans: 1000 } as const;
const SCOPES: readonly number[] = [RESOURCE_SPANS.scopeSpans, RESOURCE_SPANS.instrumentationLibrarySpans];
const RESOURCE = { attributes: 1 } as const;
const SCOPE_SPANS = { spans: 2 } as const;
const SPAN = { trace: 1, id: 2, parent: 4, kind: 6, start: 7, end: 8, attributes: 9 } as const;
const KEY_VALUE = { key: 1, value: 2 } as const;
const ANY_VALUE = { text: 1 } as const;

/** Length of the message whose length stands at the start of some bytes. */
function lengthAt(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
}

/** Whether a file begins with the length of a message of spans, and this with the field that it has. */
export function beginsWithSpans(start: Uint8Array): boolean {
  if (start.length < 16) return false;
  const length = lengthAt(start);
  if (length < 12 || length > MOST_MESSAGE) return false;
  const end = Math.min(start.length, LENGTH_BYTES + length);
  const fields = new Message(start, LENGTH_BYTES, end, 0);
  try {
    if (!fields.next() || fields.field !== TRACES.resourceSpans || !fields.isBytes) return false;
    const inside = fields.message();
    return inside.next() && inside.isBytes && [RESOURCE_SPANS.resource, ...SCOPES].includes(inside.field);
  } catch {
    // A message longer than the bytes at hand.
    return start[LENGTH_BYTES] === 0x0a && end === start.length;
  }
}

/** The message at `position` and where the next begins; null at the end. Throws WireError, and RangeError for one that is cut off. */
export function messageAt(
  source: ByteSource,
  position: number,
): { readonly spans: Span[]; readonly next: number } | null {
  if (position >= source.size) return null;
  const head = new Uint8Array(LENGTH_BYTES);
  if (source.read(position, head) < LENGTH_BYTES) throw new RangeError('the length of a message is cut off');
  const length = lengthAt(head);
  if (length > MOST_MESSAGE) throw new RangeError(`a message of ${length} bytes is too large`);
  const bytes = new Uint8Array(Math.min(length, source.size - position - LENGTH_BYTES));
  if (source.read(position + LENGTH_BYTES, bytes) < length) throw new RangeError('a message is cut off');
  return {
    spans: spansIn(new Message(bytes, 0, length, position + LENGTH_BYTES)),
    next: position + LENGTH_BYTES + length,
  };
}

function spansIn(traces: Fields): Span[] {
  const spans: Span[] = [];
  for (const resource of messagesIn(traces, TRACES.resourceSpans)) {
    const scopes: Fields[] = [];
    let attributes: Attributes = new Map();
    while (resource.next()) {
      if (!resource.isBytes) continue;
      if (resource.field === RESOURCE_SPANS.resource)
        attributes = attributesIn(resource.message(), RESOURCE.attributes);
      else if (SCOPES.includes(resource.field)) scopes.push(resource.message());
    }
    const host = hostOf(attributes);
    for (const scope of scopes) for (const span of messagesIn(scope, SCOPE_SPANS.spans)) spans.push(spanIn(span, host));
  }
  return spans;
}

function messagesIn(fields: Fields, field: number): Fields[] {
  const found: Fields[] = [];
  while (fields.next()) if (fields.field === field && fields.isBytes) found.push(fields.message());
  return found;
}

function spanIn(fields: Fields, host: string): Span {
  let [trace, id, parent, start, end] = ['', '', '', '', ''];
  let kind = 0;
  const attributes = new Map<string, string>();
  while (fields.next()) {
    if (!fields.isBytes) {
      if (fields.field === SPAN.start) start = String(fields.id);
      else if (fields.field === SPAN.end) end = String(fields.id);
      else if (fields.field === SPAN.kind) kind = Number(fields.id);
    } else if (fields.field === SPAN.trace) trace = hexIn(fields);
    else if (fields.field === SPAN.id) id = hexIn(fields);
    else if (fields.field === SPAN.parent) parent = hexIn(fields);
    else if (fields.field === SPAN.attributes) takeAttribute(fields.message(), attributes);
  }
  return {
    trace,
    id,
    parent,
    start,
    end,
    method: methodOfSpan(attributes),
    client: clientOf(kind, attributes),
    host,
    thread: attributes.get('thread.name') ?? '-',
    session: attributes.get('session.id') ?? '',
  };
}

function attributesIn(fields: Fields, field: number): Attributes {
  const attributes = new Map<string, string>();
  for (const each of messagesIn(fields, field)) takeAttribute(each, attributes);
  return attributes;
}

function takeAttribute(fields: Fields, attributes: Map<string, string>): void {
  let key = '';
  let text: string | null = null;
  while (fields.next()) {
    if (!fields.isBytes) continue;
    if (fields.field === KEY_VALUE.key) key = textIn(fields);
    else if (fields.field === KEY_VALUE.value) {
      const value = fields.message();
      while (value.next()) if (value.field === ANY_VALUE.text && value.isBytes) text = textIn(value);
    }
  }
  if (text !== null && READ_ATTRIBUTES.has(key)) attributes.set(key, text);
}

function textIn({ bytes, start, end }: Fields): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
}

function hexIn({ bytes, start, end }: Fields): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('hex');
}
