// Checks the pprof reader on profiles that another implementation of the format writes, as other producers fill them in.
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { isDamage } from '../../../server/base/problem.ts';
import { textOfProfile } from '../../support/profiles/profiles.ts';
import { ingest, profileIn } from '../../support/recordings/ingested.ts';
import { encoded } from '../../support/recordings/pprof.ts';

const FRAMES = { main: ['com.acme.Main.main:3'], work: ['com/acme/Work$1.inner:7', 'com/acme/Work.outer:9'] };

test("two columns of Go's notation: counts and time, inlined frames, keys of 64 bits", async () => {
  const bytes = encoded({
    types: [
      ['samples', 'count'],
      ['cpu', 'nanoseconds'],
    ],
    period: ['cpu', 'nanoseconds', 10_000_000],
    locations: FRAMES,
    samples: [
      [
        ['work', 'main'],
        [3, 30_000_000],
      ],
      [['main'], [1, 10_000_000]],
    ],
  });
  const profile = await profileIn(gzipSync(bytes));
  expect(profile.metrics.map(({ id, unit, periodNanos }) => [id, unit, periodNanos])).toEqual([
    ['cpu', 'samples', 1e7],
    ['cpu-time', 'nanoseconds', 1e7],
  ]);
  expect(textOfProfile(profile, 1)).toBe(`com.acme.Main.main | 1@3=10000000
  com.acme.Work.outer :3
    com.acme.Work$1.inner :9 | 3@7=30000000`);
  expect(profile.windows).toEqual([{ startMillis: 1_700_000_000_000, endMillis: 1_700_000_010_000 }]);
});

test('names with colons and types, and inlined callees in one name', async () => {
  const bytes = encoded({
    types: [['samples', 'count']],
    locations: {
      main: ['void com.acme.Work::main(java.lang.String[]):5'],
      work: ['com.acme.Work::outer(int)->com.acme.Work::inner(int, java.util.List<int[]>):13'],
    },
    samples: [
      [['work', 'main'], [60]],
      [['main'], [40]],
    ],
  });
  expect(textOfProfile(await profileIn(bytes))).toBe(`com.acme.Work.main([Ljava/lang/String;)V | 40@5
  com.acme.Work.outer(I) :5
    com.acme.Work.inner(ILjava/util/List;) | 60@13`);
});

test('samples without the names of their frames are refused, wherever the file ends', async () => {
  const whole = encoded({
    types: [['samples', 'count']],
    locations: { main: ['a.Main.main:3'], work: ['a.Work.go:7'] },
    samples: [
      [['work', 'main'], [3]],
      [['main'], [2]],
    ],
  });
  const stacks = textOfProfile(await profileIn(whole)).split('\n');
  for (let length = 1; length < whole.length; length++) {
    const { profile, problems } = await ingest(whole.slice(0, length));
    const kept = profile === null ? [] : textOfProfile(profile).split('\n');
    for (const line of kept) expect(stacks).toContain(line);
    expect(problems.some(isDamage) || kept.length === stacks.length).toBe(true);
  }
});

test('units are scaled, counts follow from the period, other columns keep their names', async () => {
  const types = [
    ['wall', 'milliseconds'],
    ['inuse_space', 'kilobytes'],
    ['goroutines', 'count'],
  ] as const;
  const period = ['wall', 'milliseconds', 20] as const;
  const profile = await profileIn(encoded({ types, period, locations: FRAMES, samples: [[['main'], [100, 2, 4]]] }));
  expect(profile.metrics.map(({ id, unit }) => `${id} ${unit}`)).toEqual([
    'wall nanoseconds',
    'inuse_space bytes',
    'goroutines samples',
  ]);
  expect([0, 1, 2].map(metric => textOfProfile(profile, metric).split('| ')[1])).toEqual([
    '5@3=100000000',
    '4@3=2048',
    '4@3',
  ]);
});

test.each([
  ['nanoseconds', 1],
  ['ns', 1],
  ['microseconds', 1e3],
  ['us', 1e3],
  ['milliseconds', 1e6],
  ['ms', 1e6],
  ['seconds', 1e9],
  ['s', 1e9],
])('one of the unit %s is %d ns', async (unit, nanos) => {
  const types = [['wall', unit]] as const;
  const profile = await profileIn(encoded({ types, locations: FRAMES, samples: [[['main'], [3]]] }));
  expect(profile.metrics.map(metric => metric.unit)).toEqual(['nanoseconds']);
  expect([...profile.cells[0]!.weight]).toEqual([3 * nanos]);
});

test.each([
  [{ thread: 'pool-1' }, 'pool-1'],
  [{ 'thread name': 'x', tid: 7 }, 'x'],
  [{ thread_id: 7 }, 'thread 7'],
  [{ tid: 'main' }, 'main'],
  [{ bytes: 7 }, '-'],
])('labels %j name thread %s', async (labels, name) => {
  const types = [['samples', 'count']] as const;
  const profile = await profileIn(encoded({ types, locations: FRAMES, samples: [[['main'], [1], labels]] }));
  expect(profile.threads.name).toEqual([name]);
});

test('differences of profiles, missing locations and columns without samples are said', async () => {
  const types = [['samples', 'count']] as const;
  const samples = [
    [['main'], [-2]],
    [['gone'], [1]],
  ] as const;
  const { profile, problems } = await ingest(
    encoded({ types, locations: FRAMES, samples: [samples[0], [['main'], [4]]] }),
  );
  expect(textOfProfile(profile!)).toBe('com.acme.Main.main | 4@3');
  expect(problems).toMatchObject([{ severity: 'warning' }]);
  expect((await ingest(encoded({ types, locations: FRAMES, samples: [] }))).profile).toBe(null);
});

test('the samples before a break are read', async () => {
  const types = [['samples', 'count']] as const;
  const bytes = encoded({
    types,
    locations: FRAMES,
    samples: Array.from({ length: 50 }, () => [['main'], [1]] as const),
  });
  const { profile, problems } = await ingest(bytes.subarray(0, bytes.length - 3));
  expect(profile!.cells[0]!.count.reduce((sum, count) => sum + count, 0)).toBe(50);
  expect(problems[0]).toMatchObject({ severity: 'warning', place: expect.stringMatching(/^byte \d+$/) });
});

test('any column of counts counts, and a period of one nanosecond says nothing', async () => {
  const drawn = { locations: { a: ['shop.Cart.add:3'] }, samples: [[['a'], [600_000_000, 60]]] } as const;
  const counted = await profileIn(
    encoded({
      ...drawn,
      types: [
        ['wall', 'nanoseconds'],
        ['events', 'count'],
      ],
    }),
  );
  expect(textOfProfile(counted)).toContain('60');
  const { profile, problems } = await ingest(
    encoded({ ...drawn, types: [['wall', 'nanoseconds']], period: ['wall', 'nanoseconds', 1] }),
  );
  expect(profile!.metrics[0]).toMatchObject({ id: 'wall', periodNanos: 0 });
  expect([...profile!.cells[0]!.count]).toEqual([1]);
  expect(problems).toMatchObject([{ severity: 'info' }]);
});

test('names with types of parameters are methods with descriptors', async () => {
  const text = encoded({
    types: [['samples', 'count']],
    locations: { a: ['int shop.Cart.add(long):3'] },
    samples: [[['a'], [6]]],
  });
  expect(textOfProfile(await profileIn(text))).toBe('shop.Cart.add(J)I | 6@3');
});

test('messages of another format with equal field numbers are no pprof', async () => {
  // A list of resources, each with a message of attributes: what OpenTelemetry writes.
  const bytes = Uint8Array.from([0x0a, 0x06, 0x0a, 0x04, 0x0a, 0x02, 0x0a, 0x00, 0x12, 0x02, 0x0a, 0x00]);
  expect((await ingest(bytes)).profile).toBe(null);
});
