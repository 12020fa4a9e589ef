// The user's assumptions where nothing was measured, or instead of it: the cost of a call, and the number of runs of a loop.

/** Texts of the settings and of what was said since. */
export type Assumptions = {
  /** By method, `Shop.search` or `com.acme.Shop.search`: `5 ms`. */
  readonly costs: Readonly<Record<string, string>>;
  /** By method and header of the loop, `Shop.run for (String word : words)`: `12`. */
  readonly iterations: Readonly<Record<string, string>>;
};

export const NOTHING_ASSUMED: Assumptions = { costs: {}, iterations: {} };

const UNITS: Readonly<Record<string, number>> = { ns: 1, µs: 1e3, us: 1e3, ms: 1e6, s: 1e9, min: 60e9 };

/** Nanoseconds of three years. */
const MOST_NANOS = 1e17;

/** Nanoseconds of `5 ms`, `1.5s`, `200 µs`; null for a text that is no time, and for a time that no call takes. */
export function nanosOf(text: string): number | null {
  const [, number = '', unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*(ns|µs|us|ms|s|min)\s*$/.exec(text) ?? [];
  const nanos = number === '' ? Number.NaN : Number(number) * UNITS[unit]!;
  return nanos <= MOST_NANOS ? nanos : null;
}

/** The assumed cost of a call of a method, in nanoseconds; null where nothing is assumed. `method` is `com.acme.Shop.search`, or a name alone. */
export function assumedCost({ costs }: Assumptions, method: string): number | null {
  for (const [key, text] of Object.entries(costs))
    if (key === method || method.endsWith(`.${key}`) || (!method.includes('.') && key.endsWith(`.${method}`)))
      return nanosOf(text);
  return null;
}

/** How `predict.iterations` names a loop. */
export function loopKey(method: string, header: string): string {
  return `${method} ${header}`;
}

/** Iterations of a loop; null where none are assumed. */
export function assumedIterations({ iterations }: Assumptions, method: string, header: string): number | null {
  const key = loopKey(method, header);
  const text = Object.hasOwn(iterations, key) ? iterations[key] : undefined;
  const times = text === undefined ? Number.NaN : Number(text);
  return times >= 0 ? times : null;
}
