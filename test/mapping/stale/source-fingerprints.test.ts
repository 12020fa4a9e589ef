// Fingerprints of a file and the text that stands for it: over every operator on methods of the sample nothing is claimed that the text itself does not say.
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { outlineOf } from '../../../grammar/parse.ts';
import { TextComparer } from '../../../server/mapping/stale/compare-texts.ts';
import { fingerprintsOf, standInText } from '../../../server/mapping/stale/source-fingerprints.ts';
import { Subject } from './judge.ts';
import { assembled } from './mutant.ts';

/** All methods would take too long. */
const STRIDE = 40;
const SAME = ['unchanged', 'moved', 'renamed'];

const FILE = `package acme;

import java.util.List;

/** Sells. */
public class Shop<T extends Comparable<T>> {
  private static final int LIMIT = 3, SPARE = 4;

  @Deprecated
  public int search(String what, List<T> among) {
    // looks
    return among.size() + what.length();
  }

  enum Kind { BIG, SMALL; int size() { return 1; } }

  void run() {
    search("", List.of());
  }
}
`;

const states = (before: string, now: string): Record<string, string> => {
  const outline = outlineOf(now, 'Shop.java');
  const text = standInText(fingerprintsOf(before, 'Shop.java'), now, outline);
  if (text === null) throw new Error('nothing stands for it');
  const comparison = new TextComparer(text, outlineOf(text, 'Shop.java')).compare(now, outline);
  return Object.fromEntries(
    outline.declarations
      .filter(({ kind }) => kind === 'method')
      .map(({ name, row }) => {
        const shift = comparison?.shiftOf(comparison.profiledRow(row));
        return [name, `${comparison?.stateOf(row) ?? 'unchanged'} ${shift ?? 'somewhere'}`];
      }),
  );
};

test('what is equal stands where it was recorded, what is not has another body', () => {
  expect(states(FILE, FILE)).toEqual({ search: 'unchanged 0', size: 'unchanged 0', run: 'unchanged 0' });
  expect(states(FILE, `// one\n// two\n${FILE}`)).toMatchObject({ search: 'unchanged 2', run: 'unchanged 2' });
  expect(states(FILE, FILE.replace('what.length()', '7'))).toMatchObject({
    search: 'changed somewhere',
    run: 'unchanged 0',
  });
  const renamed = states(FILE, FILE.replaceAll('search', 'find'));
  expect(renamed).toMatchObject({ find: 'renamed somewhere' });
  // The same code in another layout: its lines are not known.
  expect(states(FILE, FILE.replace('    // looks\n', ''))).toMatchObject({
    search: 'unchanged somewhere',
    run: 'unchanged -1',
  });
  expect(states(FILE, FILE.replace('void run', 'void fresh() { search("x", null); }\n\n  void run'))).toMatchObject({
    fresh: 'new somewhere',
    run: 'unchanged 2',
  });
  expect(states(FILE, FILE.replaceAll('\n', '\r\n'))).toMatchObject({ search: 'unchanged 0' });
});

test('nothing is claimed of texts that do not fit, and nothing is told of the code itself', () => {
  const outline = outlineOf(FILE, 'Shop.java');
  const recorded = fingerprintsOf(FILE, 'Shop.java');
  expect(JSON.stringify(recorded)).not.toMatch(/what\.length|LIMIT = 3|looks/);
  const [type, ...members] = recorded.members;
  const wrong = { members: [type!, ...members.map(member => ({ ...member, firstLine: 1, lastLine: 2 }))] };
  expect(standInText(wrong, FILE, outline)).toBeNull();
  for (const member of members) {
    const odd = { members: [type!, { ...member, kind: 'constructor', name: '}{', signature: '(((' }] };
    expect(standInText(odd, FILE, outline)).toBeNull();
  }
});

test('over every operator: no state is better than by the text itself, and lines agree', () => {
  let [seen, compared, same, kept] = [0, 0, 0, 0];
  for (const [i, file] of globSync('samples/shop/v1/src/main/java/**/*.java').sort().entries()) {
    const text = readFileSync(file, 'utf8');
    const subject = new Subject(text);
    const recorded = fingerprintsOf(text, 'A.java');
    for (const member of subject.targets) {
      if (seen++ % STRIDE !== 0) continue;
      for (const [, , mutant] of subject.mutants(member, i * 1000 + member.row)) {
        const now = assembled(text, mutant.pieces).text;
        const outline = outlineOf(now, 'A.java');
        const stand = standInText(recorded, now, outline);
        const whole = subject.comparer.compare(now, outline);
        if (stand === null || whole === null) continue;
        const part = new TextComparer(stand, outlineOf(stand, 'A.java')).compare(now, outline);
        for (const { row, kind } of outline.declarations) {
          if (kind !== 'method' && kind !== 'constructor') continue;
          compared++;
          const [claimed, truth] = [part?.stateOf(row) ?? 'unchanged', whole.stateOf(row)];
          if (SAME.includes(claimed)) expect(SAME, `${file} ${truth} → ${claimed}`).toContain(truth);
          if (SAME.includes(truth)) same++;
          if (SAME.includes(truth) && SAME.includes(claimed)) kept++;
          const shift = part === null ? 0 : part.shiftOf(part.profiledRow(row));
          if (shift !== null && SAME.includes(claimed)) expect(whole.shiftOf(whole.profiledRow(row))).toBe(shift);
        }
      }
    }
  }
  expect(compared).toBeGreaterThan(500);
  expect(kept / same).toBeGreaterThan(0.98);
});
