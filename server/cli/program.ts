// The command line: which commands there are, and how their failures become exit statuses.
import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { CommandFailure } from './failure.ts';
import { type Output, reportProblems } from './output.ts';

/** Every command by its name, loaded when it is asked for: no command waits for what only others need. */
const COMMANDS: ReadonlyMap<string, () => Promise<(output: Output) => Command>> = new Map([
  ['import', async () => (await import('./commands/import.ts')).importCommand],
  ['executions', async () => (await import('./commands/executions.ts')).executionsCommand],
  ['compact', async () => (await import('./commands/compact.ts')).compactCommand],
  ['top', async () => (await import('./commands/top.ts')).topCommand],
  ['annotate', async () => (await import('./commands/annotate.ts')).annotateCommand],
  ['why', async () => (await import('./commands/why.ts')).whyCommand],
  ['tasks', async () => (await import('./commands/tasks.ts')).tasksCommand],
  ['export', async () => (await import('./commands/export.ts')).exportCommand],
  ['outline', async () => (await import('./commands/outline.ts')).outlineCommand],
  ['frames', async () => (await import('./commands/frames.ts')).framesCommand],
  ['record', async () => (await import('./commands/record.ts')).recordCommand],
  ['doctor', async () => (await import('./commands/doctor.ts')).doctorCommand],
  ['lsp', async () => (await import('./commands/lsp.ts')).lspCommand],
]);

/** `insitu` with the command that the arguments begin with, or with all of them where that is none: for the help, and for mistakes. */
async function insituProgram(args: readonly string[], output: Output): Promise<Command> {
  const program = new Command('insitu')
    .description('Shows what Java code does in production, where the code stands.')
    .version(manifest.version)
    .enablePositionalOptions()
    .showHelpAfterError('(insitu --help lists the commands)');
  const named = COMMANDS.get(args[0] ?? '');
  const builders = await Promise.all((named === undefined ? [...COMMANDS.values()] : [named]).map(load => load()));
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
export async function runCommandLine(args: readonly string[], output: Output): Promise<number> {
  try {
    const program = await insituProgram(args, output);
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
