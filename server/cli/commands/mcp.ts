// `insitu mcp`: answers for coding agents, as tools of the Model Context Protocol over standard input and output.

import { resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import manifest from '../../../package.json' with { type: 'json' };
import type { Output } from '../../base/terminal.ts';
import { reportProblems } from '../output.ts';
import { type StoreOptions, withStoreOptions } from '../store-options.ts';

type Options = StoreOptions & { readonly root?: string };

export function mcpCommand(output: Output) {
  const command = new Command('mcp')
    .description('answer coding agents over the Model Context Protocol (started by them)')
    .option('--root <folder>', 'the project (default: the current folder)')
    .addHelpText(
      'after',
      '\nExample (configuration of an agent):\n  {"command": "insitu", "args": ["mcp", "--root", "."]}',
    );
  return withStoreOptions(command).action(async (options: Options) => {
    const [{ serveAgents }, { AnswersOnDisk }] = await Promise.all([
      import('../../agents/agents-chunk.ts'),
      import('../answers-on-disk.ts'),
    ]);
    const answers = new AnswersOnDisk({ ...options, root: resolve(options.root ?? '.'), isStrict: true });
    const onError = ({ message }: Error) => reportProblems(output, [{ severity: 'warning', message }]);
    try {
      await serveAgents({ version: manifest.version, context: reach => answers.context(undefined, reach), onError });
    } finally {
      answers.close();
    }
  });
}
