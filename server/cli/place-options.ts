// The options that every command reading or writing a store takes, as settings.
import { type Command, InvalidArgumentError } from 'commander';
import type { PartialSettings } from '../base/config.ts';
import { present } from '../base/present.ts';

/** Values of the options below. */
export type StoreOptions = {
  readonly store?: string;
  readonly project?: string;
  readonly program?: string;
  /** `--version`; commander hands it over under this name. */
  readonly version?: string;
};

/** Adds `--store --project --program --version`, with the defaults that reading commands have. */
export function withStoreOptions(command: Command): Command {
  return withPlace(command)
    .option('--program <name>', 'program (default: insitu.json, the only one in the project)')
    .option(
      '--version <name>',
      'version of the program (default: insitu.json, the one of the code checked out, the newest)',
      versionOf,
    );
}

/** The same where all programs and versions of a project are meant as long as none is named. */
export function withFilterOptions(command: Command): Command {
  return withPlace(command)
    .option('--program <name>', 'only of this program')
    .option('--version <name>', 'only of this version', versionOf);
}

/** The same with the defaults that hold when something is put into the store. */
export function withTargetOptions(command: Command): Command {
  return withPlace(command)
    .option('--program <name>', 'program that was recorded (default: insitu.json)')
    .option(
      '--version <name>',
      'its version: a commit, a tag or any name (default: insitu.json, else "unknown")',
      versionOf,
    );
}

function versionOf(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Write the name of a version.');
  return text;
}

function withPlace(command: Command): Command {
  return command
    .option('--store <location>', 'folder of the snapshots (default: INSITU_STORE, insitu.json, the user data folder)')
    .option('--project <name>', "project in the store (default: insitu.json, the git root's name, the folder's name)");
}

/** The options as settings, those not given left out. */
export function settingsOf({ store, project, program, version }: StoreOptions): PartialSettings {
  return present({ store, project, program, version });
}
