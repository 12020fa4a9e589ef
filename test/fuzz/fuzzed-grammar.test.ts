// Fuzzing of the grammar: whatever the text, an outline comes out in linear time, and its spans and rows hold together.
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Outline } from '../../grammar/outline.ts';
import { outlineOf } from '../../grammar/parse.ts';
import { cpuSeconds, workFor } from '../support/runs.ts';
import { javaFiles, mutated, randomCharacters, randomFrom, randomTokens } from './grammar-random.ts';

/** Processor time for each kind. */
const SECONDS = 20;
const seed = Number(process.env.INSITU_SEED ?? 1);
const samples = ['../../samples', '../accuracy/corpus/compact'].flatMap(folder =>
  javaFiles(fileURLToPath(new URL(folder, import.meta.url))),
);

function check(text: string): void {
  const before = process.cpuUsage();
  const outline = outlineOf(text, 'A.java');
  expect(cpuSeconds(before), 'seconds of processor time, which only a hang exceeds').toBeLessThan(2);
  checkRows(outline, text.length);
  for (const declaration of outline.declarations.slice(0, 50)) expect(typeof declaration.fingerprint).toBe('string');
}

function checkRows({ declarations, callSites, locals, lineStarts }: Outline, length: number): void {
  declarations.forEach((one, row) => {
    const isSound =
      one.row === row &&
      one.parent < row &&
      one.span.start <= one.span.end &&
      one.span.end <= length &&
      one.span.start >= 0;
    if (!isSound) expect.fail(`row ${row} is not sound: ${JSON.stringify(one)}`);
    for (const [first, last] of one.lines)
      if (first > last || first < 1 || last > lineStarts.length) expect.fail('lines out of range');
  });
  for (const { declaration } of [...callSites, ...locals])
    if (declaration >= declarations.length) expect.fail('a row that is not there');
}

const kinds: [what: string, make: (random: () => number) => string][] = [
  ['characters', randomCharacters],
  ['tokens', randomTokens],
  ['mutated files', random => mutated(random, samples[Math.floor(random() * samples.length)] ?? 'class A { }')],
];

test.each(kinds)('%s', (_what, make) => {
  const random = randomFrom(seed);
  let text = '';
  try {
    for (const isOver = workFor(SECONDS); !isOver(); ) {
      text = make(random);
      check(text);
    }
  } catch (error) {
    throw new Error(`seed ${seed}, text ${JSON.stringify(text.slice(0, 2000))}`, { cause: error });
  }
});
