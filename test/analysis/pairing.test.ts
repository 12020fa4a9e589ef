// Tests that the methods of two versions pair all at once as they pair row by row.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Pairing } from '../../server/analysis/pairing.ts';
import { PARTIAL_METHOD } from '../../server/cct/profile.ts';
import { loadedFromText } from '../support/profiles/loaded.ts';
import { methodText } from '../support/profiles/profiles.ts';
import { runs } from '../support/runs.ts';

const names = ['A', 'B', 'A.C'].flatMap(of => ['run', 'go'].map(name => `${of}.${name}`));
const descriptors = ['', '()V', '(I)V', '(II)V'];
const someMethods = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...descriptors)), {
    selector: method => method.join(''),
    minLength: 1,
    maxLength: 12,
  })
  .map(methods => loadedFromText(methods.map(([name, descriptor]) => `${name}${descriptor} | 1@1`).join('\n')));

test('a method became the one of its names, else the first one that was found to have been it', () => {
  fc.assert(
    fc.property(someMethods, someMethods, (baseline, shown) => {
      const pairing = Pairing.pending(shown, baseline).with();
      const nameNow = (row: number) => methodText(shown.profile, row);
      const rows = Array.from({ length: shown.profile.methods.length }, (_, row) => row).slice(PARTIAL_METHOD + 1);
      const found = [...pairing.becameRows()].slice(PARTIAL_METHOD + 1);
      for (const [at, became] of found.entries()) {
        const then = PARTIAL_METHOD + 1 + at;
        const candidates = rows.filter(row => pairing.rowsOf([row]).includes(then));
        const ofItsName = candidates.find(row => nameNow(row) === methodText(baseline.profile, then));
        expect(became).toBe(ofItsName ?? candidates[0] ?? -1);
      }
    }),
    { numRuns: runs(100) },
  );
});
