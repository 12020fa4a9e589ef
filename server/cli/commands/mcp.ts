// `insitu mcp`: answers for coding agents, as tools of the Model Context Protocol over standard input and output.

import { resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import manifest from '../../../package.json' with { type: 'json' };
import { SessionRecordings } from '../../answering/session-recordings.ts';
import type { Output } from '../../base/terminal.ts';
import type { OptionsOf } from '../option-values.ts';
import { reportProblems } from '../output.ts';
import { withStoreOptions } from '../store-options.ts';

type Options = OptionsOf<typeof mcpCommand>;

export function mcpCommand(output: Output) {
  const command = new Command('mcp')
    .description('answer coding agents over the Model Context Protocol (started by them)')
    .option('--root <folder>', 'the project (default: the current folder)')
    .option('--allow-import', 'agents may read recordings of the project and of temporary folders into the store')
    .option('--allow-record', 'agents may record running JVMs, and count calls in them, when the user has agreed')
    .addHelpText(
      'after',
      '\nExample (configuration of an agent):\n  {"command": "insitu", "args": ["mcp", "--root", "."]}',
    );
  return withStoreOptions(command).action(async options => {
    await serve(output, options);
  });
}

async function serve(output: Output, options: Options): Promise<void> {
  const [{ serveAgents }, { AnswersOnDisk }] = await Promise.all([
    import('../../agents/agents-chunk.ts'),
    import('../answers-on-disk.ts'),
  ]);
  const root = resolve(options.root ?? '.');
  const session = new SessionRecordings();
  const answers = new AnswersOnDisk({ ...options, root, session, isStrict: true });
  const onError = ({ message }: Error) => reportProblems(output, [{ severity: 'warning', message }]);
  const target = { root, session, configuration: () => answers.configuration() };
  // No data of production may stay behind.
  const endBy = (signal: NodeJS.Signals): void => {
    session.close();
    process.kill(process.pid, signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, endBy);
  try {
    await serveAgents({
      version: manifest.version,
      context: reach => answers.context(undefined, reach),
      target,
      allowed: { imports: options.allowImport === true, records: options.allowRecord === true },
      onError,
    });
  } finally {
    answers.close();
    session.close();
  }
}
