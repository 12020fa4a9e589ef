// Whether forks reached their steady state, by what their recordings tell of the JVM's compiler.
import { expect, test } from 'vitest';
import type { MeasuredFork } from '../../server/track/held-up.ts';
import { compilerShares, steadinessOf, steadinessText } from '../../server/track/steady-state.ts';

type Shares = readonly [number, number, number];

function fork(compiler: Shares | null, tookMillis = 10_000): MeasuredFork {
  const measured = { state: 'measured', round: 0, millis: 100, tookMillis, atMillis: 0 } as const;
  return compiler === null ? measured : { ...measured, compiler: [...compiler] };
}

test('forks that still compiled in their last third are counted, and unknown ones are told apart', () => {
  const told = steadinessOf([fork([0.5, 0.2, 0.02]), fork([0.6, 0.3, 0.2]), fork(null), fork([0.1, 0.01, 0])]);
  expect(told).toEqual({ known: 3, unknown: 1, compiling: 1, share: 0.02, neededSeconds: null });
  expect(steadinessText(told)).toBe(
    '1 of 3 forks were still compiling in their last third (of 1 more it is not known)',
  );
  expect(steadinessText(steadinessOf([fork(null), fork(null)]))).toBe(
    'whether the 2 forks reached their steady state is not known',
  );
  expect(steadinessText(steadinessOf([]))).toBe('');
});

test('where most forks still compiled, longer ones are advised, of a length that would do', () => {
  // The compiler's share falls as 1 / t²: 0.4 in the middle of the second third, 0.144 in that of the last one.
  const shareAt = (moment: number) => 0.1 / moment ** 2;
  const last = shareAt(5 / 6);
  const still = fork([1, shareAt(1 / 2), last]);
  const told = steadinessOf([still, still]);
  expect(told.compiling).toBe(2);
  // In forks that are longer by this factor, the middle of the last third has the share that is steady.
  const factor = Math.sqrt(last / 0.1);
  expect(told.neededSeconds).toBe(Math.ceil(10 * factor));
  expect(steadinessText(told)).toBe(
    `2 of 2 forks were still compiling in their last third: longer ones are needed, of about ${told.neededSeconds} s`,
  );
});

test('no length is named where the share does not fall, or falls so slowly that none would do', () => {
  for (const shares of [[0.3, 0.3, 0.3] as const, [0.3, 0.2, 0.4] as const, [0.9, 0.51, 0.5] as const]) {
    const told = steadinessOf([fork(shares)]);
    expect(told.neededSeconds).toBe(null);
    expect(steadinessText(told)).toBe('1 of 1 forks were still compiling in their last third: longer ones are needed');
  }
});

test('the JVMs of a fork count by the time that each took', () => {
  const thirds = (compiler: number, all: number) => [1, 2, 3].map(() => ({ compiler, all }));
  expect(compilerShares([thirds(10, 20), thirds(0, 80)])).toEqual([0.1, 0.1, 0.1]);
  expect(compilerShares([])).toBe(null);
  expect(compilerShares([[{ compiler: 0, all: 0 }, ...thirds(1, 2).slice(1)]])).toBe(null);
});
