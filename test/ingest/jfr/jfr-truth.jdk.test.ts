// The truth test: stacks and weights folded from real recordings equal the ones of the JDK's own reader, chunk by chunk, event by event.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatProblem } from '../../../server/base/problem.ts';
import type { EventMetric } from '../../../server/ingest/ingest.ts';
import { rulesFor } from '../../../server/ingest/jfr/event-table.ts';
import { ingestFile } from '../../../server/ingest/read.ts';
import { toCollapsed } from '../../../server/snapshot/export/collapsed.ts';
import { jfrStacksOfEach, sampleRecordings } from '../../oracle/oracle.ts';
import { needs } from '../../support/engines/needs.ts';
import { sampled } from '../../support/runs.ts';

// The shop's own event, as a configuration would name it.
const ORDER: EventMetric = { event: 'com.acme.shop.OrderPlaced', weight: 'duration', unit: 'nanoseconds' };
const EVENTS = [
  // Traced and timed methods hang below their callers; another test compares them.
  ...rulesFor([]).filter(rule => rule.counts === undefined),
  { event: ORDER.event, metric: ORDER.event, weight: 'duration' },
];
/** The events that every sample recording must have, so that nothing is compared with nothing. */
const CERTAIN = ['jdk.ExecutionSample', 'jdk.ObjectAllocationSample', 'jdk.ThreadPark', ORDER.event];

const TYPES = EVENTS.map(({ event }) => event);
const COMPARED = [...new Set([...sampled(EVENTS), ...EVENTS.filter(({ event }) => CERTAIN.includes(event))])];

needs('jdk25', 'stacks as the JDK reads them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-jfr-truth-'));
  // Recordings of several JVMs in one file: what the JDK's reader gets wrong as a whole, and right chunk by chunk.
  const mixed = join(folder, 'mixed.jfr');

  beforeAll(() => writeFileSync(mixed, Buffer.concat(sampleRecordings.map(({ path }) => readFileSync(path)))));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('there are recordings to compare', () => expect(sampleRecordings.length).toBeGreaterThanOrEqual(3));

  test.each([...sampleRecordings.map(({ name, path }) => [name, path] as const), ['all in one file', mixed] as const])(
    '%s',
    async (_, recording) => {
      const parts = recording === mixed ? sampleRecordings.map(({ path }) => path) : [recording];
      const stacks = parts.map(path => jfrStacksOfEach(path, TYPES));
      const absent: string[] = [];
      for (const { event, metric, weight } of COMPARED) {
        const { profile, problems } = await ingestFile(recording, { names: 'raw', events: [event], metrics: [ORDER] });
        const serious = problems.filter(
          ({ message }) => !/^no \S+ events; there are: |recorder (lost|could not)/.test(message),
        );
        expect(serious.map(formatProblem)).toEqual([]);
        // Exceptions count; the oracle would weigh them by a duration that is always 0.
        const weights = weight !== null;
        const ours = toCollapsed(profile!, { frames: 'full', threads: true, metric, weights });
        if (ours === '') absent.push(event);
        // Not expect(): the difference of two texts of megabytes says nothing, its first line does.
        else expect(firstDifference(ours, truth(stacks, event, weights)), event).toBe('');
      }
      for (const event of CERTAIN) expect(absent).not.toContain(event);
      for (const each of stacks) expect(absent.filter(event => each.has(event))).toEqual([]);
    },
  );
});

/** The JDK's reading of several recordings, summed; of each line the last two words are numbers. */
function truth(stacks: readonly ReadonlyMap<string, string>[], event: string, weights: boolean): string {
  const texts = stacks.map(each => each.get(event) ?? '');
  const sums = new Map<string, number[]>();
  for (const line of texts.join('').split('\n')) {
    if (line === '') continue;
    const parts = line.split(' ');
    const stack = parts.slice(0, -2).join(' ');
    const values = parts.slice(-2).map(Number);
    const old = sums.get(stack);
    sums.set(stack, old === undefined ? values : values.map((value, i) => value + old[i]!));
  }
  const told = (stack: string) => sums.get(stack)!.slice(0, weights ? 2 : 1);
  return [...sums.keys()]
    .sort()
    .map(stack => `${stack} ${told(stack).join(' ')}\n`)
    .join('');
}

/** The first line that differs, with both readings; empty when all are equal. */
function firstDifference(ours: string, theirs: string): string {
  if (ours === theirs) return '';
  const [left, right] = [ours.split('\n'), theirs.split('\n')];
  const at = left.findIndex((line, i) => line !== right[i]);
  return `line ${at + 1}:\nours:   ${left[at]}\ntheirs: ${right[at]}`;
}
