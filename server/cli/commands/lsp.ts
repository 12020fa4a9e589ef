// `insitu lsp`: the language server that editors start, alone or in front of their Java server.

import type { Output } from '../../base/terminal.ts';
import { lspCommandThat } from '../lsp-command.ts';

export function lspCommand(_output: Output) {
  // Loaded here, so that the other commands start without it.
  return lspCommandThat(async options => (await import('../lsp-chunk.ts')).serveLanguage(options));
}
