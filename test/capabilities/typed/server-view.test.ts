// Tests the Server View: against sums over dumps, a published study, and where the number of processors is not known.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answer } from '../../../server/analysis/ask.ts';
import { listedMetrics } from '../../../server/cct/listed-metrics.ts';
import { mergeProfiles } from '../../../server/cct/merge.ts';
import { loadedFrom } from '../../support/profiles/loaded.ts';
import { ingest } from '../../support/recordings/ingested.ts';
import { cost, dumps, GO, many, paths, RUN, runnable, typed, WISH } from '../../support/recordings/typed-dumps.ts';
import { runs } from '../../support/runs.ts';

describe('the Server View', () => {
  test('equals a naive sum over dumps', async () => {
    const states = fc.array(fc.constantFrom('RUNNABLE', 'WAITING'), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(states, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 4 }),
        async (series, processors) => {
          const data = await typed(dumps(...series.map(dump => dump.map(state => ({ state, stack: RUN })))), {
            processors,
          });
          const run = series.map(dump => Math.min(processors, dump.filter(state => state === 'RUNNABLE').length));
          const wanted = run.reduce((sum, each) => sum + each, 0) / (series.length * processors);
          const { amount, whole, idle } = paths(data, '*', 'server');
          expect(amount.weight / whole.weight).toBeCloseTo(wanted, 9);
          expect(idle).toBeCloseTo(1 - wanted, 9);
        },
      ),
      { numRuns: runs(50) },
    );
  });

  test('in the Server View a machine that idles is less than full', async () => {
    const DATE = ['java.util.Date.getField', ...GO];
    const data = await typed(
      dumps(
        [...many(248, runnable(...DATE)), ...many(152, runnable(...GO)), ...many(300, { state: 'WAITING', stack: GO })],
        many(18, runnable(...RUN)),
      ),
      { processors: 500 },
    );
    expect(cost(data, '*', 'server')).toBe(0.418);
    expect(cost(data, '* ..java.util.Date.getField', 'server')).toBe(0.248);
    expect(cost(data, '* ..:WAIT', 'server')).toBe(0);
    expect(paths(data, '*', 'server').idle).toBeCloseTo(0.582, 9);
    // Of all samples of threads, idle ones included.
    expect(cost(data, '* ..:RUN')).toBe(0.582);
  });

  test('without the number of processors it is not recorded, and that is said', async () => {
    const data = await typed(dumps([{ state: 'RUNNABLE', stack: RUN }]));
    const found = answer(data, 'paths', { ...WISH, query: '*', view: 'server' });
    expect(found).toMatchObject({
      kind: 'failed',
      problems: [{ message: 'how many processors the JVM could use was not recorded' }],
    });
  });

  test('windows without the number of processors are left out of running and of all time, and counted', async () => {
    const known = await ingest(dumps([runnable(...RUN)]), { processors: 4 });
    const at = (cpu: number, elapsed: number) => [
      { ...runnable(...RUN), heading: `prio=5 os_prio=0 cpu=${cpu}.00ms elapsed=${elapsed}.00s` },
    ];
    const later = await ingest(dumps(at(0, 10), at(900, 11)).replaceAll('16:00', '17:00'));
    const data = loadedFrom(mergeProfiles([known.profile!, later.profile!]), {}, { metric: 'typed' });
    const { amount, whole, idle, leftOutWindows } = paths(data, '*', 'server');
    expect([amount.weight / whole.weight, idle, leftOutWindows]).toEqual([0.25, 0.75, 1]);
  });

  test('processors are listed nowhere as something that a method costs', async () => {
    const { profile } = await ingest(dumps([{ state: 'RUNNABLE', stack: RUN }]), { processors: 2 });
    expect(profile!.metrics.map(({ id }) => id)).toEqual(['wall', 'typed', 'processors']);
    expect(listedMetrics(profile!).map(({ id }) => id)).toEqual(['wall', 'typed']);
  });
});
