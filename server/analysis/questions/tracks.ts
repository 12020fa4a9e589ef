// The question what each thread did over time: per window its time types, or the packages whose code ran.
import type { Pause } from '../../base/pause.ts';
import { windowTimes } from '../../cct/jvms.ts';
import type { Profile } from '../../cct/profile.ts';
import { threadGroupName, threadGroups } from '../../cct/thread-groups.ts';
import { packageOf } from '../../mapping/class-names.ts';
import type { Analysis } from '../../metrics/analysis.ts';
import { visitCells } from '../../metrics/around-method.ts';
import { forEachCellInScope, type MethodSet } from '../../metrics/node-walks.ts';
import { isTimeType, TYPED } from '../../model/time-types.ts';
import type { TrackColumns } from '../frame-columns.ts';
import type { Question } from './question.ts';

type TracksWish = {
  /** Rows that are taken as one; null for everything in the focus and on the path. */
  readonly methods: MethodSet | null;
  /** Packages of own code; null where none are known. */
  readonly own: readonly string[] | null;
};

type Track = {
  readonly name: string;
  readonly weight: number;
  /** The part of `weight` in which threads ran; all of it where the metric is not typed time. */
  readonly running: number;
};

export type Tracks = {
  /** Milliseconds since the epoch; in the order of their begins. Those of several JVMs may overlap. */
  readonly windows: readonly { readonly from: number; readonly to: number }[];
  /** Time types, or packages: of the innermost own code on the stack, without own code of the innermost frame. Most weight first. */
  readonly kinds: readonly { readonly name: string; readonly library: boolean }[];
  readonly weight: number;
  /** Threads whose names differ in digits alone are one group. Those that ran longest first; those without samples are left out. */
  readonly groups: readonly (Track & {
    readonly group: string;
    /** `rows`: how many rows of the columns it has, behind those of the thread before. */
    readonly threads: readonly (Track & { readonly rows: number })[];
  })[];
  readonly columns: TrackColumns;
};

/** Cells or nodes between two pauses. */
const STEP = 1 << 16;

/** Windows outside of the span are left out, too. */
export const tracks: Question<TracksWish, Tracks> = (data, { methods, own }, pause) => {
  const { analysis, profile } = data;
  const { threads } = profile;
  const { metric, windows: chosen } = analysis.selection;
  const isTyped = profile.metrics[metric]!.id === TYPED.id;
  const kinds = kindsOf(profile, isTyped ? null : data.answers.parts.libraryOf(profile.methods, own), pause);
  const times = windowTimes(profile.windows).filter(({ from }) => chosen === undefined || chosen[from] === 1);
  const sums = new TrackSums(profile, metric, kinds, times);
  const cells = cellsByThread(analysis, methods, pause);
  const { of: groupOf, firsts } = threadGroups(threads);
  const singles = firsts.map((): SummedTrack[] => []);
  for (let row = 0; row < threads.length; row++) {
    const own = sums.of(cells.rows.subarray(cells.begins[row], cells.begins[row + 1]));
    if (own.weight > 0) singles[groupOf[row]!]!.push({ name: nameOf(profile, row, threads.name[row]!), ...own });
    pause();
  }
  const groups = firsts.flatMap((first, number) => {
    const own = singles[number]!.sort(longestFirst);
    const name = nameOf(profile, first, threadGroupName(threads.name[first]!));
    const sum = { weight: sumOf(own, 'weight'), running: sumOf(own, 'running') };
    return own.length === 0 ? [] : [{ group: threads.group[first]!, name, ...sum, own }];
  });
  groups.sort(longestFirst);
  const order = sums.heaviestKinds();
  return {
    windows: times.map(({ startMillis, endMillis }) => ({ from: startMillis, to: endMillis })),
    kinds: order.map(kind => kinds.list[kind]!),
    weight: sumOf(groups, 'weight'),
    groups: groups.map(({ own, ...group }) => ({
      ...group,
      threads: own.map(({ columns, ...track }) => ({ ...track, rows: columns.window.length })),
    })),
    columns: joined(
      groups.flatMap(({ own }) => own.map(({ columns }) => columns)),
      order,
    ),
  };
};

type SummedTrack = Track & { readonly columns: TrackColumns };

function longestFirst(a: Track, b: Track): number {
  return b.running - a.running || b.weight - a.weight || (a.name < b.name ? -1 : 1);
}

function sumOf(tracks: readonly Track[], name: 'weight' | 'running'): number {
  return tracks.reduce((sum, track) => sum + track[name], 0);
}

function nameOf({ threads }: Profile, row: number, name: string): string {
  return name || (threads.virtual[row] === 1 ? 'unnamed virtual threads' : 'unnamed');
}

type Kinds = {
  readonly list: Tracks['kinds'];
  /** By node of the tree. */
  readonly of: Int32Array;
};

/** @param library one byte a method row, 0 where it is own code; null for time types */
function kindsOf({ tree, methods }: Profile, library: Uint8Array | null, pause: Pause): Kinds {
  const { strings, className, name, length } = methods;
  const list: Tracks['kinds'][number][] = [];
  const numbers = new Map<string, number>();
  const numberOf = (kind: Tracks['kinds'][number]): number => {
    const key = JSON.stringify(kind);
    const number = numbers.get(key) ?? list.push(kind) - 1;
    numbers.set(key, number);
    return number;
  };
  const outside = numberOf({ name: '', library: true });
  const ofMethod = Int32Array.from({ length }, (_, row) => {
    const [owner, own] = [strings[className[row]!]!, strings[name[row]!]!];
    if (library !== null) return numberOf({ name: packageOf(owner), library: library[row] === 1 });
    return isTimeType(owner, own) ? numberOf({ name: own, library: false }) : outside;
  });
  const { method, parent, length: nodes } = tree;
  const of = new Int32Array(nodes).fill(outside);
  /** What is handed on to callees: the time type, or the innermost own package. */
  const handed = new Int32Array(nodes).fill(outside);
  for (let node = 1; node < nodes; node++) {
    if (node % STEP === 0) pause();
    const [above, mine] = [handed[parent[node]!]!, ofMethod[method[node]!]!];
    const isOwn = library !== null && library[method[node]!] === 0;
    handed[node] = library === null ? (above === outside ? mine : above) : isOwn ? mine : above;
    of[node] = handed[node] === outside ? mine : handed[node]!;
  }
  return { list, of };
}

/** Rows of the selected cells, those of one thread one after the other: of thread t from `begins[t]` to `begins[t + 1]`. */
function cellsByThread(
  analysis: Analysis,
  methods: MethodSet | null,
  pause: Pause,
): { readonly rows: Int32Array; readonly begins: Int32Array } {
  const { profile, selection } = analysis;
  const { thread } = profile.cells[selection.metric]!;
  const visit = (see: (cell: number) => void): void => {
    const each = (_line: number, _weight: number, _count: number, cell: number): void => see(cell);
    if (methods === null) forEachCellInScope(analysis, each);
    else visitCells(analysis, methods, each, pause);
    pause();
  };
  const begins = new Int32Array(profile.threads.length + 1);
  visit(cell => begins[thread[cell]! + 1]!++);
  for (let row = 1; row < begins.length; row++) begins[row]! += begins[row - 1]!;
  const rows = new Int32Array(begins.at(-1)!);
  const next = begins.slice();
  visit(cell => {
    rows[next[thread[cell]!]!++] = cell;
  });
  return { rows, begins };
}

/** Sums up the cells of one thread after the other by window and kind. */
class TrackSums {
  readonly #cells: Profile['cells'][number];
  readonly #kinds: Kinds;
  /** By row of the profile's windows: the number of its time. */
  readonly #timeOf: Int32Array;
  /** By time and kind; empty between two threads. */
  readonly #sums: Float64Array;
  readonly #isTouched: Uint8Array;
  readonly #byKind: Float64Array;
  /** By kind: 1 where threads ran. */
  readonly #runs: Uint8Array;

  constructor(
    profile: Profile,
    metric: number,
    kinds: Kinds,
    times: readonly { readonly from: number; readonly to: number }[],
  ) {
    this.#cells = profile.cells[metric]!;
    this.#kinds = kinds;
    this.#timeOf = new Int32Array(profile.windows.length);
    for (const [time, { from, to }] of times.entries()) this.#timeOf.fill(time, from, to);
    this.#sums = new Float64Array(times.length * kinds.list.length);
    this.#isTouched = new Uint8Array(this.#sums.length);
    this.#byKind = new Float64Array(kinds.list.length);
    this.#runs = Uint8Array.from(kinds.list, ({ name }) => (isRunning(name) ? 1 : 0));
  }

  of(rows: Int32Array): Omit<SummedTrack, 'name'> {
    const places = this.#add(rows);
    const { length } = this.#byKind;
    const [window, kind] = [new Int32Array(places.length), new Int32Array(places.length)];
    const weight = new Float64Array(places.length);
    let [sum, running] = [0, 0];
    for (let row = 0; row < places.length; row++) {
      const at = places[row]!;
      const own = this.#sums[at]!;
      const ofKind = at % length;
      this.#sums[at] = 0;
      this.#isTouched[at] = 0;
      this.#byKind[ofKind]! += own;
      window[row] = (at - ofKind) / length;
      kind[row] = ofKind;
      weight[row] = own;
      sum += own;
      if (this.#runs[ofKind] === 1) running += own;
    }
    return { columns: { window, kind, weight }, weight: sum, running };
  }

  /** Ascending places in the sums that have something. */
  #add(rows: Int32Array): Int32Array {
    const { node, window, weight } = this.#cells;
    const { length } = this.#byKind;
    const touched = new Int32Array(Math.min(rows.length, this.#sums.length));
    let count = 0;
    for (let each = 0; each < rows.length; each++) {
      const row = rows[each]!;
      const at = this.#timeOf[window[row]!]! * length + this.#kinds.of[node[row]!]!;
      if (this.#isTouched[at] === 0) touched[count++] = at;
      this.#isTouched[at] = 1;
      this.#sums[at]! += weight[row]!;
    }
    return touched.subarray(0, count).sort();
  }

  heaviestKinds(): number[] {
    const found = [...this.#byKind.keys()].filter(kind => this.#byKind[kind]! > 0);
    return found.sort((a, b) => this.#byKind[b]! - this.#byKind[a]! || a - b);
  }
}

/** Packages ran, and so did threads that ran or waited for a processor alone. */
function isRunning(kind: string): boolean {
  return !kind.startsWith(':') || kind === ':RUN' || kind === ':RUNNABLE';
}

/** One after the other, each kind by its place in the order. */
function joined(tracks: readonly TrackColumns[], order: readonly number[]): TrackColumns {
  const numberOf = new Int32Array(order.reduce((most, kind) => Math.max(most, kind), 0) + 1);
  for (const [at, kind] of order.entries()) numberOf[kind] = at;
  const length = tracks.reduce((sum, { window }) => sum + window.length, 0);
  const all = { window: new Int32Array(length), kind: new Int32Array(length), weight: new Float64Array(length) };
  let at = 0;
  for (const { window, kind, weight } of tracks) {
    all.window.set(window, at);
    for (let row = 0; row < kind.length; row++) all.kind[at + row] = numberOf[kind[row]!]!;
    all.weight.set(weight, at);
    at += window.length;
  }
  return all;
}
