// `insitu lsp`: the language server that editors start.
import { Command } from 'commander';
import manifest from '../../../package.json' with { type: 'json' };
import type { Output } from '../output.ts';
import { type StoreOptions, settingsOf, withStoreOptions } from '../place-options.ts';

export function lspCommand(_output: Output): Command {
  const command = new Command('lsp')
    .description('run the language server (started by editors)')
    .option('--stdio', 'talk over standard input and output (the only way there is)', true)
    .option('--clientProcessId <pid>', 'process to end with (some editors pass it)')
    .addHelpText(
      'after',
      '\nExample (Neovim):\n  vim.lsp.start({ name = "insitu", cmd = { "insitu", "lsp", "--stdio" } })',
    );
  return withStoreOptions(command).action(async (options: StoreOptions) => {
    // Loaded here, so that the other commands start without it.
    const { startLanguageServer } = await import('../../lsp/main.ts');
    await startLanguageServer({ version: manifest.version, overrides: settingsOf(options) });
  });
}
