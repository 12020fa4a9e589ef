// Checks compaction under every order of events that chance finds: two compactors (one may be killed), a writer, a forger and a reader on one store.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Outcome } from '../../server/base/problem.ts';
import { decodeHeader, decodeMethods, decodeSnapshot } from '../../server/snapshot/decode.ts';
import { encodeSnapshot } from '../../server/snapshot/encode.ts';
import { compact } from '../../server/store/compact.ts';
import { encodeForStore } from '../../server/store/encoded.ts';
import type { CompactionLevel } from '../../server/store/levels.ts';
import { loadProfile } from '../../server/store/load-snapshots.ts';
import type { Storable, Store, StoreEntry } from '../../server/store/store.ts';
import { profileOfText } from '../support/profiles/profiles.ts';
import { runs } from '../support/runs.ts';
import { snapshotOf } from '../support/stores/snapshots.ts';

const HOUR = 3_600_000;
const START = 480_000 * HOUR;
/** Steps of the clock: one a request. Half of it is how long a request may be under way. */
const GRACE = 60;
const RUNS = 60;
/** Number of the first forged snapshot; those of others are below. Their samples may come and go. */
const FORGED = -1;
const LEVELS: readonly CompactionLevel[] = [
  { olderThanMillis: HOUR, spanMillis: HOUR, finestMillis: 0 },
  { olderThanMillis: 8 * HOUR, spanMillis: 4 * HOUR, finestMillis: 20 * 60_000 },
];

/** Original `number`: one sample of a method that no other has. */
function original(number: number, minute: number) {
  const startMillis = START + minute * 60_000;
  const windows = [{ startMillis, endMillis: startMillis + 60_000 }];
  return snapshotOf({ ...profileOfText(`M${number}.run | 1@3`), windows });
}

const ORIGINAL_BYTES = encodeSnapshot(original(0, 0)).length;

type Kept = { readonly entry: StoreEntry; readonly bytes: Uint8Array; readonly storedMillis: number };

/** A store in memory, as engines are: what is asked takes effect later, and what it did is known later still. */
class Model {
  readonly kept = new Map<string, Kept>();
  /** Snapshots that were to be removed before all of their samples had stood elsewhere for the grace time. */
  readonly hasty: string[] = [];
  clock = START + 6 * HOUR;
  readonly mostBytes: number;

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes;
  }

  /** As one process sees it. `turn` lets others go first; a process that is killed waits for ever. */
  seenBy(turn: () => Promise<unknown>): Store {
    const later = async <T>(effect: () => T): Promise<T> => {
      await turn();
      this.clock++;
      const result = effect();
      await turn();
      return result;
    };
    const reading = <T>(decode: (bytes: Uint8Array) => Outcome<T | null>) => {
      return ({ key }: StoreEntry) =>
        later((): Outcome<T | null> => {
          const found = this.kept.get(key);
          return found === undefined ? refused('gone') : decode(found.bytes);
        });
    };
    return {
      location: 'model',
      mostBytes: this.mostBytes,
      list: ({ instance }) =>
        later(() => {
          const entries = [...this.kept.values()].map(({ entry }) => entry);
          const fitting = entries.filter(({ execution }) => instance === undefined || execution.instance === instance);
          const value = fitting.sort((a, b) => a.startMillis - b.startMillis || (a.hash < b.hash ? -1 : 1));
          return { value, problems: [] };
        }),
      read: reading(decodeSnapshot),
      readHeader: reading(decodeHeader),
      readMethods: reading(decodeMethods),
      readBytes: reading(bytes => ({ value: bytes, problems: [] })),
      put: snapshot => this.#put(snapshot, later),
      tryPut: () => later(() => []),
      remove: ({ key }) => {
        const asked = this.clock;
        if (!this.#isReplaced(key, asked - GRACE)) this.hasty.push(key);
        return later(() => {
          if (this.#isTooLate(asked)) return { value: false, problems: refused('too late').problems };
          this.kept.delete(key);
          return { value: true, problems: [] };
        });
      },
      storedMillis: ({ key }) => later(() => this.kept.get(key)?.storedMillis ?? null),
    };
  }

  async #put(snapshot: Storable, later: <T>(effect: () => T) => Promise<T>): Promise<Outcome<StoreEntry | null>> {
    const { entry, bytes } = encodeForStore(snapshot, 'model').value!;
    return later(() => {
      if (!this.kept.has(entry.key)) this.kept.set(entry.key, { entry, bytes, storedMillis: this.clock });
      return { value: entry, problems: [] };
    });
  }

  /** Whether snapshots that were there at that time hold every original of this one. */
  #isReplaced(key: string, millis: number): boolean {
    const removed = this.kept.get(key);
    if (removed === undefined) return true;
    const others = [...this.kept.values()].filter(
      ({ entry, storedMillis }) => entry.key !== key && storedMillis <= millis,
    );
    const covered = new Set(others.flatMap(({ bytes }) => decodeHeader(bytes).value!.header.replaces));
    const { replaces } = decodeHeader(removed.bytes).value!.header;
    return (replaces.length > 0 ? replaces : [removed.entry.hash]).every(hash => covered.has(hash));
  }

  /** Engines refuse a request that was signed too long ago. Of puts that is not even needed. */
  #isTooLate(asked: number): boolean {
    return this.clock - asked > GRACE / 2;
  }
}

function refused(message: string): Outcome<null> {
  return { value: null, problems: [{ severity: 'error', message }] };
}

/** How often each original is seen by a reader; what counts twice because of forged headers, which is told, counts once here. */
async function seen(store: Store): Promise<ReadonlyMap<string, number>> {
  const { value, problems } = await loadProfile(store, {});
  const counts = new Map<string, number>();
  if (value === null) return counts;
  const { methods, tree, cells } = value.profile;
  for (let i = 0; i < cells[0]!.length; i++) {
    const name = methods.strings[methods.className[tree.method[cells[0]!.node[i]!]!]!]!;
    if (!name.startsWith('M-')) counts.set(name, (counts.get(name) ?? 0) + cells[0]!.count[i]!);
  }
  const isTold = problems.some(({ message }) => message.includes('cannot be told apart'));
  return isTold ? new Map([...counts].map(([name, count]) => [name, Math.min(count, 1)])) : counts;
}

const plan = fc.record({
  /** Minutes in which windows begin, in the order in which they are put; some come late. */
  minutes: fc.array(fc.nat(150), { minLength: 2, maxLength: 7 }),
  /** How many are there before anything else happens. */
  before: fc.nat(5),
  /** One is put a second time, as after a crash before its success was noted. */
  again: fc.nat(5),
  /** Originals of which one object holds the bytes: few give snapshots that overlap. */
  room: fc.constantFrom(3, 5, 10_000),
  /** After so many requests of its own the second compactor is killed. */
  killedAfter: fc.nat(60),
  /** At this turn the reader sleeps until a compactor has ended: it goes on with what it listed before everything was compacted. */
  sleepsAt: fc.constantFrom(-1, 1, 3, 5),
  /** Snapshots that name some of what is there as theirs, and perhaps something that never was, and hold nothing of it. */
  forgeries: fc.array(
    fc.record({ named: fc.array(fc.nat(9), { minLength: 1, maxLength: 3 }), invents: fc.boolean() }),
    {
      maxLength: 2,
    },
  ),
  /** Time passes before each round: the grace, or more. */
  pauses: fc.array(fc.constantFrom(0, GRACE, 3 * HOUR, 12 * HOUR), { minLength: 2, maxLength: 4 }),
});

test('no order of events makes a reader see a sample twice or not at all', async () => {
  let compactions = 0;
  await fc.assert(
    fc.asyncProperty(plan, fc.scheduler(), async (planned, scheduler) => {
      const { minutes, before, again, room, killedAfter, sleepsAt, forgeries, pauses } = planned;
      const model = new Model(room * ORIGINAL_BYTES);
      const turn = () => scheduler.schedule(Promise.resolve());
      let left = killedAfter;
      const orNever = () => (left-- > 0 ? turn() : new Promise(() => {}));
      const started = new Set<string>();
      const acknowledged = new Set<string>();
      const put = async (store: Store, number: number) => {
        started.add(`M${number}`);
        while ((await store.put(original(number, minutes[number]!))).value === null);
        acknowledged.add(`M${number}`);
      };
      const atOnce = model.seenBy(async () => {});
      for (let number = 0; number < Math.min(before, minutes.length); number++) await put(atOnce, number);
      const writing = async () => {
        const store = model.seenBy(turn);
        for (let number = before; number < minutes.length; number++) await put(store, number);
        await put(store, again % minutes.length);
      };
      const forging = async () => {
        const store = model.seenBy(turn);
        for (const [at, { named, invents }] of forgeries.entries()) {
          const there = (await store.list({})).value.map(({ hash }) => hash);
          const own = named.flatMap(each => there[each % there.length] ?? []);
          const replaces = [...new Set([...own, ...(invents ? [String(at).repeat(32)] : [])])];
          const { header, profile } = original(FORGED - at, minutes[0]!);
          await store.put({ profile, header: { ...header, replaces } });
        }
      };
      const compacting = async (store: Store, rounds: readonly number[]) => {
        for (const pause of rounds) {
          model.clock += pause;
          const { value } = await compact(store, { levels: LEVELS, graceMillis: GRACE, now: () => model.clock });
          compactions += value.written;
        }
      };
      const compacted = compacting(model.seenBy(turn), pauses);
      let turns = 0;
      const dozing = () => (turns++ === sleepsAt ? compacted : turn());
      const checking = async () => {
        for (let round = 0; round < 3; round++) {
          const wanted = [...acknowledged];
          const counts = await seen(model.seenBy(dozing));
          for (const [name, count] of counts) expect([name, count, started.has(name)]).toEqual([name, 1, true]);
          for (const name of wanted) expect([...counts.keys()]).toContain(name);
        }
      };
      void compacting(model.seenBy(orNever), pauses);
      await scheduler.waitFor(Promise.all([writing(), forging(), checking(), compacted]));
      expect(model.hasty).toEqual([]);
      if (forgeries.length === 0) expect((await loadProfile(atOnce, {})).problems).toEqual([]);
      // In the end one snapshot a span is left, and everything in it.
      model.clock += 24 * HOUR;
      for (let round = 0; round < 4; round++) {
        await compacting(atOnce, [GRACE + 1]);
      }
      expect([...(await seen(atOnce))].sort()).toEqual(minutes.map((_, number) => [`M${number}`, 1]).sort());
      const spans = new Set(minutes.map(minute => Math.floor((START + minute * 60_000) / (4 * HOUR))));
      if (room > minutes.length && forgeries.length === 0) expect(model.kept.size).toBe(spans.size);
    }),
    { numRuns: runs(RUNS) },
  );
  expect(compactions).toBeGreaterThan(runs(RUNS) / 2);
});
