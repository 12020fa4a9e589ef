// The states of a session as the protocol has them: which messages count in each, and what the others are answered.

/** As the protocol has them; its library has no place in the small process in front of a Java server. */
const NOT_INITIALIZED = -32_002;
export const INVALID_REQUEST = -32_600;

/** Why a message does not count; a request is answered with it, a notification is dropped. */
export type Refusal = { readonly code: number; readonly message: string };

export class Lifecycle {
  #state: 'new' | 'running' | 'ended' = 'new';

  /** Null where the message counts. */
  refusal(method: string, isRequest: boolean): Refusal | null {
    if (method === 'exit') return null;
    const begins = isRequest && method === 'initialize';
    switch (this.#state) {
      case 'new':
        return begins ? null : { code: NOT_INITIALIZED, message: 'initialize has not been sent' };
      case 'running':
        return begins ? { code: INVALID_REQUEST, message: 'initialize has been sent already' } : null;
      case 'ended':
        return { code: INVALID_REQUEST, message: 'shutdown has been sent: only exit may follow' };
    }
  }

  /** Notes a message that counts and goes on to its handler. */
  passed(method: string, isRequest: boolean): void {
    if (!isRequest) return;
    if (method === 'initialize') this.#state = 'running';
    if (method === 'shutdown') this.#state = 'ended';
  }
}
