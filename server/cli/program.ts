// The command line: which commands there are.

import type { Command } from '@commander-js/extra-typings';
import type { Output } from '../base/terminal.ts';
import { insituProgram, type LoadCommand, runWith } from './command-line.ts';

/** Every command by its name: no command waits for what only others need. */
const COMMANDS = new Map<string, LoadCommand>([
  ['import', async () => (await import('./commands/import.ts')).importCommand],
  ['executions', async () => (await import('./commands/executions.ts')).executionsCommand],
  ['compact', async () => (await import('./commands/compact.ts')).compactCommand],
  ['overview', async () => (await import('./commands/overview.ts')).overviewCommand],
  ['top', async () => (await import('./commands/top.ts')).topCommand],
  ['callers', async () => (await import('./commands/calls.ts')).callersCommand],
  ['callees', async () => (await import('./commands/calls.ts')).calleesCommand],
  ['tree', async () => (await import('./commands/tree.ts')).treeCommand],
  ['compare', async () => (await import('./commands/compare.ts')).compareCommand],
  ['view', async () => (await import('./commands/view.ts')).viewCommand],
  ['annotate', async () => (await import('./commands/annotate.ts')).annotateCommand],
  ['why', async () => (await import('./commands/why.ts')).whyCommand],
  ['objects', async () => (await import('./commands/objects.ts')).objectsCommand],
  ['query', async () => (await import('./commands/query.ts')).queryCommand],
  ['aspects', async () => (await import('./commands/aspects.ts')).aspectsCommand],
  ['tasks', async () => (await import('./commands/tasks.ts')).tasksCommand],
  ['ask', async () => (await import('./commands/ask.ts')).askCommand],
  ['export', async () => (await import('./commands/export.ts')).exportCommand],
  ['outline', async () => (await import('./commands/outline.ts')).outlineCommand],
  ['frames', async () => (await import('./commands/frames.ts')).framesCommand],
  ['predict', async () => (await import('./commands/predict.ts')).predictCommand],
  ['predictions', async () => (await import('./commands/predictions.ts')).predictionsCommand],
  ['track', async () => (await import('./commands/track.ts')).trackCommand],
  ['record', async () => (await import('./commands/record.ts')).recordCommand],
  ['count', async () => (await import('./commands/count.ts')).countCommand],
  ['doctor', async () => (await import('./commands/doctor.ts')).doctorCommand],
  [
    'completion',
    async () => {
      const { completionCommand } = await import('./commands/completion.ts');
      return output => completionCommand(output, () => wholeProgram(output));
    },
  ],
  ['mcp', async () => (await import('./commands/mcp.ts')).mcpCommand],
  ['lsp', async () => (await import('./commands/lsp.ts')).lspCommand],
]);

/** `insitu` with every command, for what is written about them. */
export function wholeProgram(output: Output): Promise<Command> {
  return insituProgram(COMMANDS, [], output);
}

/**
 * Runs one command line.
 * @param args what follows the program's name.
 * @returns the exit status: 0, 1 (failed), 2 (usage) or 3 (the data do not tell what was asked).
 */
export function runCommandLine(args: readonly string[], output: Output): Promise<number> {
  return runWith(COMMANDS, args, output);
}
