// `insitu lsp`: the language server that editors start, alone or in front of their Java server.

import type { Command } from 'commander';
import type { Output } from '../../base/terminal.ts';
import { lspCommandThat } from '../lsp-command.ts';

export function lspCommand(_output: Output): Command {
  // Loaded here, so that the other commands start without it.
  return lspCommandThat(async options => (await import('../lsp-chunk.ts')).serveLanguage(options));
}
