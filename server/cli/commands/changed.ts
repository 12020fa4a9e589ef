// `insitu compare --changed A..B`: the methods that commits changed, by their share in production, before anything new is measured.

import { printableName } from '../../base/printable.ts';
import type { Output } from '../../base/terminal.ts';
import { changedMethods } from '../../features/answers/changed-methods.ts';
import { chosenData, printJson, type ReadingOptions } from '../answered.ts';
import { percent } from '../compared-text.ts';
import { misused } from '../failure.ts';
import { describeData } from '../load-chosen.ts';
import { printDim, printTable } from '../output.ts';

type Options = ReadingOptions & { readonly format: string; readonly limit: number };

export async function printChanged(output: Output, commits: string, options: Options): Promise<void> {
  if (!/^.+?\.\..+$/.test(commits))
    throw misused(`"${printableName(commits)}" names no two commits`, 'write --changed A..B, such as v1..HEAD');
  if (options.format !== 'text' && options.format !== 'json')
    throw misused(`--changed has no form ${options.format}`, 'use --format text or json');
  const { data, answered } = await chosenData(output, options);
  const found = await answered(changedMethods, { commits, limit: options.limit });
  if (options.format === 'json') return printJson(output, found);
  printDim(output, describeData(data));
  output.out(`${found.total} methods changed, of which ${found.ran} ran\n`);
  if (found.total === 0) return;
  printTable(output, found.rows, [
    { title: 'total', text: ({ total }) => percent(total.share) },
    { title: 'self', text: ({ self }) => percent(self.share) },
    { title: '', text: ({ change }) => change, isWord: true },
    { title: 'method', text: ({ name }) => name, isWord: true },
    { title: 'place', text: ({ path, line }) => `${path}:${line}` },
  ]);
}
