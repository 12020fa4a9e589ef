// The open documents at one moment are what a map would hold, and stay so when others are made of them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OpenDocumentsNow } from '../../../server/workspace/document/open-documents.ts';
import { runs } from '../../support/runs.ts';

type Numbered = { readonly nth: number };

test('opening, changing and closing; earlier moments stay', () => {
  const step = fc.record({ key: fc.nat(150).map(String), isClosed: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), steps => {
      let now = new OpenDocumentsNow<Numbered>();
      const plain = new Map<string, Numbered>();
      const moments: [OpenDocumentsNow<Numbered>, Numbered[]][] = [];
      for (const [nth, { key, isClosed }] of steps.entries()) {
        now = now.with(key, isClosed ? null : { nth });
        if (isClosed) plain.delete(key);
        else plain.set(key, { nth });
        expect(now.get(key)).toEqual(plain.get(key));
        if (nth % 50 === 0) moments.push([now, [...plain.values()]]);
      }
      moments.push([now, [...plain.values()]]);
      const sorted = (all: Iterable<Numbered>) => [...all].toSorted((a, b) => a.nth - b.nth);
      for (const [moment, held] of moments) expect(sorted(moment.values())).toEqual(sorted(held));
    }),
    { numRuns: runs(60) },
  );
});
