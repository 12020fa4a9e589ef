// Tests how shares of methods and hints moved against a baseline, over two pictures of profiles.
import { describe, expect, test } from 'vitest';
import { Baseline, type Change, changeText } from '../../../server/features/facts/compare.ts';
import { hintChanges } from '../../../server/features/hints/hint-changes.ts';
import { hintsOf } from '../../../server/features/hints/hints.ts';
import { goneOf, topOf } from '../../../server/features/top.ts';
import { documentWithData } from '../../../server/workspace/document/document-view.ts';
import { loadedFromText } from '../../support/profiles/loaded.ts';

function change(baseline: number, current: number, angle: number, significant = true): Change {
  return { baseline, current, angle, red: 0, green: 0, blue: 0, significant };
}

describe('as text', () => {
  test.each([
    [change(0.2, 0.29, -40), '↗ +9'],
    [change(0.29, 0.2, 40), '↘ −9'],
    [change(0.2, 0.6, -90), '↑ +40'],
    [change(0.6, 0.2, 90), '↓ −40'],
    [change(0.5, 0.52, -3), '+2'],
    [change(0.2, 0.6, -90, false), '+40'],
    [change(0.0101, 0.0155, -48), '↗ +0.5'],
    [change(0.0001, 0.0006, -90), '↑ +0.05'],
    [change(0.1, 0.1, 0), '±0'],
    [change(0.10001, 0.1, 0), '±0'],
  ])('%j is %s', (each, text) => expect(changeText(each)).toBe(text));
});

const BEFORE = new Baseline(
  loadedFromText(`
Shop.run(I) :1 | 100@5
  Queue.take :3 | 300@9
  Log.log :4 | 100@9
  Log.log :6 | 10@9
Shop.gone | 490@1`),
);
const NOW = `
Shop.run(J) :1 | 100@5
  Queue.take :13 | 700@9
  Log.log :14 | 101@9
Shop.fresh | 99@1`;

test('methods by name, those whose parameters changed too; new ones come from nothing', () => {
  const rows = topOf(loadedFromText(NOW), { limit: 9, by: 'total', platform: false, baseline: BEFORE });
  expect(rows.map(row => `${row.className}.${row.method} ${changeText(row.change!)}`)).toEqual([
    'Shop.run ↑ +39',
    'Queue.take ↑ +40',
    'Log.log −0.9',
    'Shop.fresh ↗ +10',
  ]);
});

test('by self time the change is that of the self time, of methods that vanished too', () => {
  const self = { limit: 9, by: 'self', platform: false, baseline: BEFORE } as const;
  const rows = topOf(loadedFromText(NOW), self);
  const text = (row: { className: string; method: string; change?: Change }) =>
    `${row.className}.${row.method} ${changeText(row.change!)}`;
  expect(rows.map(text)).toEqual(['Queue.take ↑ +40', 'Log.log −0.9', 'Shop.run ±0', 'Shop.fresh ↗ +10']);
  const before = new Baseline(loadedFromText('Shop.run | 90@1\n  Shop.gone :2 | 10@3\n    Queue.take :4 | 100@1'));
  const gone = goneOf(loadedFromText('Shop.run | 100@1'), { ...self, baseline: before });
  expect(gone.map(text)).toEqual(['Queue.take ↘ −50', 'Shop.gone ↘ −5']);
});

test('few samples move by chance', () => {
  const few = loadedFromText('Shop.run(I) | 7@1\nOther.go | 3@1');
  const [row] = topOf(few, { limit: 1, by: 'total', platform: false, baseline: BEFORE });
  expect(row!.change).toMatchObject({ significant: false, baseline: 0.51, current: 0.7 });
  expect(changeText(row!.change!)).toBe('+19');
});

test('hints: methods, and calls where the method has as many lines with them', () => {
  const text = `class Shop {
  void run(long x) {
${'\n'.repeat(9)}
    queue.take();
    log.log();
  }
}`;
  const lines = text.split('\n');
  expect([lines[12], lines[13]]).toEqual(['    queue.take();', '    log.log();']);
  const picture = NOW.replace('100@5', '100@13');
  const document = documentWithData(text, loadedFromText(picture));
  const hints = hintsOf(document);
  const changes = hintChanges(document, hints, BEFORE);
  const shown = hints.map(
    hint => `${hint.line} ${hint.text} ${changes.has(hint) ? changeText(changes.get(hint)!) : '-'}`,
  );
  // Of 510 samples of run 300 called take, and on two lines together 110 log.
  expect(shown).toEqual(['2 90% · self 11% ↑ +39', '13 78% → Queue ↗ +19', '14 11% → Log -']);
});
