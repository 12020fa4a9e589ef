// Checks that speedscope exports are valid against speedscope's own schema and say the same as collapsed stacks.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Profile } from '../../../server/cct/profile.ts';
import { type FrameDetail, toCollapsed } from '../../../server/snapshot/export/collapsed.ts';
import { toSpeedscope } from '../../../server/snapshot/export/speedscope.ts';
import { ALLOCATION, CPU, profileOfStacks } from '../../support/profiles/profiles.ts';
import { rawSamples } from '../../support/profiles/stack-oracle.ts';
import { runs } from '../../support/runs.ts';

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

function fileOf(profile: Profile, options: Partial<Parameters<typeof toSpeedscope>[1]> = {}): File {
  return JSON.parse(
    [...toSpeedscope(profile, { frames: 'method', threads: false, name: 'test', ...options })].join(''),
  );
}

const schemaFile = createRequire(import.meta.url).resolve('speedscope/dist/release/file-format-schema.json');
const satisfiesSchema = new Ajv({ strict: false, allErrors: true }).compile(
  JSON.parse(readFileSync(schemaFile, 'utf8')) as object,
);

/** Valid against the schema that speedscope publishes, and what no schema can say: every sample has a weight and frames that exist. */
function expectValid(file: File): void {
  expect(satisfiesSchema(file), JSON.stringify(satisfiesSchema.errors)).toBe(true);
  for (const list of file.profiles) {
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
    { numRuns: runs(100) },
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
    { numRuns: runs(50) },
  );
});

test('names with quotes and a profile without metrics', () => {
  expectValid(fileOf(profileOfStacks([{ frames: [{ method: 'A."b\\', line: 1 }] }]), { name: '"\n' }));
  expect(fileOf(profileOfStacks([], { metrics: [] })).profiles).toEqual([]);
});

test('the schema lets nothing else through', () => {
  const file = fileOf(profileOfStacks([], { metrics: [CPU] }));
  expect(satisfiesSchema(file)).toBe(true);
  expect(satisfiesSchema({ ...file, shared: { frames: [{ line: 1 }] } })).toBe(false);
  const [list] = file.profiles;
  expect(satisfiesSchema({ ...file, profiles: [{ ...list, unit: 'fortnights' }] })).toBe(false);
});
