// `insitu frames`: says where in the sources the frames on standard input stand, as JSON lines.

import { statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Command } from '@commander-js/extra-typings';
import type { Output } from '../../base/terminal.ts';
import { answerFrames, type FrameQuestion, parseQuestion } from '../../mapping/place-frames.ts';
import { SourceIndex } from '../../mapping/source-index.ts';
import { reasonOf } from '../../mapping/source-walk.ts';
import { failed } from '../failure.ts';
import { printJsonLine, reportProblems } from '../output.ts';

export function framesCommand(output: Output) {
  return new Command('frames')
    .description('find the source of frames: JSON lines {"class","method","descriptor"?,"line"?} on standard input')
    .requiredOption('--sources <folder...>', 'folders with Java sources')
    .addHelpText(
      'after',
      `\nExample:\n  echo '{"class":"com.acme.Shop$1","method":"run","line":42}' | insitu frames --sources src/main/java`,
    )
    .action((options: { readonly sources: readonly string[] }) => printFrames(output, options.sources));
}

async function printFrames(output: Output, sources: readonly string[]): Promise<void> {
  for (const folder of sources) if (!isFolder(folder)) throw failed('there is no such folder', { file: folder });
  const index = new SourceIndex({ roots: sources });
  const questions = await readQuestions();
  await index.complete;
  reportProblems(output, index.problems);
  for (const answer of answerFrames(questions, index)) printJsonLine(output, answer);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    throw failed(`the folder cannot be reached: ${reasonOf(error)}`, { file: path });
  }
}

async function readQuestions(): Promise<FrameQuestion[]> {
  const questions: FrameQuestion[] = [];
  let number = 0;
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    if (line.trim() === '') continue;
    const question = parseQuestion(line);
    if (typeof question === 'string') throw failed(question, { file: 'standard input', place: `line ${number}` });
    questions.push(question);
  }
  return questions;
}
