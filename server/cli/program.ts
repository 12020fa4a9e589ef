// The command line: which commands there are, and how their failures become exit statuses.
import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { annotateCommand } from './commands/annotate.ts';
import { executionsCommand } from './commands/executions.ts';
import { exportCommand } from './commands/export.ts';
import { framesCommand } from './commands/frames.ts';
import { importCommand } from './commands/import.ts';
import { lspCommand } from './commands/lsp.ts';
import { outlineCommand } from './commands/outline.ts';
import { tasksCommand } from './commands/tasks.ts';
import { topCommand } from './commands/top.ts';
import { whyCommand } from './commands/why.ts';
import { CommandFailure } from './failure.ts';
import { type Output, reportProblems } from './output.ts';

/** All commands below one `insitu`. */
export function insituProgram(output: Output): Command {
  const program = new Command('insitu')
    .description('Shows what Java code does in production, where the code stands.')
    .version(manifest.version)
    .enablePositionalOptions()
    .showHelpAfterError('(insitu --help lists the commands)');
  for (const build of COMMANDS) program.addCommand(build(output));
  for (const command of [program, ...program.commands])
    command.exitOverride().configureOutput({ writeOut: output.out, writeErr: output.err });
  return program;
}

const COMMANDS = [
  importCommand,
  executionsCommand,
  topCommand,
  annotateCommand,
  whyCommand,
  tasksCommand,
  exportCommand,
  outlineCommand,
  framesCommand,
  lspCommand,
];

/**
 * Runs one command line.
 * @param args what follows the program's name.
 * @returns the exit status: 0, 1 (failed) or 2 (usage).
 */
export async function runCommandLine(args: readonly string[], output: Output): Promise<number> {
  try {
    await insituProgram(output).parseAsync([...args], { from: 'user' });
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
