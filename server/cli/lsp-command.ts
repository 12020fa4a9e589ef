// The options of `insitu lsp`, and its start in front of a Java server; the bundle that it is in gives how it serves alone.
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import manifest from '../../package.json' with { type: 'json' };
import type { PartialSettings } from '../base/config.ts';
import { commandWords } from '../proxy/command-words.ts';
import { unfitWord } from '../proxy/shell-line.ts';
import { type StoreOptions, settingsOf, withStoreOptions } from './place-options.ts';

type LspOptions = StoreOptions & { readonly wrap?: string };

/** Serves without a Java server. */
type Serve = (options: { readonly version: string; readonly overrides: PartialSettings }) => Promise<void>;

export function lspCommandThat(serve: Serve) {
  const command = new Command('lsp')
    .description('run the language server (started by editors)')
    .argument('[arguments...]', 'with --wrap, behind --: further arguments of the Java server, taken as they are')
    .option('--stdio', 'talk over standard input and output (the only way there is)', true)
    .option('--wrap <command>', 'start this Java server too, and be one server with it for the editor')
    .option('--clientProcessId <pid>', 'process to end with (some editors pass it)')
    .addHelpText(
      'after',
      `
Examples (Neovim):
  vim.lsp.start({ name = "insitu", cmd = { "insitu", "lsp", "--stdio" } })
  vim.lsp.start({ name = "java", cmd = { "insitu", "lsp", "--wrap", "jdtls", "--", "-data", vim.fn.expand("~/.cache/jdtls/shop") } })`,
    );
  return withStoreOptions(command).action(async (more: readonly string[], options: LspOptions) => {
    if (options.wrap !== undefined) await wrap(command, [...commandWords(options.wrap), ...more], options);
    else if (more.length > 0) command.error(`error: ${more[0]} is no option; only --wrap takes more arguments`);
    else await serve({ version: manifest.version, overrides: settingsOf(options) });
  });
}

async function wrap(command: CommandUnknownOpts, java: readonly string[], options: LspOptions): Promise<void> {
  if (!java[0]) command.error('error: --wrap needs the command that starts the Java server');
  const unfit = unfitWord(java);
  if (unfit !== null)
    command.error(`error: Windows' shell, which starts all but .exe files, cannot be given ${JSON.stringify(unfit)}`);
  const { wrapJavaServer } = await import('../proxy/main.ts');
  const script = process.argv[1]!;
  const place = Object.entries(settingsOf(options)).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const lsp = /insitu-lsp(?:\.cjs)?$/.test(script) ? [] : ['lsp'];
  const own = [process.execPath, ...process.execArgv, script, ...lsp, '--stdio', ...place];
  process.exit(await wrapJavaServer({ java, own, version: manifest.version }));
}
