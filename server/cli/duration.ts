// Reads spans of time on the command line: `500ms`, `90s`, `1.5m`, `12h`, `30d`, `8w`.
import { InvalidArgumentError } from 'commander';

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Milliseconds; a usage error for anything else. */
export function parseDuration(text: string): number {
  const parts = /^(\d{1,9}(?:\.\d{1,9})?)(ms|[smhdw])$/.exec(text);
  if (parts === null) throw new InvalidArgumentError('Write a number and one of ms, s, m, h, d, w, such as 90d.');
  return Math.round(Number(parts[1]) * UNITS[parts[2]!]!);
}

/** The same for what happens again and again: a second or more. */
export function parseInterval(text: string): number {
  const millis = parseDuration(text);
  if (millis < 1_000) throw new InvalidArgumentError('Write a second or more.');
  return millis;
}

/** The same in the largest unit that it is a whole number of. */
export function durationText(millis: number): string {
  const [unit, size] = Object.entries(UNITS).findLast(([, each]) => millis % each === 0 && millis >= each) ?? ['ms', 1];
  return `${millis / size}${unit}`;
}
