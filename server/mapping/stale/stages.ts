// Long work as a list of stages, between which others can be answered.

/** Does one piece of work; true when it is to be called again, for the next one. */
export type Stage = () => boolean;

/** Takes so many items a call. */
export function inChunks<T>(items: Iterator<T>, count: number, take: (item: T) => void): Stage {
  return () => {
    for (let i = 0; i < count; i++) {
      const { done, value } = items.next();
      if (done === true) return false;
      take(value);
    }
    return true;
  };
}

/** Takes one item a call. */
export function oneByOne(...works: readonly (() => void)[]): Stage {
  return inChunks(works.values(), 1, work => work());
}
