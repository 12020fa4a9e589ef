// `insitu compare`: which methods and contexts got more or less between two versions or recordings, for people and for checks.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type Output, styled } from '../../base/terminal.ts';
import {
  type ChangedMethod,
  type ComparedTrees,
  comparedTrees,
  type ResponsibleContext,
} from '../../features/compared-trees.ts';
import type { Baseline } from '../../features/facts/compare.ts';
import { contextPaths } from '../../features/text/context-paths.ts';
import { groupDigits } from '../../features/text/format-share.ts';
import { listedText } from '../../features/text/listed-method.ts';
import { code } from '../../features/text/markdown.ts';
import type { Scaling } from '../../metrics/compared/scaling.ts';
import { misused, undecided } from '../failure.ts';
import { aboutData, describeData, loadBaseline, loadForCommand } from '../load-chosen.ts';
import { formatTable } from '../output.ts';
import { askedBy, type SelectionOptions, withSelectionOptions } from '../selection-options.ts';
import { configure, type StoreOptions, withStoreOptions } from '../store-options.ts';
import { wholeNumber } from '../whole-number.ts';

type Options = StoreOptions &
  SelectionOptions & {
    readonly format: 'text' | 'markdown' | 'json';
    readonly scale: 'share' | 'per-second' | 'absolute' | 'anchored';
    readonly limit: number;
    readonly path?: true;
    /** As a part of everything before. */
    readonly failOn?: number;
  };

const SCALING_OF: Readonly<Record<Options['scale'], Scaling>> = {
  share: 'share',
  'per-second': 'perSecond',
  absolute: 'absolute',
  anchored: 'anchored',
};

const SCALE_TEXT: Readonly<Record<Scaling, string>> = {
  share: 'shares of everything on each side',
  perSecond: 'amounts per second, 100 % is everything before',
  absolute: 'absolute amounts, 100 % is everything before',
  anchored: 'anchored on methods of both sides (median ratio 1), 100 % is everything before',
};

export function compareCommand(output: Output): Command {
  const command = new Command('compare')
    .description(
      'compare the trees of two versions or recordings: which methods and contexts are responsible for the difference',
    )
    .argument('<before>', 'a version in the store, or a recording or snapshot')
    .argument('<after>', 'what is compared with it: another one')
    .addOption(new Option('--format <form>', 'what is printed').choices(['text', 'markdown', 'json']).default('text'))
    .addOption(
      new Option('--scale <scaling>', 'how both sides are made comparable')
        .choices(Object.keys(SCALING_OF))
        .default('share'),
    )
    .option('--limit <number>', 'at most so many methods, and so many contexts', wholeNumber, 20)
    .option('--path', 'also the delta hot path: the way down on which the difference is largest')
    .option(
      '--fail-on <condition>',
      "a check: 'slower > 5%' (of everything before); ends with status 3, because nothing is tested yet",
      condition,
    )
    .addHelpText(
      'after',
      "\nExamples:\n  insitu compare v1 v2\n  insitu compare before.jfr after.jfr --fail-on 'slower > 5%' --format markdown\nExit status: 0; 1 where --fail-on holds or it failed; 2 called wrongly; 3 not tested.",
    );
  return withSelectionOptions(withStoreOptions(command)).action((before: string, after: string, options: Options) =>
    printComparison(output, before, after, options),
  );
}

async function printComparison(output: Output, before: string, after: string, options: Options): Promise<void> {
  if (options.version !== undefined || options.recording !== undefined)
    throw misused('the two sides are named twice', 'leave out --version and --recording');
  const file = fileNamed(after);
  const chosen = file === null ? { ...options, version: after } : { ...options, recording: file };
  const configuration = configure(output, chosen);
  const data = await loadForCommand(output, configuration, askedBy(chosen, configuration.settings));
  const earlier = fileNamed(before);
  const baseline = await loadBaseline(output, configuration, data, earlier === null ? before : { file: earlier });
  const found = comparedTrees(data, baseline, SCALING_OF[options.scale], options.limit);
  if (options.format === 'json') {
    const json = { ...aboutData(data), baseline: aboutData(baseline.data), ...found };
    output.out(`${JSON.stringify(json, null, 2)}\n`);
  } else if (found.differing === 0 && found.differingMethods === 0) {
    const line = `no method or context differs by 0.1 % of everything or more (${SCALE_TEXT[found.scaling]})\n`;
    // A pull request gets nothing then.
    if (options.format === 'markdown') output.err(line);
    else output.out(line);
  } else if (options.format === 'markdown') output.out(markdownOf(found, before, after, options.path === true));
  else printText(output, found, describeData(data), baseline, options.path === true);
  if (options.failOn !== undefined) decide(found, options.failOn);
}

/** What no version is called: a path, or a file of a known kind. */
const FILE_NAME = /^\.{0,2}\/|\.(jfr|insitu|cct|gz|zst|zstd|zip|collapsed|folded|pb|pprof|tdump|txt|jsons?)$/i;

/** The absolute path of an argument that is a file, there or not; null for a version. */
function fileNamed(text: string): string | null {
  const path = resolve(text);
  return FILE_NAME.test(text) || statSync(path, { throwIfNoEntry: false })?.isFile() === true ? path : null;
}

/** So many JVMs of each side a check needs. */
const GATE_JVMS = 5;
/** So many rows a check names. */
const MOST_NAMED = 5;

/** Ends a check: nothing is tested, so that it never holds and never fails to hold. */
function decide({ contexts, differing, jvms }: ComparedTrees, limit: number): never {
  const rows = contexts.filter(({ change }) => change > limit);
  const paths = contextPaths(contexts);
  const names = rows.slice(0, MOST_NAMED).map(row => `${paths[contexts.indexOf(row)]} ${points(row.change)}`);
  const more = rows.length > names.length ? `, and ${rows.length - names.length} more` : '';
  const named = names.length === 0 ? '' : `: ${names.join(', ')}${more}`;
  const missing = [GATE_JVMS - jvms.before, GATE_JVMS - jvms.now].map(each => Math.max(0, each));
  throw undecided(
    `not tested: ${rows.length} of ${groupDigits(differing)} rows that differ grew by more than ${percent(limit)}${named}`,
    missing.some(each => each > 0)
      ? `a test needs ${GATE_JVMS} JVMs of each side; ${missing[0]} are missing before, ${missing[1]} after`
      : 'no JVM is missing, but this version of insitu has no test over JVMs',
  );
}

function printText(
  output: Output,
  found: ComparedTrees,
  shown: string,
  baseline: Baseline,
  isPathShown: boolean,
): void {
  const { methods, contexts, path } = found;
  const print = (title: string, head: readonly string[], rows: readonly (readonly string[])[]) => {
    if (rows.length === 0) return;
    output.out(`\n${title}\n`, formatTable(head, rows, [0, 1, 2], output.columns));
  };
  output.out(styled('dim', shown), '\n', styled('dim', `against ${describeData(baseline.data)}`), '\n');
  output.out(styled('dim', `${SCALE_TEXT[found.scaling]}; ${NOT_TESTED}`), '\n');
  if (found.scaling !== 'share') output.out(`everything: ${points(found.whole - 1)}\n`);
  const methodRows = methods.map(method => [...methodNumbers(method), listedText(method)]);
  print(methodTitle(found), [...METHOD_HEAD, '', 'method'], methodRows);
  const paths = contextPaths(contexts);
  const contextRows = contexts.map((context, i) => [...contextNumbers(context), paths[i]!]);
  print(contextTitle(found), [...CONTEXT_HEAD, '', 'context ← what calls it'], contextRows);
  if (!isPathShown) return;
  const steps = path.map((context, depth) => [
    percent(context.before),
    percent(context.now),
    points(context.height),
    context.state,
    `${' '.repeat(Math.min(depth, 20))}${listedText(context)}`,
  ]);
  print('delta hot path: amounts at or below each context', ['before', 'now', 'H', '', 'context'], steps);
}

const METHOD_HEAD = ['change', 'self before', 'self now'];
const CONTEXT_HEAD = ['change', 'before', 'now'];
const NOT_TESTED = 'differences are not tested: JVMs of one version differ too';

function methodTitle({ methods, differingMethods }: ComparedTrees): string {
  return `methods: ${methods.length} of ${groupDigits(differingMethods)} whose self time differs`;
}

function contextTitle({ contexts, differing }: ComparedTrees): string {
  return `contexts: ${contexts.length} of ${groupDigits(differing)} that are responsible`;
}

function methodNumbers({ change, before, now, presence }: ChangedMethod): string[] {
  return [points(change), percent(before), percent(now), presence === 'both' ? '' : presence];
}

function contextNumbers({ change, before, now, state }: ResponsibleContext): string[] {
  return [points(change), percent(before), percent(now), state];
}

function markdownOf(found: ComparedTrees, before: string, after: string, isPathShown: boolean): string {
  const { methods, contexts, differingMethods, differing } = found;
  const paths = contextPaths(contexts);
  const whole = found.scaling === 'share' ? '' : ` Everything: ${points(found.whole - 1)}.`;
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const table = (title: string, head: readonly string[], rows: readonly (readonly string[])[]) =>
    rows.length === 0
      ? []
      : ['', `**${title}**`, '', line(head), '| ---: | ---: | ---: | --- | --- |', ...rows.map(line)];
  return `${[
    `### ${code(after)} against ${code(before)}`,
    '',
    `${groupDigits(differingMethods)} methods and ${groupDigits(differing)} contexts differ by 0.1 % of everything or more.${whole} Numbers are ${SCALE_TEXT[found.scaling]}; ${NOT_TESTED}.`,
    ...table(
      'Methods by self time',
      [...METHOD_HEAD, 'presence', 'method'],
      methods.map(method => [...methodNumbers(method), code(listedText(method))]),
    ),
    ...table(
      'Contexts',
      [...CONTEXT_HEAD, 'state', 'context ← what calls it'],
      contexts.map((context, i) => [...contextNumbers(context), code(paths[i]!)]),
    ),
    ...table(
      'Delta hot path',
      ['H', 'before', 'now', 'state', 'context'],
      isPathShown
        ? found.path.map(({ height, before, now, state, ...context }) => [
            points(height),
            percent(before),
            percent(now),
            state,
            code(listedText(context)),
          ])
        : [],
    ),
  ].join('\n')}\n`;
}

/** `+9.4`: points of a hundred. */
function points(part: number): string {
  const text = digits(Math.abs(part));
  return Number(text) === 0 ? '±0' : `${part < 0 ? '−' : '+'}${text}`;
}

function percent(part: number): string {
  return part === 0 ? '-' : `${digits(part)}%`;
}

function digits(part: number): string {
  const size = Math.abs(100 * part);
  return (100 * part).toFixed(size >= 10 ? 0 : size >= 1 ? 1 : 2);
}

/** `slower > 5%`: a part of 1; a usage error for anything else. */
function condition(text: string): number {
  const [, number] = /^\s*slower\s*>\s*(\d{1,4}(?:\.\d{1,9})?)\s*%\s*$/.exec(text) ?? [];
  if (number === undefined || Number(number) === 0)
    throw new InvalidArgumentError("Write a condition such as 'slower > 5%'.");
  return Number(number) / 100;
}
