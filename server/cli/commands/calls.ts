// `insitu callers` and `insitu callees`: who calls a method, and whom it calls.

import { Command } from 'commander';
import { type Output, styled } from '../../base/terminal.ts';
import { type CallRow, callList } from '../../features/call-lists.ts';
import { groupDigits, shareInHint } from '../../features/text/format-share.ts';
import { listedText } from '../../features/text/listed-method.ts';
import { aboutData, describeData, loadForCommand } from '../load-chosen.ts';
import { METHOD_ARGUMENT, methodTitle, namedMethod } from '../named-method.ts';
import { formatTable, reportProblems } from '../output.ts';
import { askedBy, type SelectionOptions, withSelectionOptions } from '../selection-options.ts';
import { configure, type StoreOptions, withStoreOptions } from '../store-options.ts';
import { wholeNumber } from '../whole-number.ts';

type Direction = 'callers' | 'callees';

type Options = StoreOptions & SelectionOptions & { readonly limit: number; readonly json?: true };

const DESCRIPTIONS = {
  callers: 'list the methods that call a method',
  callees: 'list the methods that a method calls',
};

/** More lines than these are counted only. */
const MOST_LINES = 3;

export function callersCommand(output: Output): Command {
  return callsCommand(output, 'callers');
}

export function calleesCommand(output: Output): Command {
  return callsCommand(output, 'callees');
}

function callsCommand(output: Output, direction: Direction): Command {
  const command = new Command(direction)
    .description(DESCRIPTIONS[direction])
    .argument('<method>', METHOD_ARGUMENT)
    .option('--limit <number>', 'how many', wholeNumber, 20)
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n  insitu ${direction} com.acme.Shop.search --threads "http-*"`);
  return withSelectionOptions(withStoreOptions(command)).action((text: string, options: Options) =>
    printCalls(output, direction, text, options),
  );
}

async function printCalls(output: Output, direction: Direction, text: string, options: Options): Promise<void> {
  const configuration = configure(output, options);
  const data = await loadForCommand(output, configuration, askedBy(options, configuration.settings));
  const named = namedMethod(data, text);
  const { total, self, rows: all } = callList(data, named.rows, direction);
  const rows = all.slice(0, options.limit);
  if (options.json === true) {
    output.out(
      `${JSON.stringify({ ...aboutData(data), method: named.name, total, self, [direction]: rows }, null, 2)}\n`,
    );
    return;
  }
  output.out(styled('dim', describeData(data)), '\n');
  const title = methodTitle(data, named);
  const tell = (message: string) => reportProblems(output, [{ severity: 'info', message, place: title }]);
  if (total.samples === 0) return tell(`no sample of ${data.metric.id} is in it`);
  const numbers = `${shareInHint(total)} · self ${self.samples === 0 ? '-' : shareInHint(self)}`;
  output.out(styled('bold', title), `: ${numbers} · ${groupDigits(total.samples)} samples\n`);
  if (rows.length === 0)
    return tell(direction === 'callers' ? 'nothing was seen calling it' : 'it was seen calling nothing');
  const head = ['of its time', data.metric.id, 'samples', 'lines', direction === 'callers' ? 'caller' : 'callee'];
  output.out(formatTable(head, rows.map(cellsOf), [0, 1, 2], output.columns));
}

function cellsOf(row: CallRow): string[] {
  const { total, ofItsTime } = row;
  return [shareInHint(ofItsTime), shareInHint(total), groupDigits(total.samples), linesText(row), listedText(row)];
}

function linesText({ lines }: CallRow): string {
  const known = lines.filter(line => line > 0);
  const more = known.length > MOST_LINES ? ` +${known.length - MOST_LINES}` : '';
  return known.length === 0 ? '-' : `${known.slice(0, MOST_LINES).join(', ')}${more}`;
}
