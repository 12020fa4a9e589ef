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
import { type TrackWindows, trackWindows } from '../track-windows.ts';
import type { Question } from './question.ts';

type TracksWish = {
  /** Rows that are taken as one; null for everything in the focus and on the path. */
  readonly methods: MethodSet | null;
  /** Packages of own code; null where none are known. */
  readonly own: readonly string[] | null;
  /** Groups whose single threads have rows too, each by `group` and `name` of its row. */
  readonly unfolded: readonly (readonly [group: string, name: string])[];
  /** First row whose cells are told, and the one behind the last. */
  readonly rows: readonly [from: number, to: number];
  /** Part of the whole time whose cells are told, and its pixels: windows that no pixel tells apart are one. */
  readonly span: readonly [from: number, to: number];
  readonly pixels: number;
};

type Total = {
  readonly name: string;
  readonly weight: number;
  /** The part of `weight` in which threads ran; all of it where the metric is not typed time. */
  readonly running: number;
};

/** A group of threads, or a single thread of an unfolded group, which stands behind its group. */
type TrackRow = Total & {
  readonly group: string;
  readonly level: 1 | 2;
  /** Number of threads that a group unfolds to; 0 for single threads, and for groups of one. */
  readonly threads: number;
  /** How many cells of the columns this row has, behind the cells of the row before. */
  readonly cells: number;
};

type Tracks = {
  /** From the first window to the last one, in milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  /** The windows in the span; milliseconds since the epoch, in the order of their begins. Windows of several JVMs may overlap. */
  readonly windows: TrackWindows['windows'];
  /** Whether windows were joined: with more pixels there are more of them. */
  readonly isJoined: boolean;
  /** Time types, or packages: of the innermost own code on the stack, without own code of the innermost frame. Most weight first. */
  readonly kinds: readonly { readonly name: string; readonly library: boolean }[];
  readonly weight: number;
  readonly running: number;
  /** Groups are threads whose names differ in digits alone. The groups with the longest run time come first; groups without samples are left out. */
  readonly tracks: readonly TrackRow[];
  readonly columns: TrackColumns;
};

/** Cells or nodes between two pauses. */
const STEP = 1 << 16;

/** Windows outside of the chosen span are left out, too. */
export const tracks: Question<TracksWish, Tracks> = (data, wish, pause) => {
  const { analysis, profile } = data;
  const { metric, windows: chosen } = analysis.selection;
  const isTyped = profile.metrics[metric]!.id === TYPED.id;
  const library = isTyped ? null : data.answers.parts.libraryOf(profile.methods, wish.own);
  const kinds = kindsOf(profile, library, pause);
  const times = windowTimes(profile.windows).filter(({ from }) => chosen === undefined || chosen[from] === 1);
  const spans = times.map(({ startMillis, endMillis }) => ({ from: startMillis, to: endMillis }));
  const { whole, windows, of, isJoined } = trackWindows(spans, wish.span, wish.pixels);
  const totals = totalsOf(analysis, wish.methods, kinds, pause);
  const order = [...totals.byKind.keys()].filter(kind => totals.byKind[kind]! > 0);
  order.sort((a, b) => totals.byKind[b]! - totals.byKind[a]! || a - b);
  const rows = rowsOf(profile, totals, wish.unfolded);
  const shown = rows.slice(...wish.rows);
  const windowOf = new Int32Array(profile.windows.length).fill(-1);
  for (const [time, { from, to }] of times.entries()) windowOf.fill(of[time]!, from, to);
  const cells = cellsByThread(analysis, { ...wish, ...totals, of: shown.flatMap(({ own }) => own) }, pause);
  const sums = new TrackSums(profile.cells[metric]!, { kinds, order, windowOf, windows: windows.length });
  const columns = shown.map(({ own }) => {
    pause();
    return sums.of(own.map(cells));
  });
  const told = rows.map(({ own: _own, ...row }, at) => ({
    ...row,
    cells: columns[at - wish.rows[0]]?.window.length ?? 0,
  }));
  return {
    ...{ ...whole, windows, isJoined, kinds: order.map(kind => kinds.list[kind]!) },
    ...{ weight: sumOf(rows, 'weight'), running: sumOf(rows, 'running') },
    ...{ tracks: told, columns: joined(columns) },
  };
};

/** The sums over all selected cells. */
type Totals = {
  /** The weight by row of the threads. */
  readonly weight: Float64Array;
  readonly running: Float64Array;
  readonly cells: Int32Array;
  readonly byKind: Float64Array;
};

function totalsOf(analysis: Analysis, methods: MethodSet | null, { list, of }: Kinds, pause: Pause): Totals {
  const { profile, selection } = analysis;
  const { node, thread } = profile.cells[selection.metric]!;
  const { length } = profile.threads;
  const [weight, running, cells] = [new Float64Array(length), new Float64Array(length), new Int32Array(length)];
  const byKind = new Float64Array(list.length);
  const runs = Uint8Array.from(list, ({ name }) => (isRunning(name) ? 1 : 0));
  visitSelected(
    analysis,
    methods,
    (_line, own, _count, cell) => {
      const [row, kind] = [thread[cell]!, of[node[cell]!]!];
      cells[row]!++;
      weight[row]! += own;
      running[row]! += own * runs[kind]!;
      byKind[kind]! += own;
    },
    pause,
  );
  return { weight, running, cells, byKind };
}

/** @returns rows, each with the rows of its threads. */
function rowsOf(profile: Profile, { weight, running }: Totals, unfolded: TracksWish['unfolded']) {
  const { threads } = profile;
  const { of, firsts } = threadGroups(threads);
  const singles = firsts.map((): (Total & { readonly own: readonly number[] })[] => []);
  for (const [row, group] of of.entries()) {
    const total = { weight: weight[row]!, running: running[row]! };
    if (total.weight > 0)
      singles[group]!.push({ name: nameOf(profile, row, threads.name[row]!), ...total, own: [row] });
  }
  const groups = firsts.flatMap((first, number) => {
    const single = singles[number]!.sort(longestFirst);
    const sum = { weight: sumOf(single, 'weight'), running: sumOf(single, 'running') };
    const name = nameOf(profile, first, threadGroupName(threads.name[first]!));
    const own = single.flatMap(each => each.own);
    return single.length === 0 ? [] : [{ group: threads.group[first]!, name, ...sum, own, single }];
  });
  const isUnfolded = new Set(unfolded.map(names => JSON.stringify(names)));
  return groups.sort(longestFirst).flatMap(({ single, ...row }) => {
    const { group, name } = row;
    const count = single.length > 1 ? single.length : 0;
    const below = count > 0 && isUnfolded.has(JSON.stringify([group, name])) ? single : [];
    return [
      { ...row, level: 1 as const, threads: count },
      ...below.map(each => ({ ...each, group, level: 2 as const, threads: 0 })),
    ];
  });
}

function longestFirst(a: Total, b: Total): number {
  return b.running - a.running || b.weight - a.weight || (a.name < b.name ? -1 : 1);
}

function sumOf(rows: readonly (Total & { readonly level?: 1 | 2 })[], name: 'weight' | 'running'): number {
  return rows.reduce((sum, { level, [name]: own }) => sum + (level === 2 ? 0 : own), 0);
}

function nameOf({ threads }: Profile, row: number, name: string): string {
  return name || (threads.virtual[row] === 1 ? 'unnamed virtual threads' : 'unnamed');
}

type Kinds = {
  readonly list: Tracks['kinds'];
  /** The kind by node of the tree. */
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
  /** The kind that a node hands on to its callees: the time type, or the innermost own package. */
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

function visitSelected(
  analysis: Analysis,
  methods: MethodSet | null,
  visit: Parameters<typeof forEachCellInScope>[1],
  pause: Pause,
): void {
  if (methods === null) forEachCellInScope(analysis, visit);
  else visitCells(analysis, methods, visit, pause);
  pause();
}

/** Rows of the selected cells of each of some threads. */
function cellsByThread(
  analysis: Analysis,
  { methods, cells, of }: Pick<TracksWish, 'methods'> & Pick<Totals, 'cells'> & { readonly of: readonly number[] },
  pause: Pause,
): (thread: number) => Int32Array {
  const { profile, selection } = analysis;
  const { thread } = profile.cells[selection.metric]!;
  const begins = new Int32Array(profile.threads.length).fill(-1);
  let length = 0;
  for (const row of new Set(of)) {
    begins[row] = length;
    length += cells[row]!;
  }
  const rows = new Int32Array(length);
  const next = begins.slice();
  const add = (_line: number, _weight: number, _count: number, cell: number): void => {
    const row = thread[cell]!;
    if (next[row]! >= 0) rows[next[row]!++] = cell;
  };
  if (length > 0) visitSelected(analysis, methods, add, pause);
  return row => rows.subarray(begins[row], begins[row]! + cells[row]!);
}

type SummedUp = {
  readonly kinds: Kinds;
  /** Kinds that have something; the columns have their places. */
  readonly order: readonly number[];
  /** The shown window by row of the profile's windows; −1 for a window that is left out. */
  readonly windowOf: Int32Array;
  readonly windows: number;
};

/** Sums up the cells of one row after the other by window and kind. */
class TrackSums {
  readonly #cells: Profile['cells'][number];
  readonly #kindOf: Int32Array;
  readonly #windowOf: Int32Array;
  /** The place of a kind in the order. */
  readonly #placeOf: Int32Array;
  readonly #kinds: number;
  /** Sums by window and place; all 0 between two rows. */
  readonly #sums: Float64Array;
  readonly #isTouched: Uint8Array;

  constructor(cells: Profile['cells'][number], { kinds, order, windowOf, windows }: SummedUp) {
    this.#cells = cells;
    this.#kindOf = kinds.of;
    this.#windowOf = windowOf;
    this.#kinds = order.length;
    this.#placeOf = new Int32Array(kinds.list.length);
    for (const [place, kind] of order.entries()) this.#placeOf[kind] = place;
    this.#sums = new Float64Array(windows * order.length);
    this.#isTouched = new Uint8Array(this.#sums.length);
  }

  /** @param threads rows of cells of each */
  of(threads: readonly Int32Array[]): TrackColumns {
    const places = this.#add(threads);
    const [window, kind] = [new Int32Array(places.length), new Int32Array(places.length)];
    const weight = new Float64Array(places.length);
    for (const [row, at] of places.entries()) {
      kind[row] = at % this.#kinds;
      window[row] = (at - kind[row]!) / this.#kinds;
      weight[row] = this.#sums[at]!;
      this.#sums[at] = 0;
      this.#isTouched[at] = 0;
    }
    return { window, kind, weight };
  }

  /** The places of the sums that are not 0, ascending. */
  #add(threads: readonly Int32Array[]): Int32Array {
    const { node, window, weight } = this.#cells;
    const most = threads.reduce((sum, { length }) => sum + length, 0);
    const touched = new Int32Array(Math.min(most, this.#sums.length));
    let count = 0;
    for (const rows of threads)
      for (let each = 0; each < rows.length; each++) {
        const row = rows[each]!;
        const own = this.#windowOf[window[row]!]!;
        // A cell without weight makes no kind.
        if (own < 0 || weight[row]! === 0) continue;
        const at = own * this.#kinds + this.#placeOf[this.#kindOf[node[row]!]!]!;
        if (this.#isTouched[at] === 0) touched[count++] = at;
        this.#isTouched[at] = 1;
        this.#sums[at]! += weight[row]!;
      }
    return touched.subarray(0, count).sort();
  }
}

/** Whether time of a kind counts as run time: all packages do, and time in which threads ran or waited for a processor. */
function isRunning(kind: string): boolean {
  return !kind.startsWith(':') || kind === ':RUN' || kind === ':RUNNABLE';
}

/** The columns of all rows, one row after the other. */
function joined(rows: readonly TrackColumns[]): TrackColumns {
  const length = rows.reduce((sum, { window }) => sum + window.length, 0);
  const all = { window: new Int32Array(length), kind: new Int32Array(length), weight: new Float64Array(length) };
  let at = 0;
  for (const { window, kind, weight } of rows) {
    all.window.set(window, at);
    all.kind.set(kind, at);
    all.weight.set(weight, at);
    at += window.length;
  }
  return all;
}
