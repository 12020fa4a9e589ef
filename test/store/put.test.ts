// Checks that everything a store takes in can be listed and read again, and that it says why when it refuses.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ProfileBuilder, ROOT_NODE } from '../../server/cct/builder.ts';
import type { Profile } from '../../server/cct/profile.ts';
import { sharedInt32 } from '../../server/cct/shared-columns.ts';
import type { Snapshot, SnapshotHeader } from '../../server/snapshot/snapshot.ts';
import { openStore } from '../../server/store/open-store.ts';
import type { Store } from '../../server/store/store.ts';
import { assertProfile } from '../support/profiles/assert-profile.ts';
import { ALLOCATION, CPU, profileOfText } from '../support/profiles/profiles.ts';
import { runs } from '../support/runs.ts';
import { EXECUTION, snapshotOf } from '../support/stores/snapshots.ts';

let root: string;
let store: Store;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'insitu-store-'));
  store = openStore(root).value!;
});
afterEach(() => rmSync(root, { recursive: true }));

/** The fate of a snapshot: the reason why it was refused, or null when it was stored and came back. */
async function refusal(snapshot: Snapshot): Promise<string | null> {
  const { value: entry, problems } = await store.put(snapshot);
  if (entry === null) {
    expect(problems).toMatchObject([{ severity: 'error', message: expect.any(String), remedy: expect.any(String) }]);
    expect(readdirSync(root)).toEqual([]);
    return problems[0]!.message;
  }
  expect(problems).toEqual([]);
  const listed = await store.list({});
  expect(listed).toEqual({ value: [entry], problems: [] });
  const [{ value: header }, { value: read }] = [await store.readHeader(entry), await store.read(entry)];
  assertProfile(read!.profile);
  expect(header!.header).toEqual(read!.header);
  for (const millis of [entry.startMillis, read!.header.startMillis, read!.header.endMillis]) {
    expect(new Date(millis).getTime()).not.toBeNaN();
  }
  await store.remove(entry);
  rmSync(join(root, 'v1'), { recursive: true });
  return null;
}

test('whatever a builder makes of odd names, numbers and times is stored whole or refused', async () => {
  const amount = fc.oneof(fc.nat(9), fc.double(), fc.constantFrom(1e200, Number.MAX_VALUE, Number.NaN));
  const time = fc.oneof(fc.nat(100), fc.double(), fc.constantFrom(9.22e21, 8.64e15, 8.64e15 + 1, -8.64e15, -0.5));
  const name = fc.oneof(fc.string(), fc.constantFrom('x'.repeat(300_000), '😀'.repeat(140_000)));
  const odd = fc.record({ amount, weight: amount, from: time, to: time, name, line: fc.integer() });
  const outcomes = new Set<boolean>();
  await fc.assert(
    fc.asyncProperty(odd, async ({ amount, weight, from, to, name, line }) => {
      const builder = new ProfileBuilder('normalised');
      for (const metric of [CPU, ALLOCATION]) builder.metric(metric);
      const node = builder.child(ROOT_NODE, builder.methods.method(name, 'run', null, 0), 0);
      const thread = builder.threads.thread('main', name, false);
      builder.add(0, node, thread, line, 0, amount);
      builder.add(1, node, thread, line, 0, 1, weight);
      const profile = builder.finish([{ startMillis: from, endMillis: to }]);
      outcomes.add((await refusal(snapshotOf(profile))) === null);
    }),
    { numRuns: runs(150) },
  );
  expect(outcomes).toEqual(new Set([true, false]));
});

test('a recording at a time that no clock shows', async () => {
  for (const header of [
    { startMillis: 9.22e21 },
    { endMillis: Number.POSITIVE_INFINITY },
    { startMillis: Number.NaN },
  ]) {
    const reason = await refusal(snapshotOf(profileOfText('Main.main | 1@3'), header));
    expect(reason).toMatch(/^the snapshot cannot be stored: it says that it lasts from .* to .*, which is no time$/);
  }
  const windows = [{ startMillis: 0, endMillis: 1e300 }];
  const profile = { ...profileOfText('Main.main'), windows };
  expect(await refusal(snapshotOf(profile, { endMillis: 1 }))).toBe('the snapshot cannot be stored: 1e+300 is no time');
});

test('a start before the epoch, or between two milliseconds', async () => {
  for (const startMillis of [-1, -0.5, 0.5, -8.64e15]) {
    expect(await refusal(snapshotOf(profileOfText('Main.main | 1@3'), { startMillis }))).toBe(null);
  }
});

test('profiles that no builder makes', async () => {
  const good = profileOfText('Main.main | 1@3');
  const strings = good.methods.strings.map(text => (text === 'Main' ? 'x'.repeat(300_000) : text));
  const far = sharedInt32(1).fill(7);
  const bad: [Partial<Profile>, Partial<SnapshotHeader>, string][] = [
    [{ methods: { ...good.methods, strings } }, {}, 'length 300000 is outside its table of 262144'],
    [{ cells: [{ ...good.cells[0]!, node: far }] }, {}, 'node 7 is outside the tree of 2'],
    [{ windows: [...good.windows].reverse() }, {}, 'is not in order'],
    [{}, { recorder: 'x'.repeat(17 << 20) }, 'its header is too large'],
  ];
  for (const [change, header, reason] of bad) {
    expect(await refusal(snapshotOf({ ...good, ...change }, header))).toBe(`the snapshot cannot be stored: ${reason}`);
  }
});

test('a large tree that packs into almost nothing', async () => {
  expect(await refusal(snapshotOf(chainOf(3_300_000), { execution: EXECUTION }))).toBe(null);
});

/** Calls in a row, each of the same method from the same line. */
function chainOf(nodes: number): Profile {
  const profile = profileOfText('Main.main | 1@3');
  const column = (of: (row: number) => number) => sharedInt32(nodes).map((_, row) => of(row));
  const tree = {
    length: nodes,
    parent: column(row => row - 1),
    method: column(row => (row === 0 ? 0 : profile.tree.method[1]!)),
    callLine: column(row => (row > 1 ? 7 : 0)),
    subtreeEnd: column(() => nodes),
    depth: column(row => row),
  };
  return { ...profile, tree };
}
