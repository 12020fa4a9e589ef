// Which threads had a monitor while others waited for it: waits are split at the successive owners that the events of one address tell.

import type { Key } from './cursor.ts';

/** A wait to enter a monitor, which ends as the thread enters. Moments are ticks. */
export type MonitorWait = {
  /** Tells monitors of a JVM apart: the garbage collector does not move them. */
  readonly address: Key;
  readonly thread: Key;
  readonly from: number;
  readonly until: number;
  /** Class of the thread, such as `worker-#`; null where the recording does not describe it. */
  readonly name: string | null;
  /** The thread that had the monitor last before; 0 where the event does not tell. */
  readonly owner: Key;
  readonly ownerName: string | null;
};

/** A time in which a thread surely has not got the monitor: it waits to enter, or in `Object.wait`. */
type Absence = { readonly from: number; readonly until: number };

/** The events of the monitor at one address. */
type Monitor = {
  readonly entries: MonitorWait[];
  readonly absences: Map<Key, Absence[]>;
  /** Moments at which a thread that had the monitor gave it back in `Object.wait`: no earlier holder has it any more. */
  readonly givenBack: number[];
  /** Null until the entries are put in order, and again when another one has come. */
  timeline: Timeline | null;
};

/** Events of two periods that are kept. Of waits beyond these it is not known who had the monitor. */
const MOST_KEPT = 100_000;
/** Classes and pairs of classes of one monitor that are told apart. */
const MOST_NAMES = 100;

/**
 * The monitors of one JVM. Events of the period at hand and of the one before are kept: a period is what is read before it is asked, such
 * as a chunk or a window. Give all events of a period, ask, then end it.
 */
export class MonitorHolders {
  readonly #most: number;
  readonly #monitors = new Map<Key, Monitor>();
  #kept = 0;
  #jvm: string | undefined;
  /** Before this moment nothing is known, as its entries were forgotten. */
  #since = Number.NEGATIVE_INFINITY;
  /** The latest entry of the period before, and of all so far. */
  #lastPeriod = Number.NEGATIVE_INFINITY;
  #latest = Number.NEGATIVE_INFINITY;

  constructor(most = MOST_KEPT) {
    this.#most = most;
  }

  /** Goes on with events of a JVM: events of another one are forgotten, since its addresses and ticks mean something else. */
  goOn(jvm: string | undefined): void {
    if (jvm !== this.#jvm) this.#forgetAll();
    this.#jvm = jvm;
  }

  #forgetAll(): void {
    this.#monitors.clear();
    this.#kept = 0;
    this.#since = Number.NEGATIVE_INFINITY;
    this.#lastPeriod = Number.NEGATIVE_INFINITY;
    this.#latest = Number.NEGATIVE_INFINITY;
  }

  add(wait: MonitorWait): void {
    const monitor = this.#roomIn(wait.address, wait);
    if (monitor === null) return;
    addAbsence(monitor, wait.thread, wait);
    this.#addEntry(monitor, wait);
  }

  /** A thread has given the monitor back in `Object.wait`, and does not enter again before `until`. */
  addGivenBack(address: Key, thread: Key, from: number, until: number): void {
    const monitor = this.#roomIn(address, { from, until });
    if (monitor === null) return;
    addAbsence(monitor, thread, { from, until });
    monitor.givenBack.push(from);
  }

  /** A thread has notified another one that waits, for which it needs the monitor: it had it no later than the other one woke. */
  addNotified(address: Key, notifier: Key, name: string | null, woken: number): void {
    const entry = { address, thread: notifier, from: woken, until: woken, name, owner: notifier, ownerName: name };
    const monitor = this.#roomIn(address, entry);
    if (monitor !== null) this.#addEntry(monitor, entry);
  }

  #addEntry(monitor: Monitor, entry: MonitorWait): void {
    monitor.entries.push(entry);
    this.#latest = Math.max(this.#latest, entry.until);
  }

  /** The monitor at an address, for one event more; null where there is no room. */
  #roomIn(address: Key, { from, until }: Absence): Monitor | null {
    if (this.#kept >= this.#most || !(until >= from)) return null;
    this.#kept++;
    const monitor = this.#monitors.get(address) ?? newMonitor();
    this.#monitors.set(address, monitor);
    monitor.timeline = null;
    return monitor;
  }

  /**
   * Classes of the threads that had the monitor between two moments, each with its ticks. `a, then b`: a thread of class a had it first, and
   * one of class b at last; when it changed is not recorded, nor whether another thread had it between. Null: not recorded.
   */
  of(address: Key, from: number, until: number): readonly (readonly [name: string | null, ticks: number])[] {
    const monitor = this.#monitors.get(address);
    if (monitor === undefined) return [[null, until - from]];
    monitor.timeline ??= timelineOf(monitor, this.#since);
    return monitor.timeline.between(from, until);
  }

  /** Ends the period: what came before it is forgotten. */
  endPeriod(): void {
    this.#since = this.#lastPeriod;
    this.#lastPeriod = this.#latest;
    const isKept = ({ until }: Absence) => until > this.#since;
    this.#kept = 0;
    for (const [address, { entries, absences, givenBack }] of this.#monitors) {
      const kept = newMonitor();
      for (const entry of entries) if (isKept(entry)) kept.entries.push(entry);
      for (const moment of givenBack) if (moment > this.#since) kept.givenBack.push(moment);
      for (const [thread, all] of absences) {
        const own = all.filter(isKept);
        if (own.length > 0) kept.absences.set(thread, own);
      }
      const count = kept.entries.length + kept.givenBack.length;
      this.#kept += count;
      if (count > 0) this.#monitors.set(address, kept);
      else this.#monitors.delete(address);
    }
  }
}

function addAbsence({ absences }: Monitor, thread: Key, absence: Absence): void {
  const own = absences.get(thread);
  if (own === undefined) absences.set(thread, [absence]);
  else own.push(absence);
}

function newMonitor(): Monitor {
  return { entries: [], absences: new Map(), givenBack: [], timeline: null };
}

function timelineOf(monitor: Monitor, since: number): Timeline {
  const { entries, absences, givenBack } = monitor;
  entries.sort((a, b) => a.until - b.until);
  givenBack.sort((a, b) => a - b);
  for (const own of absences.values()) own.sort((a, b) => a.from - b.from);
  const timeline = new Timeline();
  const earliest = entries.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY);
  let before: MonitorWait | null = null;
  for (const entry of entries) {
    const from = Math.max(since, before?.until ?? earliest);
    // Where the event does not tell who had the monitor last, nobody is named.
    if (entry.until > from && entry.owner !== 0) addSegment(timeline, monitor, before, entry, from);
    before = entry;
  }
  return timeline;
}

/**
 * Between two entries the thread that entered first had the monitor, until it is seen away from it; and at the end the previous owner of
 * the second, which may be the same: then no other thread is known to have had it.
 */
function addSegment(
  timeline: Timeline,
  monitor: Monitor,
  before: MonitorWait | null,
  { owner, ownerName, until }: MonitorWait,
  from: number,
): void {
  const goneAt = before === null ? from : goneFrom(monitor, before);
  const entered = before?.name ?? null;
  const cut = (at: number, end: number, last: string | null) => {
    const middle = Math.min(end, Math.max(at, goneAt));
    if (middle > at)
      timeline.add(before?.thread === owner || last === null ? entered : bothOf(entered, last), at, middle);
    if (end > middle) timeline.add(last, middle, end);
  };
  let at = from;
  const ofOwner = monitor.absences.get(owner) ?? [];
  for (let i = firstUntil(ofOwner, from); i < ofOwner.length && ofOwner[i]!.from < until; i++) {
    const absence = ofOwner[i]!;
    cut(at, Math.max(at, absence.from), ownerName);
    at = Math.max(at, absence.from);
    cut(at, Math.min(until, absence.until), null);
    at = Math.max(at, Math.min(until, absence.until));
  }
  cut(at, until, ownerName);
}

/** The moment from which on the thread that entered is known not to have the monitor any more. */
function goneFrom({ absences, givenBack }: Monitor, entry: MonitorWait): number {
  const own = absences.get(entry.thread) ?? [];
  const first = firstThat(own.length, i => own[i]!.from >= entry.until);
  // A wait of no length is no later one.
  const later = own[first] === entry ? first + 1 : first;
  const back = firstThat(givenBack.length, i => givenBack[i]! >= entry.until);
  return Math.min(own[later]?.from ?? Number.POSITIVE_INFINITY, givenBack[back] ?? Number.POSITIVE_INFINITY);
}

/** The name for a time in which a thread of one class had the monitor first, and one of another class last. */
function bothOf(entered: string | null, last: string | null): string | null {
  if (entered === last) return entered;
  return entered === null || last === null ? null : `${entered}, then ${last}`;
}

/** The first that ends behind a moment. A thread is away once at a time, so that ends are in the same order. */
function firstUntil(spans: readonly Absence[], moment: number): number {
  return firstThat(spans.length, i => spans[i]!.until > moment);
}

/** The least number below `count` for which the condition holds, which holds for all above it; `count` for none. */
function firstThat(count: number, holds: (i: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The spans of one name, ascending, with the ticks of all spans before each. */
type Track = { readonly from: number[]; readonly until: number[]; readonly before: number[] };

/** The holders of one monitor, span after span, so that sums over any time are found without a walk. */
class Timeline {
  readonly #tracks = new Map<string, Track>();

  /** Spans come in the order of time. Time without a name is left out. */
  add(name: string | null, from: number, until: number): void {
    if (name === null || name === '') return;
    const track = this.#tracks.get(name) ?? { from: [], until: [], before: [] };
    if (track.from.length === 0) {
      if (this.#tracks.size >= MOST_NAMES) return;
      this.#tracks.set(name, track);
    }
    const last = track.from.length - 1;
    if (track.until[last] === from) {
      track.until[last] = until;
      return;
    }
    track.before.push(last < 0 ? 0 : track.before[last]! + track.until[last]! - track.from[last]!);
    track.from.push(from);
    track.until.push(until);
  }

  between(from: number, until: number): readonly (readonly [name: string | null, ticks: number])[] {
    const parts: [string | null, number][] = [];
    let rest = until - from;
    for (const [name, track] of this.#tracks) {
      const ticks = ticksBefore(track, until) - ticksBefore(track, from);
      if (!(ticks > 0)) continue;
      parts.push([name, ticks]);
      rest -= ticks;
    }
    return rest > 0 || parts.length === 0 ? [...parts, [null, Math.max(0, rest)]] : parts;
  }
}

function ticksBefore({ from, until, before }: Track, moment: number): number {
  const at = firstThat(from.length, i => from[i]! >= moment) - 1;
  return at < 0 ? 0 : before[at]! + Math.min(moment, until[at]!) - from[at]!;
}
