// A JVM that is followed window by window: the windows' times, what a full disk does, and a recorder that is stopped and started again.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { listedMetrics } from '../../server/cct/listed-metrics.ts';
import { mergeProfiles } from '../../server/cct/merge.ts';
import type { Profile } from '../../server/cct/profile.ts';
import { Follower } from '../../server/record/follower.ts';
import { readSpooled, Spool, type Spooled, type SpoolNote } from '../../server/record/spool.ts';
import { decodeSnapshot } from '../../server/snapshot/decode.ts';
import type { Snapshot } from '../../server/snapshot/snapshot.ts';
import { expectSame, samplesOf } from '../support/recorders/recording-shop.ts';
import { begunAt, chunksOf, followerOptions, growingRepository } from '../support/recordings/growing-repository.ts';
import { ingest } from '../support/recordings/ingested.ts';
import { ChunkWriter, methodPools } from '../support/recordings/jfr-writer.ts';
import { METHOD_TIMING, TIMING } from '../support/recordings/method-events.ts';

const RECORDING = readFileSync(join(import.meta.dirname, '../../samples/recordings/shop-v1-jdk17-b.jfr'));
const MINUTE = 60_000;
const NOON = Date.UTC(2026, 10, 20, 12);

let folder = '';
let closed: Spooled[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-follower-'));
  mkdirSync(repository());
  closed = [];
});

afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

const repository = () => join(folder, 'repository');

function followed(own: Partial<ConstructorParameters<typeof Follower>[0]> = {}): Follower {
  const spool = new Spool(folder, 'spool');
  const taken = (window: Spooled) => closed.push(window);
  return new Follower(followerOptions({ spool, repository: repository(), closed: taken, ...own }));
}

function snapshotOf({ path }: Spooled): Snapshot {
  return decodeSnapshot(readSpooled(path)!.snapshot).value!;
}

/** The snapshot that a follower saves of its open window. */
function saved(follower: Follower): Snapshot {
  return decodeSnapshot(follower.save()!).value!;
}

const all = (): Profile => mergeProfiles(closed.map(window => snapshotOf(window).profile));
const whole = async (): Promise<Profile> => (await ingest(RECORDING, { names: 'normalised' })).profile!;

describe('times of windows', () => {
  const begun = (millis: number) => vi.useFakeTimers({ now: millis, toFake: ['Date', 'performance'] });
  const OPTIONS = { firstMillis: MINUTE, intervalMillis: 10 * MINUTE };

  /** Writes a chunk of the JVM that began then. */
  function writes(name: string, millis: number): void {
    writeFileSync(join(repository(), name), begunAt(chunksOf(RECORDING)[0]!, millis));
  }

  /** Windows of a profile that have samples, as minutes since noon. */
  function minutesOf({ profile: { cells, windows } }: Snapshot): number[] {
    const used = new Set(cells.flatMap(({ window }) => [...window]));
    return [...used].map(row => (windows[row]!.startMillis - NOON) / MINUTE).sort((a, b) => a - b);
  }

  test('every window ends with those of other JVMs, and its samples count when they were taken', () => {
    begun(NOON + 3 * MINUTE + 20_000);
    const follower = followed(OPTIONS);
    vi.advanceTimersByTime(39_999);
    expect(follower.isDue).toBe(false);
    vi.advanceTimersByTime(1);
    expect(follower.isDue).toBe(true);
    follower.roll();
    for (const [number, from, until] of [
      [2, 4, 10],
      [3, 10, 20],
      [4, 20, 30],
    ] as const) {
      const middle = NOON + ((from + until) / 2) * MINUTE;
      vi.advanceTimersByTime(middle - Date.now());
      writes(`${number}.jfr`, middle);
      follower.poll();
      vi.advanceTimersByTime(NOON + until * MINUTE - Date.now() - 1);
      expect(follower.isDue).toBe(false);
      vi.advanceTimersByTime(1);
      expect(follower.isDue).toBe(true);
      follower.roll();
      const { header, profile } = snapshotOf(closed.at(-1)!);
      expect([header.startMillis, header.endMillis]).toEqual([NOON + from * MINUTE, NOON + until * MINUTE]);
      expect(profile.windows[0]!.startMillis).toBe(header.startMillis);
      expect(profile.windows.at(-1)!.endMillis).toBe(header.endMillis);
      const minutes = minutesOf(snapshotOf(closed.at(-1)!));
      expect(minutes[0]).toBe((from + until) / 2);
      expect(minutes.at(-1)).toBeLessThan((from + until) / 2 + 1);
    }
  });

  test('a window that is left early ends then, so that it hides nothing of the next recorder', () => {
    begun(NOON);
    const first = followed(OPTIONS);
    writes('1.jfr', NOON + 1000);
    vi.advanceTimersByTime(12_345);
    first.poll();
    expect(saved(first).header.endMillis).toBe(NOON + 12_345);
    first.close(null, false);
    const { header, profile } = snapshotOf(closed[0]!);
    expect(header.endMillis).toBe(NOON + 12_345);
    expect(profile.windows.at(-1)!.endMillis).toBe(NOON + 12_345);
    const next = followed(OPTIONS);
    writes('2.jfr', NOON + 12_400);
    vi.advanceTimersByTime(1000);
    next.poll();
    expect(saved(next).header.startMillis).toBe(NOON + 12_345);
  });

  test('a clock that is set back makes no window begin before the end of the one before', () => {
    begun(NOON);
    const follower = followed(OPTIONS);
    writes('1.jfr', NOON + 1000);
    follower.poll();
    vi.setSystemTime(NOON - 30 * MINUTE);
    follower.roll();
    writes('2.jfr', NOON + 2000);
    follower.poll();
    const { header } = snapshotOf(closed[0]!);
    expect(saved(follower).header.startMillis).toBeGreaterThanOrEqual(header.endMillis);
  });
});

describe('a disk that is full', () => {
  /** Writes nothing while it is full. */
  class TightSpool extends Spool {
    full: 'open' | 'closed' | null = null;

    override saveOpen(note: SpoolNote, snapshot: Uint8Array): void {
      if (this.full !== null) throw new Error('ENOSPC');
      super.saveOpen(note, snapshot);
    }

    override saveClosed(note: SpoolNote, snapshot: Uint8Array): Spooled {
      if (this.full === 'closed') throw new Error('ENOSPC');
      return super.saveClosed(note, snapshot);
    }
  }

  for (const full of ['closed', 'open'] as const) {
    test(`at the end of a window, when what is ${full} is written, loses nothing`, async () => {
      const spool = new TightSpool(folder, 'spool');
      const jvm = growingRepository(repository(), RECORDING);
      const follower = followed({ spool });
      for (let step = 0; jvm.grow(300_000); step++) {
        follower.poll();
        spool.full = step % 2 === 0 ? full : null;
        if (spool.full === null) follower.roll();
        else expect(() => follower.roll()).toThrow('ENOSPC');
      }
      spool.full = full;
      follower.poll();
      if (full === 'closed') expect(() => follower.close(null, true)).toThrow('ENOSPC');
      spool.full = null;
      follower.close(null, true);
      expectSame(all(), await whole());
    });
  }

  test('no window leaves the spool before it is written where reading goes on', () => {
    const spool = new TightSpool(folder, 'spool');
    const jvm = growingRepository(repository(), RECORDING);
    const follower = followed({ spool });
    jvm.grow(600_000);
    follower.poll();
    spool.full = 'open';
    expect(() => follower.roll()).toThrow('ENOSPC');
    expect(closed).toEqual([]);
    spool.full = null;
    expect(follower.wantsSave).toBe(true);
    follower.save();
    expect(closed).toHaveLength(1);
  });

  test('at the end of a window is tried again a while later, not at each look', () => {
    vi.useFakeTimers({ now: NOON, toFake: ['Date', 'performance'] });
    const spool = new TightSpool(folder, 'spool');
    const jvm = growingRepository(repository(), RECORDING);
    const follower = followed({ spool, firstMillis: MINUTE });
    jvm.grow(600_000);
    follower.poll();
    vi.advanceTimersByTime(MINUTE);
    spool.full = 'closed';
    expect(() => follower.roll()).toThrow('ENOSPC');
    expect(follower.isDue).toBe(false);
    vi.advanceTimersByTime(MINUTE / 2);
    expect(follower.isDue).toBe(true);
  });
});

describe('a recorder that has to catch up', () => {
  const COPIES = 6;

  /** Writes the data of a JVM that was not followed: the recording several times, in more bytes than one step has. */
  function writeMuch(): void {
    for (let copy = 0; copy < COPIES; copy++)
      for (const [i, chunk] of chunksOf(RECORDING).entries())
        writeFileSync(join(repository(), `${10 * copy + i}.jfr`), begunAt(chunk, NOON + copy * MINUTE + i * 1000));
  }

  test('saves as soon as it has, and each second from then on', () => {
    vi.useFakeTimers({ now: NOON, toFake: ['Date', 'performance'] });
    const jvm = growingRepository(repository(), RECORDING);
    jvm.grow(300_000);
    const follower = followed();
    expect(follower.wantsSave).toBe(false);
    follower.poll();
    expect(follower.isCatchingUp).toBe(false);
    expect(follower.wantsSave).toBe(true);
    for (let second = 0; second < 5; second++) {
      // Reading took a while the last time, and takes none now.
      vi.advanceTimersByTime(20);
      follower.save();
      follower.saved(1);
      expect(follower.wantsSave).toBe(false);
      jvm.grow(10_000);
      vi.advanceTimersByTime(980);
      follower.poll();
      expect(follower.wantsSave).toBe(true);
    }
  });

  test('saves meanwhile, and goes on from there when it is killed each time, without loss', async () => {
    vi.useFakeTimers({ now: NOON + 60 * MINUTE, toFake: ['Date', 'performance'] });
    writeMuch();
    let kills = 0;
    for (let isCatchingUp = true; isCatchingUp; kills++) {
      const follower = followed();
      follower.poll();
      ({ isCatchingUp } = follower);
      vi.advanceTimersByTime(200);
      expect(follower.wantsSave).toBe(true);
      follower.save();
    }
    expect(kills).toBeGreaterThan(5);
    expect(kills).toBeLessThan(12);
    followed().close(null, true);
    const once = await whole();
    for (const { id } of listedMetrics(once)) expect(samplesOf(all(), id)).toBe(COPIES * samplesOf(once, id));
  });

  test('saves for a part of the time alone', () => {
    vi.useFakeTimers({ now: NOON + 60 * MINUTE, toFake: ['Date', 'performance'] });
    writeMuch();
    const follower = followed();
    follower.poll();
    expect(follower.wantsSave).toBe(false);
    vi.advanceTimersByTime(200);
    follower.save();
    follower.saved(150);
    follower.poll();
    vi.advanceTimersByTime(1499);
    expect(follower.wantsSave).toBe(false);
    vi.advanceTimersByTime(1);
    expect(follower.wantsSave).toBe(true);
  });

  test('reads all at once when its window ends', async () => {
    writeMuch();
    const follower = followed();
    follower.close(null, true);
    const once = await whole();
    for (const { id } of listedMetrics(once)) expect(samplesOf(all(), id)).toBe(COPIES * samplesOf(once, id));
  });
});

test('of more chunk files than are opened at once none is left out at the end', async () => {
  const [, , chunk] = chunksOf(RECORDING);
  for (let i = 0; i < 70; i++) writeFileSync(join(repository(), `${100 + i}.jfr`), begunAt(chunk!, NOON + i * 1000));
  followed().close(null, true);
  const { profile } = await ingest(chunk!, { names: 'normalised' });
  expect(samplesOf(all(), 'cpu')).toBe(70 * samplesOf(profile, 'cpu'));
});

test('a recorder that is stopped and started again goes on where it was, whatever has left the spool', async () => {
  const jvm = growingRepository(repository(), RECORDING);
  const stored: Spooled[] = [];
  for (let more = true; more; ) {
    const follower = followed();
    for (let step = 0; more && step < 3; step++) {
      more = jvm.grow(100_000);
      follower.poll();
      if (step === 1) follower.save();
    }
    follower.close(null, !more);
    for (const spooled of new Spool(folder, 'spool').list()) if (!spooled.isOpen) stored.push(taken(spooled));
  }
  expect(stored.length).toBeGreaterThan(2);
  closed = stored;
  expectSame(all(), await whole());
  expect(new Spool(folder, 'spool').list()).toEqual([]);
});

/** Takes a file out of the spool, as the uploader does once it is stored. */
function taken(spooled: Spooled): Spooled {
  const path = join(folder, `stored-${spooled.note.sequence}`);
  writeFileSync(path, readFileSync(spooled.path));
  rmSync(spooled.path);
  return { ...spooled, path };
}

test('totals of a timed method count once, whichever recorder follows the JVM', () => {
  const methods = methodPools([{ key: 1, owner: 'A', name: 'run' }]);
  for (const [number, invocations] of [10, 16, 19].entries()) {
    const chunk = new ChunkWriter({ events: [METHOD_TIMING] })
      .longs(TIMING, 100, 1, invocations, 1, 2, 9)
      .checkpoint(methods);
    writeFileSync(join(repository(), `${number}.jfr`), begunAt(chunk.finish(), NOON + number * MINUTE));
    const follower = followed();
    follower.poll();
    if (number === 1) follower.save();
    else follower.close(null, false);
  }
  const { metrics, cells } = all();
  const calls = cells[metrics.findIndex(({ id }) => id === 'calls')]!;
  expect([...calls.count].reduce((sum, count) => sum + count, 0)).toBe(19);
});
