// Which processes `insitu record` looks at follows from how the JVMs are named.
import { expect, test } from 'vitest';
import { wantedProcesses } from '../../server/cli/record-options.ts';

test('named processes alone are looked at, all where a name or everything is asked for', () => {
  const settings = 'standard';
  expect(wantedProcesses({ settings, pid: [4711, 4712] })).toEqual([4711, 4712]);
  expect(wantedProcesses({ settings })).toEqual([]);
  expect(wantedProcesses({ settings, pid: [4711], main: /Shop/ })).toBeUndefined();
  expect(wantedProcesses({ settings, pid: [4711], all: true })).toBeUndefined();
});
