// Work that an answer waits for, but not long: when it takes longer, the editor is told once it is done.

export class Later {
  readonly #running = new Map<string, Promise<unknown>>();

  /** Resolves when the work is done or time is up. `done` is called when it is done later than that; one work runs a subject at a time. */
  async within(millis: number, subject: string, work: () => Promise<unknown>, done: () => void): Promise<void> {
    const running = this.#running.get(subject);
    const own = running ?? work().finally(() => this.#running.delete(subject));
    this.#running.set(subject, own);
    const { promise: late, resolve } = Promise.withResolvers<'late'>();
    const timer = setTimeout(resolve, millis, 'late');
    const first = await Promise.race([own, late]);
    clearTimeout(timer);
    if (first === 'late' && running === undefined) void own.then(done);
  }
}
