// The options that every command reading or writing a store takes, as settings.
import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import type { PartialSettings } from '../base/config.ts';
import { present } from '../base/present.ts';
import type { AnyOptions, OptionsOf } from './option-values.ts';

/** Values of the options below. */
export type StoreOptions = OptionsOf<typeof withPlace<[], AnyOptions>>;

/** Adds `--store --project --program --version`, with the defaults that reading commands have. */
export function withStoreOptions<A extends unknown[], O extends AnyOptions>(command: Command<A, O>) {
  return withPlace(
    command,
    'program (default: insitu.json, the only one in the project)',
    'version of the program (default: insitu.json, the one of the code checked out, the newest)',
  );
}

/** The same where all programs and versions of a project are meant as long as none is named. */
export function withFilterOptions<A extends unknown[], O extends AnyOptions>(command: Command<A, O>) {
  return withPlace(command, 'only of this program', 'only of this version');
}

/** The same with the defaults that hold when something is put into the store. */
export function withTargetOptions<A extends unknown[], O extends AnyOptions>(command: Command<A, O>) {
  return withPlace(
    command,
    'program that was recorded (default: insitu.json)',
    'its version: a commit, a tag or any name (default: insitu.json, else "unknown")',
  );
}

function withPlace<A extends unknown[], O extends AnyOptions>(
  command: Command<A, O>,
  program: string,
  version: string,
) {
  return command
    .option('--store <location>', 'folder of the snapshots (default: INSITU_STORE, insitu.json, the user data folder)')
    .option('--project <name>', "project in the store (default: insitu.json, the git root's name, the folder's name)")
    .option('--program <name>', program)
    .option('--version <name>', version, versionOf);
}

function versionOf(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Write the name of a version.');
  return text;
}

/** The options as settings, those not given left out. */
export function settingsOf({ store, project, program, version }: StoreOptions): PartialSettings {
  return present({ store, project, program, version });
}
