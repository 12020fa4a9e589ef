// The benchmark's table tells better from worse, and a row that failed from one that missed.
import { expect, test } from 'vitest';
import { median } from '../row.ts';
import { benchTable, type MeasuredRow, ratio } from './bench-table.ts';

test('the ratio says how many times better, for rates and for durations', () => {
  expect(ratio({ value: 300, unit: 'MB/s', peer: { name: 'JDK', value: 100 } })).toBe(3);
  expect(ratio({ value: 20, unit: 'ms', peer: { name: 'JDK', value: 50 } })).toBe(2.5);
  expect(ratio({ value: 20, unit: 'ms' })).toBeUndefined();
});

test('medians', () => {
  expect(median([5, 1, 9])).toBe(5);
  expect(median([4, 1, 2, 9])).toBe(3);
  expect(median([])).toBeNaN();
});

test('each figure has its line, with target and verdict', () => {
  const rows: MeasuredRow[] = [
    {
      area: 'ingest',
      name: 'read',
      seconds: 1,
      figures: [
        {
          label: 'cold',
          value: 1234.5,
          unit: 'MB/s',
          peer: { name: 'JDK 25', value: 411.5 },
          wanted: '≥ 2 ×',
          ok: true,
        },
        { label: 'warm', value: 2.345, best: 1.5, unit: 'ms', wanted: '≤ 1 ms', ok: false },
      ],
    },
    { area: 'lsp', name: 'hints', seconds: 0, figures: [], trouble: 'no server\nat line 3' },
  ];
  const about = { machine: 'M', speed: 'slow', node: 'v24.0.0', date: '2026-01-02', quick: true, seconds: 3 };
  const [first, second, ...lines] = benchTable(about, rows).split('\n');
  expect(first).toBe('M; Node.js v24.0.0; 2026-01-02; quick, 3 s; medians');
  expect(second).toBe('slow');
  const texts = lines
    .filter(line => /[a-z]/.test(line))
    .map(line =>
      line
        .split('│')
        .map(cell => cell.trim())
        .slice(1, -1),
    );
  expect(texts).toEqual([
    ['area', 'what', 'median', 'peer', 'ratio', 'wanted', ''],
    ['ingest', 'read: cold', '1,235 MB/s', '412 MB/s JDK 25', '3.00 ×', '≥ 2 ×', 'met'],
    ['ingest', 'read: warm', '2.35 ms (best 1.50)', '', '', '≤ 1 ms', 'missed'],
    ['lsp', 'hints', '', '', '', '', 'failed: no server'],
  ]);
});
