// Spans as JSON: the lines of a collector's file, and the log lines of the Java agent, which have the logger's words in front.
import { type Attributes, hostOf, methodOfSpan, READ_ATTRIBUTES, type Span } from './span.ts';

const BEGINNINGS = ['{"resourceSpans":', '{"resource":'];

/** Where the JSON of spans begins in a line; −1 where there is none. */
export function jsonStart(line: string): number {
  for (const beginning of BEGINNINGS) {
    const at = line.indexOf(beginning);
    if (at >= 0 && (beginning !== '{"resource":' || line.includes('"scopeSpans":', at))) return at;
  }
  return -1;
}

/** The spans of a line; null where its JSON is broken. */
export function spansInLine(line: string): Span[] | null {
  let root: unknown;
  try {
    root = JSON.parse(line.slice(jsonStart(line)));
  } catch {
    return null;
  }
  const spans: Span[] = [];
  const resources = 'resourceSpans' in objectOf(root) ? listOf(objectOf(root).resourceSpans) : [root];
  for (const each of resources) {
    const { resource, scopeSpans } = objectOf(each);
    const host = hostOf(attributesOf(objectOf(resource).attributes));
    for (const scope of listOf(scopeSpans))
      for (const span of listOf(objectOf(scope).spans)) spans.push(spanOf(objectOf(span), host));
  }
  return spans;
}

function spanOf(span: Record<string, unknown>, host: string): Span {
  const attributes = attributesOf(span.attributes);
  return {
    trace: textOf(span.traceId),
    id: textOf(span.spanId),
    parent: textOf(span.parentSpanId),
    start: textOf(span.startTimeUnixNano),
    end: textOf(span.endTimeUnixNano),
    method: methodOfSpan(attributes),
    host,
    thread: attributes.get('thread.name') ?? '-',
    session: attributes.get('session.id') ?? '',
  };
}

function attributesOf(value: unknown): Attributes {
  const found = new Map<string, string>();
  for (const each of listOf(value)) {
    const { key, value: inner } = objectOf(each);
    const text = objectOf(inner).stringValue;
    if (typeof key === 'string' && READ_ATTRIBUTES.has(key) && typeof text === 'string') found.set(key, text);
  }
  return found;
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Numbers of 64 bits are texts; writers that make them numbers have rounded them already. */
function textOf(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) return BigInt(Math.trunc(value)).toString();
  return typeof value === 'string' ? value : '';
}
