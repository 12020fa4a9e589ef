// Checks the parameters of operations, which come from outside: every key is looked at, and what is wrong is named by its key.

import type { MethodName, Position, Subject, TextDocumentIdentifier } from '../protocol.ts';
import { isInteger, isObject, isPosition, isRange, isText } from '../wire/standard-parameters.ts';

/** More entries than these in a list are no honest wish. */
const MOST_ENTRIES = 1_000;

/** The latest moment that a Date can hold. */
const LATEST_MILLIS = 8.64e15;

/** As clients give it back. */
type HierarchyEntry = {
  readonly uri: string;
  readonly selectionRange: { start: Position; end: Position };
  readonly data: object;
};

/** Which value of several a key may have, `null` taking back what was wished before. */
type OrNull<T> = T | null | undefined;

/** An object without its undefined values, for types that have absent keys. */
type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

export function present<T extends object>(values: T): Present<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<T>;
}

/**
 * Reads one parameter object key by key. Nothing throws: `flaw` says what the first wrong key should have been, and what is read
 * after it means nothing. Null counts as absent, but where a key says otherwise.
 */
export class Parameters {
  readonly #given: Readonly<Record<string, unknown>>;
  readonly #known = new Set(['quiet']);
  #flaw: string | null = null;

  /** @param given absent and null mean an empty object. */
  constructor(given: unknown) {
    const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
    if (!isObject && given !== undefined && given !== null) this.#flaw = 'the parameters must be an object';
    this.#given = isObject ? { ...given } : {};
  }

  /** The error in the parameters; to be asked for when every key has been read, because it also names keys that were not read. */
  get flaw(): string | null {
    if (this.#flaw !== null) return this.#flaw;
    const unknown = Object.keys(this.#given).find(key => !this.#known.has(key));
    if (unknown === undefined) return null;
    return `unknown key "${unknown.slice(0, 100)}"; known are ${[...this.#known].sort().join(', ')}`;
  }

  /** Whether anything but `keys` and `quiet` is given. */
  hasOther(...keys: readonly string[]): boolean {
    return Object.entries(this.#given).some(
      ([key, value]) => value !== undefined && key !== 'quiet' && !keys.includes(key),
    );
  }

  /** The command door shows its result unless this is true. */
  quiet(): boolean {
    return this.boolean('quiet') ?? false;
  }

  boolean(key: string): boolean | undefined {
    return this.#read(key, 'true or false', isBoolean) ?? undefined;
  }

  /** An object that others check; an empty one where it is missing, which is a flaw. */
  object(key: string): object {
    const found = this.#read(key, 'an object', isObject);
    if (found === undefined || found === null) this.complain(`"${key}" is missing`);
    return found ?? {};
  }

  text(key: string): string | undefined {
    return this.#read(key, 'a text', isText) ?? undefined;
  }

  textOrNull(key: string): OrNull<string> {
    return this.#read(key, 'a text or null', isText);
  }

  texts(key: string): readonly string[] | undefined {
    return this.#read(key, 'a list of texts', isTexts) ?? undefined;
  }

  textsOrNull(key: string): OrNull<readonly string[]> {
    return this.#read(key, 'a list of texts or null', isTexts);
  }

  integer(key: string, least: number, most: number): number | undefined {
    const fits = (value: unknown): value is number => isInteger(value) && value >= least && value <= most;
    return this.#read(key, `a whole number from ${least} to ${most}`, fits) ?? undefined;
  }

  millis(key: string): OrNull<number> {
    return this.#read(key, 'milliseconds since 1970, or null', isMillis);
  }

  oneOf<T extends string>(key: string, values: readonly T[]): T | undefined {
    const fits = (value: unknown): value is T => values.some(each => each === value);
    return this.#read(key, `one of ${values.join(', ')}`, fits) ?? undefined;
  }

  textDocument(): TextDocumentIdentifier | undefined {
    const found = this.#read('textDocument', 'an object with a "uri"', isTextDocument);
    return found === null || found === undefined ? undefined : { uri: found.uri };
  }

  position(): Position | undefined {
    return this.#read('position', 'an object with whole numbers "line" and "character"', isPosition) ?? undefined;
  }

  method(): MethodName | undefined {
    const found = this.#read('method', 'an object with "className", "name" and "descriptor"', isMethod);
    if (found === null || found === undefined) return undefined;
    return { className: found.className, name: found.name, descriptor: found.descriptor ?? null };
  }

  span(key: string): { readonly fromMillis: number; readonly toMillis: number } | undefined {
    return this.#read(key, 'an object with "fromMillis" below "toMillis"', isSpan) ?? undefined;
  }

  range(): { readonly start: Position; readonly end: Position } | undefined {
    return this.#read('range', 'an object with positions "start" and "end"', isRange) ?? undefined;
  }

  /** An entry of a call hierarchy or tree; what it carries is for others to check. */
  item(): HierarchyEntry | undefined {
    return this.#read('item', 'an object with "uri", "selectionRange" and "data"', isItem) ?? undefined;
  }

  /** A method, or what stands at a position of a document. */
  subject(): Subject {
    const [textDocument, position, method] = [this.textDocument(), this.position(), this.method()];
    if (method !== undefined) return { ...(textDocument && { textDocument }), method };
    if (textDocument !== undefined && position !== undefined) return { textDocument, position };
    this.complain(textDocument === undefined ? '"textDocument" is missing' : '"position" is missing');
    return { method: { className: '', name: '', descriptor: null } };
  }

  /** A position of a document. */
  place(): { readonly textDocument: TextDocumentIdentifier; readonly position: Position } {
    const [textDocument, position] = [this.textDocument(), this.position()];
    if (textDocument === undefined) this.complain('"textDocument" is missing');
    if (position === undefined) this.complain('"position" is missing');
    return { textDocument: textDocument ?? { uri: '' }, position: position ?? { line: 0, character: 0 } };
  }

  /** Says what is wrong with several keys together; only the first complaint counts. */
  complain(flaw: string): void {
    this.#flaw ??= flaw;
  }

  #read<T>(key: string, expected: string, fits: (value: unknown) => value is T): OrNull<T> {
    this.#known.add(key);
    const value = Object.hasOwn(this.#given, key) ? this.#given[key] : undefined;
    if (value === undefined || value === null) return value;
    if (fits(value)) return value;
    this.complain(`"${key}" must be ${expected}`);
    return undefined;
  }
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length <= MOST_ENTRIES && value.every(isText);
}

function isMillis(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= LATEST_MILLIS;
}

function isTextDocument(value: unknown): value is TextDocumentIdentifier {
  return isObject(value) && isText(value.uri);
}

function isMethod(value: unknown): value is { className: string; name: string; descriptor?: string | null } {
  if (!isObject(value)) return false;
  const { className, name, descriptor } = value;
  return isText(className) && isText(name) && (descriptor === null || descriptor === undefined || isText(descriptor));
}

function isItem(value: unknown): value is HierarchyEntry {
  return isObject(value) && isText(value.uri) && isRange(value.selectionRange) && isObject(value.data);
}

function isSpan(value: unknown): value is { fromMillis: number; toMillis: number } {
  return isObject(value) && isMillis(value.fromMillis) && isMillis(value.toMillis) && value.fromMillis < value.toMillis;
}
