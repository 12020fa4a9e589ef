// Holes in a real recording, as a copy that breaks off leaves them: whatever they take away, the reader says that it has read a part.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memorySource } from '../../../server/ingest/byte-source.ts';
import { ingestSource } from '../../../server/ingest/read-source.ts';
import { toCollapsed } from '../../../server/snapshot/export/collapsed.ts';

const WHOLE = readFileSync('samples/recordings/shop-v1-jdk25.jfr');

async function read(bytes: Uint8Array): Promise<{ readonly stacks: string; readonly isPart: boolean }> {
  const { profile, problems } = await ingestSource(memorySource('test.jfr', bytes), { names: 'raw' });
  const stacks = (profile?.metrics ?? []).map(({ id }) =>
    toCollapsed(profile!, { frames: 'full', threads: true, metric: id, weights: true }),
  );
  const isPart = problems.some(problem => problem.isPart === true || problem.severity === 'error');
  return { stacks: stacks.join('\n'), isPart };
}

test('a hole is told wherever it is', async () => {
  const whole = await read(WHOLE);
  expect(whole.isPart).toBe(false);
  const hole = fc.tuple(fc.nat(WHOLE.length - 1), fc.constantFrom(512, 4096, 65_536));
  // In the metadata, behind half of the types.
  const examples: [[number, number]][] = [[[114_046, 4096]]];
  await fc.assert(
    fc.asyncProperty(hole, async ([at, length]) => {
      const { stacks, isPart } = await read(Buffer.from(WHOLE).fill(0, at, Math.min(WHOLE.length, at + length)));
      expect(isPart || stacks === whole.stacks).toBe(true);
    }),
    { numRuns: 25, examples },
  );
});
