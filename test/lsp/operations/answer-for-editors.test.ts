// Tests that editors get answers as the type `InEditor` says: each method and each change has its fields, everything else stays.
import { expect, test } from 'vitest';
import type { Answers } from '../../../server/features/answers/answer-types.ts';
import { forEditors } from '../../../server/lsp/operations/answer-for-editors.ts';
import type { EditorAnswers } from '../../../server/lsp/protocol.ts';
import { fakeOrigin } from '../../support/protocol/fake-origin.ts';

const origin = fakeOrigin({ baseline: 'shop 1.3' });
const share = { text: '50%', share: 0.5, count: 113, of: 226, weight: 113, interval: [0.4, 0.6] as const };
const left = { platform: null, unknown: null, withoutOwn: null, withoutOwnThreads: [], fromOutside: null };
const about = { origin, ...left, total: 3, leftOut: 1 };
const search = { key: 'com.acme.Shop.search(String)', id: 'aaaaaaaa', className: 'com.acme.Shop', name: 'search' };
const row = { isPlatform: false, total: share, self: share, own: share, times: null };
const place = { file: 'src/Shop.java', line: 41, column: 5, certain: false };
const change = { text: '↗ +25', baseline: 0.25, current: 0.5, verdict: 'slower' as const };

test('methods get a label and an address, changes an angle and a colour, in lists and below null', () => {
  const descriptor = '(Ljava/lang/String;)V';
  const answer: Answers['top'] = {
    ...about,
    rows: [{ ...row, method: { ...search, descriptor, place }, change }],
    vanished: [{ ...row, method: { ...search, descriptor: null, place: null }, change: null }],
  };
  const start = { line: 40, character: 4 };
  const location = { uri: 'file:///shop/src/Shop.java', range: { start, end: start } };
  const expected: EditorAnswers['top'] = {
    ...about,
    rows: [
      {
        ...{ ...row, change: { ...change, angle: -90, colour: { red: 255, green: 0, blue: 0 } } },
        method: { ...search, descriptor, place, label: 'Shop.search(String)', location, certain: false },
      },
    ],
    vanished: [
      {
        ...{ ...row, change: null },
        method: { ...search, descriptor: null, place: null, label: 'Shop.search', location: null, certain: false },
      },
    ],
  };
  expect(forEditors(answer, '/shop')).toEqual(expected);
});

test('places that are addresses stay as they are', () => {
  const file = 'jdt://contents/rt.jar/Shop.java';
  const subject = { ...search, descriptor: null, place: { ...place, file } };
  expect(forEditors({ subject }, '/shop')).toMatchObject({ subject: { location: { uri: file } } });
});
