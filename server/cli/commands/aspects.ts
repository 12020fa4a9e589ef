// `insitu aspects`: how the time divides among aspects, one bucket each, and what is left, over time too.

import { Command } from '@commander-js/extra-typings';
import type { InferOutput } from 'valibot';
import { printableLine, printableName, suggested } from '../../base/printable.ts';
import { type Output, styled } from '../../base/terminal.ts';
import { aspects } from '../../features/answers/aspects.ts';
import { groupDigits } from '../../features/text/format-share.ts';
import { chosenData, reportOfAnswer } from '../answered.ts';
import { describeData } from '../load-chosen.ts';
import { aspectOf, type OptionsOf, wholeNumber } from '../option-values.ts';
import { type Column, printDim, printJson, printTable } from '../output.ts';
import { withAnswerOptions } from '../selection-options.ts';
import { sparkline } from './overview.ts';

type Options = OptionsOf<typeof aspectsCommand>;
type Found = InferOutput<typeof aspects.result>;
type Bucket = Found['rest'] & { readonly name: string; readonly note: string | null; readonly also: string };

export function aspectsCommand(output: Output) {
  const command = new Command('aspects')
    .description('say how the time divides among aspects (named sets of methods): each sample belongs to the first one')
    .argument('[names...]', 'aspects that are wanted, in the order that decides (default: all, in their order)')
    .option(
      '--aspect <definition>',
      "a named set of methods before the saved ones: 'queue = *Queue.* | a.B'; several times",
      aspectOf,
    )
    .option('--spans <number>', 'spans of time of --json, at most', wholeNumber);
  const examples = [
    "insitu aspects --aspect 'logging = *Logger.*' --aspect 'json = com.acme.json.**'",
    'insitu aspects logging json --threads "http-*"',
  ];
  return withAnswerOptions(command, ...examples).action(async (names, options) => {
    await printAspects(output, names, options);
  });
}

async function printAspects(output: Output, names: readonly string[], options: Options): Promise<void> {
  const { data, answered } = await chosenData(output, options);
  const found = await answered(aspects, {
    aspects: options.aspect === undefined ? null : [...options.aspect],
    names: names.length === 0 ? null : [...names],
    spans: options.spans ?? null,
  });
  if (options.json === true) printJson(output, found);
  else printText(output, describeData(data), found);
  if (reportOfAnswer(output, found.problems)) output.failed?.();
}

const NO_ASPECT = 'no aspect';

function printText(output: Output, described: string, found: Found): void {
  printDim(output, described, found.counted.share < 1 ? `on the path ${found.counted.text}` : '');
  if (found.total === 0) {
    // With a problem and no example, aspects are known, and the problem names them.
    if (found.example.length > 0 || found.problems.length === 0) printExample(output, found);
    return;
  }
  const rows: readonly Bucket[] = [
    ...found.rows.map(row => ({
      ...row,
      also: row.alsoIn.map(({ name, share }) => `${name} ${share.text}`).join(', '),
    })),
    { ...found.rest, name: NO_ASPECT, note: null, also: '' },
  ];
  printTable(output, rows, columnsOf(found));
  if (found.several.weight > 0)
    printDim(output, `${found.several.text} of the samples belong to several aspects and count for the first of them`);
  for (const { name, unmatched, note } of found.rows) {
    if (note !== null) printDim(output, `${printableName(name)}: ${printableLine(note)}`);
    else if (unmatched.length > 0)
      printDim(output, `${printableName(name)}: nothing that ran fits ${unmatched.map(printableName).join(', ')}`);
  }
}

function columnsOf({ origin, spans, rows, rest }: Found): readonly Column<Bucket>[] {
  const isWeighted = origin.unit !== 'samples';
  const all: readonly Pick<Bucket, 'threads'>[] = [...rows, rest];
  return [
    { title: origin.metric, text: ({ share }) => share.text },
    ...(isWeighted ? [{ title: 'amount', text: ({ amount }: Bucket) => amount }] : []),
    { title: 'samples', text: ({ share }) => groupDigits(share.count) },
    ...(spans.length > 1
      ? [{ title: 'over time', text: (row: Bucket) => sparkline(sharesOf(row, spans)), isWord: true as const }]
      : []),
    ...(all.some(({ threads }) => threads !== null)
      ? [{ title: 'time of threads', text: (row: Bucket) => threadsText(row), isWord: true as const }]
      : []),
    ...(rows.some(({ alsoIn }) => alsoIn.length > 0)
      ? [{ title: 'also in', text: ({ also }: Bucket) => also, isWord: true as const }]
      : []),
    { title: 'aspect', text: ({ name }) => name, isWord: true },
  ];
}

/** The bucket's share of each span; null where nothing was recorded in the span, and everywhere for an empty bucket. */
function sharesOf({ overTime, share }: Bucket, spans: Found['spans']): readonly (number | null)[] {
  return spans.map(({ weight }, at) => (weight > 0 && share.weight > 0 ? overTime[at]! / weight : null));
}

/** The two types with most of the bucket's time. */
function threadsText({ threads }: Bucket): string {
  if (threads === null || threads.types.length === 0) return '-';
  const types = threads.types.slice(0, 2).map(({ text, words }) => `${text} ${words}`);
  return `${threads.amount}: ${types.join(', ')}`;
}

/** How an aspect is made, of the program's own packages. */
function printExample(output: Output, { example }: Found): void {
  output.out(
    'No aspects are defined: named sets of methods, of which each sample belongs to the first that it passes.\n',
  );
  const [first] = example;
  const shown = example.length > 0 ? example : [{ name: 'logging', value: '*Logger.*' }];
  const options = shown.map(({ name, value }) => `--aspect ${suggested(`${name} = ${value}`)}`);
  output.out(
    'Try some',
    first === undefined ? '' : ' of this program',
    ':\n  ',
    styled('bold', `insitu aspects ${options.join(' ')}`),
    '\n',
  );
  output.out('Save them in insitu.json:\n  ', styled('bold', JSON.stringify({ aspects: shown })), '\n');
}
