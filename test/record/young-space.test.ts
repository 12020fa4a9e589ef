// The memory for new objects of a process that lives long: with the recorder's limit it stays as it was, without it it grows.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = join(import.meta.dirname, '../../server/record/young-space.ts');
/**
 * Makes objects that outlive a collection or two; prints the MiB that there usually were for new ones in the end. For moments there are more:
 * what has to stay while a collection has no room for it.
 */
const PROGRAM = `
  const { getHeapSpaceStatistics } = require('node:v8');
  const size = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20;
  if (process.argv[1] === 'limited') require(${JSON.stringify(SOURCE)}).keepYoungSpaceSmall();
  const sizes = [];
  for (let round = 0; round < 40; round++) {
    const kept = [];
    for (let i = 0; i < 20_000; i++) kept.push({ i, list: [i] });
    if (round >= 19) sizes.push(size());
  }
  console.log(sizes.sort((a, b) => a - b)[10]);
`;

function usualMiB(limit: string): number {
  return Number(execFileSync(process.execPath, ['-e', PROGRAM, limit], { encoding: 'utf8' }));
}

test('the memory for new objects does not grow with what outlives collections', () => {
  expect(usualMiB('limited')).toBeLessThan(8);
  expect(usualMiB('unlimited')).toBeGreaterThanOrEqual(16);
});
