// Tells whether the samples of some snapshots are all in others, as they are stored: by call path, thread, line, time and metric.
import { timeSpan } from '../base/moment-text.ts';
import { GrowingMerge } from '../cct/growing-merge.ts';
import type { Cells, Profile, Times, TimeWindow } from '../cct/profile.ts';
import { joinMixedGroups } from '../cct/thread-groups.ts';
import { eachPair } from '../cct/times.ts';
import { SnapshotReader } from '../snapshot/decode.ts';
import type { DescribedEntry } from './claims.ts';
import type { Store } from './store.ts';

/** The difference that was found, and the snapshots that could not be read: then nothing is known. */
type Comparison = {
  /** The samples that the others lack, or have beside; null where there are none. */
  readonly difference: string | null;
  readonly unread: readonly DescribedEntry[];
};

/** Compares what is in `wholes` together with what is in `parts` together; beyond that they hold something only where not `exactly`. */
export type Compare = (
  wholes: readonly DescribedEntry[],
  parts: readonly DescribedEntry[],
  exactly: boolean,
) => Promise<Comparison>;

/** Weights are added up in another order in compaction: so much of what was added up at a place may differ. */
const TOLERANCE = 1e-9;

/**
 * Reads from a store, one snapshot after the other; each is checked against the hash in its name. Times and threads are compared as
 * finely as the coarser side has them.
 * @param forRemoval whether `parts` are to be removed: `wholes` are read as they are in the store now, whatever this machine has kept
 *   of it, and each window of `parts` must lie in one of theirs
 */
export function comparerOf(store: Store, forRemoval = false): Compare {
  return async (wholes, parts, exactly) => {
    const timed = forRemoval ? wholes : [...wholes, ...parts];
    const balance = new Balance(timed.flatMap(({ reading }) => reading.windows));
    const reader = new SnapshotReader();
    const unread: DescribedEntry[] = [];
    let difference: string | null = null;
    for (const described of [...wholes, ...parts]) {
      const isWhole = wholes.includes(described);
      const { value: bytes } = await store.readBytes(described.entry, forRemoval && isWhole);
      const snapshot = bytes === null ? null : reader.read(bytes).value;
      if (snapshot === null) unread.push(described);
      else difference ??= balance.add(snapshot.profile, isWhole ? 1 : -1);
    }
    return { difference: unread.length > 0 ? null : (difference ?? balance.difference(exactly)), unread };
  };
}

/** Whether two snapshots hold exactly the same samples, whichever JVM their windows name. A snapshot that cannot be read holds none. */
export async function holdSame(store: Store, pair: readonly [DescribedEntry, DescribedEntry]): Promise<boolean> {
  const anyJvm = (windows: readonly TimeWindow[]) =>
    windows.map(({ startMillis, endMillis }) => ({ startMillis, endMillis }));
  const balance = new Balance(pair.flatMap(({ reading }) => anyJvm(reading.windows)));
  const reader = new SnapshotReader();
  for (const [at, { entry }] of pair.entries()) {
    const { value: bytes } = await store.readBytes(entry);
    const profile = bytes === null ? undefined : reader.read(bytes).value?.profile;
    if (profile === undefined) return false;
    if (balance.add({ ...profile, windows: anyJvm(profile.windows) }, at === 0 ? 1 : -1) !== null) return false;
  }
  return balance.difference(true) === null;
}

/** The rest of some profiles when others are taken away. */
class Balance {
  /** In order, JVM by JVM. */
  readonly #spans: readonly TimeWindow[];
  readonly #merge = new GrowingMerge();
  readonly #times = new TimesBalance();

  constructor(windows: readonly TimeWindow[]) {
    this.#spans = spansOf(windows);
  }

  /** Why it cannot be compared: a window that lies in none of the spans; null where it can be. */
  add(profile: Profile, sign: 1 | -1): string | null {
    const rows = profile.windows.map(window => this.#spanOf(window));
    const outside = profile.windows[rows.indexOf(-1)];
    if (outside !== undefined)
      return `nothing of it lies in the window ${timeSpan(outside.startMillis, outside.endMillis)}`;
    const { truncatedStacks, withoutStack, lostSamples } = profile.losses;
    const { times, ...untimed } = profile;
    if (times !== undefined) this.#times.add(profile, times, rows, sign);
    this.#merge.add({
      ...untimed,
      windows: this.#spans,
      cells: profile.cells.map(cells => signed(cells, Int32Array.from(rows), sign)),
      losses: {
        truncatedStacks: sign * truncatedStacks,
        withoutStack: sign * withoutStack,
        lostSamples: sign * lostSamples,
      },
    });
    return null;
  }

  #spanOf(window: TimeWindow): number {
    let [from, to] = [0, this.#spans.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (byJvmAndStart(this.#spans[middle]!, window) <= 0) from = middle + 1;
      else to = middle;
    }
    const before = this.#spans[from - 1];
    return before !== undefined && before.jvm === window.jvm && window.endMillis <= before.endMillis ? from - 1 : -1;
  }

  difference(exactly: boolean): string | null {
    const left = joinMixedGroups(this.#merge.finish());
    for (const [metric, cells] of left.cells.entries()) {
      for (let i = 0; i < cells.length; i++) {
        const count = cells.count[i]!;
        const weight = cells.weight[i]!;
        const most = TOLERANCE * (cells.weightSquares?.[i] ?? 0);
        const isOff = (amount: number, tolerance: number) => amount < -tolerance || (exactly && amount > tolerance);
        if (!isOff(count, 0) && !isOff(weight, most)) continue;
        const { id, unit } = left.metrics[metric]!;
        const [amount, of] = isOff(count, 0) ? [count, 'samples'] : [weight, unit];
        return `it has ${Math.abs(amount)} ${amount < 0 ? 'fewer' : 'more'} ${of} of ${id} in ${methodAt(left, cells.node[i]!)}`;
      }
    }
    const lost = Object.entries(left.losses).find(([, amount]) => amount < 0 || (exactly && amount > 0));
    return lost === undefined ? this.#times.difference(exactly) : `it differs in what was lost (${lost[0]})`;
  }
}

/** As `Balance`, for response times: calls and sums by method, caller and window, and the buckets of sketches. */
class TimesBalance {
  readonly #calls = new Map<string, number>();
  /** The rest, and the sum of all that was added or taken away. */
  readonly #sums = new Map<string, { left: number; size: number }>();

  add({ methods: table }: Profile, times: Times, spans: readonly number[], sign: 1 | -1): void {
    const { strings, className, name, descriptor } = table;
    const texts = (row: number) => [strings[className[row]!], strings[name[row]!], strings[descriptor[row]!] ?? null];
    const { sketches } = times;
    eachPair(times, (pair, from, to) => {
      const key = JSON.stringify([texts(times.method[from]!), texts(times.caller[from]!)]);
      for (let row = from; row < to; row++) {
        const place = `${key} ${spans[times.window[row]!]}`;
        this.#calls.set(place, (this.#calls.get(place) ?? 0) + sign * times.count[row]!);
        const { left, size } = this.#sums.get(place) ?? { left: 0, size: 0 };
        const sum = times.sum[row]!;
        this.#sums.set(place, { left: left + sign * sum, size: size + sum });
      }
      for (let row = sketches.offset[pair]!; row < sketches.offset[pair + 1]!; row++) {
        const place = `${key} bucket ${sketches.bucket[row]}`;
        this.#calls.set(place, (this.#calls.get(place) ?? 0) + sign * sketches.count[row]!);
      }
    });
  }

  difference(exactly: boolean): string | null {
    const isOff = (amount: number, tolerance: number) => amount < -tolerance || (exactly && amount > tolerance);
    for (const calls of this.#calls.values()) if (isOff(calls, 0)) return 'it differs in the number of timed calls';
    for (const { left, size } of this.#sums.values())
      if (isOff(left, TOLERANCE * size)) return 'it differs in response times';
    return null;
  }
}

/** The spans that the windows of each JVM cover, overlapping windows as one: no window of a coarsened snapshot lies in two of them. */
function spansOf(windows: readonly TimeWindow[]): readonly TimeWindow[] {
  const spans: (TimeWindow & { endMillis: number })[] = [];
  for (const window of [...windows].sort(byJvmAndStart)) {
    const { startMillis, endMillis, jvm } = window;
    const last = spans.at(-1);
    if (last !== undefined && last.jvm === jvm && (startMillis < last.endMillis || startMillis === last.startMillis))
      last.endMillis = Math.max(last.endMillis, endMillis);
    else spans.push({ ...window });
  }
  return spans;
}

function byJvmAndStart(a: TimeWindow, b: TimeWindow): number {
  const [x, y] = [a.jvm ?? '', b.jvm ?? ''];
  return x < y ? -1 : x > y ? 1 : a.startMillis - b.startMillis;
}

/** With the weights' sizes in place of their squares: of these the tolerance is taken when all are added up. */
function signed(cells: Cells, spans: Int32Array, sign: 1 | -1): Cells {
  const { count, weight, weightSquares } = cells;
  const amounts = sign === 1 ? count : count.map(each => -each);
  return {
    ...cells,
    window: cells.window.map(row => spans[row]!),
    count: amounts,
    weight: weightSquares === null ? amounts : weight.map(each => sign * each),
    weightSquares: weightSquares === null ? null : weight,
  };
}

function methodAt({ tree, methods }: Profile, node: number): string {
  const method = tree.method[node]!;
  const [owner, name] = [methods.className[method]!, methods.name[method]!].map(row => methods.strings[row]);
  return node === 0 ? 'samples without a stack' : `${owner}.${name}`;
}
