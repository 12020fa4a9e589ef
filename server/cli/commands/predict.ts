// `insitu predict`: what the edit of a file will cost, from the response times of production.
import { resolve } from 'node:path';
import { Command } from 'commander';
import { inlineReach } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { printableName } from '../../base/printable.ts';
import { type Output, styled } from '../../base/terminal.ts';
import { predictionText } from '../../features/answers/prediction.ts';
import {
  type PredictedFile,
  type PredictedMethod,
  type PredictedTerm,
  predictFile,
} from '../../features/prediction/predict-file.ts';
import { classNameOf, methodNameOf, nameInClass } from '../../features/text/runtime-names.ts';
import { callsText, nanosText } from '../../features/text/times-text.ts';
import { documentOnDisk } from '../document-on-disk.ts';
import { failed } from '../failure.ts';
import { describeData, loadForCommand } from '../load-chosen.ts';
import { askedBy, type SelectionOptions, withSelectionOptions } from '../selection-options.ts';
import { configureFor, type StoreOptions, withStoreOptions } from '../store-options.ts';
import { readSource } from './outline.ts';

type Options = StoreOptions & SelectionOptions & { readonly json?: true };

export function predictCommand(output: Output): Command {
  const command = new Command('predict')
    .description('predict what the changes of a file since it was recorded cost, from response times of production')
    .argument('<File.java>', 'the edited file')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  insitu predict src/main/java/com/acme/Shop.java');
  return withSelectionOptions(withStoreOptions(command)).action((file: string, options: Options) =>
    predict(output, file, options),
  );
}

async function predict(output: Output, file: string, options: Options): Promise<void> {
  const text = readSource(file);
  const path = resolve(file);
  const configuration = configureFor(output, options, path);
  const data = await loadForCommand(output, configuration, askedBy(options, configuration.settings, path));
  const document = await documentOnDisk(path, text, data, configuration);
  const found = await predictFile(document, data, inlineReach);
  if (found.obstacle === 'textUnknown')
    throw failed('the recorded text of the file is not known, so that nothing can be told to be new', {
      file,
      remedy: 'run the command in a clone that has the recorded commit',
    });
  if (found.obstacle === 'notTimed')
    throw failed('no response times were recorded: samples alone tell no milliseconds', {
      remedy: 'import a Kieker log, spans of OpenTelemetry, or a recording with method tracing',
    });
  if (options.json === true) output.out(`${JSON.stringify(found, null, 2)}\n`);
  else print(output, found, data);
}

/** So many callers are listed. */
const MOST_CALLERS = 10;

function print(output: Output, { methods, callers }: PredictedFile, data: LoadedData): void {
  output.out(styled('dim', describeData(data)), '\n');
  if (methods.length === 0) output.out('no change that costs anything that matters\n');
  for (const method of methods) output.out(...methodLines(method).map(line => `${line}\n`));
  const named = callers.filter(({ change }) => change === null || Math.round(change) !== 0).slice(0, MOST_CALLERS);
  if (named.length > 0) output.out('\npredicted of their callers\n');
  const { methods: table } = data.profile;
  for (const { row, measured, change } of named) {
    const name = printableName(nameInClass(classNameOf(table, row), methodNameOf(table, row)));
    const more = change === null ? 'runs in parallel: unknown' : `≈ ${signedNanos(change)} of ${nanosText(measured)}`;
    output.out(`  ${name}: ${more}\n`);
  }
}

function methodLines(method: PredictedMethod): string[] {
  const { name, line, measured, change, interval, reliability, unknown, terms } = method;
  const [low, high] = interval.map(signedNanos);
  const of = measured === null ? '' : ` of ${nanosText(measured)}`;
  return [
    '',
    `${name} (line ${line}): ${predictionText(change, reliability, unknown)}${of}; 80 %: ${low} to ${high}`,
    ...terms.map(term => `  ${termText(term)}`),
  ];
}

const RULES = { load: 'by the load', caller: 'from here', all: 'of all callers' } as const;

function termText({ line, callee, change, times, around, cost, reason }: PredictedTerm): string {
  const why = around.length === 0 ? '' : `, ${around.join(', ')}`;
  const often =
    times === null
      ? '× ?'
      : times.least === times.most
        ? `× ${short(times.most)}`
        : `× ${short(times.least)} to ${short(times.most)}`;
  const what = `line ${line}: ${printableName(callee)} ${change} ${often}${why}`;
  if (cost === null) return `${what}: unknown, ${reason}`;
  const one = `${nanosText(cost.mean)} a call ${RULES[cost.rule]}, ${callsText(cost.calls)} in ${cost.windows} windows`;
  return reason === '' ? `${what}: ${one}` : `${what}: unknown, ${reason}; ${one}`;
}

function short(times: number): string {
  return String(Number(times.toPrecision(3)));
}

function signedNanos(nanos: number): string {
  return `${nanos < 0 ? '−' : '+'}${nanosText(Math.abs(nanos))}`;
}
