// `insitu callers` and `insitu callees`: who calls a method, and whom it calls.

import { Command } from 'commander';
import type { InferOutput } from 'valibot';
import { type Output, styled } from '../../base/terminal.ts';
import { callees, callers } from '../../features/answers/calls.ts';
import { groupDigits } from '../../features/text/format-share.ts';
import { answered, printJson } from '../answered.ts';
import { describeData, loadForCommand } from '../load-chosen.ts';
import { askedTitle, METHOD_OR_PLACE } from '../named-method.ts';
import { formatTable, reportProblems } from '../output.ts';
import { askedBy, type SelectionOptions, withSelectionOptions } from '../selection-options.ts';
import { configure, type StoreOptions, withStoreOptions } from '../store-options.ts';
import { wholeNumber } from '../whole-number.ts';

type Direction = 'callers' | 'callees';

type Options = StoreOptions & SelectionOptions & { readonly limit: number; readonly json?: true };

const ANSWERS = { callers, callees };

type CallRow = InferOutput<typeof callers.result>['rows'][number];

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
    .argument('<method>', METHOD_OR_PLACE)
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
  const given = { method: text, limit: options.limit };
  const found = await answered({ output, options, data }, ANSWERS[direction], given);
  if (options.json === true) return printJson(output, found);
  output.out(styled('dim', describeData(data)), '\n');
  const title = askedTitle(data, text, found.subjectText);
  const tell = (message: string) => reportProblems(output, [{ severity: 'info', message, place: title }]);
  const { ofAll, self, rows } = found;
  if (ofAll.count === 0) return tell(`no sample of ${data.metric.id} is in it`);
  const numbers = `${ofAll.text} · self ${self.count === 0 ? '-' : self.text}`;
  output.out(styled('bold', title), `: ${numbers} · ${countText(ofAll)} samples\n`);
  if (rows.length === 0)
    return tell(direction === 'callers' ? 'nothing was seen calling it' : 'it was seen calling nothing');
  const head = ['of its time', data.metric.id, 'samples', 'lines', direction === 'callers' ? 'caller' : 'callee'];
  output.out(formatTable(head, rows.map(cellsOf), [0, 1, 2], output.columns));
}

function cellsOf({ ofItsTime, ofAll, lines, method }: CallRow): string[] {
  return [ofItsTime.text, ofAll.text, countText(ofAll), linesText(lines), method.key];
}

function countText({ count }: CallRow['ofAll']): string {
  return groupDigits(count ?? Number.NaN);
}

function linesText(lines: readonly number[]): string {
  const known = lines.filter(line => line > 0);
  const more = known.length > MOST_LINES ? ` +${known.length - MOST_LINES}` : '';
  return known.length === 0 ? '-' : `${known.slice(0, MOST_LINES).join(', ')}${more}`;
}
