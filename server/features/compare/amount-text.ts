// Amounts of a comparison in words: parts of everything before, as points and percents.

/** `+9.4`: points of a hundred. */
export function points(part: number): string {
  const text = digits(Math.abs(part));
  return Number(text) === 0 ? '±0' : `${part < 0 ? '−' : '+'}${text}`;
}

export function percent(part: number): string {
  return part === 0 ? '-' : `${digits(part)}%`;
}

/** A part as a number of a hundred, with three digits at most. */
export function digits(part: number): string {
  const size = Math.abs(100 * part);
  return (100 * part).toFixed(size >= 10 ? 0 : size >= 1 ? 1 : 2);
}
