// Which processes `insitu record` looks at follows from how the JVMs are named.
import { expect, test, vi } from 'vitest';
import { tellWaiting, waitingText, wantedProcesses } from '../../server/cli/record-options.ts';
import { timedFilters } from '../../server/cli/timed-filters.ts';

test('named processes alone are looked at, all where a name or everything is asked for', () => {
  const settings = 'standard';
  expect(wantedProcesses({ settings, pid: [4711, 4712] })).toEqual([4711, 4712]);
  expect(wantedProcesses({ settings })).toEqual([]);
  expect(wantedProcesses({ settings, pid: [4711], main: /Shop/ })).toBeUndefined();
  expect(wantedProcesses({ settings, pid: [4711], all: true })).toBeUndefined();
});

test('what is waited for is said at once, and every minute while nothing is followed', () => {
  const settings = 'standard';
  expect(waitingText({ settings, all: true })).toBe('waiting for any JVM of this user');
  expect(waitingText({ settings, pid: [4711], watch: 'night' })).toBe(
    'waiting for process 4711, and recordings in night',
  );
  expect(waitingText({ settings, repository: ['a', 'b'], main: /Shop/ })).toBe(
    'waiting for a JVM that --main Shop means, and chunk files in a, b',
  );
  vi.useFakeTimers();
  try {
    const told: string[] = [];
    let followed = 0;
    const timer = tellWaiting(
      'waiting',
      () => followed === 0,
      text => void told.push(text),
    );
    expect(told).toEqual(['waiting']);
    vi.advanceTimersByTime(60_000);
    followed = 1;
    vi.advanceTimersByTime(60_000);
    followed = 0;
    vi.advanceTimersByTime(60_000);
    expect(told).toHaveLength(3);
    clearInterval(timer);
  } finally {
    vi.useRealTimers();
  }
});

test('what is timed is named as the JVM takes it, each once; what cannot be timed is refused', () => {
  expect(timedFilters(['a.Shop', 'a.Shop.find', 'a.Shop::find'], true)).toEqual(['a.Shop', 'a.Shop::find']);
  expect(() => timedFilters(['a.**'], true)).toThrow('"a.**" names no class and no method');
  expect(() => timedFilters(['a.Shop'], false)).toThrow('--time changes what a JVM records');
  expect(() =>
    timedFilters(
      Array.from({ length: 51 }, (_, i) => `A${i}`),
      true,
    ),
  ).toThrow('51 classes and methods');
});
