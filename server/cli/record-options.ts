// The common options of `insitu record` and `insitu doctor`: which JVMs, and under which execution.

import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Problem } from '../base/problem.ts';
import { stateFolder } from '../base/state-folder.ts';
import { type ExecutionSources, namedByEnvironment } from '../record/execution.ts';
import { TIERS } from '../record/flight-settings.ts';
import { ABSENT, absenceOf, type Jvm } from '../record/jvms.ts';
import { configurationFor } from '../workspace/settings/configuration.ts';
import { misused } from './failure.ts';
import { type AnyOptions, type OptionsOf, patternOf } from './option-values.ts';
import { withTargetOptions } from './place-options.ts';

/** Values of the options below. */
export type JvmOptions = OptionsOf<typeof withJvmOptions<[], AnyOptions>>;

/** Adds the options that name JVMs, and the options of a place in the store. */
export function withJvmChoice<A extends unknown[], O extends AnyOptions>(command: Command<A, O>) {
  return withTargetOptions(command)
    .option('--instance <name>', 'which process it is (default: host and process id)')
    .option('--pid <id>', 'a JVM by its process id; may be given several times', addNumber)
    .option('--main <pattern>', 'every JVM whose main class or jar matches, also one that starts later', patternOf);
}

/** The same with everything else that says which JVMs are meant, and what of them is recorded. */
export function withJvmOptions<A extends unknown[], O extends AnyOptions>(command: Command<A, O>) {
  return withJvmChoice(command)
    .option('--all', 'every JVM that this user may attach to, also one that starts later')
    .addOption(new Option('--settings <tier>', 'what is recorded').choices(TIERS).default('standard'))
    .option('--spool <folder>', 'what is not in the store yet (default: ~/.local/state/insitu/spool)');
}

/** Whether a JVM is meant; a usage error when the options name none. */
export function wantedJvms(
  { pid, main, all }: Pick<JvmOptions, 'pid' | 'main' | 'all'>,
  hasOther: boolean,
): (jvm: Jvm) => boolean {
  if (pid === undefined && main === undefined && all === undefined && !hasOther)
    throw misused('which JVM?', 'name it with --pid, --main or --all; insitu doctor lists them');
  return jvm => all === true || pid?.includes(jvm.pid) === true || (main?.test(`${jvm.main} ${jvm.name}`) ?? false);
}

/** The message of `insitu record` while nothing comes: `waiting for a JVM that --main Shop means, and recordings in night`. */
export function waitingText({ pid = [], main, all, repository = [], watch }: JvmOptions & Sources): string {
  const processes = pid.length === 1 ? [`process ${pid[0]}`] : pid.length > 1 ? [`processes ${pid.join(', ')}`] : [];
  const awaited = [
    ...(all === true ? ['any JVM of this user'] : processes),
    ...(main === undefined || all === true ? [] : [`a JVM that --main ${main.source} means`]),
    ...(repository.length > 0 ? [`chunk files in ${repository.join(', ')}`] : []),
    ...(watch === undefined ? [] : [`recordings in ${watch}`]),
  ];
  return `waiting for ${awaited.join(', and ')}`;
}

/** Tells at once what is waited for, and every minute in which nothing came. The timer keeps the process alive meanwhile. */
export function tellWaiting(text: string, waits: () => boolean, tell: (text: string) => void): NodeJS.Timeout {
  tell(text);
  return setInterval(() => {
    if (waits()) tell(text);
  }, 60_000);
}

/** Folders that data come from beside JVMs. */
type Sources = { readonly repository?: readonly string[]; readonly watch?: string };

/** The only processes that can be meant; undefined where any may be. Others need not be looked at again and again. */
export function wantedProcesses({ pid = [], main, all }: JvmOptions): readonly number[] | undefined {
  return all === undefined && main === undefined ? pid : undefined;
}

/**
 * The flaws of the given process ids: an error where that will not change, a warning for a process that is gone. Where they
 * alone are meant, the recorder tells that, after it has taken up what was left of them.
 */
export function absentJvms(options: JvmOptions): Problem[] {
  const areAlone = wantedProcesses(options) !== undefined;
  return (options.pid ?? []).flatMap((each): Problem[] => {
    const message = absenceOf(each);
    if (message === null || (message === ABSENT && areAlone)) return [];
    const file = `process ${each}`;
    return message === ABSENT
      ? [{ severity: 'warning', message, file, remedy: 'insitu doctor lists the JVMs that this user can record' }]
      : [{ severity: 'error', message, file, remedy: 'run insitu as that user or as root' }];
  });
}

/** The sources of the execution that a JVM is stored under. */
export function executionSources(options: Omit<JvmOptions, 'settings'>): ExecutionSources {
  const { settings, file, project: folder } = configurationFor(process.cwd());
  const text = (value: string | null) => value ?? undefined;
  const { project, program, version } = settings;
  const inFile = file === null ? {} : { project: text(project), program: text(program), version: text(version) };
  return {
    flags: { project: options.project, program: options.program, version: options.version, instance: options.instance },
    environment: namedByEnvironment(process.env),
    file: inFile,
    folder,
  };
}

/** Where what is not in the store yet lies. */
export function spoolFolder({ spool }: JvmOptions): string {
  return spool ?? join(stateFolder(), 'spool');
}

function addNumber(text: string, before: readonly number[] = []): readonly number[] {
  const number = Number(text);
  if (!Number.isInteger(number) || number <= 0) throw new InvalidArgumentError('Write a process id, such as 4711.');
  return [...before, number];
}
