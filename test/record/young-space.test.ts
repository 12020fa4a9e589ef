// The memory for new objects of a process that lives long: with the recorder's limit it stays as it was, without it it grows.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = join(import.meta.dirname, '../../server/record/young-space.ts');
/** Makes objects that outlive a collection or two; prints the MiB that there were for new ones at the most. */
const PROGRAM = `
  const { getHeapSpaceStatistics } = require('node:v8');
  const size = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size;
  if (process.argv[1] === 'limited') require(${JSON.stringify(SOURCE)}).keepYoungSpaceSmall();
  let most = 0;
  for (let round = 0; round < 20; round++) {
    const kept = [];
    for (let i = 0; i < 20_000; i++) kept.push({ i, list: [i] });
    most = Math.max(most, size());
  }
  console.log(most / 2 ** 20);
`;

function mostMiB(limit: string): number {
  return Number(execFileSync(process.execPath, ['-e', PROGRAM, limit], { encoding: 'utf8' }));
}

test('the memory for new objects does not grow with what outlives collections', () => {
  expect(mostMiB('limited')).toBeLessThanOrEqual(4);
  expect(mostMiB('unlimited')).toBeGreaterThanOrEqual(16);
});
