// Reads numbers that count something on the command line.
import { InvalidArgumentError } from 'commander';

/** A whole number above 0; a usage error for anything else. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('Write a whole number above 0.');
  return value;
}
