// An option with a default that help tells as people write it: 10m, not 600000.
import { Option } from 'commander';

/** @param written the default, as the user would give it. */
export function optionWithDefault<Value>(
  flags: string,
  description: string,
  parse: (text: string) => Value,
  written: string,
): Option {
  return new Option(flags, description).argParser(parse).default(parse(written), written);
}
