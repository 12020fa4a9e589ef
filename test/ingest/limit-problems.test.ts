// Tests that values of a file that a profile cannot take are told: names and amounts beyond what any real program has, and times on one long line.
import { expect, test } from 'vitest';
import { LONGEST_TEXT } from '../../server/cct/limits.ts';
import { ingest } from '../support/recordings/ingested.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const messages = async (text: string) => {
  const { problems } = await ingest(bytes(text), { names: 'raw' });
  return problems.filter(({ severity }) => severity === 'warning').map(({ message }) => message);
};

test('names that are too long and amounts that are too large are told, each once a file', async () => {
  const long = `a.B.${'x'.repeat(LONGEST_TEXT)}x`;
  expect(await messages(`a.B.c;d.E.f 3\n${long} 2\n`)).toEqual([
    `1 names of more than ${LONGEST_TEXT} characters were shortened`,
  ]);
  expect(await messages(`a.B.c;d.E.f 1${'0'.repeat(150)}\na.B.c 1\n`)).toEqual([
    '1 counts or weights that are negative, no number, or above 1e+100 were clamped',
  ]);
  expect(await messages('a.B.c;d.E.f 3\n')).toEqual([]);
});

test('dumps in JSON on one line of many megabytes keep their times', async () => {
  const stack = Array.from({ length: 400 }, (_, i) => `com.acme.Shop$${i}.method(Shop.java:${i + 1})`);
  const threads = Array.from({ length: 150 }, (_, i) => ({ tid: String(i), name: `worker-${i}`, stack }));
  const dump = (time: string) => ({ threadDump: { time, threadContainers: [{ container: '<root>', threads }] } });
  const text = ['2026-11-20T10:00:00Z', '2026-11-20T10:05:00Z'].map(time => JSON.stringify(dump(time))).join('');
  expect(text.length).toBeGreaterThan(4 << 20);
  const { startMillis, endMillis } = await ingest(bytes(text), { names: 'raw' });
  expect([startMillis, endMillis]).toEqual([Date.UTC(2026, 10, 20, 10), Date.UTC(2026, 10, 20, 10, 5)]);
});
