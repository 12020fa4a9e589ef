// Waits for two servers that are asked the same, for neither longer than the other's answer is worth.
import type { Frame } from '../lsp/wire/split-messages.ts';
import type { Answer } from './server-end.ts';

/** A request of the client that both servers are to answer. */
export type JoinedRequest = {
  readonly frame: Frame;
  readonly id: string;
  readonly params: Buffer | null;
  /** Asks the Java server the very same, once. */
  readonly java: () => Promise<Answer>;
  /** Tells that the client wants no answer any more. */
  readonly signal: AbortSignal;
};

/** How long one server's answer is waited for when the other's is there, in milliseconds. */
export type Patience = {
  readonly java: number;
  readonly own: number;
};

/** Stands for an answer that was not there in time: it comes later, if at all. */
export const LATE = Symbol('late');

type Both<J, O> = { readonly java: J | typeof LATE; readonly own: O | typeof LATE };

/**
 * Answers of both, as far as they come in time.
 * @param adds whether an answer of ours is one to show at all; where it is not, the Java server has all the time it wants.
 * @param gone whether an answer of the Java server says that none will ever come; ours has all the time then.
 */
export async function both<J, O>(
  java: Promise<J>,
  own: Promise<O>,
  { patience, adds, gone }: { patience: Patience; adds: (own: O) => boolean; gone: (java: J) => boolean },
): Promise<Both<J, O>> {
  const first = await Promise.race([java.then(() => 'java' as const), own.then(() => 'own' as const)]);
  if (first === 'java') {
    const known = await java;
    return { java: known, own: gone(known) ? await own : await within(own, patience.own) };
  }
  const known = await own;
  return { java: adds(known) ? await within(java, patience.java) : await java, own: known };
}

/** The value, or LATE when it takes longer. */
export async function within<T>(value: Promise<T>, millis: number): Promise<T | typeof LATE> {
  const { promise, resolve } = Promise.withResolvers<typeof LATE>();
  const timer = setTimeout(() => resolve(LATE), millis);
  const result = await Promise.race([value, promise]);
  clearTimeout(timer);
  return result;
}
