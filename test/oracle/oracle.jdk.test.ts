// Checks the oracles themselves: that they see what was recorded, and that there is enough of it to compare with.
import { expect, test } from 'vitest';
import { needs } from '../support/engines/needs.ts';
import { sampled } from '../support/runs.ts';
import { type ExpectedHints, expectedHints, jfrStacks, sampleRecordings } from './oracle.ts';

const countOf = (line: string, column: number) => Number(line.split(' ').at(column));

needs('jdk17', 'oracles, with JDK 17', () => {
  needs('jdk25', 'and JDK 25', () => {
    const first = sampleRecordings.find(({ name }) => name === 'shop-v1-jdk17-a')!;

    test.each(sampleRecordings)('$name has many samples, sorted, each stack once', ({ path }) => {
      const lines = jfrStacks(path, ['jdk.ExecutionSample']).trimEnd().split('\n');
      const stacks = lines.map(line => line.slice(0, line.lastIndexOf(' ')));
      expect(lines).toEqual([...lines].sort());
      expect(new Set(stacks).size).toBe(stacks.length);
      expect(lines.reduce((sum, line) => sum + countOf(line, -1), 0)).toBeGreaterThan(2_000);
    });

    test('weights are nanoseconds for sleeps and the count for samples', () => {
      const sleeps = jfrStacks(first.path, ['jdk.ThreadSleep'], { weights: true }).trimEnd().split('\n');
      for (const line of sleeps) expect(countOf(line, -1)).toBeGreaterThan(5e6 * countOf(line, -2));
      const samples = jfrStacks(first.path, ['jdk.ExecutionSample'], { weights: true }).trimEnd().split('\n');
      for (const line of samples) expect(countOf(line, -1)).toBe(countOf(line, -2));
    });

    test('one recording has stacks that were cut off', () => {
      const cut = sampleRecordings.filter(({ path }) =>
        jfrStacks(path, ['jdk.ExecutionSample']).includes(';[truncated];'),
      );
      expect(cut.map(({ name }) => name)).toEqual(['shop-v1-jdk17-b']);
    });

    test.each(sampled(sampleRecordings))(
      '$name asks for hints of every kind, one a line, none on the others',
      ({ version, jdk, path }) => {
        const [{ hints, files, totals }] = expectedHints({ version, jdk, recordings: [path] }) as [ExpectedHints];
        const byKind = Map.groupBy(hints, ({ kind }) => kind);
        expect(hints.length).toBeGreaterThanOrEqual(60);
        expect([...byKind.keys()].sort()).toEqual(['call', 'initializer', 'lambda', 'line', 'method']);
        for (const { text, count, weight, of } of hints) {
          expect(text.length).toBeLessThanOrEqual(32);
          expect(count).toBeGreaterThanOrEqual(10);
          expect(weight).toBeLessThanOrEqual(of);
        }
        for (const { file, lines, empty } of files) {
          const none = empty.reduce((sum, [from, to]) => sum + to - from + 1, 0);
          const full = hints.filter(hint => hint.file === file).map(({ line }) => line);
          expect(new Set(full).size).toBe(full.length);
          expect(full.filter(line => empty.some(([from, to]) => from <= line && line <= to))).toEqual([]);
          expect(none + full.length).toBe(lines);
        }
        expect(totals.samples).toBeGreaterThan(2_000);
      },
    );
  });
});
