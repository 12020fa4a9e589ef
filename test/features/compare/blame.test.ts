// Tests whose code is said to stand for a change where a context is on one side alone.
import { describe, expect, test } from 'vitest';
import { blameOf } from '../../../server/features/compare/blame.ts';

type Change = 'same' | 'changed' | 'new' | null;

/** The blame for `pack`, which `match` calls, which `run` calls. @param has whether the code of `match` has the call on the other side. */
function blame(kind: 'added' | 'removed', changes: readonly [run: Change, match: Change, pack: Change], has = true) {
  const [run, match, pack] = changes.map((change, at) => ({ name: ['run', 'match', 'pack'][at]!, change }));
  const code = {
    changeOf: ({ change }: { readonly change: Change }) => change,
    hasCallElsewhere: () => has,
  };
  const { cause, caller } = blameOf(kind, pack!, [run!, match!], code);
  return [cause, caller?.name ?? 'pack'];
}

describe.each(['added', 'removed'] as const)('a context that was %s', kind => {
  test('below an unchanged caller is told by its own code alone', () => {
    expect(blame(kind, ['same', 'same', 'changed'])).toEqual(['changed', 'pack']);
    expect(blame(kind, ['same', 'same', 'same'])).toEqual(['unchanged', 'pack']);
    expect(blame(kind, ['same', 'same', null])).toEqual(['unknown', 'pack']);
  });

  test('is no new call of a caller that is not the direct one', () => {
    expect(blame(kind, ['changed', 'same', 'same'])).toEqual(['unchanged', 'pack']);
    expect(blame(kind, ['changed', 'same', 'changed'])).toEqual(['changed', 'pack']);
  });

  test('below a changed caller that has the call on both sides is told by its own code first', () => {
    expect(blame(kind, ['same', 'changed', 'changed'])).toEqual(['changed', 'pack']);
    expect(blame(kind, ['same', 'changed', 'same'])).toEqual(['changed', 'match']);
    expect(blame(kind, ['same', 'changed', null])).toEqual(['changed', 'match']);
  });

  test('below a changed caller that has the call on one side is a call that came or went', () => {
    for (const own of ['changed', 'same', null] as const)
      expect(blame(kind, ['same', 'changed', own], false)).toEqual([kind, 'match']);
    expect(blame(kind, ['same', 'new', 'changed'])).toEqual([kind, 'match']);
    expect(blame(kind, ['same', 'same', 'new'])).toEqual([kind, 'pack']);
  });

  test('below a library is told by its own code, else by the nearest caller whose code changed', () => {
    expect(blame(kind, ['changed', null, 'changed'])).toEqual(['changed', 'pack']);
    expect(blame(kind, ['changed', null, 'same'])).toEqual([kind, 'run']);
    expect(blame(kind, ['same', null, 'same'])).toEqual([kind, 'pack']);
  });
});
