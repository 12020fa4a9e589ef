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
  readonly host: string;
  readonly thread: string;
  /** Empty where the span has none. */
  readonly session: string;
};

/** What a span's or a resource's attributes say; texts alone. */
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
]);

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
