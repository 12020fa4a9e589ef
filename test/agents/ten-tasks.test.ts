// Ten tasks that a coding agent solves with the tools alone: each ends with the right row, and what it costs stays small.
import { expect, test } from 'vitest';
import { solveTasks } from '../support/insitu/agent-tasks.ts';

/** Characters of parameters and answers divided by four, of the dearest task. */
const MOST_TOKENS = 6_000;

test('each task ends with the right row', async () => {
  const { tools, solved } = await solveTasks();
  expect(tools).toBeLessThanOrEqual(7_000);
  expect(solved).toHaveLength(10);
  expect(solved.map(({ task, found }) => `${task}: ${found}`)).toEqual(
    solved.map(({ task, wanted }) => `${task}: ${wanted}`),
  );
  for (const { task, tokens } of solved) expect([task, tokens < MOST_TOKENS]).toEqual([task, true]);
});
