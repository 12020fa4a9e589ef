// Hits of the search that lie in rows which are not drawn: each is told once, below the last drawn box that leads to it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Frame } from '../../../clients/web/src/frame-decoder.ts';
import { hiddenHits, hitsBelow, namesOfHits } from '../../../clients/web/src/hidden-hits.ts';
import { runs } from '../../support/runs.ts';
import { frameOf, someStacks } from './random-frames.ts';
import { type FakeStack, fakeMethod } from './stacks-fake.ts';

/** Names from the root to each box, by ids. */
function waysOf({ boxes, header }: Frame): Map<number, string> {
  const ways: string[] = [];
  return new Map(
    Array.from(boxes.id, (id, box) => {
      const name = header.methods[boxes.method[box]!]?.name ?? 'everything';
      ways[box] = boxes.parent[box]! < 0 ? name : `${ways[boxes.parent[box]!]} ${name}`;
      return [id, ways[box]!];
    }),
  );
}

test('what is not drawn is found by its way, below the drawn box that the way leaves', () => {
  fc.assert(
    fc.property(someStacks, fc.integer({ min: 1, max: 5 }), (stacks, rows) => {
      const whole = frameOf(stacks, { search: 'c' }).frame;
      const { frame } = frameOf(stacks, { search: 'c', rows: [0, rows] });
      const hidden = hiddenHits(whole, row => row < rows);
      const ways = [...waysOf(whole).values()].filter(way => way.endsWith(' c') && way.split(' ').length > rows);
      const named = waysOf(whole);
      expect(hidden.map(({ id }) => named.get(id)).sort()).toEqual(ways.sort());
      const drawn = waysOf(frame);
      for (const [box, hits] of hitsBelow(frame, hidden))
        for (const { id } of hits)
          expect(drawn.get(frame.boxes.id[box]!)).toBe(named.get(id)?.split(' ').slice(0, rows).join(' '));
      const told = [...hitsBelow(frame, hidden).values()].reduce((sum, hits) => sum + hits.length, 0);
      expect(told).toBe(hidden.length);
    }),
    { numRuns: runs(300) },
  );
});

test('narrow parts with hits are told with the box above them', () => {
  const stack = (count: number, ...names: string[]): FakeStack => ({
    ...{ frames: names.map(name => fakeMethod(`com.acme.${name.toUpperCase()}`, name)), count },
    ...{ thread: 'main', window: 0 },
  });
  const { frame } = frameOf([stack(990, 'a', 'b'), stack(10, 'a', 'b', 'c')], { search: 'c', least: [0.05] });
  const hidden = hiddenHits(frame, row => row < 2);
  expect(hidden).toMatchObject([{ isCut: true, row: 3, method: null }]);
  expect(namesOfHits(hidden)).toBe('narrow parts');
  expect(hiddenHits(frame, row => row < 4)).toEqual([]);
});
