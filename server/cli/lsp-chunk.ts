// The language server as a bundle of its own: editors start it at once, and wait for it without all that is only for the command line.
import manifest from '../../package.json' with { type: 'json' };
import { startLanguageServer } from '../lsp/main.ts';
import type { ServerOptions } from '../lsp/server-options.ts';

/** Serves this process's client; see `startLanguageServer`. */
export function serveLanguage(options: Pick<ServerOptions, 'overrides'> = {}): Promise<void> {
  return startLanguageServer({ version: manifest.version, ...options });
}
