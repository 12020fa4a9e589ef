// Reads regular expressions on the command line.
import { InvalidArgumentError } from 'commander';

/** A regular expression; a usage error for anything else. */
export function patternOf(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}
