// Checks that a snapshot which is too large for one object becomes several that hold the same.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeProfiles } from '../../server/cct/merge.ts';
import { decodeSources } from '../../server/snapshot/decode.ts';
import { encodeSnapshot } from '../../server/snapshot/encode.ts';
import { BucketStore } from '../../server/store/bucket/bucket-store.ts';
import { DiskCache } from '../../server/store/bucket/disk-cache.ts';
import type { Objects } from '../../server/store/bucket/objects.ts';
import { splitSnapshot } from '../../server/store/split.ts';
import { assertProfile } from '../support/profiles/assert-profile.ts';
import { ALLOCATION, CPU, profileOfStacks, textOfProfile } from '../support/profiles/profiles.ts';
import { snapshotOf } from '../support/stores/snapshots.ts';

const frame = fc.record({ method: fc.constantFrom('A.a', 'B.b', 'C.c', 'D.d'), line: fc.nat(3) });
const sample = fc.record({
  frames: fc.array(frame, { maxLength: 6 }),
  metric: fc.nat(1),
  thread: fc.nat(4),
  window: fc.nat(5),
  count: fc.integer({ min: 1, max: 9 }),
  truncated: fc.boolean(),
});
const options = { metrics: [CPU, ALLOCATION], threads: ['main', 'http-1', 'http-b', 'gc', 'x'], windows: 6 };

test('parts hold every sample once, are small enough, and are the same every time', () => {
  let split = 0;
  fc.assert(
    fc.property(
      fc.array(sample, { minLength: 5, maxLength: 60 }),
      fc.double({ min: 0.8, max: 1, noNaN: true }),
      (samples, part) => {
        const snapshot = snapshotOf(profileOfStacks(samples, options));
        const most = Math.ceil(encodeSnapshot(snapshot).length * part);
        const parts = splitSnapshot(snapshot, most);
        if (parts === null) return;
        if (parts.length > 1) split++;
        for (const each of parts) {
          assertProfile(each.profile);
          expect(encodeSnapshot(each).length).toBeLessThanOrEqual(most);
          expect(each.header.startMillis).toBe(each.profile.windows[0]?.startMillis ?? snapshot.header.startMillis);
        }
        const merged = mergeProfiles(parts.map(each => each.profile));
        for (const metric of [0, 1])
          expect(textOfProfile(merged, metric, true)).toBe(textOfProfile(snapshot.profile, metric, true));
        expect(merged.losses).toEqual(snapshot.profile.losses);
        expect(splitSnapshot(snapshot, most)).toEqual(parts);
      },
    ),
  );
  expect(split).toBeGreaterThan(0);
});

test('what is known of sources is in the latest part', () => {
  const stacks = Array.from({ length: 200 }, (_, at) => ({
    frames: [{ method: `C${at}.run`, line: at }],
    window: at % 6,
  }));
  const sources = [
    {
      members: [
        { parent: -1, kind: 'class', name: 'C', signature: 'C', firstLine: 1, lastLine: 2, text: '', code: '' },
      ],
    },
  ];
  const snapshot = { ...snapshotOf(profileOfStacks(stacks, options)), sources };
  const parts = splitSnapshot(snapshot, Math.ceil(encodeSnapshot(snapshot).length * 0.8));
  expect(parts?.length).toBeGreaterThan(1);
  const known = parts?.map(part => decodeSources(encodeSnapshot(part)).value);
  expect(known?.at(-1)).toEqual(sources);
  expect(known?.slice(0, -1).flat()).toEqual([]);
});

test('a bucket puts the parts and says so', async () => {
  const kept = new Map<string, Uint8Array>();
  const objects: Objects = {
    list: async () => ({ objects: [...kept].map(([key, bytes]) => ({ key, bytes: bytes.length })), next: null }),
    get: async key => kept.get(key)!,
    putIfAbsent: async (key, bytes) => {
      if (kept.has(key)) return 'exists';
      kept.set(key, bytes);
      return 'stored';
    },
    remove: async () => undefined,
    storedMillis: async () => 0,
  };
  const address = { bucket: 'b', prefix: '', endpoint: null, region: null, pathStyle: null };
  const stacks = Array.from({ length: 300 }, (_, at) => ({
    frames: [{ method: `C${at}.run`, line: at }],
    window: at % 6,
    thread: at % 5,
  }));
  const snapshot = snapshotOf(profileOfStacks(stacks, options));
  const most = encodeSnapshot(snapshot).length - 200;
  const store = new BucketStore(
    's3://b',
    address,
    async () => objects,
    new DiskCache({ folder: '', mostBytes: 0 }),
    most,
  );
  for (const storable of [snapshot, encodeSnapshot(snapshot)]) {
    const { value, problems } = await store.put(storable);
    expect(value).not.toBe(null);
    expect(problems).toMatchObject([{ severity: 'info', message: expect.stringContaining('is stored as 2') }]);
  }
  const { value: entries } = await store.list({});
  expect(entries).toHaveLength(2);
  const read = await Promise.all(entries.map(async entry => (await store.read(entry)).value!.profile));
  expect(textOfProfile(mergeProfiles(read))).toBe(textOfProfile(snapshot.profile));
});
