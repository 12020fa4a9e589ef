// Reads regular expressions on the command line.

import { InvalidArgumentError } from 'commander';
import { messageOf } from '../base/message-of.ts';

/** A regular expression; a usage error for anything else. */
export function patternOf(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error));
  }
}
