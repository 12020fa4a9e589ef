// `insitu count`: how often methods run and how long their calls take, in a running JVM, for a minute.

import { createInterface } from 'node:readline/promises';
import { Command } from '@commander-js/extra-typings';
import { inlineReach } from '../../analysis/ask.ts';
import { methodsNamed, type NamedMethods } from '../../analysis/named-methods.ts';
import { printableName } from '../../base/printable.ts';
import type { Output } from '../../base/terminal.ts';
import type { Profile } from '../../cct/profile.ts';
import { type Countable, costText, countable, MOST_COUNTED } from '../../features/countable.ts';
import { responseTimesText } from '../../features/text/times-text.ts';
import type { Ingested } from '../../ingest/ingest.ts';
import { responseTimesOf } from '../../metrics/response-times.ts';
import type { Execution } from '../../model/execution.ts';
import { countCalls } from '../../record/count-calls.ts';
import { decideExecution } from '../../record/execution.ts';
import { type Jvm, listJvms } from '../../record/jvms.ts';
import type { Store, StoreEntry } from '../../store/store.ts';
import { CommandFailure, failed, misused } from '../failure.ts';
import { loadForCommand } from '../load-chosen.ts';
import { METHOD_ARGUMENT, namedMethod } from '../named-method.ts';
import { type OptionsOf, optionWithDefault, parseInterval } from '../option-values.ts';
import { printJsonLine, reportProblems } from '../output.ts';
import { executionSources, wantedJvms, withJvmChoice } from '../record-options.ts';
import { configure, openConfiguredStore } from '../store-options.ts';
import { untilTold } from '../until-told.ts';

type CountOptions = OptionsOf<typeof countCommand>;

const HELP = `
Needs JDK 25, and samples of the methods. The JVM counts beside what it records anyway, and stops by itself.

Example:
  insitu count Shop.search Shop.review --main com.acme.Shop`;

export function countCommand(output: Output) {
  const command = new Command('count')
    .description('count and time the calls of methods in a running JVM, for a minute')
    .argument('<method...>', METHOD_ARGUMENT);
  return withJvmChoice(command)
    .addOption(optionWithDefault('--for <time>', 'how long', parseInterval, '60s'))
    .option('--callers', 'record each call with its caller, for about 1 µs a call in place of 75 ns')
    .option('--yes', 'do not ask before it begins')
    .option('--json', 'print what happens as JSON lines')
    .option('--until-eof', 'end also when standard input does: for programs that start this one')
    .addHelpText('after', HELP)
    .action(async (methods, options) => {
      await count(output, methods, options);
    });
}

async function count(output: Output, given: readonly string[], options: CountOptions): Promise<void> {
  const jvm = onlyJvm(options);
  const configuration = configure(output, options);
  const store = openConfiguredStore(configuration);
  const data = await loadForCommand(output, configuration, { path: null, selection: {} });
  const named = uniqueByName(await Promise.all(given.map(text => namedMethod(data, text))));
  const methods = allowed(output, await countable(data, named, inlineReach));
  const isTraced = options.callers === true;
  const seconds = Math.round(options.for / 1_000);
  const cost = costText(
    methods.map(({ name }) => name),
    seconds,
    isTraced,
  );
  if (options.yes !== true && !(await isConfirmed(output, `${cost}.`))) return;
  const { program, version } = data.provenance.executions[0] ?? {};
  const { execution } = decideExecution(jvm, { ...executionSources(options), shown: { program, version } });
  const tell = (event: { readonly kind: string }, text: string) =>
    options.json === true ? printJsonLine(output, { at: Date.now(), ...event }) : output.err(`${text}\n`);
  const wish = { methods: methods.map(({ filter }) => filter), isTraced, millis: options.for };
  const begun = () =>
    tell({ kind: 'counting' }, `counting in JVM ${jvm.pid} (${printableName(jvm.name)}) for ${seconds} s`);
  const { value, problems } = await untilTold(
    signal => countCalls(jvm, wish, begun, signal),
    options.untilEof === true,
  );
  if (value === null) throw new CommandFailure(1, problems);
  reportProblems(output, problems);
  if (value === 'followed') {
    tell({ kind: 'followed' }, 'the recorder that follows this JVM stores the calls with its next window');
    return;
  }
  const profile = timesIn(output, value);
  const entry = await put(output, store, execution, { ...value, profile });
  tell({ kind: 'stored', ...entry }, `stored ${entry.key}, ${Math.ceil(entry.bytes / 1_024)} KiB`);
  const rows = methods.map(({ name }) => ({ method: name, times: timesText(profile, name) }));
  if (options.json === true) tell({ kind: 'counted', ...{ rows } }, '');
  else for (const { method, times } of rows) output.out(`${printableName(method)}: ${times}\n`);
}

function onlyJvm(options: CountOptions): Jvm {
  const wants = wantedJvms(options, false);
  const jvms = listJvms().filter(wants);
  const [jvm] = jvms;
  if (jvm !== undefined && jvms.length === 1) return jvm;
  const which = jvms.map(({ pid, name }) => `${pid} (${printableName(name)})`).join(', ');
  throw jvm === undefined
    ? failed('no such JVM runs here', { remedy: 'insitu doctor lists the JVMs of this user' })
    : misused(`several JVMs are meant: ${which}`, 'name one with --pid');
}

function uniqueByName(methods: readonly NamedMethods[]): NamedMethods[] {
  return [...new Map(methods.map(each => [each.name, each])).values()];
}

/** Without methods that are not to be counted; they are named. */
function allowed(output: Output, methods: readonly Countable[]): Countable[] {
  const found = methods.filter(({ refusal }) => refusal === null);
  const refused = methods.flatMap(({ name, refusal }) =>
    refusal === null ? [] : [{ severity: 'warning', message: `${name} is not counted: ${refusal}` } as const],
  );
  reportProblems(output, refused);
  if (found.length === 0)
    throw failed('no method is left to be counted', {
      remedy: 'count a method that calls them: its time holds theirs',
    });
  if (found.length > MOST_COUNTED) throw misused(`${found.length} methods`, `name ${MOST_COUNTED} at most`);
  return found;
}

async function isConfirmed(output: Output, question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw misused(`nobody can be asked: ${question}`, 'add --yes to count without being asked');
  output.err(`${question} [y/N] `);
  const lines = createInterface({ input: process.stdin });
  try {
    return /^y(es)?$/i.test((await lines.question('')).trim());
  } finally {
    lines.close();
  }
}

function timesIn(output: Output, { profile, problems }: Ingested): Profile {
  reportProblems(
    output,
    problems.filter(({ severity }) => severity !== 'info'),
  );
  if (profile?.times === undefined)
    throw failed('none of the methods was called meanwhile', {
      remedy: 'count longer (--for), or while there is load',
    });
  return profile;
}

async function put(
  output: Output,
  store: Store,
  execution: Execution,
  { profile, startMillis, endMillis, recorder, debugNonSafepoints, problems }: Ingested & { readonly profile: Profile },
): Promise<StoreEntry> {
  const header = { execution, startMillis, endMillis, recorder, debugNonSafepoints, problems, replaces: [] };
  const { value, problems: refused } = await store.put({ header, profile });
  reportProblems(output, refused);
  if (value === null) throw new CommandFailure(1, []);
  return value;
}

function timesText(profile: Profile, name: string): string {
  const sets = methodsNamed(profile.methods, name).map(({ rows }) => rows);
  const [times] = responseTimesOf(profile, [sets.flat()]);
  return times == null ? 'not called' : responseTimesText(times);
}
