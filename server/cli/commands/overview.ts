// `insitu overview`: what the program does, in a sentence and five short lists.

import { Command } from '@commander-js/extra-typings';
import type { InferOutput } from 'valibot';
import { present } from '../../base/present.ts';
import { printableLine, printableName } from '../../base/printable.ts';
import { type Output, styled } from '../../base/terminal.ts';
import { overview } from '../../features/overview/door.ts';
import { plural } from '../../features/text/format-share.ts';
import { chosenData } from '../answered.ts';
import { misused } from '../failure.ts';
import { describeData } from '../load-chosen.ts';
import type { OptionsOf } from '../option-values.ts';
import { type Column, printDim, printJson, printTable } from '../output.ts';
import { withAnswerOptions } from '../selection-options.ts';

type Options = OptionsOf<typeof overviewCommand>;
type Found = InferOutput<typeof overview.result>;
type Part = NonNullable<Found['allocation']>;

export function overviewCommand(output: Output) {
  const command = new Command('overview')
    .description(
      'say what the program does: its hottest code, its waits, its allocation, what changed, what is missing',
    )
    .argument('[recording]', 'a recording or snapshot that is read as it is, in place of the store')
    .option('--baseline <version>', 'version to compare with (default: the one recorded before)')
    .option('--no-changes', 'compare with no version, which takes seconds');
  const examples = ['insitu overview app.jfr', 'insitu overview --threads "http-*" --from 14:00'];
  return withAnswerOptions(command, ...examples).action(async (recording, options) => {
    if (recording !== undefined && options.recording !== undefined)
      throw misused('two recordings are named', 'name one of them');
    await printOverview(output, { ...options, ...present({ recording }) });
  });
}

const CHANGE: Column<Found['rows'][number]> = { title: 'change', text: ({ change }) => change?.text ?? '-' };

const OVER_TIME: Column<Found['rows'][number]> = {
  title: 'over time',
  text: ({ overTime }) => sparkline(overTime),
  isWord: true,
};

async function printOverview(output: Output, options: Options): Promise<void> {
  const { data, answered } = await chosenData(output, options);
  const found = await answered(overview, { baseline: options.baseline, changes: options.changes });
  if (options.json === true) return printJson(output, found);
  printDim(output, describeData(data), `own code: ${printableLine(found.origin.own)}`);
  output.out('\n', styled('bold', printableLine(found.sentence)), '\n\n');
  if (found.rows.length > 0)
    printTable(output, found.rows, [
      { title: `own ${data.metric.id}`, text: ({ own }) => own.text },
      { title: 'total', text: ({ total }) => total.text },
      ...(found.rows.some(({ change }) => change !== null) ? [CHANGE] : []),
      ...(found.spans.length > 1 ? [OVER_TIME] : []),
      { title: 'method', text: ({ method }) => method.key },
    ]);
  printWaiting(output, found);
  printWaits(output, found.waits);
  printPart(output, 'Allocation', found.allocation);
  printPart(output, 'Exceptions', found.exceptions);
  printCollections(output, found.collections);
  printChanges(output, found);
  if (found.missing.length === 0) return;
  printTitle(output, 'Missing');
  for (const { text, remedy, line } of found.missing)
    output.out(`${printableLine(text)}: `, styled('dim', line === null ? remedy : `${remedy}: ${line}`), '\n');
}

function printTitle(output: Output, title: string): void {
  output.out('\n', styled('bold', printableLine(title)), '\n');
}

function printWaiting(output: Output, { waiting }: Found): void {
  if (waiting === null) return;
  const threads = waiting.aside.threads.map(printableName).join(', ');
  printTitle(output, `Waiting, of ${waiting.amount} of threads that run own code`);
  printDim(
    output,
    `left out, as it is outside of own code: ${waiting.aside.amount}${threads === '' ? '' : `, most of it ${threads}`}`,
  );
  printTable(output, waiting.rows, [
    { title: 'of it', text: ({ atLeast, share }) => `${atLeast ? '≥ ' : ''}${share.text}` },
    { title: 'duration', text: row => row.amount },
    { title: 'what', text: ({ words }) => words, isWord: true },
    { title: 'threads', text: ({ threads: name }) => name, isWord: true },
    { title: 'held by', text: ({ holder }) => holder ?? '-', isWord: true },
    { title: 'method', text: ({ method }) => method.key },
  ]);
}

/** One row a metric, with the method that has most of it. */
function printWaits(output: Output, waits: readonly Part[]): void {
  if (waits.length === 0) return;
  printTitle(output, 'Waiting: single waits that were long enough to be recorded');
  printTable(output, waits, [
    { title: 'metric', text: ({ metric }) => metric, isWord: true },
    { title: 'duration', text: part => part.amount },
    { title: 'rate', text: ({ rate }) => rate },
    { title: 'most of it', text: ({ rows: [first] }) => first?.share.text ?? '-' },
    { title: 'method', text: ({ rows: [first] }) => first?.method.key ?? 'no own code' },
  ]);
}

/** The three heaviest methods. */
function printPart(output: Output, what: string, part: Part | null): void {
  if (part === null) return;
  const { amount, rate, rows } = part;
  printTitle(output, `${what}: ${amount}, ${rate}`);
  if (rows.length === 0) {
    printDim(output, 'none of it in own code');
    return;
  }
  printTable(output, rows.slice(0, 3), [
    { title: 'of it', text: ({ share }) => share.text },
    { title: 'amount', text: row => row.amount },
    { title: 'method', text: ({ method }) => method.key },
  ]);
}

function printCollections(output: Output, collections: Found['collections']): void {
  if (collections === null) return;
  const { text, amount, count, mean, kinds } = collections;
  printTitle(output, `Garbage collections: all threads stood still for ${text} of the time, ${amount}`);
  printDim(output, `${plural(count, 'collection')}, ${mean} each`);
  printTable(output, kinds, [
    { title: 'duration', text: kind => kind.amount },
    { title: 'collections', text: kind => `${kind.count}` },
    { title: 'what for', text: ({ kind }) => kind, isWord: true },
  ]);
}

function printChanges(output: Output, { changes }: Found): void {
  if (changes === null) return;
  printTitle(output, `Since ${changes.shown}`);
  const texts = changes.findings.length === 0 ? [changes.text] : changes.findings.map(({ text }) => text);
  for (const text of texts) output.out(`${printableLine(text)}\n`);
}

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/** The most characters; more spans are summed up. */
const WIDTH = 24;

/** Shares over time from zero to the greatest of them; a span without data is a blank. */
export function sparkline(shares: readonly (number | null)[]): string {
  const size = Math.max(1, Math.ceil(shares.length / WIDTH));
  const spans = Array.from({ length: Math.ceil(shares.length / size) }, (_, i) => {
    const known = shares.slice(i * size, (i + 1) * size).filter(share => share !== null);
    return known.length === 0 ? null : known.reduce((sum, share) => sum + share, 0) / known.length;
  });
  const most = spans.reduce<number>((greatest, share) => Math.max(greatest, share ?? 0), 0);
  return spans
    .map(share => (share === null ? ' ' : BARS[most === 0 ? 0 : Math.round((share / most) * (BARS.length - 1))]!))
    .join('');
}
