// A small random generator with a seed, so that a fuzzing run can be repeated.

/** Gives integers from 0 to `below` − 1; the same seed gives the same run (xorshift32). */
export function seededRandom(seed: number): (below: number) => number {
  let state = (seed ^ 0x9e3779b9) | 1;
  return below => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}
