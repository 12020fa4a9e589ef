// `insitu completion`: the script that completes insitu's command line in a shell.
import { Argument, Command } from 'commander';
import type { Output } from '../../base/terminal.ts';
import { completionScript, SHELLS, type Shell } from '../completion-scripts.ts';

/** @param whole the program with all of its commands */
export function completionCommand(output: Output, whole: () => Promise<Command>): Command {
  return new Command('completion')
    .description('print the script that completes this command line in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText(
      'after',
      `
Examples:
  insitu completion bash > ~/.local/share/bash-completion/completions/insitu
  insitu completion zsh > "\${fpath[1]}/_insitu"
  insitu completion fish > ~/.config/fish/completions/insitu.fish`,
    )
    .action(async (shell: Shell) => output.out(completionScript(await whole(), shell)));
}
