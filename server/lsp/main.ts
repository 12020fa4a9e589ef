// Starts the language server on this process's standard input and output.
import { allowCollections, keepYoungSpaceSmall } from '../base/engine.ts';
import { printOnErrorsOnly } from '../base/terminal.ts';
import { Loader } from '../workspace/data/loader.ts';
import type { ServerOptions } from './server-options.ts';

/**
 * Serves one client until it says exit, closes the streams or dies; the process ends then, with status 0 after a proper
 * shutdown and 1 without. Resolves when it serves.
 */
export async function startLanguageServer(options: ServerOptions = {}): Promise<void> {
  // Anything printed among the messages would break the protocol.
  printOnErrorsOnly();
  allowCollections();
  keepYoungSpaceSmall();
  // The thread that reads snapshots starts while this one loads everything else.
  const loader = new Loader();
  loader.warmUp();
  const { serve } = await import('./serve.ts');
  serve(loader, options);
}
