// `insitu record`: follows running JVMs until told to stop, and puts what they do into the store.

import { once } from 'node:events';
import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Command, Option } from '@commander-js/extra-typings';
import { allowCollections, keepYoungSpaceSmall } from '../../base/engine.ts';
import { momentText } from '../../base/moment-text.ts';
import { printableLine } from '../../base/printable.ts';
import { type Output, outliveReaders } from '../../base/terminal.ts';
import { DropFolder } from '../../record/drop-folder.ts';
import { decideExecution } from '../../record/execution.ts';
import { countSettings, tierSettings } from '../../record/flight-settings.ts';
import { noJvm } from '../../record/jvms.ts';
import { MOST_CALLS } from '../../record/only-counts.ts';
import { Recorder, type RecorderEvent } from '../../record/recorder.ts';
import { THREAD_NAMES } from '../../record/redact.ts';
import { countedClasses } from '../counted-classes.ts';
import { CommandFailure, failed, misused } from '../failure.ts';
import { bytesOf, collect, type OptionsOf, optionWithDefault, parseInterval, patternOf } from '../option-values.ts';
import { printJsonLine, reportProblems } from '../output.ts';
import {
  absentJvms,
  executionSources,
  spoolFolder,
  tellWaiting,
  waitingText,
  wantedJvms,
  wantedProcesses,
  withJvmOptions,
} from '../record-options.ts';
import { configure, openConfiguredStore } from '../store-options.ts';
import { timedFilters } from '../timed-filters.ts';
import { untilTold } from '../until-told.ts';

type RecordOptions = OptionsOf<typeof recordCommand>;

const FIRST_MILLIS = 60_000;
const WATCH_MILLIS = 2000;
const LAST_MILLIS = 1000;

const HELP = `
Nothing is installed in the JVM. Ends with SIGTERM or Ctrl-C, after the last window is in the store.

Example:
  insitu record --main com.acme.Shop --program shop --version 1.4.2`;

export function recordCommand(output: Output) {
  const command = new Command('record').description('follow running JVMs and put what they do into the store');
  return withJvmOptions(command)
    .addOption(
      optionWithDefault('--interval <time>', 'length of a window; the first one has at most 90s', parseInterval, '10m'),
    )
    .option(
      '--threads-every <time>',
      'take thread dumps as well, at intervals that vary by half around this',
      parseInterval,
    )
    .option(
      '--owned-synchronizers',
      'with --threads-every: find the owners of locks of java.util.concurrent. The JVM walks its heap for each dump while all threads wait: some 180 ms for 30 million objects',
    )
    .option(
      '--redact <pattern>',
      'what this matches in names of classes, methods and threads becomes "redacted"',
      patternOf,
    )
    .addOption(
      new Option('--thread-names <which>', 'names of threads that are kept').choices(THREAD_NAMES).default('all'),
    )
    .option('--watch <folder>', 'import recordings that are put there')
    .option('--repository <folder>', 'follow the chunk files in a folder, without attaching to their JVM', collect)
    .addOption(optionWithDefault('--spool-size <size>', 'bytes of the spool', bytesOf, '256m'))
    .option(
      '--count <what...>',
      'count each call in place of samples (JDK 25): of classes (com.acme.Shop), of recorded classes that a pattern means (com.acme.**), or of the classes that differ between two versions (1.4..1.5)',
    )
    .option(
      '--time <what...>',
      'time calls beside samples (JDK 25), of all methods of a class (com.acme.Shop) or of one (com.acme.Shop::search): each call with its caller, for about 1 µs, up to 1,000 calls a second; of methods that are called more often sums alone, for about 75 ns a call; both together take 2 % of a processor at most',
    )
    .option('--print-settings', 'print the settings file that the JVM gets, and end')
    .option('--json', 'print what happens as JSON lines')
    .option('--until-eof', 'end also when standard input does: for programs that start a recorder')
    .addHelpText('after', HELP)
    .action(async options => {
      await record(output, options);
    });
}

async function record(output: Output, options: RecordOptions): Promise<void> {
  if (options.ownedSynchronizers === true && options.threadsEvery === undefined)
    throw misused('--owned-synchronizers is of thread dumps', 'take them: --threads-every 10s');
  const classes = options.count && (await countedClasses(output, configure(output, options), options.count));
  if (classes !== undefined && options.time !== undefined)
    throw misused('--count and --time exclude each other', '--time counts its calls too, beside samples');
  const timed = options.time && timedFilters(options.time, hasJvms(options));
  const settings = classes === undefined ? tierSettings(options.settings) : countSettings(classes);
  if (options.printSettings === true) {
    output.out(settings.text);
    return;
  }
  allowCollections();
  keepYoungSpaceSmall();
  if (options.watch !== undefined && statSync(options.watch, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw failed('there is no such folder', { file: options.watch, remedy: 'make it, or name another with --watch' });
  const wants = wantedJvms(options, options.watch !== undefined || options.repository !== undefined);
  const absent = absentJvms(options);
  if (absent.some(({ severity }) => severity === 'error')) throw new CommandFailure(1, absent);
  reportProblems(output, absent);
  const configuration = configure(output, options);
  const store = openConfiguredStore(configuration);
  const tell = (event: RecorderEvent) => say(output, options, event);
  const execution = executionSources(options);
  const { metrics } = configuration.settings;
  const redaction = {
    pattern: options.redact === undefined ? null : new RegExp(options.redact.source, 'g'),
    threads: options.threadNames,
  };
  const targets = { store, execution, metrics, redaction, tell };
  const recorder = new Recorder({
    ...targets,
    wants,
    processes: wantedProcesses(options),
    repositories: options.repository ?? [],
    settings,
    ...(timed !== undefined && { timed }),
    ...(classes !== undefined && { mostCalls: MOST_CALLS }),
    firstMillis: Math.min(FIRST_MILLIS, options.interval),
    intervalMillis: options.interval,
    threadsMillis: options.threadsEvery ?? 0,
    ...(options.ownedSynchronizers === true && { ownedSynchronizers: true }),
    spool: spoolFolder(options),
    spoolBytes: options.spoolSize,
    host: hostname(),
  });
  // The last window is stored though the process that started this one may be killed.
  if (options.untilEof === true) outliveReaders();
  // From the beginning: a signal must not end it half-way.
  await untilTold(async signal => {
    const told = once(signal, 'abort');
    const { value, problems } = await recorder.start();
    if (value === null) throw new CommandFailure(1, problems);
    // A file that is being imported when the process ends is imported by the next one.
    if (options.watch !== undefined) void watch(options.watch, signal, targets);
    // Programs are told of events alone.
    const tellPeople = options.json === true ? () => undefined : (text: string) => sayLine(output, text);
    const alive = tellWaiting(waitingText(options), () => recorder.size === 0, tellPeople);
    if (classes !== undefined) tellPeople(`counting the calls of ${classes.length} classes: ${classes.join(', ')}`);
    await Promise.race([told, ...(options.watch === undefined ? [recorder.over] : [])]);
    clearInterval(alive);
    const left = await recorder.stop();
    // A store or a JVM that never answers may not hold up the end.
    setTimeout(() => process.exit(), LAST_MILLIS).unref();
    if (left.length > 0 || recorder.isInVain) throw new CommandFailure(1, left);
  }, options.untilEof === true);
}

function hasJvms({ pid, main, all }: RecordOptions): boolean {
  return pid !== undefined || main !== undefined || all !== undefined;
}

type WatchTargets = Pick<
  ConstructorParameters<typeof Recorder>[0],
  'store' | 'execution' | 'metrics' | 'redaction' | 'tell'
>;

async function watch(
  folder: string,
  signal: AbortSignal,
  { store, execution, metrics, redaction, tell }: WatchTargets,
): Promise<void> {
  const drop = new DropFolder({
    folder,
    store,
    metrics,
    redaction,
    executionOf: file => {
      const name = basename(file).replace(/\.[^.]*$/, '');
      return { ...decideExecution(noJvm(name), execution).execution, instance: execution.flags.instance ?? name };
    },
    isInstanceNamed: execution.flags.instance !== undefined,
    report: problems => {
      for (const problem of problems) tell({ kind: 'problem', problem });
    },
    stored: (_file, key, bytes) => tell({ kind: 'stored', key, bytes }),
  });
  while (!signal.aborted) {
    await drop.look();
    await pause(WATCH_MILLIS, null, { signal }).catch(() => undefined);
  }
}

function say(output: Output, { json }: RecordOptions, event: RecorderEvent): void {
  if (json === true) {
    printJsonLine(output, { at: Date.now(), ...event });
    return;
  }
  if (event.kind === 'problem') {
    reportProblems(output, [event.problem]);
    return;
  }
  sayLine(output, described(event));
}

function sayLine(output: Output, text: string): void {
  output.err(`${momentText(Date.now())}: ${printableLine(text)}\n`);
}

function described(event: Exclude<RecorderEvent, { kind: 'problem' }>): string {
  if (event.kind === 'stored') return `stored ${event.key}, ${Math.ceil(event.bytes / 1024)} KiB`;
  const who = event.pid === null ? event.name : `JVM ${event.pid} (${event.name})`;
  if (event.kind === 'left') return `left ${who}`;
  const { project, program, version, instance } = event.execution;
  return `following ${who} as ${project}/${program} ${version} (${instance})`;
}
