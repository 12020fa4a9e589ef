// Resolves the options of a command that reads or writes a store, in a folder: its configuration, and the store itself.
import { dirname } from 'node:path';
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

/** The same for a file. */
export function configureFor(output: Output, options: StoreOptions, path: string): Configuration {
  return configure(output, options, folderFor(path));
}

/** The current folder, where the data of a file were imported, unless the file lies in another project. */
export function folderFor(path: string): string {
  const own = configurationFor(dirname(path));
  const isProject = own.file !== null || own.repository !== null;
  const isElsewhere = isProject && own.root !== configurationFor(process.cwd()).root;
  return isElsewhere ? dirname(path) : process.cwd();
}

/** The configured store, or the end of the command. */
export function openConfiguredStore(configuration: Configuration): Store {
  const { value, problems } = openStore(configuration.store);
  if (value === null) throw new CommandFailure(1, problems);
  return value;
}
