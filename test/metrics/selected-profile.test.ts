// Checks a profile that is cut to a selection against the raw stacks cut by hand.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexTree } from '../../server/cct/tree-index.ts';
import { analyse } from '../../server/metrics/analysis.ts';
import { focusNodes } from '../../server/metrics/focus.ts';
import { chooseTasks } from '../../server/metrics/focus-spec.ts';
import { selectedProfile } from '../../server/metrics/selected-profile.ts';
import { toCollapsed } from '../../server/snapshot/export/collapsed.ts';
import { assertProfile } from '../support/profiles/assert-profile.ts';
import { ALLOCATION, CPU, profileOfStacks } from '../support/profiles/profiles.ts';
import { rawSamples } from '../support/profiles/stack-oracle.ts';
import { runs } from '../support/runs.ts';

const METRICS = { metrics: [CPU, ALLOCATION] };
const bytes = (length: number) =>
  fc.option(fc.uint8Array({ minLength: length, maxLength: length, max: 1 }), { nil: undefined });

test('holds the samples that the selection counts, with stacks that begin at the focus', () =>
  fc.assert(
    fc.property(
      rawSamples({ metrics: 2, truncated: true }),
      bytes(3),
      bytes(3),
      fc.constantFrom(undefined, 'prefix:A', 'C.hop'),
      (samples, threads, windows, focus) => {
        const profile = profileOfStacks(samples, METRICS);
        const index = indexTree(profile);
        const chosen = focus === undefined ? null : chooseTasks(profile.methods, focus, []).value;
        const nodes = focus === undefined ? undefined : focusNodes(profile, index, chosen === null ? [] : [chosen]);
        const selection = { ...(threads && { threads }), ...(windows && { windows }), ...(nodes && { focus: nodes }) };
        const analysis = analyse(profile, index, { metric: 0, ...selection });
        const selected = selectedProfile(analysis);
        assertProfile(selected);
        const isFocus = (name: string) => (focus === 'C.hop' ? name === focus : name.startsWith('A.'));
        const cut = samples.flatMap(sample => {
          const { truncated, thread = 0, window = 0, frames } = sample;
          if (truncated || threads?.[thread] === 0 || windows?.[window] === 0) return [];
          const from = focus === undefined ? 0 : frames.findIndex(({ method }) => isFocus(method));
          return from < 0 ? [] : [{ ...sample, frames: frames.slice(from) }];
        });
        const expected = profileOfStacks(cut, METRICS);
        for (const metric of ['cpu', 'alloc']) {
          const as = { frames: 'full', threads: true, metric, weights: true } as const;
          expect(toCollapsed(selected, as)).toBe(toCollapsed(expected, as));
        }
        const cells = selected.cells[selected.metrics.findIndex(({ id }) => id === 'cpu')];
        expect(cells?.count.reduce((sum, each) => sum + each, 0) ?? 0).toBe(analysis.whole.count);
      },
    ),
    { numRuns: runs(500) },
  ));
