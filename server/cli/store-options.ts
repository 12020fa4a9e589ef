// What the options of a command that reads or writes a store mean in a folder: its configuration, and the store itself.
import type { Output } from '../base/terminal.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { type Configuration, configurationFor } from '../workspace/settings/configuration.ts';
import { CommandFailure } from './failure.ts';
import { reportProblems } from './output.ts';
import { type StoreOptions, settingsOf } from './place-options.ts';

export {
  type StoreOptions,
  withFilterOptions,
  withStoreOptions,
  withTargetOptions,
} from './place-options.ts';

/** Configuration that holds in `folder` with the options on top; its problems are printed. */
export function configure(output: Output, options: StoreOptions, folder = process.cwd()): Configuration {
  const configuration = configurationFor(folder, settingsOf(options));
  reportProblems(output, configuration.problems);
  return configuration;
}

/** The configured store, or the end of the command. */
export function openConfiguredStore(configuration: Configuration): Store {
  const { value, problems } = openStore(configuration.store);
  if (value === null) throw new CommandFailure(1, problems);
  return value;
}
