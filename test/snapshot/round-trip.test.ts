// Checks that what is written comes back: every column, every header field, from the smallest profile to odd numbers and names.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Profile } from '../../server/cct/profile.ts';
import {
  decodeHeader,
  decodeSnapshot,
  headerExtent,
  looksLikeSnapshot,
  SnapshotReader,
} from '../../server/snapshot/decode.ts';
import { encodeSnapshot } from '../../server/snapshot/encode.ts';
import type { Snapshot } from '../../server/snapshot/snapshot.ts';
import { assertProfile } from '../support/profiles/assert-profile.ts';
import { ALLOCATION, CPU, profileOfStacks, profileOfText } from '../support/profiles/profiles.ts';
import { rawSamples } from '../support/profiles/stack-oracle.ts';
import { runs } from '../support/runs.ts';
import { snapshotOf } from '../support/stores/snapshots.ts';

/** Plain arrays instead of typed ones: equal whatever memory backs a column. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, each) =>
      ArrayBuffer.isView(each) ? [each.constructor.name, ...(each as Int32Array)] : each,
    ),
  );
}

function reread(snapshot: Snapshot): Snapshot {
  const { value, problems } = decodeSnapshot(encodeSnapshot(snapshot), 'test.cct');
  expect(problems).toEqual([]);
  assertProfile(value!.profile);
  return value!;
}

const expectSame = (snapshot: Snapshot) => expect(plain(reread(snapshot))).toEqual(plain(snapshot));

test('random profiles come back', () => {
  fc.assert(
    fc.property(rawSamples({ metrics: 2, truncated: true }), samples => {
      expectSame(snapshotOf(profileOfStacks(samples, { metrics: [CPU, ALLOCATION] })));
    }),
    { numRuns: runs(200) },
  );
});

test('the empty profile comes back', () => {
  expectSame(snapshotOf(profileOfStacks([], { metrics: [], threads: [], windows: 0 })));
});

test('every header field comes back', () => {
  const profile = profileOfText('Main.main | 1@3', { losses: { truncatedStacks: 1, withoutStack: 2, lostSamples: 3 } });
  const snapshot = snapshotOf(profile, {
    execution: { project: 'a/b', program: 'ü', version: '', instance: '..' },
    debugNonSafepoints: null,
    problems: [
      { severity: 'warning', message: 'm', file: 'f', place: 'p', remedy: 'r' },
      { severity: 'info', message: 'n' },
    ],
    processors: 1.5,
    priorities: 'ignored',
    benchmark: 'orders',
    fork: 3,
    replaces: ['ab', 'cd'],
    madeOf: ['ab', 'ef'],
  });
  expectSame(snapshot);
  const bytes = encodeSnapshot(snapshot);
  const head = decodeHeader(bytes.subarray(0, headerExtent(bytes.subarray(0, 64))!));
  expect(head.problems).toEqual([]);
  expect(head.value).toMatchObject({ header: snapshot.header, windows: profile.windows, metrics: [CPU], nodes: 2 });
  expect(head.value?.losses).toEqual(profile.losses);
});

test('totals stand in the header, partial stacks apart', () => {
  const profile = profileOfText(`
Main.main | 3@3
[truncated]
  Log.log | 2@5`);
  const { value } = decodeHeader(encodeSnapshot(snapshotOf(profile)));
  expect(value?.totals).toEqual([{ count: 5, weight: 5, incompleteCount: 2, incompleteWeight: 2 }]);
});

test('numbers of any size and sign come back', () => {
  const value = fc.oneof(
    fc.integer({ min: 0, max: 300 }),
    fc.maxSafeNat(),
    fc.double({ min: 0, noDefaultInfinity: true, noNaN: true }),
  );
  const line = fc.oneof(fc.integer(), fc.constantFrom(-1, 0, 2 ** 31 - 1, -(2 ** 31)));
  fc.assert(
    fc.property(fc.array(fc.tuple(value, value, value, line), { maxLength: 20 }), rows => {
      const lines = [...new Set(rows.map(row => row[3]))].sort((x, y) => x - y);
      const length = lines.length;
      const floats = (field: 0 | 1 | 2) => Float64Array.from(lines, (_, i) => Math.abs(rows[i]![field]));
      const base = profileOfText('Main.main', { metrics: [ALLOCATION] });
      const profile: Profile = {
        ...base,
        cells: [
          {
            length,
            node: new Int32Array(length).fill(1),
            thread: new Int32Array(length),
            line: Int32Array.from(lines),
            window: new Int32Array(length).fill(2),
            count: floats(0),
            weight: floats(1),
            weightSquares: floats(2),
          },
        ],
      };
      expectSame(snapshotOf(profile));
    }),
  );
});

test('names of any kind come back, lone surrogates included', () => {
  const name = fc.string({
    unit: fc.oneof(fc.constantFrom('\ud800', '\udc00', 'ß', '\0'), fc.string({ minLength: 1 })),
  });
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 5 }), name, (threads, method) => {
      const safe = method.replace(/[.(]/g, '_');
      expectSame(snapshotOf(profileOfStacks([{ frames: [{ method: `A.${safe}`, line: 1 }] }], { threads })));
    }),
  );
});

test('deep and wide trees come back', () => {
  const frames = Array.from({ length: 3000 }, (_, i) => ({ method: `A.m${i % 7}`, line: i % 5 }));
  const wide = Array.from({ length: 400 }, (_, i) => ({
    frames: [
      { method: 'A.a', line: i },
      { method: `B.b${i}`, line: -i },
    ],
  }));
  expectSame(snapshotOf(profileOfStacks([{ frames }, { frames: frames.slice(0, 2000) }, ...wide])));
});

test('the same snapshot gives the same bytes', () => {
  const make = () => encodeSnapshot(snapshotOf(profileOfText('Main.main | 1@3')));
  expect(make()).toEqual(make());
  expect(looksLikeSnapshot(make())).toBe(true);
});

test('from the same bytes comes the same method table, from others another', () => {
  const reader = new SnapshotReader();
  const read = (text: string, minute: number) => {
    const windows = [{ startMillis: minute * 60_000, endMillis: (minute + 1) * 60_000 }];
    return reader.read(encodeSnapshot(snapshotOf({ ...profileOfText(text), windows }))).value!.profile.methods;
  };
  const first = read('Main.main | 1@3', 0);
  expect(read('Main.main | 2@4', 1)).toBe(first);
  const other = read('Main.mean | 1@3', 2);
  expect(other.strings).toContain('mean');
  expect(other.strings).not.toContain('main');
  expect(read('Main.main | 1@3', 3)).toEqual(first);
});
