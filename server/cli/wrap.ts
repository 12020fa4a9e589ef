// The process between an editor and its Java server, as a bundle of its own: it loads nothing else, so that little memory has to be looked through while messages wait.
import { createRequire } from 'node:module';
import { runProcess, runWith } from './command-line.ts';
import { lspCommandThat } from './lsp-command.ts';

// A word of another option may look like ours: then all of `insitu` is loaded, and reads the command line again.
const lsp = lspCommandThat(async () => createRequire(import.meta.url)('./insitu.cjs'));

runProcess((args, output) => runWith(new Map([['lsp', async () => () => lsp]]), args, output));
