// `insitu tree`: the calling context tree as text, from the roots of all stacks or from one method, downwards or upwards.

import { Command, Option } from '@commander-js/extra-typings';
import { present } from '../../base/present.ts';
import type { Output } from '../../base/terminal.ts';
import { callTree } from '../../features/answers/call-tree.ts';
import { groupDigits } from '../../features/text/format-share.ts';
import { chosenData } from '../answered.ts';
import { misused } from '../failure.ts';
import { iciclesOf } from '../icicle.ts';
import { describeData } from '../load-chosen.ts';
import { askedTitle, METHOD_OR_PLACE } from '../named-method.ts';
import { type OptionsOf, optionWithDefault, partOf, wholeNumber } from '../option-values.ts';
import { printDim, printJson, printTable, tell } from '../output.ts';
import { withAnswerOptions } from '../selection-options.ts';
import { weightColumns } from '../weight-columns.ts';

type TreeOptions = OptionsOf<typeof treeCommand>;

export function depthOption() {
  return new Option('--depth <number>', 'how many levels (default: all)').argParser(wholeNumber);
}

export function minOption() {
  return optionWithDefault('--min <share>', 'leave out calls below this share of the first row', partOf, '1%');
}

export function treeCommand(output: Output) {
  const command = new Command('tree')
    .description('draw the tree of calls: of everything, or from one method on')
    .argument('[method]', METHOD_OR_PLACE)
    .option('--callers', 'upwards: what leads to the method')
    .addOption(depthOption())
    .addOption(minOption())
    .option('--limit <number>', 'at most so many rows, the heaviest', wholeNumber, 60);
  const examples = ['insitu tree com.acme.Shop.search --min 5%', 'insitu tree Shop.search --callers'];
  return withAnswerOptions(command, ...examples).action(async (text, options) => {
    await printTree(output, text, options);
  });
}

/** Also of `insitu top --tree`. */
export async function printTree(output: Output, text: string | undefined, options: TreeOptions): Promise<void> {
  if (text === undefined && options.callers === true)
    throw misused('--callers needs a method to begin with', 'name it: insitu tree com.acme.Shop.search --callers');
  const { data, answered } = await chosenData(output, options);
  const found = await answered(callTree, {
    direction: options.callers === true ? 'callers' : 'callees',
    method: text,
    depth: options.depth,
    least: options.min,
    limit: options.limit,
  });
  if (options.json === true) return printJson(output, found);
  const { rows, cut } = found;
  const place = text === undefined ? undefined : await askedTitle(data, text, rows[0]?.method?.key ?? text);
  printDim(output, describeData(data));
  if (rows[0]!.total.count === 0) return tell(output, `no sample of ${data.metric.id} is in it`, present({ place }));
  const icicles = iciclesOf(rows, place ?? 'all').map((icicle, i) => ({ ...icicle, ...rows[i]! }));
  printTable(output, icicles, [
    { title: data.metric.id, text: ({ total }) => total.text },
    {
      title: options.callers === true ? 'begins here' : 'self',
      text: ({ self }) => (self.count === 0 ? '-' : self.text),
    },
    ...weightColumns(data.metric, (row: (typeof icicles)[number]) => row.total),
    { title: 'samples', text: ({ total }) => groupDigits(total.count) },
    { title: '', text: ({ bar }) => bar, isWord: true },
    { title: 'method', text: ({ label }) => label },
  ]);
  if (cut) printDim(output, 'lighter calls are left out: see --min, --limit and --depth');
}
