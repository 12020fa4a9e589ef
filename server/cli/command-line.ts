// One run of the command line with the commands that are there: how their failures become exit statuses.

import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import manifest from '../../package.json' with { type: 'json' };
import { messageOf } from '../base/message-of.ts';
import { printableLine } from '../base/printable.ts';
import { isDiskFull } from '../base/regular-file.ts';
import { type Output, processOutput } from '../base/terminal.ts';
import { CommandFailure, failed } from './failure.ts';
import { reportProblems } from './output.ts';

/** Loads the code of a command. */
export type LoadCommand = () => Promise<(output: Output) => CommandUnknownOpts>;

/** Commands by their names, each loaded when it is asked for. */
type Commands = ReadonlyMap<string, LoadCommand>;

/** `insitu` with the command that the arguments begin with, or with all of them where that is none: for the help, and for mistakes. */
export async function insituProgram(commands: Commands, args: readonly string[], output: Output): Promise<Command> {
  const program = new Command('insitu')
    .description('Shows what Java code does in production, where the code stands.')
    .version(manifest.version)
    .enablePositionalOptions()
    .showHelpAfterError('(insitu --help lists the commands)');
  const named = commands.get(args[0] ?? '');
  const builders = await Promise.all((named === undefined ? [...commands.values()] : [named]).map(load => load()));
  for (const build of builders) {
    const command = build(output);
    program.addCommand(command.showHelpAfterError(`(insitu ${command.name()} --help shows what it takes)`));
  }
  for (const command of [program, ...program.commands])
    command.exitOverride().configureOutput({
      writeOut: output.out,
      writeErr: output.err,
      // The message holds the given words; the one line break of Commander's own is before its guess.
      outputError: (text, write) => write(`${printableLine(text.trimEnd().replace(/\n(?=\(Did you mean )/, ' '))}\n`),
    });
  return program;
}

/**
 * Runs one command line.
 * @param args what follows the program's name.
 * @returns the exit status: 0, 1 (failed), 2 (usage) or 3 (the data do not tell what was asked).
 */
export async function runWith(commands: Commands, args: readonly string[], output: Output): Promise<number> {
  let status = 0;
  const failed = () => {
    status = 1;
  };
  try {
    const program = await insituProgram(commands, args, { ...output, failed });
    await program.parseAsync([...args], { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommandFailure) {
      reportProblems(output, error.problems);
      return error.status;
    }
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return reportBug(output, error);
  }
}

function reportBug(output: Output, error: unknown): 1 {
  const message = messageOf(error);
  const known = isDiskFull(error) ? failed(`the disk is full: ${message}`, { remedy: 'make room' }) : failed(message);
  reportProblems(output, known.problems);
  if (process.env.INSITU_DEBUG && error instanceof Error) output.err(`${error.stack}\n`);
  return 1;
}

/** Runs the command line of this process, which ends with its exit status, and clearly where an error is caught nowhere. */
export function runProcess(run: (args: readonly string[], output: Output) => Promise<number>): void {
  const output = processOutput();
  // Node.js itself would print the error's text as it is.
  process.on('uncaughtException', error => process.exit(reportBug(output, error)));
  void run(process.argv.slice(2), output).then(status => {
    process.exitCode = status;
  });
}
