// `insitu callers` and `insitu callees`: who calls a method, and whom it calls.

import { Command } from '@commander-js/extra-typings';
import { type Output, styled } from '../../base/terminal.ts';
import { callees, callers } from '../../features/answers/calls.ts';
import { amountOfWhole } from '../../features/hover/amount-text.ts';
import { groupDigits, samplesText } from '../../features/text/format-share.ts';
import { chosenData, type ReadingOptions } from '../answered.ts';
import { describeData } from '../load-chosen.ts';
import { askedTitle, METHOD_OR_PLACE } from '../named-method.ts';
import { wholeNumber } from '../option-values.ts';
import { printDim, printJson, printTable, tell } from '../output.ts';
import { withAnswerOptions } from '../selection-options.ts';
import { weightColumns } from '../weight-columns.ts';

type Direction = 'callers' | 'callees';

type Options = ReadingOptions & { readonly limit: number };

const ANSWERS = { callers, callees };

const DESCRIPTIONS = {
  callers: 'list the methods that call a method',
  callees: 'list the methods that a method calls',
};

/** More lines than these are counted only. */
const MOST_LINES = 3;

export function callersCommand(output: Output) {
  return callsCommand(output, 'callers');
}

export function calleesCommand(output: Output) {
  return callsCommand(output, 'callees');
}

function callsCommand(output: Output, direction: Direction) {
  const command = new Command(direction)
    .description(DESCRIPTIONS[direction])
    .argument('<method>', METHOD_OR_PLACE)
    .option('--limit <number>', 'how many', wholeNumber, 20);
  const example = `insitu ${direction} com.acme.Shop.search --threads "http-*"`;
  return withAnswerOptions(command, example).action((text: string, options: Options) =>
    printCalls(output, direction, text, options),
  );
}

async function printCalls(output: Output, direction: Direction, text: string, options: Options): Promise<void> {
  const { data, answered } = await chosenData(output, options);
  const found = await answered(ANSWERS[direction], { method: text, limit: options.limit });
  if (options.json === true) return printJson(output, found);
  printDim(output, describeData(data));
  const place = await askedTitle(data, text, found.subjectText);
  const { ofAll, self, rows } = found;
  if (ofAll.count === 0) return tell(output, `no sample of ${data.metric.id} is in it`, { place });
  const amounts = amountOfWhole(ofAll.weight, data.analysis.whole.weight, data.metric);
  const numbers = `${ofAll.text}${amounts === '' ? '' : ` · ${amounts}`} · self ${self.count === 0 ? '-' : self.text}`;
  output.out(styled('bold', place), `: ${numbers} · ${samplesText(ofAll.count)}\n`);
  if (rows.length === 0)
    return tell(output, direction === 'callers' ? 'nothing was seen calling it' : 'it was seen calling nothing', {
      place,
    });
  printTable(output, rows, [
    { title: 'of its time', text: ({ ofItsTime }) => ofItsTime.text },
    { title: data.metric.id, text: row => row.ofAll.text },
    ...weightColumns(data.metric, (row: (typeof rows)[number]) => row.ofAll),
    { title: 'samples', text: row => groupDigits(row.ofAll.count) },
    { title: 'lines', text: ({ lines }) => linesText(lines), isWord: true },
    { title: direction === 'callers' ? 'caller' : 'callee', text: ({ method }) => method.key },
  ]);
}

function linesText(lines: readonly number[]): string {
  const known = lines.filter(line => line > 0);
  const more = known.length > MOST_LINES ? ` +${known.length - MOST_LINES}` : '';
  return known.length === 0 ? '-' : `${known.slice(0, MOST_LINES).join(', ')}${more}`;
}
