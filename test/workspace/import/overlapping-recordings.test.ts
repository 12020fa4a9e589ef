// Imports dumps of one recording that share chunks: each chunk counts once, in whatever order, file and store they come.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { jvmsOf } from '../../../server/cct/jvms.ts';
import { isProcessorLoad } from '../../../server/cct/processor-load.ts';
import { openFile } from '../../../server/ingest/byte-source.ts';
import { listChunks } from '../../../server/ingest/jfr/chunk-header.ts';
import { ingestFile } from '../../../server/ingest/read.ts';
import { decodeHeader } from '../../../server/snapshot/decode.ts';
import { encodeSnapshot } from '../../../server/snapshot/encode.ts';
import { compact } from '../../../server/store/compact.ts';
import { FolderStore } from '../../../server/store/folder-store.ts';
import { loadProfile } from '../../../server/store/load-snapshots.ts';
import { splitSnapshot } from '../../../server/store/split.ts';
import { importRecording } from '../../../server/workspace/import/import-recording.ts';
import { ChunkWriter, type EventType, START_MILLIS, TYPE } from '../../support/recordings/jfr-writer.ts';

const RECORDING = join(import.meta.dirname, '../../../samples/recordings/shop-v1-jdk17-b.jfr');
const BYTES = readFileSync(RECORDING);
const CHUNKS = listChunks(openFile(RECORDING).value!).chunks.map(({ position, available }) =>
  BYTES.subarray(position, position + available),
);
const [A, B, C] = [CHUNKS[0]!, CHUNKS[1]!, CHUNKS[2]!];
const LEVELS = [{ olderThanMillis: 0, spanMillis: 3_600_000, finestMillis: 0 }];

let folder: string;
let store: FolderStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'overlapping-'));
  store = new FolderStore(join(folder, 'store'), join(folder, 'store'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function written(name: string, chunks: readonly Uint8Array[]): string {
  const path = join(folder, `${name}.jfr`);
  writeFileSync(path, Buffer.concat(chunks));
  return path;
}

function imported(path: string, instance = 'eu-1', isInstanceNamed = false) {
  const execution = { project: 'samples', program: 'shop', version: '1', instance };
  return importRecording({ recording: path, store: join(folder, 'store'), execution, metrics: [], isInstanceNamed });
}

type Totals = Record<string, number>;

/** Samples by metric of everything in the store. */
async function stored(): Promise<Totals> {
  const { profile } = (await loadProfile(store, {})).value!;
  return Object.fromEntries(
    profile.metrics.map(({ id }, i) => [id, profile.cells[i]!.count.reduce((x, y) => x + y, 0)]),
  );
}

/** Samples by metric of a file that is read on its own. */
async function inFile(chunks: readonly Uint8Array[]): Promise<Totals> {
  const { profile } = await ingestFile(written('alone', chunks), { names: 'normalised' });
  return Object.fromEntries(
    profile!.metrics.map(({ id }, i) => [id, profile!.cells[i]!.count.reduce((x, y) => x + y, 0)]),
  );
}

const compactNow = () => compact(store, { levels: LEVELS, graceMillis: 0, now: () => 4e12 });

const DUMPS = { first: [A], second: [A, B], third: [A, B, C] } as const;
type Dump = keyof typeof DUMPS;
const ORDERS: readonly (readonly Dump[])[] = [
  ['first', 'second', 'third'],
  ['first', 'third', 'second'],
  ['second', 'first', 'third'],
  ['second', 'third', 'first'],
  ['third', 'first', 'second'],
  ['third', 'second', 'first'],
];

describe('three dumps of one recording', () => {
  test.each(ORDERS)('%s, %s, %s: each chunk counts once', async (...order) => {
    for (const [at, dump] of order.entries()) {
      const { snapshot, problems } = await imported(written(dump, DUMPS[dump]), `eu-${at}`);
      expect(snapshot, dump).not.toBe(null);
      expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    }
    expect(await stored()).toEqual(await inFile([A, B, C]));
  });

  test('the import says how many chunks were there before', async () => {
    await imported(written('second', [A, B]));
    const third = await imported(written('third', [A, B, C]));
    expect(third.problems.map(({ message }) => message)).toContain('2 of 3 chunks were imported before');
    const again = await imported(written('again', [A, B, C]));
    expect(again.problems.map(({ message }) => message)).toEqual(['3 of 3 chunks were imported before']);
    expect(again.snapshot).toBe(third.snapshot);
    expect((await store.list({})).value).toHaveLength(2);
  });

  test('over a compacted store', async () => {
    await imported(written('first', [A]));
    await imported(written('second', [A, B]));
    await compactNow();
    await compactNow();
    expect((await store.list({})).value).toHaveLength(1);
    await imported(written('third', [A, B, C]));
    await compactNow();
    await compactNow();
    expect((await store.list({})).value).toHaveLength(1);
    expect(await stored()).toEqual(await inFile([A, B, C]));
    const { value } = await store.readHeader((await store.list({})).value[0]!);
    expect(value!.header.chunks!.map(({ bytes }) => bytes)).toEqual([A.length, B.length, C.length]);
  });

  test('a file that holds a chunk twice', async () => {
    await imported(written('twice', [A, A, B]));
    expect(await stored()).toEqual(await inFile([A, B]));
  });

  test('another version of the program has the recording for itself', async () => {
    const path = written('first', [A]);
    await imported(path);
    const execution = { project: 'samples', program: 'shop', version: '2', instance: 'eu-1' };
    const other = await importRecording({ recording: path, store: join(folder, 'store'), execution, metrics: [] });
    expect(other.metrics.length).toBeGreaterThan(0);
  });

  test('a named instance is asked alone', async () => {
    await imported(written('first', [A]), 'one', true);
    const second = await imported(written('second', [A, B]), 'two', true);
    expect(second.problems.some(({ message }) => message.includes('imported before'))).toBe(false);
  });
});

describe('a chunk that was copied before it was finished', () => {
  test.each([0.3, 0.5, 0.8])('cut at %d: the rest is imported later', async share => {
    const cut = A.subarray(0, Math.floor(A.length * share));
    await imported(written('cut', [cut]));
    const early = await stored();
    await imported(written('whole', [A, B]));
    const whole = await inFile([A, B]);
    expect(await stored()).toEqual(whole);
    expect(early).not.toEqual(whole);
  });

  test('the processor time of each moment counts once', async () => {
    const float = (value: number) => new DataView(new Float32Array([value]).buffer).getUint32(0, true);
    const load = (chunk: ChunkWriter, millis: number, user: number) => {
      const body = chunk.body(231).long(millis * 1000);
      for (const part of [user, 0, user]) body.fixed(float(part), 4);
      return chunk.event(body);
    };
    const chunk = new ChunkWriter({
      events: [
        { id: 230, name: 'jdk.CPUInformation', fields: [['hwThreads', TYPE.int]] },
        {
          ...{ id: 231, name: 'jdk.CPULoad' },
          fields: [
            ['startTime', TYPE.long, 'ticks'],
            ['jvmUser', TYPE.float],
            ['jvmSystem', TYPE.float],
            ['machineTotal', TYPE.float],
          ],
        },
      ],
    });
    chunk.event(chunk.body(230).int(4)).sample(1);
    load(chunk, 1000, 0.5).sample(1, 1, 2000).metadata();
    const copied = chunk.offset;
    const withDuration = (header: DataView) => header.setBigInt64(40, 4_000_000_000n);
    const path = written('whole', [load(chunk, 3000, 0.25).sample(1, 1, 4000).finish(withDuration)]);
    const { chunks } = await ingestFile(path, { names: 'normalised', covered: [] });
    const covered = [{ identity: chunks![0]!.identity, bytes: copied }];
    const { profile } = await ingestFile(path, { names: 'normalised', covered });
    const cells = profile!.cells[profile!.metrics.findIndex(isProcessorLoad)]!;
    // A quarter of four processors for the two seconds behind the copy's last sample.
    expect(cells.weight.reduce((sum, each) => sum + each, 0)).toBeCloseTo(2e9, -6);
  });

  test('the longer one first: nothing of the shorter counts', async () => {
    await imported(written('whole', [A]));
    const { problems } = await imported(written('cut', [A.subarray(0, A.length >> 1)]));
    expect(problems.map(({ message }) => message)).toContain('1 of 1 chunk was imported before');
    expect(await stored()).toEqual(await inFile([A]));
  });
});

test('parts of a split snapshot name the chunks in the last one alone', async () => {
  await imported(written('third', [A, B, C]));
  const entry = (await store.list({})).value[0]!;
  const whole = (await store.read(entry)).value!;
  const parts = splitSnapshot(whole, encodeSnapshot(whole).length >> 1)!;
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.map(({ header }) => header.chunks?.length ?? 0)).toEqual([...parts.slice(1).map(() => 0), 3]);
  expect(decodeHeader(encodeSnapshot(parts.at(-1)!)).value!.header.chunks).toEqual(whole.header.chunks);
});

describe('the instance that nobody names', () => {
  const fields: EventType['fields'] = [
    ['startTime', TYPE.long, 'ticks'],
    ['jvmName', TYPE.string],
    ['jvmVersion', TYPE.string],
    ['jvmArguments', TYPE.string],
    ['jvmStartTime', TYPE.long],
    ['pid', TYPE.long],
  ];
  /** A chunk of the JVM with this process id. */
  const chunkOf = (pid: number) => {
    const chunk = new ChunkWriter({ events: [{ id: 230, name: 'jdk.JVMInformation', fields }] }).sample(1);
    const body = chunk.body(230).long(0).text('OpenJDK').text('').text('').long(START_MILLIS).long(pid);
    return chunk.event(body).finish(header => header.setBigInt64(48, BigInt(pid)));
  };
  const nameOf = (pid: number) => `${pid}-20231114T221320.000Z`;

  test('is the JVM: two files of one name are two instances, two dumps of one JVM are one', async () => {
    const [first, second] = [
      await imported(written('app', [chunkOf(1)])),
      await imported(written('app', [chunkOf(2)])),
    ];
    expect([first.instance, second.instance]).toEqual([nameOf(1), nameOf(2)]);
    const { value } = await loadProfile(store, {});
    expect(jvmsOf(value!.profile.windows)).toEqual([nameOf(1), nameOf(2)]);
    expect(value!.provenance.executions.map(({ instance }) => instance)).toEqual([nameOf(1), nameOf(2)]);
  });

  test('is the file where an earlier version has stored the recording under it', async () => {
    const path = written('app', [chunkOf(1)]);
    const execution = { project: 'samples', program: 'shop', version: '1', instance: 'app' };
    const { profile, startMillis, endMillis, recorder } = await ingestFile(path, { names: 'normalised' });
    const about = { execution, startMillis, endMillis, recorder, debugNonSafepoints: null, problems: [], replaces: [] };
    const windows = profile!.windows.map(({ jvm: _, ...window }) => window);
    const { value } = await store.put({ header: about, profile: { ...profile!, windows } });
    expect(await imported(path, 'app')).toMatchObject({ instance: 'app', snapshot: value!.key });
    expect((await store.list({})).value).toEqual([value]);
  });

  test('is the one that the user names, and its windows are still those of the JVM', async () => {
    const { instance } = await imported(written('app', [chunkOf(1)]), 'eu-1', true);
    expect(instance).toBe('eu-1');
    const { profile, provenance } = (await loadProfile(store, {})).value!;
    expect(jvmsOf(profile.windows)).toEqual([nameOf(1)]);
    expect(provenance.instances?.get(nameOf(1))).toBe('eu-1');
  });

  test('is the file where it holds several JVMs, or does not tell', async () => {
    expect((await imported(written('app', [chunkOf(1), chunkOf(2)]))).instance).toBe('eu-1');
    expect((await imported(written('sample', [A]))).instance).toBe('eu-1');
    const { windows } = (await loadProfile(store, {})).value!.profile;
    expect(jvmsOf(windows)).toEqual([nameOf(1), nameOf(2), 'eu-1']);
  });
});
