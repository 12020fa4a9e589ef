// The interface between a bucket store and an engine: five requests, and the ways in which they fail.

/** One object as a listing tells of it; nothing of it is to be believed. */
type ObjectAbout = { readonly key: string; readonly bytes: number };

/** A bucket of some engine. All functions reject with ObjectFailure and nothing else, after having tried again where that can help. */
export type Objects = {
  /** One page of the objects whose keys begin with `prefix`; `next` continues it, null at its end. */
  list(prefix: string, next: string | null): Promise<{ readonly objects: ObjectAbout[]; readonly next: string | null }>;
  /** The first `most` bytes of an object, or all that it has. */
  get(key: string, most: number): Promise<Uint8Array>;
  /** Stores an object where there is none of its name; engines that do not know this condition overwrite. */
  putIfAbsent(key: string, bytes: Uint8Array): Promise<'stored' | 'exists'>;
  /** Also where there was none. */
  remove(key: string): Promise<void>;
  /** When an object was stored, milliseconds since the epoch. */
  storedMillis(key: string): Promise<number>;
};

/**
 * - `missing`: there is no such object;
 * - `unreachable`: the engine did not answer, or not in time;
 * - `denied`: it knows no such user, or the user may not;
 * - `failed`: anything else.
 */
export type FailureKind = 'missing' | 'unreachable' | 'denied' | 'failed';

/** The message says why in words of ours; what an engine or a library wrote is not repeated, it could hold a secret. */
export class ObjectFailure extends Error {
  override readonly name = 'ObjectFailure';
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Told by name: the bundle that speaks to engines has a class of its own. */
export function isObjectFailure(error: unknown): error is ObjectFailure {
  return error instanceof Error && error.name === 'ObjectFailure' && 'kind' in error;
}
