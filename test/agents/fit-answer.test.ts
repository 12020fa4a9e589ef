// Answers of any size within the limits of a tool: nothing is cut without a word, and decisive lists are cut last.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitAnswer, MOST_BYTES, MOST_ROWS } from '../../server/agents/fit-answer.ts';
import { runs } from '../support/runs.ts';

const bytes = (value: unknown) => Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));
const text = (value: unknown) => JSON.stringify(value);
const rowsOf = (length: number, width: number) => Array.from({ length }, (_, at) => ({ at, name: 'x'.repeat(width) }));

test('any answer fits, and each list says what it is without', () => {
  const list = fc.record({ length: fc.nat(300), width: fc.nat(400) }).map(({ length, width }) => rowsOf(length, width));
  fc.assert(
    fc.property(list, list, list, (rows, reports, methods) => {
      const whole = { reports, check: { end: 'failed', methods }, total: rows.length + 7, leftOut: 7, rows };
      const { value, text: shown } = fitAnswer(whole, text);
      expect(Math.max(bytes(value), bytes(shown))).toBeLessThanOrEqual(MOST_BYTES);
      const cut = Object(value);
      const missing = { reports: 0, 'check.methods': 0, ...cut.leftOutOf };
      expect(cut.rows.length + cut.leftOut).toBe(cut.total);
      expect(cut.reports.length + missing.reports).toBe(reports.length);
      expect(cut.check.methods.length + missing['check.methods']).toBe(methods.length);
      expect(Math.max(cut.rows.length, cut.reports.length, cut.check.methods.length)).toBeLessThanOrEqual(MOST_ROWS);
      // The first list gives rows away only once the later ones keep no more than three.
      if (cut.reports.length < Math.min(reports.length, MOST_ROWS)) {
        expect(cut.check.methods.length).toBeLessThanOrEqual(3);
        expect(cut.rows.length).toBeLessThanOrEqual(3);
      }
    }),
    { numRuns: runs(100) },
  );
});

test('long ways and lists of instances are bounded and counted; ways keep their ends', () => {
  const above = Array.from({ length: 500 }, (_, at) => ({ className: 'a.B', method: `m${at}` }));
  const whole = { origin: { instances: above.map(({ method }) => method) }, contexts: [{ above }, { above: [] }] };
  const { value } = fitAnswer(whole, text);
  expect(value.leftOutOf).toEqual({ 'origin.instances': 490, 'contexts.above': 490 });
  expect(Object(value).contexts[0].above.at(-1).method).toBe('m499');
  expect(Object(value).origin.instances[0]).toBe('m0');
});

test('a single text that is too long is cut', () => {
  const { value } = fitAnswer({ rows: [], words: 'x'.repeat(10 * MOST_BYTES) }, text);
  expect(bytes(value)).toBeLessThan(MOST_BYTES);
});

test('characters that steer or hide text are visible, line breaks stay', () => {
  const hidden = 'a\u200bb\u202ec\u{e0041}d\u001b[2J\ne';
  const { value } = fitAnswer({ program: hidden, rows: [{ names: [hidden] }] }, text);
  const shown = 'a\\u200bb\\u202ec\\udb40\\udc41d\\u001b[2J\ne';
  expect(value).toEqual({ program: shown, rows: [{ names: [shown] }] });
});
