// Tests that the flaws of a file are told without growing with the file, and never without the flaw that stopped its reading.
import { expect, test } from 'vitest';
import { ProblemList } from '../../server/ingest/problem-list.ts';

test('the first problems stand, the rest is counted', () => {
  const problems = new ProblemList('file');
  for (let i = 0; i < 53; i++) problems.add('warning', `a line is broken ${i}`);
  const messages = problems.list().map(({ message }) => message);
  expect(messages).toHaveLength(51);
  expect(messages.at(-1)).toBe('3 more problems');
});

test('an error that comes late is told however many warnings there were; errors are counted too', () => {
  const problems = new ProblemList('file');
  for (let i = 0; i < 60; i++) problems.add('warning', 'a sample is broken');
  for (let i = 0; i < 60; i++) problems.add('error', 'there is nothing in it', 'byte 1');
  const list = problems.list();
  expect(list.filter(({ severity }) => severity === 'error')).toHaveLength(50);
  expect(list.at(-1)).toEqual({ severity: 'warning', message: '20 more problems', file: 'file' });
});
