// One run of the command line with the commands that are there: how their failures become exit statuses.
import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { CommandFailure } from './failure.ts';
import { type Output, reportProblems } from './output.ts';

/** Commands by their names, each loaded when it is asked for. */
export type Commands = ReadonlyMap<string, () => Promise<(output: Output) => Command>>;

/** `insitu` with the command that the arguments begin with, or with all of them where that is none: for the help, and for mistakes. */
async function insituProgram(commands: Commands, args: readonly string[], output: Output): Promise<Command> {
  const program = new Command('insitu')
    .description('Shows what Java code does in production, where the code stands.')
    .version(manifest.version)
    .enablePositionalOptions()
    .showHelpAfterError('(insitu --help lists the commands)');
  const named = commands.get(args[0] ?? '');
  const builders = await Promise.all((named === undefined ? [...commands.values()] : [named]).map(load => load()));
  for (const build of builders) program.addCommand(build(output));
  for (const command of [program, ...program.commands])
    command.exitOverride().configureOutput({ writeOut: output.out, writeErr: output.err });
  return program;
}

/**
 * Runs one command line.
 * @param args what follows the program's name.
 * @returns the exit status: 0, 1 (failed) or 2 (usage).
 */
export async function runWith(commands: Commands, args: readonly string[], output: Output): Promise<number> {
  try {
    const program = await insituProgram(commands, args, output);
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommandFailure) {
      reportProblems(output, error.problems);
      return error.status;
    }
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const reason = error instanceof Error ? error.message : String(error);
    output.err(`error: ${reason}\n`);
    if (process.env.INSITU_DEBUG && error instanceof Error) output.err(`${error.stack}\n`);
    return 1;
  }
}
