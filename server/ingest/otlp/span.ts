// One span of a trace, whatever notation it came in, and the method that it names.
import type { FrameName } from '../frame-grammar.ts';

/** A span that has ended. Ids are texts as they were written. */
export type Span = {
  readonly trace: string;
  readonly id: string;
  /** Empty for the first of a trace. */
  readonly parent: string;
  /** Nanoseconds since the epoch, in decimals: they have more digits than a double. */
  readonly start: string;
  readonly end: string;
  /** Class and method with a dot between; empty for a span of no method. */
  readonly method: string;
  /** The other process that a client's span waits for, where it names no method: `postgresql`, `http`; else empty. */
  readonly client: string;
  readonly host: string;
  readonly thread: string;
  /** Empty where the span has none. */
  readonly session: string;
};

/** The attributes of a span or a resource; texts alone. */
export type Attributes = ReadonlyMap<string, string>;

/** Attributes that are read: others are not kept while a file is read. */
export const READ_ATTRIBUTES: ReadonlySet<string> = new Set([
  'code.function.name',
  'code.function',
  'code.namespace',
  'thread.name',
  'session.id',
  'host.name',
  'service.name',
  'db.system.name',
  'db.system',
  'rpc.system.name',
  'rpc.system',
  'http.request.method',
  'http.method',
]);

/** The kind of spans of clients, as a number and by its name in JSON. */
const CLIENT: readonly unknown[] = [3, 'SPAN_KIND_CLIENT'];
const SYSTEMS = ['db.system.name', 'db.system', 'rpc.system.name', 'rpc.system'];
const LONGEST_SYSTEM = 40;

/** The process that a span waits for: a kind of database or of calls, `http`, or `other`; empty for a span of another kind, and for one of a method. */
export function clientOf(kind: unknown, attributes: Attributes): string {
  if (!CLIENT.includes(kind) || methodOfSpan(attributes) !== '') return '';
  const system = SYSTEMS.map(name => attributes.get(name)).find(value => value !== undefined && value !== '');
  if (system !== undefined) return system.slice(0, LONGEST_SYSTEM).replaceAll(/\W/g, '_');
  return attributes.has('http.request.method') || attributes.has('http.method') ? 'http' : 'other';
}

/** The method that spans of clients count as calls of: `io.opentelemetry.Client.postgresql`. */
export function clientMethod(client: string): string {
  return `io.opentelemetry.Client.${client}`;
}

/**
 * The method that a span names: `code.function.name` has class and method, as the semantic conventions have it since they are stable; before,
 * `code.namespace` had the class and `code.function` the method. Empty where there are neither.
 */
export function methodOfSpan(attributes: Attributes): string {
  const name = attributes.get('code.function.name') ?? '';
  if (name.includes('.')) return name;
  const method = attributes.get('code.function') ?? name;
  const owner = attributes.get('code.namespace') ?? '';
  return owner === '' || method === '' ? '' : `${owner}.${method}`;
}

/** Where a span ran: its host, else the service that it is of. */
export function hostOf(resource: Attributes): string {
  return resource.get('host.name') ?? resource.get('service.name') ?? '-';
}

/** The name of `com.acme.Shop.search`. Spans do not say the types of parameters: overloads are one method. */
export function frameOf(method: string): FrameName {
  const dot = method.lastIndexOf('.');
  return { className: method.slice(0, Math.max(0, dot)), name: method.slice(dot + 1), descriptor: null, flags: 0 };
}
