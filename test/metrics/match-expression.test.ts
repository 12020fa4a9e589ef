// Tests that expressions of tasks are matched between pauses, whatever they are, and find what a plain loop finds.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ExpressionMatches, expressionTime, matchNames } from '../../server/metrics/match-expression.ts';
import { runs } from '../support/runs.ts';

const METHODS = 50_000;

function taken(source: string, names: readonly (string | null)[]): { pauses: number; found: ExpressionMatches } {
  let pauses = 0;
  const found = matchNames(source, names, expressionTime(), () => pauses++);
  return { pauses, found };
}

const method = (i: number) => `com.acme.part${i % 97}.Type${i % 1_013}.step${i}`;
const NAMES = Array.from({ length: METHODS }, (_, i) => method(i));

test('many names are matched a few at a time', () => {
  const { pauses, found } = taken(String.raw`part(?<part>\d+)\.`, NAMES);
  expect(pauses).toBeGreaterThanOrEqual(METHODS / 2_048);
  expect('groups' in found && found.groups.map(groups => groups?.[0]?.[1])).toEqual(NAMES.map((_, i) => `${i % 97}`));
});

describe('an expression that never ends', () => {
  test.each([0, 25_000, METHODS - 1])('at name %i of many is given up, others having been let in before', at => {
    const names = NAMES.with(at, `${'a'.repeat(60)}!`);
    const { pauses, found } = taken('^(a+)+$', names);
    expect(found).toEqual({ isTooSlow: true });
    // Once a smaller number of names, then each try with the one.
    expect(pauses).toBeGreaterThanOrEqual(Math.floor(at / 2_048) + 5);
  });

  test('at every name is given up as soon', () => {
    const { pauses, found } = taken('^(a+)+$', new Array(METHODS).fill(`${'a'.repeat(60)}!`));
    expect(found).toEqual({ isTooSlow: true });
    expect(pauses).toBeLessThan(METHODS / 512);
  });
});

test('what is no expression says why', () => {
  expect(taken('(', ['a']).found).toEqual({ invalid: expect.stringMatching(/^Invalid regular expression/) });
  expect(taken('a', [null]).found).toEqual({ groups: [null] });
  expect(taken('a', []).found).toEqual({ groups: [] });
});

test('finds what a plain loop finds', () => {
  const source = fc.constantFrom('a', '^(?<x>a+)(?<y>b)?', 'b$', '(?<x>.)(?<y>.)', '');
  const names = fc.array(fc.option(fc.string({ unit: fc.constantFrom('a', 'b', '.', '\u{1f600}'), maxLength: 6 })), {
    maxLength: 1_200,
  });
  fc.assert(
    fc.property(source, names, (expression, all) => {
      const plain = all.map(name => {
        const match = name === null ? null : new RegExp(expression).exec(name);
        return match === null ? null : Object.entries(match.groups ?? {}).map(([group, text]) => [group, text ?? null]);
      });
      expect(taken(expression, all).found).toEqual({ groups: plain });
    }),
    { numRuns: runs(100) },
  );
});
