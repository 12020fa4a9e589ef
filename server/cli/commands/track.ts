// `insitu track`: runs benchmarks over many versions, and says when each became slower or faster.

import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { printableLine } from '../../base/printable.ts';
import type { Output } from '../../base/terminal.ts';
import { type CommitAbout, type CommitRange, commitsIn } from '../../mapping/git/commit-history.ts';
import type { GitRepository } from '../../mapping/git/git-repository.ts';
import { encodeSegment } from '../../store/key.ts';
import { type Benchmark, commandBenchmark, MEASURES } from '../../track/benchmark.ts';
import { historyOf } from '../../track/history.ts';
import type { Journal } from '../../track/journal.ts';
import { CONFIRMING_FORKS, commitsToDo, estimate, leftAt, type PlanFor, spread } from '../../track/plan.ts';
import { testBenchmark, testClassesIn } from '../../track/test-benchmarks.ts';
import { ALIKE_FAILURES, type TrackTask, track } from '../../track/track.ts';
import type { Configuration } from '../../workspace/settings/configuration.ts';
import {
  checkBenchmarks,
  counted,
  GO_ON,
  hoursText,
  openJournal,
  programOf,
  repositoryOf,
  say,
  whileTaken,
} from '../benchmark-journal.ts';
import { CommandFailure, failed, misused } from '../failure.ts';
import { collect, type OptionsOf, optionWithDefault, parseInterval, wholeNumber } from '../option-values.ts';
import { reportProblems } from '../output.ts';
import { configure, openConfiguredStore, withTargetOptions } from '../store-options.ts';
import { printReport, REPORT_FORMS } from '../track-report.ts';
import { untilTold } from '../until-told.ts';

type Options = OptionsOf<typeof trackCommand>;

const HELP = `
Commands run in a shell with the rights of this user, each in a folder of its own with the files of one commit.
They are taken from the command line alone. Ended at any moment, the same command goes on where it was.

Examples:
  insitu track --last 30 --build 'mvn -q package' --run 'java -cp target/classes com.acme.Bench' --program shop
  insitu track --versions v1.0..HEAD --steps 10 --tests com.acme.CartTest com.acme.SearchTest --program shop
  insitu track --last 30 --program shop --report`;

export function trackCommand(output: Output) {
  const command = new Command('track')
    .description('run benchmarks over many commits: when did each become slower or faster?')
    .option('--versions <range>', 'the commits from A to B, both included: A..B', rangeOf)
    .option('--last <number>', 'the last commits up to the one that is checked out', wholeNumber)
    .option('--tags <pattern>', 'the commits of tags such as v*, by date')
    .option(
      '--steps <number>',
      'at most so many commits that are still to be measured, evenly over the range',
      wholeNumber,
    )
    .option('--run <command>', 'a benchmark; each run is a fork; may be given several times', collect)
    .option('--name <name>', 'what the benchmark is called (default: run, run-2); once for each --run', collect)
    .option('--build <command>', 'makes a commit ready for benchmarks, once each')
    .addOption(
      new Option('--measure <time>', 'of --run: time that passes, or processor time of all its processes')
        .choices(MEASURES)
        .default('elapsed'),
    )
    .option('--tests [classes...]', 'test classes of a Maven project as benchmarks (default: all of the last commit)')
    .addOption(new Option('--seconds <number>', 'how long a fork runs a test class').argParser(wholeNumber).default(10))
    .option('--maven <command>', 'how Maven is called, such as "mvn -o"', 'mvn')
    .addOption(
      new Option('--forks <number>', 'forks of each benchmark that look at a commit').argParser(wholeNumber).default(2),
    )
    .option('--budget <time>', 'no run begins that would end later, such as 2h', parseInterval)
    .addOption(optionWithDefault('--timeout <time>', 'of one build or run', parseInterval, '10m'))
    .option('--retry', 'try again what failed before')
    .option('--dry-run', 'print what would be done, and end')
    .option('--journal <folder>', 'results (default: ~/.local/state/insitu/track/<project>/<program>)')
    .option('--report', 'print what began where: benchmarks of the journal, or the ones that --name names')
    .addOption(new Option('--format <form>', 'of the report').choices(REPORT_FORMS).default('text'))
    .addHelpText('after', HELP);
  return withTargetOptions(command).action(async options => {
    await trackVersions(output, options);
  });
}

async function trackVersions(output: Output, options: Options): Promise<void> {
  const range = rangeIn(options);
  if (options.report !== true && options.run === undefined && options.tests === undefined)
    throw misused('what is to be measured?', 'give a benchmark with --run, or tests with --tests');
  const configuration = configure(output, options);
  const program = programOf(configuration);
  const repository = await repositoryOf(configuration);
  try {
    const { value: about, problems } = await commitsIn(repository, range);
    if (about === null) throw new CommandFailure(1, problems);
    const journal = openJournal(options, configuration, program);
    reportProblems(output, journal.problems);
    if (options.report === true) {
      const history = historyOf(journal, about, reportedNames(options, journal));
      return await printReport(output, options.format, { history, journal, configuration, program });
    }
    if (options.retry === true) journal.retry();
    const commits = about.map(({ hash }) => hash);
    const benchmarks = await benchmarksIn(options, repository, commits.at(-1)!);
    checkBenchmarks(journal, benchmarks);
    const names = benchmarks.map(({ name }) => name);
    const plan: PlanFor = { journal, commits, benchmarks: names, forks: options.forks };
    const todo = commitsToDo(plan);
    const chosen = options.steps === undefined ? todo : spread(todo, options.steps);
    output.out(planText(plan, about, todo, chosen, options, journal.folder));
    if (options.dryRun === true) return;
    const others = new Set(todo.filter(at => !chosen.includes(at)));
    const places = [...commits.keys()].filter(at => !others.has(at));
    await run(output, configuration, {
      ...{ repository, journal, commits, places, benchmarks, program },
      env: process.env,
      build: benchmarks[0]!.about.build,
      maven: options.tests === undefined ? null : options.maven,
      forks: options.forks,
      budgetMillis: options.budget ?? Number.POSITIVE_INFINITY,
      limitMillis: options.timeout,
      project: configuration.project,
      metrics: configuration.settings.metrics,
      tell: event => say(output, event),
    });
  } finally {
    repository.close();
  }
}

async function run(
  output: Output,
  configuration: Configuration,
  task: Omit<TrackTask, 'signal' | 'store'>,
): Promise<void> {
  const { journal, benchmarks } = task;
  const end = await whileTaken(journal, benchmarks, () => {
    const store = openConfiguredStore(configuration);
    return untilTold(signal => track({ ...task, store, signal }));
  });
  if (end === 'cancelled') throw failed('it was ended before its time', { remedy: GO_ON });
  if (end === 'failing')
    throw failed(`${ALIKE_FAILURES} commits in a row failed with the same error, which is told above`, {
      remedy: `mend the command, then add --retry; ${GO_ON}`,
    });
  if (end === 'budget') output.err(`the time of --budget is used up: ${GO_ON}\n`);
}

function rangeOf(text: string): CommitRange {
  const [, from, to] = /^(.+?)\.\.([^.].*)?$/.exec(text) ?? [];
  if (from === undefined || from.startsWith('-'))
    throw new InvalidArgumentError('Write two commits such as v1.0..HEAD.');
  return { kind: 'between', from, to: to ?? 'HEAD' };
}

function rangeIn({ versions, last, tags }: Options): CommitRange {
  const given: readonly CommitRange[] = [
    ...(versions === undefined ? [] : [versions]),
    ...(last === undefined ? [] : [{ kind: 'last' as const, count: last }]),
    ...(tags === undefined ? [] : [{ kind: 'tags' as const, pattern: tags }]),
  ];
  if (given.length !== 1)
    throw misused('which commits?', 'name them with one of --versions A..B, --last N and --tags PATTERN');
  return given[0]!;
}

/** The commands of --run, or the test classes of the last commit. */
async function benchmarksIn(options: Options, repository: GitRepository, last: string): Promise<Benchmark[]> {
  const { run = [], name = [], tests, build, measure, maven, seconds } = options;
  if (tests !== undefined) {
    if (run.length > 0 || name.length > 0 || build !== undefined)
      throw misused('--tests says all of what is measured', 'leave out --run, --name and --build');
    const classes = tests === true ? testClassesIn(await pathsIn(repository, last)) : [...new Set(tests)];
    if (classes.length === 0) throw failed('the last commit has no test classes in src/test/java');
    return classes.map(each => testBenchmark(each, seconds, maven));
  }
  if (name.length > run.length)
    throw misused('there are more names than benchmarks', 'give --name once for each --run');
  const names = run.map((_, i) => name[i] ?? (i === 0 ? 'run' : `run-${i + 1}`));
  if (names.some(each => each.trim() === '' || encodeSegment(each) === null))
    throw misused('this is no name of a benchmark', 'give --name a short text');
  if (new Set(names).size < names.length)
    throw misused('two benchmarks have one name', 'give --name once for each --run');
  return run.map((command, i) => commandBenchmark(names[i]!, command, build ?? null, measure));
}

async function pathsIn(repository: GitRepository, commit: string): Promise<string[]> {
  const answer = await repository.run(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit]);
  if (!answer.ok) throw new CommandFailure(1, [answer.problem]);
  return answer.bytes.toString('utf8').split('\0');
}

function reportedNames({ name }: Options, journal: Journal): readonly string[] {
  const known = journal.benchmarks();
  if (known.length === 0)
    throw failed('nothing was measured', { file: journal.folder, remedy: 'measure first: insitu track … --run' });
  const missing = name?.find(each => !known.includes(each));
  if (missing !== undefined)
    throw failed(`there is no benchmark ${missing}`, { remedy: `measured: ${known.join(', ')}` });
  return name ?? known;
}

function planText(
  plan: PlanFor,
  about: readonly CommitAbout[],
  todo: readonly number[],
  chosen: readonly number[],
  { build, tests, forks, timeout, budget }: Options,
  journal: string,
): string {
  const { benchmarks } = plan;
  const [first, last] = [about.at(0), about.at(-1)];
  const ends = first === undefined || last === undefined ? '' : `: ${shortOf(first)} to ${shortOf(last)}`;
  const left = leftAt(plan, chosen);
  const builds = build === undefined && tests === undefined ? 0 : left.builds;
  const { millis, isKnown } = estimate(plan, { ...left, builds }, timeout);
  const time = `${isKnown ? 'about' : 'at most'} ${hoursText(millis)}${isKnown ? '' : ' (no run has told how long it takes)'}`;
  return [
    `${counted(about.length, 'commit')}${ends}`,
    `${todo.length} still to be measured, ${chosen.length} of them now`,
    `${counted(benchmarks.length, 'benchmark')}: ${benchmarks.join(', ')}`,
    `${counted(left.runs.length, 'run')} of ${counted(forks, 'fork')} a commit, ${time}; up to ${CONFIRMING_FORKS} forks beside each suspected step`,
    ...(budget === undefined ? [] : [`ends after ${hoursText(budget)}`]),
    `journal: ${journal}`,
    '',
  ].join('\n');
}

function shortOf({ hash, tag }: CommitAbout): string {
  return printableLine(tag ?? hash.slice(0, 12));
}
