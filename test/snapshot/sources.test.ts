// Tests the sources in snapshots: they come back, they are bounded, loading passes them over, and damaged ones are refused.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeHeader, decodeSnapshot, decodeSources, findSnapshotFlaw } from '../../server/snapshot/decode.ts';
import { encodeSnapshot } from '../../server/snapshot/encode.ts';
import { FormatFlaw } from '../../server/snapshot/format.ts';
import {
  MOST_SOURCE_BYTES,
  mergeSources,
  packSources,
  type SourceFile,
  type SourceMember,
  unpackSources,
} from '../../server/snapshot/source-section.ts';
import { profileOfText } from '../support/profiles/profiles.ts';
import { runs } from '../support/runs.ts';
import { snapshotOf } from '../support/stores/snapshots.ts';

const snapshot = snapshotOf(profileOfText('Main.main | 1@3'));
const hash = fc.stringMatching(/^(?:[\w-]{8})?$/);
const member = fc
  .record({ kind: fc.string(), name: fc.string(), signature: fc.string(), text: hash, code: hash })
  .chain(texts =>
    fc
      .tuple(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 0, max: 1e6 }), fc.nat())
      .map(([firstLine, more, parent]) => ({ ...texts, firstLine, lastLine: firstLine + more, parent })),
  );
const files: fc.Arbitrary<SourceFile[]> = fc.array(
  fc.array(member, { minLength: 1 }).map(members => ({
    members: members.map((each, row): SourceMember => ({ ...each, parent: (each.parent % (row + 1)) - 1 })),
  })),
);
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

test('comes back, and the profile is the same with it and without', () => {
  fc.assert(
    fc.property(files, sources => {
      const bytes = encodeSnapshot({ ...snapshot, sources });
      expect(decodeSources(bytes)).toEqual({ value: plain(sources), problems: [] });
      expect(decodeSnapshot(bytes).value?.profile).toEqual(decodeSnapshot(encodeSnapshot(snapshot)).value?.profile);
      expect(decodeHeader(bytes).value?.header).toEqual(snapshot.header);
      expect(findSnapshotFlaw(bytes)).toBeNull();
    }),
    { numRuns: runs(50) },
  );
  expect(decodeSources(encodeSnapshot(snapshot)).value).toEqual([]);
});

const one: SourceMember = {
  parent: -1,
  kind: 'class',
  name: 'Shop',
  signature: 'Shop',
  firstLine: 1,
  lastLine: 2,
  text: '',
  code: '',
};

test('what is too much is left out, and refused in a file', () => {
  const most = 20_000;
  const many = { members: Array.from({ length: most - 1 }, () => one) };
  const small = { members: [one] };
  expect(unpackSources(packSources([many, many, small, small])).map(({ members }) => members.length)).toEqual([
    most - 1,
    1,
  ]);
  const long = { members: [{ ...one, name: 'x'.repeat(20_000) }] };
  expect(unpackSources(packSources([long, small]))).toEqual([small]);
  const row = JSON.stringify(Object.values(one));
  const tooMany = Buffer.from(`[[${Array.from({ length: most + 1 }, () => row).join()}]]`);
  expect(() => unpackSources(tooMany)).toThrow(/more than 20000 members/);
  expect(() => unpackSources(new Uint8Array(MOST_SOURCE_BYTES + 1))).toThrow(/too large/);
});

test('anything else is refused with its place', () => {
  const fields = [-1, 'class', 'Shop', 'Shop', 1, 2, '', ''];
  const broken: unknown[] = [
    {},
    [7],
    [[fields.slice(1)]],
    [[fields.with(0, 0)]],
    [[fields.with(0, -2)]],
    [[fields.with(1, 7)]],
    [[fields.with(2, 'x'.repeat(20_000))]],
    [[fields.with(4, 0)]],
    [[fields.with(5, 0)]],
    [[fields.with(5, 1.5)]],
    [[fields.with(6, 'no hash at all')]],
    [[[...fields.slice(0, 7), null]]],
  ];
  for (const value of broken)
    expect(() => unpackSources(Buffer.from(JSON.stringify(value))), JSON.stringify(value)).toThrow(FormatFlaw);
  expect(() => unpackSources(Buffer.from('[[['))).toThrow(/no JSON/);
  expect(() => unpackSources(Uint8Array.of(0x5b, 0xff, 0x5d))).toThrow(/no JSON/);
  const bytes = encodeSnapshot({ ...snapshot, sources: [{ members: [one] }] });
  const damaged = bytes.with(bytes.length - 5, bytes.at(-5)! ^ 1);
  expect(decodeSources(damaged).problems[0]).toMatchObject({ severity: 'error', place: 'section sources' });
  expect(findSnapshotFlaw(damaged)?.place).toBe('section sources');
});

test('together, snapshots say what none of them contradicts', () => {
  const fileOf = (name: string, lastLine: number): SourceFile => ({ members: [{ ...one, signature: name, lastLine }] });
  const known = fc.uniqueArray(
    fc.record({ name: fc.constantFrom('A', 'B', 'C', 'D'), lastLine: fc.integer({ min: 1, max: 2 }) }),
    { selector: ({ name }) => name },
  );
  fc.assert(
    fc.property(fc.array(known, { maxLength: 4 }), lists => {
      const merged = mergeSources(lists.map(list => list.map(({ name, lastLine }) => fileOf(name, lastLine))));
      const lines = Map.groupBy(lists.flat(), ({ name }) => name);
      const agreed = [...lines].filter(([, all]) => new Set(all.map(({ lastLine }) => lastLine)).size === 1);
      expect(merged).toEqual(agreed.map(([name, [first]]) => fileOf(name, first!.lastLine)));
    }),
  );
});
