// Answers as text for people: amounts and durations with their units, and names of methods as people write them.
import { expect, test } from 'vitest';
import { factLines, tableOf, writtenOf } from '../../../server/features/answers/answer-text.ts';

const share = { text: '41%', share: 0.41, count: 140, of: 342, weight: 6.084e9, interval: null };

test.each([
  ['paths', 'nanoseconds', { whole: 14_673_882_448 }, ['whole: 14.7 s']],
  ['prediction', 'samples', { mean: 58_863_078.775, low: -2e6 }, ['mean: 58.9 ms', 'low: -2 ms']],
  [
    'loadedData',
    'samples',
    { metrics: [{ id: 'alloc', unit: 'bytes', samples: 7, weight: 2 ** 31 }] },
    ['metrics: alloc 7 2 GiB'],
  ],
  ['why', 'nanoseconds', { ofAll: share }, ['ofAll: 41% · 6.08 s']],
  ['why', 'samples', { ofAll: share }, ['ofAll: 41%']],
  ['tasks', 'samples', { ratio: 0.12345 }, ['ratio: 0.123']],
  [
    'compare',
    'samples',
    { methods: [{ className: 'a.Map', method: 'get', descriptor: '(Ljava/lang/Object;)La/Node;', before: 0.185 }] },
    ['methods: a.Map.get(Object) 18.5 %'],
  ],
])('%s in %s', (answer, unit, facts, lines) => {
  const written = writtenOf(answer, { unit });
  expect(factLines(written, facts).map(line => line.join(': '))).toEqual(lines);
});

test('a table has amounts beside shares, and no empty column', () => {
  const rows = [{ name: 'a', share, note: '' }];
  const { head, cells } = tableOf(writtenOf('threads', { unit: 'nanoseconds' }), rows);
  expect([head, ...cells]).toEqual([
    ['name', 'share'],
    ['a', '41% · 6.08 s'],
  ]);
});
