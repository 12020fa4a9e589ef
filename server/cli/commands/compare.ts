// `insitu compare`: which methods and contexts got slower or faster between two versions or groups of recordings, for people and for checks.

import { existsSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { loadData } from '../../analysis/select-data.ts';
import { present } from '../../base/present.ts';
import { firstNames, printableName } from '../../base/printable.ts';
import { isDamage, type Problem } from '../../base/problem.ts';
import type { Output } from '../../base/terminal.ts';
import { LEAST_ANCHOR_SAMPLES, missingForTest, ONE_LOOK, type Scaling } from '../../capabilities/compare/door.ts';
import { listedMetrics } from '../../cct/listed-metrics.ts';
import { changedMethods } from '../../features/answers/changed-methods.ts';
import { type ComparedTrees, compare, incomparable, percent, points } from '../../features/compare/door.ts';
import { groupDigits } from '../../features/text/format-share.ts';
import { type ListedMethod, listedText } from '../../features/text/listed-method.ts';
import { sourceOf } from '../../workspace/data/source.ts';
import type { Configuration } from '../../workspace/settings/configuration.ts';
import { answered, chosenData } from '../answered.ts';
import { benchmarkOf, checkOneProgram, recordedVersion, type Side, sidesOf, sideText } from '../compared-sides.ts';
import { markdownOf, printCompared, SCALE_TEXT } from '../compared-text.ts';
import { CommandFailure, failed, misused, undecided } from '../failure.ts';
import { runForks } from '../fork-rounds.ts';
import { type Asked, describeData, loadForCommand, pairedBaseline } from '../load-chosen.ts';
import { collect, type OptionsOf, optionWithDefault, parseInterval, time, wholeNumber } from '../option-values.ts';
import { printDim, printJson, printTable } from '../output.ts';
import { placesInCheckout } from '../places-in-checkout.ts';
import { placedMethods } from '../report-place.ts';
import { sarifOf } from '../sarif.ts';
import { askedBy, withReadingOptions } from '../selection-options.ts';
import { configure } from '../store-options.ts';

type Options = OptionsOf<typeof compareCommand>;

const SCALES = ['auto', 'share', 'per-second', 'absolute', 'anchored'] as const;

export function compareCommand(output: Output) {
  const command = new Command('compare')
    .description(
      'compare two versions or groups of recordings: which methods and contexts got slower or faster, tested over their JVMs',
    )
    .argument('[before]', 'a version in the store with all its JVMs, or a recording or snapshot')
    .argument('[after]', 'what is compared with it: another one')
    .option('--before <files...>', 'recordings or snapshots, one a JVM or more, in place of the two arguments')
    .option('--after <files...>', 'the recordings or snapshots that are compared with them')
    .option('--before-version <name>', 'of files: what was recorded, a commit, tag, branch, worktree or any label')
    .option('--after-version <name>', 'the same of the other side')
    .option('--benchmark <name>', 'where both sides ran several benchmarks: the one that is compared')
    .option(
      '--run <command>',
      'a benchmark of fixed work: runs forks at the commits --before and --after until --fail-on is decided',
    )
    .option('--build <command>', 'of --run: makes a commit ready, once each')
    .addOption(optionWithDefault('--timeout <time>', 'of --run: of one build or fork', parseInterval, '10m'))
    .option(
      '--journal <folder>',
      'of --run: results (default: ~/.local/state/insitu/compare/<project>/<program>/<id of the commands>)',
    )
    .option('--changed <commits>', 'methods whose code the commits A..B changed, by their share in production')
    .addOption(
      new Option('--format <form>', 'what is printed').choices(['text', 'markdown', 'json', 'sarif']).default('text'),
    )
    .addOption(
      new Option(
        '--scale <scaling>',
        'how both sides are made comparable; auto: absolute for benchmarks, anchored where git knows enough unchanged code, else share',
      )
        .choices(SCALES)
        .default('auto'),
    )
    .option('--fixed-work', 'each JVM did the same work: amounts of one JVM are compared, as --scale absolute')
    .option('--work <number>', 'units of work that each JVM did: amounts are compared per unit', wholeNumber)
    .option('--before-work <number>', 'as --work, for the first side alone', wholeNumber)
    .option('--limit <number>', 'at most so many methods, and so many contexts, are listed', wholeNumber, 20)
    .option('--hot-path', 'also the delta hot path: the way down on which the difference is largest')
    .option('--fail-on <condition>', "a check: 'slower > 5%' (of everything before)", condition)
    .option('--before-instance <name>', 'as --instance, for the first side alone', collect)
    .option('--before-threads <pattern>', 'as --threads, for the first side alone', collect)
    .option('--before-from <time>', 'as --from, for the first side alone', time)
    .option('--before-to <time>', 'as --to, for the first side alone', time)
    .option('--before-focus <spec>', 'as --focus, for the first side alone', collect)
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  insitu compare v1 v2',
        "  insitu compare --before base-*.jfr --after head-*.jfr --fail-on 'slower > 5%' --format markdown",
        "  insitu compare --run 'java -jar target/bench.jar' --build 'mvn -q package' --before v1 --after HEAD --fail-on 'slower > 5%'",
        '  insitu compare --changed v1..HEAD',
        'Exit status: 0 nothing; 1 where --fail-on holds or the command failed; 2 called wrongly; 3 the test could not tell.',
      ].join('\n'),
    );
  return withReadingOptions(command).action(async (before, after, options) => {
    if (options.run !== undefined) await printRun(output, options.run, before, options);
    else if (options.changed === undefined) {
      if (options.version !== undefined || options.recording !== undefined)
        throw misused('the two sides are named twice', 'leave out --version and --recording');
      await printComparison(output, sidesOf(before, after, options), options);
    } else await printChanged(output, options.changed, options);
  });
}

/** The methods that commits changed, by their share in production, before anything new is measured. */
async function printChanged(output: Output, commits: string, options: Options): Promise<void> {
  if (!/^.+?\.\..+$/.test(commits))
    throw misused(`"${printableName(commits)}" names no two commits`, 'write --changed A..B, such as v1..HEAD');
  if (options.format !== 'text' && options.format !== 'json')
    throw misused(`--changed has no form ${options.format}`, 'use --format text or json');
  const { data, answered } = await chosenData(output, options);
  const found = await answered(changedMethods, { commits, limit: options.limit }).catch((error: unknown) => {
    // A commit that git does not know is a wrong call.
    throw error instanceof CommandFailure ? new CommandFailure(2, error.problems, error) : error;
  });
  if (options.format === 'json') return printJson(output, found);
  printDim(output, describeData(data));
  output.out(`${found.total} methods changed, of which ${found.ran} ran\n`);
  if (found.total === 0) return;
  printTable(output, found.rows, [
    { title: 'total', text: ({ total }) => percent(total.share) },
    { title: 'self', text: ({ self }) => percent(self.share) },
    { title: '', text: ({ change }) => change, isWord: true },
    { title: 'method', text: ({ name }) => name, isWord: true },
    { title: 'place', text: ({ path, line }) => `${path}:${line}`, isWord: true },
    {
      title: 'commit',
      text: ({ commit }) => (commit === null ? '' : `${commit.hash.slice(0, 7)} ${commit.subject}`),
      isWord: true,
    },
  ]);
}

/** Where a side comes from: its configuration, and what is asked of it. */
type Place = { readonly configuration: Configuration; readonly asked: Asked };

async function placeOf(output: Output, side: Side, options: Options): Promise<Place> {
  const { before: _before, after: _after, ...chosen } = options;
  const configuration = configure(output, 'version' in side ? { ...chosen, version: side.version } : chosen);
  const asked = askedBy(chosen, configuration.settings);
  if ('version' in side) return { configuration, asked };
  const recorded = await recordedVersion(output, configuration, side.recorded);
  return { configuration, asked: { ...asked, files: side.files, ...(recorded !== null && { recorded }) } };
}

/** Options of the first side replace the options of both sides. */
function firstOptions(options: Options): Options {
  const { beforeInstance, beforeThreads, beforeFrom, beforeTo, beforeFocus } = options;
  const own = {
    instance: beforeInstance,
    threads: beforeThreads,
    from: beforeFrom,
    to: beforeTo,
    focus: beforeFocus,
  };
  return { ...options, ...present(own) };
}

async function printComparison(output: Output, sides: readonly [Side, Side], options: Options): Promise<void> {
  if (options.build !== undefined || options.journal !== undefined)
    throw misused('--build and --journal go with --run', 'add --run, or leave them out');
  if (options.failOn === undefined && options.before === undefined) {
    const { found, printed } = await comparedSides(output, sides, options, loadData, false);
    return print(output, found, printed);
  }
  // A comparison of forks without one of them is another comparison.
  const { found, printed } = await ofWholeFiles(load => comparedSides(output, sides, options, load, false));
  await print(output, found, printed);
  if (options.failOn !== undefined) decide(found, options.failOn);
}

/** A damaged file decides nothing, whatever the other files say, and nothing is printed. */
async function ofWholeFiles<T>(compared: (load: typeof loadData) => Promise<T>): Promise<T> {
  const damage: Problem[] = [];
  const load: typeof loadData = async (...given) => {
    const outcome = await loadData(...given);
    damage.push(...outcome.problems.filter(isDamage));
    return outcome;
  };
  const found = await compared(load).catch((error: unknown) => {
    if (damage.some(isOfFile)) throw new CommandFailure(3, error instanceof CommandFailure ? error.problems : damage);
    throw error;
  });
  if (damage.length > 0) throw notWhole(damage);
  return found;
}

/** A file that is there and cannot be read, or not as a whole. */
function isOfFile({ file }: Problem): boolean {
  return file !== undefined && existsSync(file);
}

function notWhole(damage: readonly Problem[]): CommandFailure {
  const files = [...new Set(damage.flatMap(({ file }) => file ?? []))];
  const named = files.length === 0 ? 'some of the data' : firstNames(files.map(printableName), MOST_NAMED);
  return undecided(`not tested: not all could be read of ${named}`, 'record or copy it again');
}

/** Runs forks of two commits until the check is decided, or as many as were planned have run. */
async function printRun(output: Output, run: string, argument: string | undefined, options: Options): Promise<void> {
  const [[before, ...moreBefore], [after, ...moreAfter]] = [options.before ?? [], options.after ?? []];
  if (before === undefined || after === undefined || moreBefore.length + moreAfter.length > 0 || argument !== undefined)
    throw misused('--run runs at two commits', 'name one with --before and one with --after');
  const limit = options.failOn;
  if (limit === undefined) throw misused('--run runs until a check is decided', "add one: --fail-on 'slower > 5%'");
  const { version, instance, beforeInstance, changed, recording } = options;
  if ([version, instance, beforeInstance, changed, recording].some(each => each !== undefined))
    throw misused(
      '--run chooses what is compared',
      'leave out --version, --instance, --before-instance, --changed and --recording',
    );
  const { before: _before, after: _after, ...chosen } = options;
  const { version: _version, ...target } = chosen;
  const configuration = configure(output, target);
  const fixed = { ...target, fixedWork: true as const };
  // A wrong call is told before anything runs.
  scalingOf(fixed);
  askedBy(fixed, configuration.settings);
  const rounds = {
    ...{ run, build: options.build ?? null, limitMillis: options.timeout, journal: options.journal },
    revisions: [before, after] as const,
  };
  await runForks(output, configuration, rounds, async ({ versions, instances, isLast }) => {
    const own = { ...fixed, instance: [...instances[1]], beforeInstance: [...instances[0]] };
    const sides = [{ version: versions[0] }, { version: versions[1] }] as const;
    const quiet = isLast ? output : silent(output);
    const compared = await ofWholeFiles(load => comparedSides(quiet, sides, own, load, true));
    const end = compared.found.check?.end ?? 'undecided';
    const { before: jvms, now } = compared.found.jvms;
    if (jvms !== instances[0].length || now !== instances[1].length)
      throw undecided(
        `${instances[0].length} + ${instances[1].length} forks have samples of ${jvms} + ${now} JVMs`,
        'let each run start one JVM that records, and build in --build',
      );
    output.err(`${jvms} + ${now} JVMs: ${end === 'failed' ? 'slower' : end}\n`);
    if (end === 'undecided' && !isLast) return true;
    await print(output, compared.found, compared.printed);
    if (end === 'failed') throw slowerThan(limit, compared.found);
    if (end === 'undecided')
      throw undecided(
        `this machine cannot decide with ${jvms} + ${now} JVMs whether these got slower by more than ${percent(limit)}: ${openNames(compared.found.check?.methods ?? [])}`,
        'run longer forks, or allow a larger limit',
      );
    return false;
  });
}

/** @param planned whether a check is one of several looks. */
async function comparedSides(
  output: Output,
  sides: readonly [Side, Side],
  options: Options,
  load: typeof loadData,
  planned: boolean,
): Promise<{ readonly found: ComparedTrees; readonly printed: Printed }> {
  const now = await placeOf(output, sides[1], options);
  const shown = await sideLoaded(output, now, load);
  const program = shown.wish.files === undefined ? { program: shown.provenance.program } : {};
  const before = await placeOf(output, sides[0], { ...firstOptions(options), ...program });
  const then = await sideLoaded(output, before, load);
  checkOneProgram([then, shown]);
  const [data, earlier] = await ofOneBenchmark(output, options, [before, now], [then, shown], load);
  const refusal = incomparable(data, earlier);
  if (refusal !== null) throw misused(refusal.message, refusal.remedy);
  const baseline = await pairedBaseline(sourceOf(now.configuration, null), data, earlier);
  const wished = scalingOf(options);
  const work =
    options.work === undefined ? undefined : { before: options.beforeWork ?? options.work, now: options.work };
  const given = { scaling: wished, work, limit: options.limit, check: options.failOn, planned, places: false };
  const found = await answered({ output, options, data, baseline }, compare, given);
  if (wished !== 'auto' && found.scaling !== wished) throw notScaled(wished, found.scalingReason);
  return { found, printed: { data, earlier, sides, options, configuration: now.configuration } };
}

/** A version that the store does not have decides nothing; a file that is not there is a mistake. */
async function sideLoaded(output: Output, { configuration, asked }: Place, load: typeof loadData): Promise<LoadedData> {
  try {
    return await loadForCommand(output, configuration, asked, load);
  } catch (error) {
    if (!(error instanceof CommandFailure) || asked.files !== undefined) throw error;
    throw new CommandFailure(3, error.problems, error);
  }
}

function scalingOf({ scale, fixedWork, work, beforeWork }: Options): Scaling | 'auto' {
  if (beforeWork !== undefined && work === undefined) throw misused('--before-work goes with --work', 'add --work');
  const isFixed = fixedWork === true || work !== undefined;
  if (isFixed && scale !== 'auto' && scale !== 'absolute')
    throw misused(`--scale ${scale} is no scale of counted work`, 'leave out --scale');
  if (isFixed) return 'absolute';
  return scale === 'per-second' ? 'perSecond' : scale;
}

/** The metric of samples that stand for processor time. */
const PROCESSOR_TIME = 'cpu-time';

/** Both sides with the same metric, of one benchmark where they are of benchmarks. */
async function ofOneBenchmark(
  output: Output,
  options: Options,
  places: readonly [Place, Place],
  loaded: readonly [LoadedData, LoadedData],
  load: typeof loadData,
): Promise<readonly [shown: LoadedData, earlier: LoadedData]> {
  const instances = benchmarkOf(options.benchmark, loaded);
  if (instances === null) return ofOneMetric(output, options, places, loaded, load);
  if (places.some(({ asked }) => asked.files !== undefined))
    throw misused('the files are of several benchmarks', 'give those of one');
  const restricted = (at: 0 | 1): Place => ({
    ...places[at],
    asked: { ...places[at].asked, instances: [...instances[at]] },
  });
  const chosen = [restricted(0), restricted(1)] as const;
  const again = ({ configuration, asked }: Place) => loadForCommand(silent(output), configuration, asked, load);
  return ofOneMetric(output, options, chosen, [await again(chosen[0]), await again(chosen[1])], load);
}

/** The output for data that are loaded once more: their problems were printed. */
function silent(output: Output): Output {
  return { ...output, err: () => {} };
}

/** Data of both sides with the same metric: where none was asked for, one that both have. */
async function ofOneMetric(
  output: Output,
  options: Options,
  [before, now]: readonly [Place, Place],
  [earlier, shown]: readonly [LoadedData, LoadedData],
  load: typeof loadData,
): Promise<readonly [shown: LoadedData, earlier: LoadedData]> {
  const loadWith = ({ configuration, asked }: Place, metric: string) =>
    loadForCommand(silent(output), configuration, { ...asked, selection: { ...asked.selection, metric } }, load);
  const idsOf = ({ profile }: LoadedData) => listedMetrics(profile).map(({ id }) => id);
  const hasBoth = (id: string) => idsOf(shown).includes(id) && idsOf(earlier).includes(id);
  // A busy machine changes how many samples the same work has, but not its processor time.
  if (scalingOf(options) === 'absolute' && options.metric === undefined && hasBoth(PROCESSOR_TIME))
    return [await loadWith(now, PROCESSOR_TIME), await loadWith(before, PROCESSOR_TIME)];
  if (earlier.metric.id === shown.metric.id) return [shown, earlier];
  const common = idsOf(shown).find(id => idsOf(earlier).includes(id));
  if (common === undefined || options.metric !== undefined)
    throw undecided(
      'the two sides have no metric in common',
      `recorded: ${idsOf(earlier).join(', ')} before, ${idsOf(shown).join(', ')} now`,
    );
  output.err(`metric ${common}: ${shown.metric.id} was not recorded on both sides\n`);
  return [await loadWith(now, common), await loadWith(before, common)];
}

function notScaled(wished: Scaling, reason: string): Error {
  return wished === 'perSecond'
    ? failed('amounts per second are not known: a side has no times', { remedy: 'compare by --scale share' })
    : failed(`nothing anchors the scale: ${reason === '' ? 'no method has samples on both sides' : reason}`, {
        remedy: 'compare by --scale share',
      });
}

type Printed = {
  readonly data: LoadedData;
  readonly earlier: LoadedData;
  readonly sides: readonly [Side, Side];
  readonly options: Options;
  readonly configuration: Configuration;
};

async function print(output: Output, found: ComparedTrees, printed: Printed): Promise<void> {
  const { data, earlier, sides, options, configuration } = printed;
  const isPathShown = options.hotPath === true;
  const places = () => placesInCheckout(found.reports.flatMap(placedMethods), configuration);
  if (options.format === 'json') printJson(output, found);
  else if (options.format === 'sarif') printJson(output, sarifOf(found, await places()));
  else if (options.format === 'markdown') {
    // A pull request gets nothing then.
    if (found.reports.length === 0) output.err(`${found.sentence}\n`);
    else output.out(markdownOf(found, [sideText(sides[0]), sideText(sides[1])], await places(), isPathShown));
  } else if (found.differing === 0 && found.differingMethods === 0)
    output.out(`no method or context differs by 0.1 % of everything or more (${SCALE_TEXT[found.scaling]})\n`);
  else printCompared(output, found, [describeData(data), `against ${describeData(earlier)}`], isPathShown);
}

/** So many rows a check names. */
const MOST_NAMED = 5;

/** Ends a check that does not pass. */
function decide(found: ComparedTrees, limit: number): void {
  const { check, jvms } = found;
  const needed = missingForTest([jvms.before, jvms.now], ONE_LOOK.fail);
  if (check === null || needed.some(count => count > 0)) {
    const { grown } = found;
    const rows = grown.length === 0 ? '' : ` (grew by more than ${percent(limit)}: ${namesOf(grown)})`;
    throw undecided(
      `not tested${rows}`,
      `a check needs ${needed[0]} more JVMs before and ${needed[1]} more now: record again, a JVM that is started anew counts again`,
    );
  }
  const { end, methods } = check;
  if (end === 'failed') throw slowerThan(limit, found);
  const samples = check.anchorSamples;
  if (end === 'undecided' && samples !== null && samples < LEAST_ANCHOR_SAMPLES)
    throw undecided(
      `${groupDigits(Math.round(samples))} samples a JVM anchor the scale, and a check needs ${groupDigits(LEAST_ANCHOR_SAMPLES)}`,
      `record JVMs for ${(LEAST_ANCHOR_SAMPLES / Math.max(1, samples)).toFixed(1)} times as long, or a fixed amount of work with --scale absolute`,
    );
  if (end === 'undecided')
    throw undecided(
      `${jvms.before} + ${jvms.now} JVMs do not decide whether these got slower by more than ${percent(limit)}: ${openNames(methods)}`,
      'a check counts once: --run plans its looks; else record more JVMs a side, or longer ones, anew',
    );
}

/** Names the causes that grew by more than the limit; where none did, as of two in one method, the methods. */
function slowerThan(limit: number, { check, reports }: ComparedTrees): Error {
  const causes = reports.filter(({ verdict, change }) => verdict === 'slower' && change > limit);
  const named =
    causes.length > 0
      ? firstNames(
          causes.map(({ text, change }) => `${text} ${points(change)}`),
          MOST_NAMED,
        )
      : namesOf(check?.methods ?? []);
  return failed(`slower by more than ${percent(limit)} of everything before: ${named}`);
}

/** `acme.Shop.find() +2.1, at most +6.3`. */
function openNames(methods: NonNullable<ComparedTrees['check']>['methods']): string {
  const names = methods
    .slice(0, MOST_NAMED)
    .map(row => `${listedText(row)} ${points(row.change)}, at most ${points(row.atMost)}`);
  return `${names.join('; ')}${methods.length > names.length ? `; and ${methods.length - names.length} more` : ''}`;
}

function namesOf(methods: readonly (ListedMethod & { readonly change: number })[]): string {
  const names = methods.slice(0, MOST_NAMED).map(row => `${listedText(row)} ${points(row.change)}`);
  return `${names.join(', ')}${methods.length > names.length ? `, and ${methods.length - names.length} more` : ''}`;
}

/** `slower > 5%`: a part of 1; a usage error for anything else. */
function condition(text: string): number {
  const [, number] = /^\s*slower\s*>\s*(\d{1,4}(?:\.\d{1,9})?)\s*%\s*$/.exec(text) ?? [];
  if (number === undefined || Number(number) === 0)
    throw new InvalidArgumentError("Write a condition such as 'slower > 5%'.");
  return Number(number) / 100;
}
