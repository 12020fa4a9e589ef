// Checks that speedscope exports keep to the published file format and say the same as collapsed stacks.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Profile } from '../../../server/cct/profile.ts';
import { type FrameDetail, toCollapsed } from '../../../server/snapshot/export/collapsed.ts';
import { type SpeedscopeOptions, toSpeedscope } from '../../../server/snapshot/export/speedscope.ts';
import { ALLOCATION, CPU, profileOfStacks } from '../../support/profiles.ts';
import { rawSamples } from '../../support/stack-oracle.ts';

type List = {
  type: string;
  name: string;
  unit: string;
  startValue: number;
  endValue: number;
  samples: number[][];
  weights: number[];
};
type File = {
  $schema: string;
  exporter: string;
  name: string;
  activeProfileIndex: number;
  profiles: List[];
  shared: { frames: { name: string; line?: number }[] };
};

function fileOf(profile: Profile, options: Partial<SpeedscopeOptions> = {}): File {
  return JSON.parse(
    [...toSpeedscope(profile, { frames: 'method', threads: false, name: 'test', ...options })].join(''),
  );
}

/** What https://www.speedscope.app/file-format-schema.json asks of a file with sampled profiles. */
function expectValid(file: File): void {
  expect(Object.keys(file).sort()).toEqual(['$schema', 'activeProfileIndex', 'exporter', 'name', 'profiles', 'shared']);
  expect(file.$schema).toBe('https://www.speedscope.app/file-format-schema.json');
  for (const frame of file.shared.frames) {
    expect(typeof frame.name).toBe('string');
    if (frame.line !== undefined) expect(Number.isInteger(frame.line)).toBe(true);
  }
  for (const list of file.profiles) {
    expect(list.type).toBe('sampled');
    expect(typeof list.name).toBe('string');
    expect(['none', 'nanoseconds', 'microseconds', 'milliseconds', 'seconds', 'bytes']).toContain(list.unit);
    expect(list.weights.length).toBe(list.samples.length);
    expect(list.startValue).toBe(0);
    expect(list.endValue).toBe(list.weights.reduce((sum, weight) => sum + weight, 0));
    for (const stack of list.samples) for (const frame of stack) expect(file.shared.frames[frame]).toBeDefined();
  }
}

/** One list as lines of collapsed stacks, sorted. */
function linesOf({ shared }: File, { samples, weights }: List, detail: FrameDetail, thread = ''): string {
  const sums = new Map<string, number>();
  samples.forEach((stack, i) => {
    const frames = stack.map(row => {
      const { name, line = 0 } = shared.frames[row]!;
      return detail === 'method' || name.startsWith('[') ? name : `${name}:${line}`;
    });
    const key = [...(thread === '' ? [] : [thread]), ...frames].join(';');
    sums.set(key, (sums.get(key) ?? 0) + weights[i]!);
  });
  return [...sums.keys()]
    .sort()
    .map(key => `${key} ${sums.get(key)}\n`)
    .join('');
}

test('random profiles: valid, and the same as collapsed stacks in every detail', () => {
  const detail = fc.constantFrom<FrameDetail>('method', 'line', 'full');
  fc.assert(
    fc.property(rawSamples({ metrics: 2, truncated: true }), detail, (samples, frames) => {
      const profile = profileOfStacks(samples, { metrics: [CPU, ALLOCATION] });
      const file = fileOf(profile, { frames });
      expectValid(file);
      expect(file.profiles.map(({ name, unit }) => `${name} ${unit}`)).toEqual(['cpu none', 'alloc bytes']);
      const counts = toCollapsed(profile, { frames, threads: false, metric: 'cpu' });
      expect(linesOf(file, file.profiles[0]!, frames)).toBe(counts);
      const weights = toCollapsed(profile, { frames, threads: false, metric: 'alloc', weights: true });
      expect(linesOf(file, file.profiles[1]!, frames)).toBe(weights.replace(/ \d+( \d+\n)/g, '$1'));
    }),
    { numRuns: 100 },
  );
});

test('threads apart', () => {
  fc.assert(
    fc.property(rawSamples(), samples => {
      const profile = profileOfStacks(samples);
      const file = fileOf(profile, { threads: true, metric: 'cpu' });
      expectValid(file);
      const lines = file.profiles.map(list => linesOf(file, list, 'method', list.name.replace('cpu: ', '')));
      const sorted = lines
        .join('')
        .split(/(?<=\n)/)
        .sort()
        .join('');
      expect(sorted).toBe(toCollapsed(profile, { frames: 'method', threads: true, metric: 'cpu' }));
    }),
    { numRuns: 50 },
  );
});

test('names with quotes and a profile without metrics', () => {
  expectValid(fileOf(profileOfStacks([{ frames: [{ method: 'A."b\\', line: 1 }] }]), { name: '"\n' }));
  expect(fileOf(profileOfStacks([], { metrics: [] })).profiles).toEqual([]);
});
