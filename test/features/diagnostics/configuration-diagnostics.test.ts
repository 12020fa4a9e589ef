// Mistakes in an insitu.json that no data are needed to see are told at their text, also where JSON writes the text with escapes.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { configurationDiagnostics } from '../../../server/features/diagnostics/configuration-diagnostics.ts';
import { runs } from '../../support/runs.ts';

/** The marked text, and the message. */
function told(text: string): [marked: string, message: string][] {
  return configurationDiagnostics(text, () => true).map(({ start, end, message }) => [text.slice(start, end), message]);
}

test('aspects with a mistake are marked at it, whether of their value or of their name', () => {
  const aspects = [
    { name: 'logging', value: '*Logger.* | *.debug*' },
    { name: 'queue', value: '*Queue.* | ) | a.B' },
    { name: 'two words', value: 'a.B' },
    { name: 'open', value: 'a.B |' },
  ];
  expect(told(JSON.stringify({ aspects }))).toEqual([
    [
      '"two words"',
      'queries cannot name an aspect "two words" (take a name without blanks, * and punctuation that is no word of queries (and, or, not, where, let, in))',
    ],
    [')', expect.stringMatching(/^"\)" does not fit after "\|" \(an aspect is written /)],
    ['"', expect.stringMatching(/^something is missing after "\|" \(an aspect is written /)],
  ]);
});

test('tasks that are queries are marked at a mistake, others are no queries', () => {
  const tasks = [
    { name: 'pay', type: 'query', value: 'Shop.search ..' },
    { name: 'all', type: 'regex', value: '^com\\.acme\\.(.*' },
    { name: 'good', type: 'query', value: 'Shop.search ..*Ranker.*' },
  ];
  expect(told(JSON.stringify({ tasks }))).toEqual([['"', expect.stringMatching(/^something is missing after "\.\."/)]]);
});

test('objects without a text, and text that is no JSON, have their own mistakes alone', () => {
  expect(told('{ "aspects": [{ "name": "a" }, { "name": "b", "value": 3 }, 4] }').map(([marked]) => marked)).toEqual([
    '{ "name": "a" }',
    '3',
    '4',
  ]);
  const unfinished = told('{ "aspects": [{ "name": "a b", "value": ').map(([, message]) => message);
  expect(unfinished.filter(message => !message.startsWith('not valid JSON: '))).toEqual([
    expect.stringMatching(/^"value" in "aspects" must be a text/),
    expect.stringMatching(/^queries cannot name an aspect "a b"/),
  ]);
  expect(told(`{ "aspects": ${'['.repeat(60)}`)).toHaveLength(1);
});

/** A text as JSON writes it, some of its characters by their numbers. */
function written(text: string, isEscaped: readonly boolean[]): string {
  const units = text.split('').map((unit, at) => {
    if (isEscaped[at % isEscaped.length] === true) return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
    return JSON.stringify(unit).slice(1, -1);
  });
  return `"${units.join('')}"`;
}

test('the mark has exactly the characters of the mistake', () => {
  const before = fc.stringMatching(/^(?:[\t a-zé]{0,4}"[ a-z\t\\]{0,4}"){0,2}[\t ]{0,3}$/);
  fc.assert(
    fc.property(before, fc.array(fc.boolean(), { minLength: 1 }), (names, isEscaped) => {
      const value = written(`${names}) a`, isEscaped);
      const text = `{\n  "aspects": [{ "name": "x", "value": ${value} }]\n}`;
      const found = configurationDiagnostics(text, () => true);
      expect(found).toHaveLength(1);
      const marked = text.slice(found[0]!.start, found[0]!.end);
      // Names in a row are a mistake from the second one on.
      expect(found[0]!.message.startsWith(`"${JSON.parse(`"${marked}"`)}" `)).toBe(true);
    }),
    { numRuns: runs(300) },
  );
});
