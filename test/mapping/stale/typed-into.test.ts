// A comparer that has seen every version of a text says the same as one that sees the last version alone.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outlineOf } from '../../../grammar/parse.ts';
import { TextComparer } from '../../../server/mapping/stale/compare-texts.ts';
import type { TextComparison } from '../../../server/mapping/stale/text-comparison.ts';
import { runs } from '../../support/runs.ts';

const FILES = ['load/Thumbnail', 'pricing/RuleBook', 'load/Recommender'].map(name =>
  readFileSync(`samples/shop/v1/src/main/java/com/acme/shop/${name}.java`, 'utf8'),
);

/** Small edits of bodies, which are what most keystrokes are, and now and then what changes declarations. */
const PIECES = [
  'x',
  ' ',
  '\n',
  'a(b -> c());',
  '() -> 1',
  'new T() { void t() {} };',
  '}',
  'void added() { run(); }',
  ', int more',
];

const edits = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 999 }).map(number => number / 999),
    removed: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 60 })),
    typed: fc.oneof({ weight: 6, arbitrary: fc.constantFrom('x', '\n') }, fc.constantFrom(...PIECES)),
    /** Takes the latest edit back. */
    isUndone: fc.integer({ min: 0, max: 4 }).map(number => number === 0),
  }),
  { minLength: 3, maxLength: 8 },
);

/** Everything that a comparison says. */
function said(comparison: TextComparison | null): unknown {
  if (comparison === null) return null;
  const { profiled, current } = comparison;
  return {
    rows: profiled.declarations.map(({ row, lines }) => ({
      now: comparison.currentRow(row),
      shift: comparison.shiftOf(row),
      lines: lines.map(([first, last]) => [comparison.lineOf(row, first), comparison.lineOf(row, last)]),
    })),
    states: current.declarations.map(({ row }) => [comparison.profiledRow(row), comparison.stateOf(row)]),
    sites: profiled.callSites.map((site, i) => (i % 5 === 0 ? comparison.siteOf(site)?.nameSpan.start : null)),
  };
}

test('after any edits', () => {
  fc.assert(
    fc.property(fc.constantFrom(...FILES), edits, (profiled, all) => {
      const comparer = new TextComparer(profiled, outlineOf(profiled));
      let [text, before] = [profiled, profiled];
      for (const { at, removed, typed, isUndone } of all) {
        const start = Math.floor(at * text.length);
        [text, before] = isUndone ? [before, text] : [text.slice(0, start) + typed + text.slice(start + removed), text];
        const fresh = new TextComparer(profiled, outlineOf(profiled)).compare(text, outlineOf(text));
        expect(said(comparer.compare(text, outlineOf(text)))).toEqual(said(fresh));
      }
    }),
    { numRuns: runs(25) },
  );
});

test('after typing into a method that was found by its code, of which there is a copy', () => {
  const own = 'int f(int by) { return first(by) + second(by) + third(by) + fourth(by); }';
  const copy = own.replace('first', 'fifth');
  const profiled = `class A { ${own} }`;
  const typed = `class A { ${copy} ${own.replace('+ second(by) + third(by) + fourth(by)', '* 2')} }`;
  const comparer = new TextComparer(profiled, outlineOf(profiled));
  for (const text of [profiled, `class A { ${copy} ${own} }`, typed]) {
    const fresh = new TextComparer(profiled, outlineOf(profiled)).compare(text, outlineOf(text));
    expect(said(comparer.compare(text, outlineOf(text)))).toEqual(said(fresh));
  }
});
