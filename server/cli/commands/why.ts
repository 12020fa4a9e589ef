// `insitu why`: why a method has the number it has, or none.

import { resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import type { InferOutput } from 'valibot';
import { printableLine, printableName } from '../../base/printable.ts';
import { type Output, type Piece, styled } from '../../base/terminal.ts';
import { why } from '../../features/answers/why.ts';
import { FEW_SAMPLES, intervalInProse } from '../../features/text/format-share.ts';
import { chosenData, type ReadingOptions } from '../answered.ts';
import { describeData } from '../load-chosen.ts';
import { objectLines } from '../object-lines.ts';
import { collect } from '../option-values.ts';
import { printDim, printJson } from '../output.ts';
import { withAnswerOptions } from '../selection-options.ts';
import { readSource } from './outline.ts';

type Options = ReadingOptions & { readonly sources?: readonly string[] };

export function whyCommand(output: Output) {
  const command = new Command('why')
    .description('say why a method has the number it has, or none')
    .argument(
      '<method>',
      'Class#method, Class.method as top lists it, the method alone where one class has it, or file:line',
    )
    .option(
      '--sources <folder>',
      'where to look for a class (default: the workspace); may be given several times',
      collect,
    );
  const examples = ['com.acme.Shop#search', 'search', 'src/main/java/com/acme/Shop.java:42'];
  const whole = examples.map(each => `insitu why ${each}`);
  return withAnswerOptions(command, ...whole).action((text: string, options: Options) => answer(output, text, options));
}

async function answer(output: Output, text: string, options: Options): Promise<void> {
  const [, file, line] = /^(.+):(\d+)$/.exec(text) ?? [];
  const path = file === undefined ? null : resolve(file);
  if (file !== undefined) readSource(file);
  const { data, answered } = await chosenData(output, options, path);
  const found = await answered(why, { method: path === null ? text : `${path}:${line}` });
  if (options.json === true) return printJson(output, found);
  output.out(...textOf(found));
  printDim(output, describeData(data));
}

type Found = InferOutput<typeof why.result>;

function textOf(found: Found): Piece[] {
  const { subject, verdict, explanation, remedy, methods, recordedAs, stateText, claims } = found;
  const sentences = [
    explanation,
    intervalSentence(found),
    methods.length > 1 ? `Taken together: ${methods.join(', ')}` : '',
    recordedAs === '' ? '' : `Recorded as ${printableName(recordedAs)}.`,
    stateText === '' ? '' : `${stateText[0]!.toUpperCase()}${stateText.slice(1)}.`,
    claims === '' ? '' : `${claims}.`,
    remedy,
  ].filter(text => text !== '');
  return [
    styled('bold', printableName(subject)),
    `: ${verdict}\n`,
    ...sentences.map(text => `${printableLine(text)}\n`),
    ...wayLines('mostly called by, each by the next', found.calledBy),
    ...wayLines('mostly spent in, each calling the next', found.spentIn),
    ...found.objects.flatMap(objectLines),
  ];
}

/** Empty where the share is exact, or of few samples, which make none. */
function intervalSentence({ ofAll }: Found): string {
  const [low, high] = ofAll?.interval ?? [];
  if (low === undefined || high === undefined || (ofAll?.count ?? 0) < FEW_SAMPLES) return '';
  return `95 % interval ${intervalInProse(low, high)} (sampling error only).`;
}

/** One below the other, each with its part of the samples that are explained. */
function wayLines(title: string, steps: Found['calledBy']): string[] {
  if (steps.length === 0) return [];
  const width = Math.max(...steps.map(({ ofItsTime }) => ofItsTime.text.length));
  const lines = steps.map(
    ({ ofItsTime, method }) => `  ${ofItsTime.text.padStart(width)}  ${printableName(method.key)}\n`,
  );
  return [`${title} (shares of its time)\n`, ...lines];
}
