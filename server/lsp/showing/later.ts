// Works out in the background what an answer could not wait for, one piece of work a subject at a time.
import { inSlices } from '../request.ts';

export class Later {
  readonly #running = new WeakSet<object>();

  /** Takes the steps and then calls `done`, unless something is being worked out for the subject already. */
  run(subject: object, steps: Iterable<void>, done: () => void): void {
    if (this.#running.has(subject)) return;
    this.#running.add(subject);
    void inSlices(steps)
      .finally(() => this.#running.delete(subject))
      .then(done);
  }
}
