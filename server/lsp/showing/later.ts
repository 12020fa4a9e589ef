// Work that an answer waits for, but not long: when it takes longer, the editor is told once it is done.
import { messageOf } from '../../base/message-of.ts';
import type { RequestLog } from '../request.ts';

export class Later {
  readonly #log: RequestLog;
  /** The last work of each subject. */
  readonly #running = new Map<string, Promise<boolean>>();

  constructor(log: RequestLog) {
    this.#log = log;
  }

  /**
   * Resolves when the work is done or time is up. Works of one subject follow each other.
   *
   * @param work gives whether it brought anything new.
   * @param done called when the work was done later than that and brought something new.
   */
  async within(millis: number, subject: string, work: () => Promise<boolean>, done: () => void): Promise<void> {
    const own = this.#after(subject, work);
    const { promise: late, resolve } = Promise.withResolvers<'late'>();
    const timer = setTimeout(resolve, millis, 'late');
    const first = await Promise.race([own, late]);
    clearTimeout(timer);
    if (first !== 'late') return;
    void own.then(isNew => {
      if (isNew) done();
    });
  }

  /** Never rejects: a failure is logged and brings nothing new. */
  #after(subject: string, work: () => Promise<boolean>): Promise<boolean> {
    const before = this.#running.get(subject) ?? Promise.resolve(false);
    const own = before
      .then(work)
      .catch((error: unknown) => {
        this.#log.error(`internal error: ${messageOf(error)}`);
        return false;
      })
      .finally(() => {
        if (this.#running.get(subject) === own) this.#running.delete(subject);
      });
    this.#running.set(subject, own);
    return own;
  }
}
