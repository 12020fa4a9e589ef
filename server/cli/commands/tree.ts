// `insitu tree`: the calling context tree as text, from the roots of all stacks or from one method, downwards or upwards.

import { Command, InvalidArgumentError, Option } from 'commander';
import { type Output, styled } from '../../base/terminal.ts';
import { callTree } from '../../features/answers/call-tree.ts';
import { groupDigits } from '../../features/text/format-share.ts';
import { answered, printJson } from '../answered.ts';
import { misused } from '../failure.ts';
import { iciclesOf } from '../icicle.ts';
import { describeData, loadForCommand } from '../load-chosen.ts';
import { askedTitle, METHOD_OR_PLACE } from '../named-method.ts';
import { formatTable, reportProblems } from '../output.ts';
import { askedBy, type SelectionOptions, withSelectionOptions } from '../selection-options.ts';
import { configure, type StoreOptions, withStoreOptions } from '../store-options.ts';
import { wholeNumber } from '../whole-number.ts';
import { optionWithDefault } from '../written-default.ts';

type TreeOptions = StoreOptions &
  SelectionOptions & {
    readonly callers?: true;
    readonly depth?: number;
    readonly min: number;
    readonly limit: number;
    readonly json?: true;
  };

export function depthOption(): Option {
  return new Option('--depth <number>', 'how many levels (default: all)').argParser(wholeNumber);
}

export function minOption(): Option {
  return optionWithDefault('--min <share>', 'leave out calls below this share of the first row', share, '1%');
}

export function treeCommand(output: Output): Command {
  const command = new Command('tree')
    .description('draw the tree of calls: of everything, or from one method on')
    .argument('[method]', METHOD_OR_PLACE)
    .option('--callers', 'upwards: what leads to the method')
    .addOption(depthOption())
    .addOption(minOption())
    .option('--limit <number>', 'at most so many rows, the heaviest', wholeNumber, 60)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  insitu tree com.acme.Shop.search --min 5%\n  insitu tree Shop.search --callers',
    );
  return withSelectionOptions(withStoreOptions(command)).action((text: string | undefined, options: TreeOptions) =>
    printTree(output, text, options),
  );
}

/** Also of `insitu top --tree`. */
export async function printTree(output: Output, text: string | undefined, options: TreeOptions): Promise<void> {
  if (text === undefined && options.callers === true)
    throw misused('--callers needs a method to begin with', 'name it: insitu tree com.acme.Shop.search --callers');
  const configuration = configure(output, options);
  const data = await loadForCommand(output, configuration, askedBy(options, configuration.settings));
  const found = await answered({ output, options, data }, callTree, {
    direction: options.callers === true ? 'callers' : 'callees',
    ...(text !== undefined && { method: text }),
    ...(options.depth !== undefined && { depth: options.depth }),
    least: options.min,
    limit: options.limit,
  });
  if (options.json === true) return printJson(output, found);
  const { rows, cut } = found;
  const title = text === undefined ? null : askedTitle(data, text, rows[0]?.method?.key ?? text);
  output.out(styled('dim', describeData(data)), '\n');
  if (rows[0]!.total.count === 0) {
    const message = `no sample of ${data.metric.id} is in it`;
    reportProblems(output, [{ severity: 'info', message, ...(title !== null && { place: title }) }]);
    return;
  }
  const cells = iciclesOf(rows, title ?? 'all').map(({ bar, label }, i) => {
    const { total, self } = rows[i]!;
    return [total.text, self.count === 0 ? '-' : self.text, groupDigits(total.count ?? Number.NaN), bar, label];
  });
  const self = options.callers === true ? 'begins here' : 'self';
  output.out(formatTable([data.metric.id, self, 'samples', '', 'method'], cells, [0, 1, 2], output.columns));
  if (cut) output.out(styled('dim', 'lighter calls are left out: see --min, --limit and --depth'), '\n');
}

/** `5%`, `0.5%`: a part of 1; a usage error for anything else. */
function share(text: string): number {
  const [, number] = /^(\d{1,3}(?:\.\d{1,9})?)%?$/.exec(text) ?? [];
  if (number === undefined || Number(number) > 100) throw new InvalidArgumentError('Write a share such as 5% or 0.5%.');
  return Number(number) / 100;
}
