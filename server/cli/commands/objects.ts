// `insitu objects`: the classes of objects that methods allocate and throw, and of the monitors and locks that they wait for.

import { Command } from '@commander-js/extra-typings';
import type { Output } from '../../base/terminal.ts';
import { objects } from '../../features/answers/objects.ts';
import { chosenData, type ReadingOptions, reportOfAnswer } from '../answered.ts';
import { describeData } from '../load-chosen.ts';
import { objectLines } from '../object-lines.ts';
import { wholeNumber } from '../option-values.ts';
import { printDim, printJson } from '../output.ts';
import { withAnswerOptions } from '../selection-options.ts';

type Options = ReadingOptions & { readonly limit: number };

export function objectsCommand(output: Output) {
  const command = new Command('objects')
    .description('list the classes that are allocated, thrown and waited for, with the threads that had them')
    .argument('[method]', 'a method with all that it calls, Class#method; default: everything')
    .option('--limit <number>', 'classes of each kind', wholeNumber, 20);
  return withAnswerOptions(command, 'insitu objects', 'insitu objects com.acme.Shop#search').action(
    async (method: string | undefined, options: Options) => {
      const { data, answered } = await chosenData(output, options);
      const found = await answered(objects, { method: method ?? null, limit: options.limit });
      if (options.json === true) return printJson(output, found);
      reportOfAnswer(output, found.origin.problems);
      printDim(output, describeData(data));
      output.out(...found.metrics.flatMap(objectLines));
      if (found.metrics.length === 0) output.out('no classes were recorded here\n');
    },
  );
}
