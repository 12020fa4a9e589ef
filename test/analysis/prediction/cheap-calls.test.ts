// Tests which calls of methods that nobody timed are taken to cost nothing, by their names alone.
import { expect, test } from 'vitest';
import type { CallSite } from '../../../grammar/outline.ts';
import { isCheapName } from '../../../server/analysis/prediction/cheap-calls.ts';

const call = (name: string, argumentCount = 0) => ({ name, argumentCount, kind: 'call' }) as CallSite;

test.each(['getName', 'isOpen', 'title', 'hasNext'])('%s() is an accessor', name => {
  expect(isCheapName(call(name))).toBe(true);
});

test.each(['work', 'runAll', 'loadAll', 'write'])('%s() does something', name => {
  expect(isCheapName(call(name))).toBe(false);
});
