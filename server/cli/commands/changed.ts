// `insitu compare --changed A..B`: the methods that commits changed, by their share in production, before anything new is measured.
import { printableName } from '../../base/printable.ts';
import { type Output, styled } from '../../base/terminal.ts';
import { changedMethods } from '../../features/answers/changed-methods.ts';
import { answered, printJson } from '../answered.ts';
import { percent } from '../compared-text.ts';
import { misused } from '../failure.ts';
import { describeData, loadForCommand } from '../load-chosen.ts';
import { formatTable } from '../output.ts';
import { askedBy, type SelectionOptions } from '../selection-options.ts';
import { configure, type StoreOptions } from '../store-options.ts';

type Options = StoreOptions & SelectionOptions & { readonly format: string; readonly limit: number };

export async function printChanged(output: Output, commits: string, options: Options): Promise<void> {
  if (!/^.+?\.\..+$/.test(commits))
    throw misused(`"${printableName(commits)}" names no two commits`, 'write --changed A..B, such as v1..HEAD');
  if (options.format !== 'text' && options.format !== 'json')
    throw misused(`--changed has no form ${options.format}`, 'use --format text or json');
  const configuration = configure(output, options);
  const data = await loadForCommand(output, configuration, askedBy(options, configuration.settings));
  const found = await answered({ output, options, data }, changedMethods, { commits, limit: options.limit });
  if (options.format === 'json') return printJson(output, found);
  output.out(styled('dim', describeData(data)), '\n');
  output.out(`${found.total} methods changed, of which ${found.ran} ran\n`);
  if (found.total === 0) return;
  const table = found.rows.map(({ total, self, change, name, path, line }) => [
    percent(total.share),
    percent(self.share),
    change,
    printableName(name),
    `${printableName(path)}:${line}`,
  ]);
  output.out(formatTable(['total', 'self', '', 'method', 'place'], table, [0, 1], output.columns));
}
