// Access to the web server: one-time codes in addresses, and the tokens that pages get for them.
import { createHash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** A code in an address holds so long. */
const CODE_MILLIS = 60_000;
/** Bytes of a code and of a token: neither can be guessed. */
const SECRET_BYTES = 32;
/** Addresses that were handed out, and pages; beyond that the oldest end. */
const MOST_SESSIONS = 100;

type Session<T> = { readonly subject: T; readonly madeMillis: number; token: string | null };

/** Keeps hashes alone, by which equal secrets are looked up in a time that tells nothing of them. */
export class PageSessions<T> {
  /** By the hash of the code, also when that was used. */
  readonly #byCode = new LRUCache<string, Session<T>>({ max: MOST_SESSIONS });
  readonly #now: () => number;

  /** @param now milliseconds of any clock that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A new code, for pages that ask about the subject. */
  newCode(subject: T): string {
    const code = randomBytes(SECRET_BYTES).toString('base64url');
    this.#byCode.set(hashOf(code), { subject, madeMillis: this.#now(), token: null });
    return code;
  }

  /** A token for a code, once: a code that comes again was seen by another, so that the session of it ends. */
  exchange(code: string): string | null {
    const key = hashOf(code);
    const session = this.#byCode.get(key);
    if (session === undefined) return null;
    if (session.token !== null || this.#now() - session.madeMillis > CODE_MILLIS) {
      this.#byCode.delete(key);
      return null;
    }
    const token = randomBytes(SECRET_BYTES).toString('base64url');
    session.token = hashOf(token);
    return token;
  }

  /** The data that the bearer of a token may ask about. */
  subjectOf(token: string): T | null {
    const wanted = hashOf(token);
    for (const [key, session] of this.#byCode.entries())
      if (session.token === wanted) {
        this.#byCode.get(key);
        return session.subject;
      }
    return null;
  }
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}
