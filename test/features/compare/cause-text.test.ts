// Tests the cause of a change in words.
import { expect, test } from 'vitest';
import { causeText } from '../../../server/features/compare/cause-text.ts';

const method = (className: string, name: string) => ({ className, method: name, descriptor: null });
const at = (state: 'kept' | 'added' | 'removed') => ({
  ...{ ...method('acme.Terms', 'next'), state },
  above: [method('acme.Search', 'run')],
});
const COMMIT = { hash: '81b5956cc8c5' };

test.each([
  ['kept', 'changed', COMMIT, null, 'Terms.next, changed in 81b5956'],
  ['added', 'changed', COMMIT, null, 'Search.run → Terms.next, changed in 81b5956'],
  ['added', 'added', COMMIT, null, 'Search.run → Terms.next, new in 81b5956'],
  ['removed', 'removed', null, null, 'Search.run → Terms.next, gone'],
  ['kept', 'unchanged', null, null, 'Terms.next, whose code did not change'],
  ['removed', 'unchanged', null, null, 'Search.run → Terms.next, whose code did not change'],
  [
    'kept',
    'unchanged',
    null,
    { ...method('acme.Terms', 'step'), commit: COMMIT },
    'Terms.next, whose code did not change, but that of Terms.step, which it calls, did in 81b5956',
  ],
  [
    'kept',
    'unchanged',
    null,
    { ...method('acme.Terms', 'step'), commit: null },
    'Terms.next, whose code did not change, but that of Terms.step, which it calls, did',
  ],
  ['kept', 'unknown', null, null, 'Terms.next'],
] as const)('%s and %s, by %j, calling %j', (state, cause, commit, calls, text) => {
  expect(causeText({ cause, context: at(state), commit, calls, scaling: 'anchored' })).toBe(text);
});

test('by share, unchanged code is told with the reason why its share may have moved', () => {
  const cause = { cause: 'unchanged', context: at('kept'), commit: null, calls: null } as const;
  expect(causeText({ ...cause, scaling: 'share' })).toBe(
    'Terms.next, whose code did not change; its share moves with that of other code too',
  );
});
