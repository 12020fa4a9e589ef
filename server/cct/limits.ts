// Limits of a profile, so that every profile that is built can be stored, read again and added to others.

/** UTF-16 units of the longest name. The longest that a class file can hold has 65,535 bytes. */
export const LONGEST_TEXT = 2 ** 18 - 1;

/** Milliseconds between the epoch and the first and the last moment that a date can show (ECMAScript, time values). */
const LONGEST_TIME = 8.64e15;

/** Largest count or weight of samples added at once: sums of any number of them, and of their squares, stay finite. */
export const LARGEST_AMOUNT = 1e100;

/** Whether a number is a moment in milliseconds since the epoch. */
export function isMoment(millis: number): boolean {
  return Math.abs(millis) <= LONGEST_TIME;
}

/** A name as a table keeps it: whole, or with `…` for what is too much. */
export function shortened(text: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  const kept = text.slice(0, LONGEST_TEXT - 1);
  // A pair of surrogates is not torn: one alone would take another encoding.
  const torn = /[\ud800-\udbff]$/.test(kept) && /^[\udc00-\udfff]/.test(text.slice(kept.length, kept.length + 1));
  return `${torn ? kept.slice(0, -1) : kept}…`;
}

/** A number from 0 to `most`; 0 for what is no number. */
export function clamped(value: number, most: number): number {
  return value > 0 ? Math.min(value, most) : 0;
}
