// `insitu query`: what a call path costs, how it is refined, and whether it costs too much.

import { Command, InvalidArgumentError } from 'commander';
import { answer } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { AnswerTo, ParametersOf } from '../../analysis/questions/question-table.ts';
import { printable, printableLine, printableName } from '../../base/printable.ts';
import { type Output, styled } from '../../base/terminal.ts';
import { hasSamplingError } from '../../cct/profile.ts';
import { type QueriedPath, queriedPath } from '../../features/queried-path.ts';
import {
  groupDigits,
  intervalInProse,
  samplesText,
  shareInHint,
  shareWithCounts,
} from '../../features/text/format-share.ts';
import { CommandFailure, misused, undecided } from '../failure.ts';
import { aboutData, describeData, loadForCommand } from '../load-chosen.ts';
import { formatTable } from '../output.ts';
import { askedBy, type SelectionOptions, withSelectionOptions } from '../selection-options.ts';
import { configure, type StoreOptions, withStoreOptions } from '../store-options.ts';
import { weightColumns } from '../weight-columns.ts';
import { wholeNumber } from '../whole-number.ts';

type Wish = ParametersOf<'paths'>;

type Options = StoreOptions &
  SelectionOptions & {
    readonly view: Wish['view'];
    readonly refine?: NonNullable<Wish['refine']>;
    readonly aspect?: Wish['aspects'];
    readonly min: number;
    readonly limit: number;
    readonly failIf?: { readonly isAbove: boolean; readonly share: number };
    readonly json?: true;
  };

export function queryCommand(output: Output): Command {
  const command = new Command('query')
    .description('say what a call path costs, and refine it; without a path list the classes of threads')
    .argument('[path]', "calls in order: 'A B ..C', with .. for one or more calls; * is any thread")
    .option('--view <view>', 'server: all threads; thread:CLASS: the threads of a class alone', viewOf, null)
    .option(
      '--refine <how>',
      "down: what the path calls; extended: everything below it; up or up@N: who calls its last, or its N-th, '..'",
      refinementOf,
    )
    .option('--aspect <definition>', "a named set of methods: 'queue = *Queue.* | a.B'; several times", aspectOf)
    .option('--min <samples>', 'refined paths with at least so many samples', wholeNumber, 10)
    .option('--limit <number>', 'at most so many refined paths', wholeNumber, 30)
    .option('--fail-if <condition>', "exit with status 1 where it holds: '> 5%' or '< 5%' of the view", condition)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      "\nExamples:\n  insitu query '* ..Logger.*' --refine up\n  insitu query 'RequestHandler.handle ..Logger.*' --fail-if '> 5%'\n  insitu query '..JsonWriter.*' --view 'thread:http-*' --refine down\nExit status: 0; 1 where --fail-if holds or it failed; 2 called wrongly; 3 too few samples to tell.",
    );
  return withSelectionOptions(withStoreOptions(command)).action((path: string | undefined, options: Options) =>
    printQuery(output, path, options),
  );
}

/** A query that names what threads do with their time is one of typed time. */
const TIME_TYPE = /(?:^|[\s.(|]):[A-Z]+\b/;

async function printQuery(output: Output, path: string | undefined, options: Options): Promise<void> {
  const configuration = configure(output, options);
  const { settings } = configuration;
  const metric = options.metric ?? (path !== undefined && TIME_TYPE.test(path) ? 'typed' : undefined);
  const asked = askedBy({ ...options, ...(metric !== undefined && { metric }) }, settings);
  const data = await loadForCommand(output, configuration, asked);
  if (path === undefined) {
    if (options.refine !== undefined || options.failIf !== undefined)
      throw misused('no path is given', "write one: insitu query '* ..Shop.search'");
    printClasses(output, data, options.json === true);
    return;
  }
  const found = answer(data, 'paths', {
    query: path,
    aspects: [...(options.aspect ?? []), ...settings.aspects],
    view: options.view,
    refine: options.refine ?? null,
    least: options.min,
    most: options.limit,
  });
  const queried = queriedOf(output, path, found);
  if (options.json === true) {
    const json = { ...aboutData(data), query: path, view: options.view?.join(',') ?? 'server', ...queried };
    output.out(`${JSON.stringify(json, null, 2)}\n`);
  } else printText(output, data, path, options, queried);
  decide(output, queried, options.failIf);
}

/** Ends the command where the query cannot be answered; its mistake is underlined. */
function queriedOf(output: Output, path: string, found: AnswerTo<'paths'>): QueriedPath {
  if (found.kind === 'failed') throw new CommandFailure(2, found.problems);
  if (found.kind === 'answer') return queriedPath(found.answer);
  const { from, to, message, remedy } = found.mistake;
  underline(output, path, from, to);
  throw new CommandFailure(2, [{ severity: 'error', message, place: `column ${from + 1}`, remedy }]);
}

function underline(output: Output, path: string, from: number, to: number): void {
  if (path.length > (output.columns ?? Number.POSITIVE_INFINITY) - 2 || path !== printable(path)) return;
  output.err(`  ${path}\n  ${' '.repeat(from)}${'^'.repeat(Math.max(1, to - from))}\n`);
}

function printText(output: Output, data: LoadedData, path: string, options: Options, queried: QueriedPath): void {
  const { cost, interval, rows, hidden, missing, splits, wholeSamples } = queried;
  output.out(styled('dim', describeData(data)), '\n');
  const view = options.view === null ? 'all threads' : `threads ${options.view.map(printableName).join(' or ')}`;
  output.out(styled('dim', `100 % is ${samplesText(wholeSamples)} of ${view}`), '\n');
  const certain =
    cost.samples === 0 || !hasSamplingError(data.metric)
      ? ''
      : ` (95 %: ${intervalInProse(interval.low, interval.high)}, sampling error only)`;
  output.out(`${shareWithCounts(cost, wholeSamples)}${certain}  ${printableLine(path)}\n`);
  if (missing !== null) {
    underline(output, path, missing.from, missing.to);
    output.err(`column ${missing.from + 1}: ${printableLine(`${missing.message} (${missing.remedy})`)}\n`);
  }
  if (rows === null) {
    if (splits.length > 0)
      output.out(
        styled(
          'dim',
          `--refine down, extended, ${splits.map(({ at, element }) => `up@${at} (${printableName(element)})`).join(', ')}`,
        ),
        '\n',
      );
    return;
  }
  const weighted = weightColumns(data.metric);
  const head = ['of all', 'of path', ...weighted.map(({ title }) => title), 'samples', 'x'];
  const cells = rows.map(({ name, isAspect, ofWhole, ofPath }) => [
    shareInHint(ofWhole),
    shareInHint(ofPath),
    ...weighted.map(({ text }) => text(ofWhole)),
    groupDigits(ofWhole.samples),
    isAspect ? `${name} (aspect)` : name,
  ]);
  const numbers = head.map((_, column) => column).slice(0, -1);
  if (rows.length > 0) output.out(formatTable(head, cells, numbers, output.columns));
  if (hidden > 0)
    output.out(styled('dim', `${groupDigits(hidden)} more: --min 1, --limit ${hidden + rows.length}`), '\n');
}

function printClasses(output: Output, data: LoadedData, isJson: boolean): void {
  const { whole, classes } = answer(data, 'threadClasses', null);
  if (isJson) {
    output.out(`${JSON.stringify({ ...aboutData(data), classes }, null, 2)}\n`);
    return;
  }
  output.out(styled('dim', describeData(data)), '\n');
  const rows = classes.map(({ name, group, instances, amount }) => [
    shareInHint({ part: amount.weight, whole: whole.weight, samples: amount.count }),
    groupDigits(amount.count),
    groupDigits(instances),
    group,
    name,
  ]);
  output.out(formatTable(['share', 'samples', 'threads', 'group', 'class'], rows, [0, 1, 2], output.columns));
}

/** Below so many samples of the view nothing is decided. */
const LEAST_SAMPLES = 50;

function decide(output: Output, { cost, wholeSamples }: QueriedPath, limit: Options['failIf']): void {
  if (limit === undefined) return;
  if (wholeSamples < LEAST_SAMPLES)
    throw undecided(
      `too few samples to tell: ${groupDigits(wholeSamples)}`,
      `record at least ${groupDigits(LEAST_SAMPLES)}`,
    );
  const share = cost.part / cost.whole;
  if (limit.isAbove ? share > limit.share : share < limit.share) output.failed?.();
}

function viewOf(text: string): Wish['view'] {
  if (text === 'server') return null;
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

function aspectOf(text: string, before: Wish['aspects'] | undefined): Wish['aspects'] {
  const [, name, value] = /^\s*([^\s=]+)\s*=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError("Write 'name = pattern | pattern'.");
  return [...(before ?? []), { name, value }];
}

/** `> 5%`: a part of 1. */
function condition(text: string): { isAbove: boolean; share: number } {
  const [, sign, number] = /^\s*([<>])\s*(\d{1,3}(?:\.\d{1,9})?)\s*%\s*$/.exec(text) ?? [];
  if (number === undefined) throw new InvalidArgumentError("Write a condition such as '> 5%'.");
  return { isAbove: sign === '>', share: Number(number) / 100 };
}
