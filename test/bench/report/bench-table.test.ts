// The benchmark's table has each figure as measured and at the reference machine, and tells a row that failed from one that missed.
import { expect, test } from 'vitest';
import { median } from '../row.ts';
import { benchTable, judgedRows, type MeasuredRow } from './bench-table.ts';
import { REFERENCE } from './machine-speed.ts';

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
          limit: { timesPeer: 2 },
        },
        { label: 'warm', value: 2.345, best: 1.5, unit: 'ms', limit: { most: 1 } },
      ],
    },
    { area: 'lsp', name: 'hints', seconds: 0, figures: [], trouble: 'no server\nat line 3' },
  ];
  const speed = { first: REFERENCE, last: REFERENCE, reference: REFERENCE, factor: 2, stolen: null };
  const about = { machine: 'M', speed, node: 'v24.0.0', date: '2026-01-02', quick: true, seconds: 3 };
  const [first, work, factor, ...lines] = benchTable(about, rows).split('\n');
  expect(first).toBe('M; Node.js v24.0.0; 2026-01-02; quick, 3 s; medians');
  expect(work).toMatch(/^Reference work/);
  expect(factor).toMatch(/^Factor 2\.00/);
  expect(lines.pop()).toBe('1 of 2 targets missed');
  const texts = lines
    .filter(line => /[a-z]/.test(line))
    .map(line =>
      line
        .split('│')
        .map(cell => cell.trim())
        .slice(1, -1),
    );
  expect(texts).toEqual([
    ['area', 'what', 'median', 'at the reference', 'peer', 'ratio', 'wanted', ''],
    ['ingest', 'read: cold', '1,235 MB/s', '', '412 MB/s JDK 25', '3.00 ×', '≥ 2 ×', 'met'],
    ['ingest', 'read: warm', '2.35 ms (best 1.50)', '1.17 ms', '', '', '≤ 1 ms', 'missed'],
    ['lsp', 'hints', '', '', '', '', '', 'failed: no server'],
  ]);
  // Programs get the same.
  expect(judgedRows(rows, 2)).toMatchObject([
    {
      figures: [
        { value: 1234.5, wanted: '≥ 2 ×', ok: true },
        { value: 2.345, atReference: 1.1725, ok: false },
      ],
    },
    { trouble: 'no server\nat line 3' },
  ]);
});
