// Garbage collections beside samples and alone: pauses are no samples.
import { expect, test } from 'vitest';
import { pausesOf } from '../../../server/cct/gc-pauses.ts';
import { ingest } from '../../support/recordings/ingested.ts';
import { ChunkWriter, type EventType, TYPE } from '../../support/recordings/jfr-writer.ts';

const COLLECTION: EventType = {
  ...{ id: 230, name: 'jdk.GarbageCollection' },
  fields: [
    ['startTime', TYPE.long, 'ticks'],
    ['sumOfPauses', TYPE.long, 'ticks'],
    ['name', TYPE.string],
    ['cause', TYPE.string],
  ],
};

function chunk(): ChunkWriter {
  return new ChunkWriter({ events: [COLLECTION] });
}

function collected(to: ChunkWriter, micros: number, cause: string): ChunkWriter {
  return to.event(to.body(COLLECTION.id).long(0).long(micros).text('Serial').text(cause));
}

test('pauses add up by collector and cause, the longest first', async () => {
  const written = collected(collected(collected(chunk().sample(1), 30, 'Full'), 5, ''), 12, 'Full');
  const { profile } = await ingest(written.finish(), { names: 'normalised' });
  expect(pausesOf(profile!)).toEqual([
    { kind: 'Serial, Full', nanos: 42_000, count: 2 },
    { kind: 'Serial', nanos: 5_000, count: 1 },
  ]);
});

test('a recording of collections alone has no events that feed a metric, and says so', async () => {
  const { problems } = await ingest(collected(chunk(), 30, 'Full').finish(), { names: 'normalised' });
  expect(problems.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^no events that feed a metric; there are: .*jdk\.GarbageCollection/),
  );
});
