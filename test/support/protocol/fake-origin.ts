// The origin of answers that no server gave.
import type { Origin } from '../../../server/features/answers/answer-types.ts';

export function fakeOrigin(more: Partial<Origin> = {}): Origin {
  return {
    ...{ project: 'shop', program: 'shop', versions: ['1.4'], instances: ['web-1'] },
    ...{ from: '2026-11-25T10:00:00.000Z', to: '2026-11-25T11:00:00.000Z', ageMinutes: 5 },
    ...{ metric: 'cpu', unit: 'samples', samples: 226, weight: 226, incomplete: 0 },
    losses: { truncatedStacks: 0, withoutStack: 0, lostSamples: 0 },
    own: 'com.acme.* (sources in the project)',
    ...{ part: '', code: '', baseline: null, problems: [] },
    ...more,
  };
}
