// Spans of time cut at all their ends: in each slice, how much of each bucket passes in a second, of all spans that cover it.

export type Span = { readonly from: number; readonly to: number };

export type Slice = Span & {
  /** Weight in a second, by bucket. */
  readonly rates: readonly number[];
};

/**
 * In the order of time; a gap has no slice. Windows of several JVMs may overlap: their rates add up, so that the area of a bucket is its
 * weight. A span without a length has a millisecond.
 * @param weights by bucket and span
 */
export function slicesOf(spans: readonly Span[], weights: readonly (readonly number[])[]): readonly Slice[] {
  const timed = spans.map(({ from, to }) => ({ from, to: Math.max(to, from + 1) }));
  const ends = [...new Set(timed.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  const slices: Slice[] = [];
  let first = 0;
  for (const [at, from] of ends.slice(0, -1).entries()) {
    const to = ends[at + 1] ?? from;
    // Spans come in the order of their begins: spans at the front that are over are never looked at again.
    while ((timed[first]?.to ?? Number.POSITIVE_INFINITY) <= from) first++;
    const covering: number[] = [];
    for (let span = first; (timed[span]?.from ?? Number.POSITIVE_INFINITY) < to; span++)
      if ((timed[span]?.to ?? 0) >= to) covering.push(span);
    if (covering.length === 0) continue;
    const rateOf = (own: readonly number[]): number =>
      covering.reduce((sum, span) => {
        const { from: begin = 0, to: end = 1 } = timed[span] ?? {};
        return sum + (1000 * (own[span] ?? 0)) / (end - begin);
      }, 0);
    slices.push({ from, to, rates: weights.map(rateOf) });
  }
  return slices;
}
