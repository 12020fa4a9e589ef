// Breaks snapshot files in every way: refused with the place, never thrown, never a byte too much memory.

import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { GrowingTimes } from '../../server/cct/times.ts';
import { decodeHeader, decodeSnapshot } from '../../server/snapshot/decode.ts';
import { encodeSnapshot } from '../../server/snapshot/encode.ts';
import { joinFile, PREAMBLE_BYTES } from '../../server/snapshot/format.ts';
import { checkPlainMessage } from '../../server/snapshot/plain-message.ts';
import { assertProfile } from '../support/profiles/assert-profile.ts';
import { ALLOCATION, CPU, profileOfStacks, profileOfText } from '../support/profiles/profiles.ts';
import { runs } from '../support/runs.ts';
import { snapshotOf, tamper } from '../support/stores/snapshots.ts';

const PROFILE = profileOfText(
  `
Main.main
  Shop.run :12 | 3@14 1@14/1 1@14/1#1
    Log.log :31 | 2@5
    Log.log :35
      Log.write :6 | 1@7
  Shop.end :13 | 1@2
[truncated]
  Log.log | 1@5`,
  { metrics: [CPU, ALLOCATION] },
);
const TIMES = new GrowingTimes();
for (const [method, caller, window, nanos] of [
  [2, 0, 0, 700],
  [3, 2, 0, 90],
  [3, 2, 1, 1e7],
  [4, 3, 1, 0],
] as const)
  TIMES.addCall(method, caller, window, nanos);
/** Windows of two JVMs and one that names none. */
const WINDOWS = PROFILE.windows.map((window, row) => (row === 0 ? window : { ...window, jvm: `${row}-a` }));
const FILE = encodeSnapshot(snapshotOf({ ...PROFILE, windows: WINDOWS, times: TIMES.finish()! }));

function refusal(bytes: Uint8Array): { message: string; place: string } {
  const { value, problems } = decodeSnapshot(bytes, 'broken.cct');
  expect(value).toBe(null);
  expect(problems).toHaveLength(1);
  const { severity, message, file, place, remedy } = problems[0]!;
  expect({ severity, file }).toEqual({ severity: 'error', file: 'broken.cct' });
  expect(remedy).toBeTruthy();
  return { message, place: place ?? '' };
}

/** Either refused, or a whole and right profile: nothing between. */
function mustNotHarm(bytes: Uint8Array): void {
  const { value, problems } = decodeSnapshot(bytes);
  if (value === null) expect(problems[0]!.severity).toBe('error');
  else assertProfile(value.profile);
  decodeHeader(bytes);
}

describe('damage on the way', () => {
  test('a file cut anywhere is refused', () => {
    for (let length = 0; length < FILE.length; length++) {
      expect(refusal(FILE.subarray(0, length)).place, `cut to ${length} bytes`).not.toBe('');
    }
  });

  test('a file with something after it is refused', () => {
    expect(refusal(Buffer.concat([FILE, Uint8Array.of(0)])).message).toContain('cut or something was added');
  });

  test('every flipped bit is noticed', () => {
    for (let byte = 0; byte < FILE.length; byte++) {
      for (const bit of [0, 3, 7]) refusal(FILE.with(byte, FILE[byte]! ^ (1 << bit)));
    }
  });

  test('any other file is refused', () => {
    expect(refusal(Buffer.from('FLR\0 not a snapshot at all, but long enough')).place).toBe('byte 0');
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), bytes => void refusal(bytes)));
  });
});

test('a newer version is refused by its number', () => {
  const newer = FILE.slice();
  newer[8] = 9;
  const { message } = refusal(newer);
  expect(message).toBe('the snapshot has format version 9, this insitu reads versions up to 2');
});

describe('wrong content under right checksums', () => {
  const section = (name: string, change: (bytes: Uint8Array) => Uint8Array) =>
    refusal(tamper(FILE, { section: { name, change } }));

  test('a node that closes the root', () => {
    const { place, message } = section('steps', bytes => bytes.with(2, 4));
    expect(place).toBe('column parent, row 3');
    expect(message).toContain('closes more nodes than are open');
  });

  test.each([
    ['another one does', 2],
    ['nobody does', 9],
  ])('a call that its parent does not make, and %s', (_who, rank) => {
    const { place, message } = section('ranks', bytes => bytes.with(3, rank));
    expect(place).toBe('column method, row 4');
    expect(message).toContain('outside the calls of its parent');
  });

  test('equal siblings', () => {
    const { place, message } = section('ranks', bytes => bytes.with(3, bytes[2]!));
    expect(place).toBe('column method, row 4');
    expect(message).toContain('repeats a sibling');
  });

  test('equal siblings among many, with nodes below those before', () => {
    const callees = Array.from({ length: 60 }, (_, i) => `B.b${i}`);
    const stacks = callees.map(method => ({
      frames: ['A.main', method, 'A.main'].map(each => ({ method: each, line: 1 })),
    }));
    const file = encodeSnapshot(snapshotOf(profileOfStacks(stacks)));
    // Behind the first node, which is A.main, there are two for each stack.
    const nth = (i: number) => 1 + 2 * i;
    for (const [first, second] of [
      [2, 20],
      [20, 59],
      [40, 55],
    ] as const) {
      const change = (bytes: Uint8Array) => bytes.with(nth(second), bytes[nth(first)]!);
      const { place, message } = refusal(tamper(file, { section: { name: 'ranks', change } }));
      expect(message).toContain('repeats a sibling');
      expect(place).toBe(`column method, row ${nth(second) + 1}`);
    }
  });

  test('equal siblings far up, after stacks of more frames than there was room for', () => {
    const below = (method: string, depth: number) =>
      ['A.main', method, ...Array(depth).fill('A.main')].map(each => ({ method: each, line: 1 }));
    const stacks = ['B.b0', 'B.b1', 'B.b2'].map((method, i) => ({ frames: below(method, i === 0 ? 700 : 1) }));
    const file = encodeSnapshot(snapshotOf(profileOfStacks(stacks)));
    expect(decodeSnapshot(file).value?.profile.tree.length).toBe(1 + 1 + 701 + 2 + 2);
    // Behind A.main there are 701 nodes for the first stack and two for each other.
    const [first, second] = [1, 1 + 701 + 2];
    const change = (bytes: Uint8Array) => bytes.with(second, bytes[first]!);
    const { place, message } = refusal(tamper(file, { section: { name: 'ranks', change } }));
    expect(message).toContain('repeats a sibling');
    expect(place).toBe(`column method, row ${second + 1}`);
  });

  test('numbers of several bytes that end too early, or are too large', () => {
    const steps = (change: (bytes: Uint8Array) => Uint8Array) => section('steps', change);
    expect(steps(bytes => Uint8Array.of(...bytes.fill(0x80), 0)).message).toContain('is too large');
    expect(steps(bytes => Uint8Array.of(0x80, 0x80, 0, ...bytes.subarray(3))).message).toContain('ends too early');
  });

  test('too few and too many numbers', () => {
    expect(section('steps', bytes => bytes.subarray(1)).message).toContain('section steps claims 7 bytes for 8 rows');
    expect(section('steps', bytes => bytes.with(2, 0x80)).place).toBe('section steps, row 7');
    expect(section('ranks', bytes => Buffer.concat([bytes, Uint8Array.of(0)])).message).toContain('1 bytes too many');
    expect(section('cells.0', bytes => bytes.subarray(0, -1)).place).toMatch(/^section cells of cpu, byte/);
  });

  test('cells out of order, and outside the tree', () => {
    expect(section('cells.0', bytes => bytes.with(0, 99)).message).toContain('node 99 is outside the tree of 9');
    expect(section('cells.0', bytes => bytes.with(9, 0)).place).toMatch(/^column cells of cpu/);
  });

  test('response times out of order, outside their tables, or no times', () => {
    const times = (at: number, value: number) => section('times', bytes => bytes.with(at, value));
    expect(times(3, 1).place).toBe('column times.method, row 0');
    expect(times(4, 99).message).toContain('method 101 is outside its table');
    expect(times(5, 1).place).toBe('column times.sketches, row 4');
    expect(times(13, 0).place).toBe('column times.method, row 2');
    expect(times(11, 1).message).toContain('window -1 is outside its table of 3');
    // Numbers of rows, pairs and buckets.
    for (const at of [0, 1, 2]) expect(times(at, 120).message).toContain('is outside its table of');
    expect(section('times', bytes => Buffer.concat([bytes, Uint8Array.of(0)])).message).toContain('1 bytes too many');
  });

  test('a method that stands twice', () => {
    const twice = (bytes: Uint8Array) => bytes.fill(0);
    expect(section('methods', twice).message).toContain('repeats a method');
  });

  test('random bytes in random sections', () => {
    const names = ['strings', 'methods', 'threads', 'calls', 'steps', 'ranks', 'cells.0', 'cells.1', 'times'];
    const change = fc.tuple(fc.constantFrom(...names), fc.nat(400), fc.nat(255), fc.nat(3));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), changes => {
        let file = FILE;
        for (const [name, at, value, extra] of changes) {
          const alter = (bytes: Uint8Array) => {
            const longer = Buffer.concat([bytes, new Uint8Array(extra)]);
            if (longer.length > 0) longer[at % longer.length] = value;
            return longer;
          };
          file = tamper(file, { section: { name, change: alter } });
        }
        mustNotHarm(file);
      }),
      { numRuns: runs(1500) },
    );
  });

  test('extreme lengths in the header', () => {
    const extremes = fc.constantFrom(0, 1, 2, 127, 65_536, 1_000_000, 2 ** 31 - 1, 2 ** 32, 2 ** 53 - 1);
    const fields = fc.constantFrom('nodes', 'methods', 'strings', 'threads', 'cells', 'unpacked', 'packed');
    fc.assert(
      fc.property(fields, extremes, fc.nat(8), (field, value, row) => {
        const file = tamper(FILE, {
          header: header => ({
            ...header,
            sizes: { ...header.sizes, [field]: value },
            storage: header.storage.map(each => (field === 'cells' ? { ...each, cells: value } : each)),
            sections: header.sections.map((each, i) => (i === row ? { ...each, [field]: value } : each)),
          }),
        });
        mustNotHarm(file);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('bombs', () => {
  test('a section that unpacks to more than it says is stopped', () => {
    const bomb = tamper(FILE, { section: { name: 'steps', change: () => new Uint8Array(200 << 20) } });
    expect(refusal(bomb).message).toContain('section steps claims 209715200 bytes for 8 rows');
    const lying = tamper(bomb, {
      header: header => ({
        ...header,
        sections: header.sections.map(each => (each.name === 'steps' ? { ...each, unpacked: 8 } : each)),
      }),
    });
    expect(refusal(lying).place).toBe('section steps');
  });

  test('what takes too much memory is stopped, however small the file', () => {
    const claims = (bytes: number) =>
      tamper(FILE, {
        header: header => ({
          ...header,
          sections: header.sections.map(each => (each.name === 'strings' ? { ...each, unpacked: bytes } : each)),
        }),
      });
    expect(refusal(claims(2 ** 31 - 1)).message).toMatch(/it takes 2049 MiB in memory, more than 2048$/);
    // Within the limit the bytes count, not the claim: no memory is taken for more than there is.
    const before = process.memoryUsage().arrayBuffers;
    expect(refusal(claims(2 ** 31 - 2 ** 20)).message).toMatch(/it has \d+ bytes instead of 2146435072$/);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(200 << 20);
  });

  test('nodes count with what a chain of them takes while it is read', () => {
    const claims = (nodes: number) =>
      tamper(FILE, {
        header: header => ({
          ...header,
          sizes: { ...header.sizes, nodes },
          sections: header.sections.map(each =>
            each.name === 'steps' || each.name === 'ranks' ? { ...each, unpacked: nodes - 1 } : each,
          ),
        }),
      });
    // 48 bytes of columns and 2 of the file.
    expect(refusal(claims(43_000_000)).message).toMatch(/it takes 2051 MiB in memory, more than 2048$/);
    expect(refusal(claims(42_000_000)).message).toMatch(/bytes instead of 41999999$/);
  });

  test('times that no clock shows', () => {
    const from = (startMillis: number) =>
      tamper(FILE, { header: header => ({ ...header, snapshot: { ...header.snapshot, startMillis } }) });
    expect(refusal(from(8.65e15))).toEqual({
      message: 'this snapshot cannot be read: 8650000000000000 is no time',
      place: 'header.startMillis',
    });
    expect(decodeHeader(from(8.64e15)).problems).toEqual([]);
  });

  test('a header nested without end, or with lists that claim millions', () => {
    const withHeader = (head: Uint8Array) => joinFile(head, []);
    expect(refusal(withHeader(new Uint8Array(100_000).fill(0x91))).message).toContain('nested too deep');
    expect(refusal(withHeader(Uint8Array.of(0xdd, 0x7f, 0xff, 0xff, 0xff))).message).toContain('claims 2147483647');
    expect(refusal(withHeader(Uint8Array.of(0xc7, 1, 0x70, 0))).message).toContain('unexpected type 199');
    expect(refusal(withHeader(Uint8Array.of())).place).toMatch(/^header/);
  });

  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['a JVM outside of the list', { windows: [[0, 1, 2]] }, 'is 2, not within 0 … 1'],
    ['a JVM that is no number', { windows: [[0, 1, 'a']] }, 'is no number'],
    ['a JVM where none is listed', { jvms: undefined, windows: [[0, 1, 0]] }, 'is 0, not within'],
    ['a JVM without a name', { jvms: ['', 'b'] }, 'holds an empty name'],
    ['a window of four fields', { windows: [[0, 1, 0, 0]] }, 'is no pair of times'],
    [
      'equal windows of one JVM',
      {
        windows: [
          [0, 1, 0],
          [0, 1, 0],
        ],
      },
      'is not in order',
    ],
    [
      'equal windows of two names of one JVM',
      {
        jvms: ['a', 'a'],
        windows: [
          [0, 1, 0],
          [0, 1, 1],
        ],
      },
      'is not in order',
    ],
    [
      'a window without a JVM behind one with it',
      {
        windows: [
          [0, 1, 0],
          [0, 1],
        ],
      },
      'is not in order',
    ],
  ])('%s is refused', (_, changes, message) => {
    const packr = new Packr({ useRecords: false });
    const end = PREAMBLE_BYTES + new DataView(FILE.buffer, FILE.byteOffset).getUint32(12, true);
    const header = { ...packr.unpack(FILE.subarray(PREAMBLE_BYTES, end)), ...changes };
    if (header.jvms === undefined) delete header.jvms;
    const told = refusal(joinFile(packr.pack(header), [FILE.subarray(end)]));
    expect(`${told.place} ${told.message}`).toContain(message);
  });

  test('the check accepts what the packer packs', () => {
    const packr = new Packr({ useRecords: false });
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), value => {
        checkPlainMessage(packr.pack(value));
      }),
    );
  });

  test('random messages as header never throw out of the reader', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), head => {
        expect(crc32(head)).toBeGreaterThanOrEqual(0);
        mustNotHarm(joinFile(head, []));
      }),
      { numRuns: runs(1000) },
    );
  });
});
