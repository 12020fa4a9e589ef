// Spans as JSON: the lines of a collector's file, and the log lines of the Java agent, which have the logger's words in front.
import { type Attributes, clientOf, hostOf, methodOfSpan, READ_ATTRIBUTES, type Span } from './span.ts';

const BEGINNINGS = ['{"resourceSpans":', '{"resource":'];
const SCOPES = ['"scopeSpans":', '"instrumentationLibrarySpans":'];

/** Where the JSON of spans begins in a line; −1 where there is none. */
export function jsonStart(line: string): number {
  for (const beginning of BEGINNINGS) {
    const at = line.indexOf(beginning);
    if (at >= 0 && (beginning !== '{"resource":' || SCOPES.some(each => line.includes(each, at)))) return at;
  }
  return -1;
}

/** Whether a text begins as a document with spans in it, which may go over several lines. */
export function beginsAsDocument(text: string): boolean {
  if (!/^\s*(?:\[\s*)?\{/.test(text)) return false;
  return /"(?:resourceSpans|scopeSpans|instrumentationLibrarySpans)"\s*:|^\s*(?:\[\s*)?\{\s*"resource"\s*:/.test(text);
}

/** The spans of a line that holds an export; null where its JSON is broken. */
export function spansInLine(line: string): Span[] | null {
  return spansInJson(line.slice(jsonStart(line)));
}

/** The spans of one or more exports, or of one resource; null where the JSON is broken. */
export function spansInJson(text: string): Span[] | null {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return null;
  }
  const spans: Span[] = [];
  for (const given of Array.isArray(root) ? root : [root]) {
    const resources = 'resourceSpans' in objectOf(given) ? listOf(objectOf(given).resourceSpans) : [given];
    for (const each of resources) {
      const { resource, scopeSpans, instrumentationLibrarySpans } = objectOf(each);
      const host = hostOf(attributesOf(objectOf(resource).attributes));
      // The second name is that of scopes before version 0.16 of the protocol.
      for (const scope of [...listOf(scopeSpans), ...listOf(instrumentationLibrarySpans)])
        for (const span of listOf(objectOf(scope).spans)) spans.push(spanOf(objectOf(span), host));
    }
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
    client: clientOf(span.kind, attributes),
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
