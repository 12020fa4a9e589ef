// Tests the cause of a change in words.
import { expect, test } from 'vitest';
import { causeText } from '../../../server/features/compare/cause-text.ts';

const method = (className: string, name: string) => ({ className, method: name, descriptor: null });
const NEXT = { ...method('acme.Terms', 'next'), above: [method('acme.Search', 'run')] };
const COMMIT = { hash: '81b5956cc8c5' };

test.each([
  ['changed', COMMIT, null, 'Terms.next, changed in 81b5956'],
  ['added', COMMIT, null, 'Search.run → Terms.next, new in 81b5956'],
  ['removed', null, null, 'Search.run → Terms.next, gone'],
  ['unchanged', null, null, 'Terms.next, whose code did not change'],
  [
    'unchanged',
    null,
    { ...method('acme.Terms', 'step'), commit: COMMIT },
    'Terms.next, whose code did not change, but that of Terms.step, which it calls, did in 81b5956',
  ],
  [
    'unchanged',
    null,
    { ...method('acme.Terms', 'step'), commit: null },
    'Terms.next, whose code did not change, but that of Terms.step, which it calls, did',
  ],
  ['unknown', null, null, 'Terms.next'],
] as const)('%s, by %j, calling %j', (cause, commit, calls, text) => {
  expect(causeText({ cause, context: NEXT, commit, calls })).toBe(text);
});
