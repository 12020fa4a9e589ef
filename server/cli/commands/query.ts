// `insitu query`: what a call path costs, how it is refined, and whether it costs too much.

import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import type { InferOutput } from 'valibot';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { ParametersOf } from '../../analysis/questions/question-table.ts';
import { printable, printableLine, printableName } from '../../base/printable.ts';
import type { Output } from '../../base/terminal.ts';
import { namesTimeType, OF_RECORDED } from '../../capabilities/typed/door.ts';
import { isWeighted, type Metric } from '../../cct/profile.ts';
import { threads } from '../../features/answers/parts.ts';
import { paths, QueryRefused } from '../../features/answers/paths.ts';
import { amountText } from '../../features/hover/amount-text.ts';
import { openWindowText } from '../../features/text/data-text.ts';
import {
  countsText,
  groupDigits,
  intervalInProse,
  samplesText,
  shareInProse,
  shareWithCounts,
} from '../../features/text/format-share.ts';
import { TYPED } from '../../model/time-types.ts';
import { type ChosenData, chosenData } from '../answered.ts';
import { CommandFailure, misused, undecided } from '../failure.ts';
import { describeData } from '../load-chosen.ts';
import { aspectOf, type OptionsOf, wholeNumber } from '../option-values.ts';
import { type Column, printDim, printJson, printTable } from '../output.ts';
import { withAnswerOptions } from '../selection-options.ts';
import { weightColumns } from '../weight-columns.ts';

type Wish = ParametersOf<'paths'>;

type Options = OptionsOf<typeof queryCommand>;

export function queryCommand(output: Output) {
  const command = new Command('query')
    .description('say what a call path costs, and refine it; without a path list the classes of threads')
    .argument('[path]', "calls in order: 'A B ..C', with .. for one or more calls; * is any thread")
    .option(
      '--view <view>',
      'server: running time, of the time of all processors (as insitu record and thread dumps tell it); thread:CLASS: the threads of a class alone',
      viewOf,
      null,
    )
    .option(
      '--refine <how>',
      "down: what the path calls; extended: everything below it; up or up@N: who calls its last, or its N-th, '..'",
      refinementOf,
    )
    .option('--aspect <definition>', "a named set of methods: 'queue = *Queue.* | a.B'; several times", aspectOf)
    .option('--min <samples>', 'refined paths with at least so many samples', wholeNumber, 10)
    .option('--limit <number>', 'at most so many refined paths', wholeNumber, 30)
    .option('--fail-if <condition>', "exit with status 1 where it holds: '> 5%' or '< 5%' of the view", condition);
  const examples = [
    "insitu query '* ..Logger.*' --refine up",
    "insitu query 'RequestHandler.handle ..Logger.*' --fail-if '> 5%'",
    "insitu query '..JsonWriter.*' --view 'thread:http-*' --refine down",
  ];
  return withAnswerOptions(command, ...examples)
    .addHelpText('after', EXIT_STATUS)
    .action(async (path, options) => {
      await printQuery(output, path, options);
    });
}

const EXIT_STATUS =
  'Exit status: 0; 1 where --fail-if holds or it failed; 2 called wrongly; 3 too few samples to tell.';

async function printQuery(output: Output, path: string | undefined, options: Options): Promise<void> {
  const isOfProcessors = options.view === 'server' && options.metric === undefined;
  const isTyped = isOfProcessors || (path !== undefined && namesTimeType(path));
  const chosen = await chosenData(output, isTyped ? { ...options, metric: TYPED.id } : options);
  const { data, answered } = chosen;
  if (path === undefined) {
    if (options.refine !== undefined || options.failIf !== undefined)
      throw misused('no path is given', "write one: insitu query '* ..Shop.search'");
    return printClasses(output, chosen, options);
  }
  const { refine } = options;
  const found = await answered(paths, {
    query: path,
    aspects: options.aspect === undefined ? null : [...options.aspect],
    view: options.view === null || options.view === 'server' ? options.view : [...options.view],
    refine: refine?.kind ?? null,
    at: refine?.kind === 'up' ? refine.at : null,
    least: options.min,
    limit: options.limit,
  }).catch((error: unknown) => {
    throw withUnderline(output, path, error);
  });
  if (options.json === true) printJson(output, found);
  else printText(output, data, path, options, found);
  decide(output, found.cost, options.failIf);
}

type Found = InferOutput<typeof paths.result>;
type Refined = Found['rows'][number];

/** A mistake in the query is underlined, and a wrong call of the command. */
function withUnderline(output: Output, path: string, error: unknown): unknown {
  if (!(error instanceof CommandFailure)) return error;
  const { cause, problems } = error;
  if (!(cause instanceof QueryRefused)) return new CommandFailure(2, problems);
  const { from, to, message, remedy } = cause.mistake;
  underline(output, path, from, to);
  return new CommandFailure(2, [{ severity: 'error', message, place: `column ${from + 1}`, remedy }]);
}

function underline(output: Output, path: string, from: number, to: number): void {
  if (path.length > (output.columns ?? Number.POSITIVE_INFINITY) - 2 || path !== printable(path)) return;
  output.err(`  ${path}\n  ${' '.repeat(from)}${'^'.repeat(Math.max(1, to - from))}\n`);
}

function printText(output: Output, data: LoadedData, path: string, options: Options, found: Found): void {
  const { cost, rows, leftOut, missing, splits } = found;
  printDim(output, describeData(data), `100 % is ${wholeText(options.view, found, data.metric)}`);
  const [low, high] = cost.interval ?? [];
  const certain =
    cost.count === 0 || low === undefined || high === undefined
      ? ''
      : ` (95 %: ${intervalInProse(low, high)}, sampling error only)`;
  const bound = found.lowerBound && cost.count !== 0 ? '≥ ' : '';
  const known = cost.count === 0 ? '' : knownText(found);
  output.out(`${bound}${costText(options.view, found, data.metric)}${known}${certain}  ${printableLine(path)}\n`);
  const open = openWindowText(data);
  if (open !== '') printDim(output, open);
  if (found.leftOutWindows > 0) printDim(output, leftOutText(found.leftOutWindows));
  if (missing !== null) {
    underline(output, path, missing.column - 1, missing.column - 1 + missing.length);
    output.err(`column ${missing.column}: ${printableLine(`${missing.message} (${missing.remedy})`)}\n`);
  }
  if (options.refine === undefined) {
    const steps = splits.map(({ at, element }) => `up@${at} (${printableName(element)})`);
    if (steps.length > 0) printDim(output, `--refine down, extended, ${steps.join(', ')}`);
    return;
  }
  const atLeast = ({ lowerBound }: Refined) => (lowerBound ? '≥ ' : '');
  const columns: readonly Column<Refined>[] = [
    { title: 'of all', text: row => `${atLeast(row)}${row.ofAll.text}` },
    { title: 'of path', text: row => row.ofPath.text },
    ...weightColumns(data.metric, ({ ofAll }: Refined) => ofAll),
    { title: 'samples', text: ({ ofAll }) => groupDigits(ofAll.count) },
    {
      title: 'x',
      text: ({ name, aspect, estimated }) => `${name}${aspect ? ' (aspect)' : ''}${estimated ? ' (estimated)' : ''}`,
    },
  ];
  if (rows.length > 0) printTable(output, rows, columns);
  if (leftOut > 0) printDim(output, `${groupDigits(leftOut)} more${showingOf(leftOut, rows.length, options)}`);
}

/** ` (estimated)`: how well the share is known, behind it. */
function knownText({ estimated, ofRecorded }: Found): string {
  const words = [...(estimated ? ['estimated'] : []), ...(ofRecorded ? [OF_RECORDED] : [])];
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}

/** The option that shows the rows that are left out: of the least samples, unless there are as many rows as are wanted. */
function showingOf(leftOut: number, shown: number, { limit, min }: Options): string {
  return shown < limit ? ` with fewer than ${samplesText(min)}: --min 1` : `: --limit ${leftOut + shown}`;
}

function leftOutText(windows: number): string {
  const some = windows === 1 ? '1 window is left out: its' : `${groupDigits(windows)} windows are left out: their`;
  return `${some} number of processors was not recorded`;
}

/** In the Server View the whole is more than its samples, since processors idle. Amounts stand before the samples that they are known by. */
function costText(view: Wish['view'], { cost, whole }: Found, metric: Metric): string {
  const { share, count, of } = cost;
  const part = { part: share, whole: 1, samples: count ?? Number.NaN };
  const percent = shareInProse(part);
  const amounts = isWeighted(metric) ? ` · ${amountText(cost.weight, metric)} of ${amountText(whole, metric)}` : '';
  if (view === 'server') return `${percent}${amounts} · ${samplesText(part.samples)}`;
  return isWeighted(metric)
    ? `${percent}${amounts} · ${countsText(count, of)}`
    : shareWithCounts(part, of ?? Number.NaN);
}

function wholeText(view: Wish['view'], { cost, whole, idle }: Found, metric: Metric): string {
  const samples = samplesText(cost.of ?? Number.NaN);
  const amount = isWeighted(metric) ? `${amountText(whole, metric)} ` : '';
  if (view === 'server')
    return `${amount}of all processors, ${idlePart(idle ?? 0)} of it idle · ${samples} with a processor`;
  const of = view === null ? 'all threads' : `threads ${view.map(printableName).join(' or ')}`;
  return amount === '' ? `${samples} of ${of}` : `${amount}of ${of} · ${samples}`;
}

/** Below a tenth of a percent nothing is worth naming. */
function idlePart(idle: number): string {
  return idle < 0.001 ? 'none' : shareInProse({ part: idle, whole: 1, samples: Number.POSITIVE_INFINITY });
}

async function printClasses(output: Output, { data, answered }: ChosenData, options: Options): Promise<void> {
  const found = await answered(threads, { limit: Number.POSITIVE_INFINITY });
  if (options.json === true) return printJson(output, found);
  printDim(output, describeData(data));
  printTable(output, found.rows, [
    { title: 'share', text: ({ share }) => share.text },
    { title: 'samples', text: ({ share }) => groupDigits(share.count) },
    { title: 'threads', text: ({ names }) => groupDigits(names) },
    { title: 'group', text: ({ group }) => group, isWord: true },
    { title: 'class', text: ({ name }) => name },
  ]);
}

/** Below so many samples of the view nothing is decided. */
const LEAST_SAMPLES = 50;

function decide(output: Output, cost: Found['cost'], limit: Options['failIf']): void {
  if (limit === undefined) return;
  const wholeSamples = cost.of ?? 0;
  if (wholeSamples < LEAST_SAMPLES)
    throw undecided(
      `too few samples to tell: ${groupDigits(wholeSamples)}`,
      `record at least ${groupDigits(LEAST_SAMPLES)}`,
    );
  const { share } = cost;
  if (limit.isAbove ? share > limit.share : share < limit.share) output.failed?.();
}

function viewOf(text: string): Wish['view'] {
  if (text === 'server') return text;
  const [, name] = /^thread:(.+)$/s.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('Write server or thread:CLASS.');
  return [name];
}

function refinementOf(text: string): NonNullable<Wish['refine']> {
  if (text === 'down' || text === 'extended') return { kind: text };
  const [, at] = /^up(?:@(\d{1,4}))?$/.exec(text) ?? [null];
  if (at === null) throw new InvalidArgumentError('Write down, extended, up or up@N.');
  return { kind: 'up', at: at === undefined ? null : Number(at) };
}

/** `> 5%`: a part of 1. */
function condition(text: string): { isAbove: boolean; share: number } {
  const [, sign, number] = /^\s*([<>])\s*(\d{1,3}(?:\.\d{1,9})?)\s*%\s*$/.exec(text) ?? [];
  if (number === undefined) throw new InvalidArgumentError("Write a condition such as '> 5%'.");
  return { isAbove: sign === '>', share: Number(number) / 100 };
}
