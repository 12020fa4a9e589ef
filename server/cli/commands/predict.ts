// `insitu predict`: what the edit of a file will cost, from the response times of production.
import { resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { nanosOf } from '../../analysis/prediction/assumptions.ts';
import type { PredictedFile, PredictedMethod } from '../../analysis/prediction/prediction.ts';
import type { Output } from '../../base/terminal.ts';
import { prediction } from '../../features/answers/prediction.ts';
import { callersTree } from '../../features/prediction/callers-tree.ts';
import { predictFile } from '../../features/prediction/predict-file.ts';
import {
  callerText,
  endsText,
  intervalText,
  predictionText,
  termLines,
  unpredictedText,
} from '../../features/prediction/prediction-text.ts';
import { methodLabel } from '../../features/text/runtime-names.ts';
import { nanosText } from '../../features/text/times-text.ts';
import { chosenData, type ReadingOptions } from '../answered.ts';
import { documentOnDisk } from '../document-on-disk.ts';
import { failed } from '../failure.ts';
import { describeData } from '../load-chosen.ts';
import { printDim, printJson } from '../output.ts';
import { withAnswerOptions } from '../selection-options.ts';
import { readSource } from './outline.ts';

type Options = ReadingOptions & {
  readonly assume?: readonly string[];
};

export function predictCommand(output: Output) {
  const command = new Command('predict')
    .description('predict what the changes of a file since it was recorded cost, from response times of production')
    .argument('<File.java>', 'the edited file')
    .option(
      '--assume <method=time...>',
      'what calls of methods take, in place of what was measured, such as Shop.search=5ms',
    );
  const example = 'insitu predict src/main/java/com/acme/Shop.java';
  return withAnswerOptions(command, example).action((file: string, options: Options) => predict(output, file, options));
}

async function predict(output: Output, file: string, options: Options): Promise<void> {
  const text = readSource(file);
  const path = resolve(file);
  const { configuration, data, answered } = await chosenData(output, options, path);
  const costs = assumedBy(options.assume);
  if (options.json === true) {
    const given = { file: path, costs, limit: Number.POSITIVE_INFINITY };
    const found = await answered(prediction, given);
    if (found.obstacle !== null) output.failed?.();
    return printJson(output, found);
  }
  const document = await documentOnDisk(path, text, data, configuration);
  const { settings } = configuration;
  const found = await predictFile(document, data, {
    costs: { ...settings['predict.costs'], ...costs },
    iterations: settings['predict.iterations'],
  });
  if (found.obstacle === 'textUnknown')
    throw failed('the recorded text of the file is not known, so that nothing can be told to be new', {
      file,
      remedy: 'run the command in a clone that has the recorded commit',
    });
  if (found.obstacle === 'notTimed')
    throw failed('no response times were recorded: samples alone tell no milliseconds', {
      remedy: 'import a Kieker log, spans of OpenTelemetry, or a recording with method tracing',
    });
  print(output, found, data);
}

/** `Shop.search=5ms` → the method and its time. */
function assumedBy(given: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    given.map(each => {
      const [method = '', time = ''] = each.split('=').map(part => part.trim());
      if (method === '' || nanosOf(time) === null)
        throw failed(`"${each}" assumes nothing`, {
          remedy: 'give --assume a method and a time, such as Shop.search=5ms',
        });
      return [method, time];
    }),
  );
}

/** So many callers are listed. */
const MOST_CALLERS = 10;

function print(output: Output, found: PredictedFile, data: LoadedData): void {
  const { methods, unpredicted } = found;
  printDim(output, describeData(data));
  if (methods.length + unpredicted.length === 0) output.out('no change that costs anything that matters\n');
  for (const method of methods) output.out(...methodLines(method).map(line => `${line}\n`));
  for (const each of unpredicted) output.out(`\n${unpredictedText(each)}\n`);
  const callers = callersTree(found);
  if (callers.length > 0) output.out('\npredicted of their callers\n');
  for (const caller of callers.slice(0, MOST_CALLERS)) {
    const name = methodLabel(data.profile.methods, caller.row);
    output.out(`${'  '.repeat(caller.depth)}${name}: ${callerText(caller)}\n`);
  }
  if (callers.length > MOST_CALLERS) output.out(`  and ${callers.length - MOST_CALLERS} more\n`);
}

function methodLines(method: PredictedMethod): string[] {
  const { name, line, measured, interval, terms, passed } = method;
  const of = measured === null ? '' : ` of ${nanosText(measured)}`;
  const told = interval === null ? '' : `; 80 %: ${intervalText(interval)}`;
  return [
    '',
    `${name} (line ${line}): ${predictionText(method)}${of}${told}`,
    ...termLines(terms).map(line => `  ${line}`),
    ...(passed === null ? [] : [`  passed on by edited methods that it calls: ${endsText(passed)}`]),
  ];
}
