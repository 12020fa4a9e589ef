// `insitu annotate`: a Java file in the terminal with its hints at the ends of the lines.

import { resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { outlineOf } from '../../../grammar/parse.ts';
import { printableName } from '../../base/printable.ts';
import type { Output } from '../../base/terminal.ts';
import { annotatedFile } from '../../features/answers/annotated-file.ts';
import { ownsCode } from '../../features/hints/method-hints.ts';
import { isType } from '../../mapping/outline-index.ts';
import { annotatedRows, rowsAround } from '../annotated-rows.ts';
import { againstText, chosenData, type ReadingOptions, reportOfAnswer } from '../answered.ts';
import { failed } from '../failure.ts';
import { describeData } from '../load-chosen.ts';
import { printDim, printJson, tell } from '../output.ts';
import { withAnswerOptions } from '../selection-options.ts';
import { readSource } from './outline.ts';

type Options = ReadingOptions & { readonly around?: true; readonly baseline?: string };

export function annotateCommand(output: Output) {
  const command = new Command('annotate')
    .description('print a Java file with its hints')
    .argument('<File.java>', 'the file')
    .option('--around', 'only the lines with hints and a few around each, cut to the width of the terminal')
    .option('--baseline <version>', 'version to compare with');
  const example = 'insitu annotate src/main/java/com/acme/Shop.java';
  return withAnswerOptions(command, example, `${example} --around`).action((file: string, options: Options) =>
    annotate(output, file, options),
  );
}

async function annotate(output: Output, file: string, options: Options): Promise<void> {
  const text = readSource(file);
  refuseOther(file, text);
  const path = resolve(file);
  const { data, answered } = await chosenData(output, options, path);
  const given = { file: path, limit: Number.POSITIVE_INFINITY, baseline: options.baseline };
  const found = await answered(annotatedFile, given);
  if (options.json === true) return printJson(output, found);
  reportOfAnswer(output, found.problems);
  const { rows: hints } = found;
  const about = [printableName(file), describeData(data), found.recordedFrom].filter(text => text !== '');
  printDim(output, about.join(' · '), againstText(found.origin));
  const rows =
    options.around === true
      ? rowsAround(annotatedRows(text, hints, output.columns), hints)
      : annotatedRows(text, hints);
  for (const row of rows) output.out(...row, '\n');
  if (hints.length > 0) return;
  tell(output, 'nothing in this file reached the thresholds', { file, remedy: 'insitu top lists what did' });
}

/** By its name, or where nothing in it reads as a type or method: a list without hints would look like code that never ran. */
function refuseOther(file: string, text: string): void {
  const { declarations, problems } = outlineOf(text, file);
  const isJava =
    declarations.some(declaration => isType(declaration) || ownsCode(declaration)) || problems.length === 0;
  if (/\.java$/i.test(file) && isJava) return;
  throw failed('this is no Java file', { file, remedy: 'give the path of a Java file' });
}
