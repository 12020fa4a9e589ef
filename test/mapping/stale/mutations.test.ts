// Every operator on methods of the sample program: states, kept calls and lines come out as the operator says.
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Counts, expectRight, Subject, table } from './judge.ts';
import { operators } from './operators.ts';

/** All methods would take a fifth of a minute. */
const STRIDE = 5;

test('methods of the sample keep their states, calls and lines through every operator', () => {
  const counts: Counts = new Map();
  const files = globSync('samples/shop/v1/src/main/java/**/*.java').sort();
  let seen = 0;
  for (const [i, file] of files.entries()) {
    const subject = new Subject(readFileSync(file, 'utf8'));
    for (const member of subject.targets)
      if (seen++ % STRIDE === 0) subject.judge(member, counts, i * 1000 + member.row);
  }
  console.log(table(counts));
  expect([...counts.keys()].sort()).toEqual(Object.keys(operators).sort());
  expectRight(counts);
});
