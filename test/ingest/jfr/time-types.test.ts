// Typed time of the sample's recordings against the metrics of the same events: nothing is counted twice, and nothing beyond a thread's life.
import { expect, test } from 'vitest';
import type { Profile } from '../../../server/cct/profile.ts';
import { ingestFile } from '../../../server/ingest/read.ts';
import { typedNanos } from '../../support/profiles/typed-nanos.ts';

/** Metrics by the type of time that their events tell. */
const TOLD = {
  ':MONITOR': ['lock'],
  ':WAIT': ['wait'],
  ':PARK': ['park'],
  ':SLEEP': ['sleep'],
  ':IO': ['socket', 'file'],
};

function sumOf({ metrics, cells }: Profile, wanted: readonly string[]): number {
  return metrics.reduce(
    (sum, { id }, at) => (wanted.includes(id) ? sum + cells[at]!.weight.reduce((all, each) => all + each, 0) : sum),
    0,
  );
}

test.each(['shop-v1-jdk17-a', 'shop-v1-jdk25'])('%s: waits are those of their metrics, cut at the end', async name => {
  const file = `samples/recordings/${name}.jfr`;
  const { profile } = await ingestFile(file, { names: 'raw', timeTypes: true });
  const types = new Map<string, number>();
  for (const own of typedNanos(profile!).values())
    for (const [type, nanos] of own) types.set(type, (types.get(type) ?? 0) + nanos);
  for (const [type, metrics] of Object.entries(TOLD)) {
    const whole = sumOf(profile!, metrics);
    expect(types.get(type), type).toBeLessThanOrEqual(whole * (1 + 1e-9));
    expect(types.get(type), type).toBeGreaterThan(whole * 0.95);
  }
  // Samples of CPU time are measured; without them the recording does not tell how long threads ran.
  expect(types.get(':RUN') ?? 0).toBeCloseTo(sumOf(profile!, ['cpu-time']), 0);
});

test.each(['shop-v1-jdk17-a', 'shop-v1-jdk25'])('%s: a thread has no more time than a window', async name => {
  const file = `samples/recordings/${name}.jfr`;
  const { profile } = await ingestFile(file, { names: 'raw', timeTypes: true });
  const { metrics, cells, windows } = profile!;
  const typed = cells[metrics.findIndex(({ id }) => id === 'typed')]!;
  const sums = new Map<string, number>();
  for (let row = 0; row < typed.length; row++) {
    const key = `${typed.thread[row]} ${typed.window[row]}`;
    sums.set(key, (sums.get(key) ?? 0) + typed.weight[row]!);
  }
  const lengths = windows.map(({ startMillis, endMillis }) => (endMillis - startMillis) * 1e6);
  const over = [...sums].filter(([key, nanos]) => nanos > lengths[Number(key.split(' ')[1])]! * 1.02);
  expect(over).toEqual([]);
});

test('without being asked for, a recording has no typed time', async () => {
  const { profile } = await ingestFile('samples/recordings/shop-v1-jdk25.jfr', { names: 'raw' });
  expect(profile!.metrics.map(({ id }) => id)).not.toContain('typed');
});

test.each([
  ['shop-v1-jdk17-a', [':RUN is not recorded: there is no jdk.ThreadCPULoad']],
  ['shop-v1-jdk25', [':IO is not recorded in full: jdk.FileRead is off']],
])('%s: of each type that its events do not tell it is said which are missing', async (name, missing) => {
  const { problems } = await ingestFile(`samples/recordings/${name}.jfr`, { names: 'raw', timeTypes: true });
  const told = problems.filter(({ message }) => message.startsWith(':'));
  expect(told.map(({ message }) => message)).toEqual(missing);
  for (const { severity, remedy } of told)
    expect([severity, remedy]).toEqual(['info', expect.stringMatching(/^record with jdk\.\w+#enabled=true, or /)]);
});

test('of the rest of a chunk whose beginning was imported before, it is said that typed time is not told', async () => {
  const file = 'samples/recordings/shop-v1-jdk17-a.jfr';
  const whole = await ingestFile(file, { names: 'raw', timeTypes: true, covered: [] });
  const [span] = whole.chunks!;
  const rest = await ingestFile(file, {
    ...{ names: 'raw', timeTypes: true },
    covered: [{ identity: span!.identity, bytes: Math.floor(span!.bytes / 2) }],
  });
  const samples = ({ metrics, cells }: Profile, id: string) =>
    cells[metrics.findIndex(each => each.id === id)]?.count.reduce((all, each) => all + each, 0) ?? 0;
  expect(samples(rest.profile!, 'cpu')).toBeGreaterThan(0);
  expect(samples(rest.profile!, 'cpu')).toBeLessThan(samples(whole.profile!, 'cpu'));
  expect(samples(rest.profile!, 'typed')).toBe(0);
  expect(rest.problems.map(({ severity, message }) => [severity, message])).toContainEqual([
    'info',
    'what threads do with their time is not told of the rest of this chunk',
  ]);
});
