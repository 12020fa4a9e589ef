// Which snapshots of a store belong to a request: the wanted version, without snapshots that compaction replaced.
import type { Outcome, Problem } from '../base/problem.ts';
import type { Look } from '../model/look.ts';
import type { HeaderReading } from '../snapshot/decode.ts';
import type { DescribedEntry } from './claims.ts';
import { decideCounting } from './counting.ts';
import { comparerOf } from './held.ts';
import type { Store, StoreEntry, StoreFilter } from './store.ts';
import { storedTwice } from './stored-twice.ts';

export type { DescribedEntry } from './claims.ts';

/** Which snapshots are wanted. Without `version` the newest version that has data; `all` takes every version. */
export type LoadRequest = StoreFilter &
  /** A span of time takes the snapshots that have a moment of it. */
  Pick<Look, 'instances' | 'from' | 'to'> & { readonly versions?: 'newest' | 'all' };

const AT_ONCE = 16;
/** Another process may remove snapshots faster than they are looked at; after so many looks the snapshots found are taken. */
export const MOST_LOOKS = 5;
/** A recorder writes the provisional snapshot of an open window every second. */
const ABANDONED_MILLIS = 120_000;

/**
 * Entries that answer a request, sorted as listed. Benchmarks are left out beside production, and where neither the version nor instances
 * are named. Broken snapshots are reported and left out; programs are never mixed: a request
 * that fits several programs is refused with their names. A snapshot removed while it is looked at is looked for again.
 * @param broken keys of what could not be read: as if it were not there
 */
export async function selectEntries(
  store: Store,
  request: LoadRequest,
  broken: ReadonlySet<string> = new Set(),
  looks = MOST_LOOKS,
): Promise<Outcome<readonly DescribedEntry[]>> {
  const { versions = 'newest', instances, from, to, ...filter } = request;
  const all = await store.list(filter);
  const ofInstances = all.value.filter(({ execution }) => instances?.includes(execution.instance) ?? true);
  const listed = { ...all, value: ofInstances };
  const problems: Problem[] = [...listed.problems];
  const programs = new Map(
    listed.value.map(({ execution }) => [`${execution.project} / ${execution.program}`, execution]),
  );
  if (programs.size > 1) {
    problems.push({
      severity: 'error',
      message: `this fits several programs: ${[...programs.keys()].join(', ')}`,
      file: store.location,
      remedy: 'choose one with --project and --program',
    });
    return { value: [], problems };
  }
  const isChosen = versions === 'newest' && filter.version === undefined;
  const ofVersion = isChosen ? await newestOfProduction(store, listed.value) : listed.value;
  if (ofVersion.length === 0 && listed.value.length > 0) problems.push(benchmarksAlone(store));
  const wanted = ofVersion.filter(({ key }) => !broken.has(key));
  const described = await describeEntries(store, wanted);
  const { counting, unread, problems: contradictions } = await decideCounting(described.value, comparerOf(store));
  const read = described.value.filter(each => !unread.has(each));
  const isGone = read.length < wanted.length && (await areGone(store, filter, wanted, read));
  if (isGone && looks > 1) return selectEntries(store, request, broken, looks - 1);
  problems.push(...described.problems, ...contradictions);
  for (const { entry } of unread) problems.push(...(await store.read(entry)).problems);
  const isNamed = instances !== undefined || filter.instance !== undefined || versions === 'all';
  const inSpan = (isNamed ? counting : withoutBenchmarks(counting)).filter(({ reading: { header } }) => {
    return (
      header.startMillis < (to ?? Number.POSITIVE_INFINITY) && header.endMillis > (from ?? Number.NEGATIVE_INFINITY)
    );
  });
  problems.push(
    ...(await storedTwice(store, inSpan)),
    ...inSpan.flatMap(each => abandonedProblem(each.entry, Date.now()) ?? []),
  );
  return { value: inSpan, problems };
}

/** Whether what could not be read has been removed since it was listed: something else has its samples then. */
export async function areGone(
  store: Store,
  filter: StoreFilter,
  wanted: readonly StoreEntry[],
  read: readonly { readonly entry: StoreEntry }[],
): Promise<boolean> {
  const known = new Set(read.map(({ entry }) => entry));
  const now = new Set((await store.list(filter)).value.map(({ key }) => key));
  return wanted.some(entry => !known.has(entry) && !now.has(entry.key));
}

/** Says so when a provisional snapshot has not been written for so long that its recorder has most likely ended. */
function abandonedProblem({ execution, key, liveMillis }: StoreEntry, nowMillis: number): Problem | null {
  if (liveMillis === undefined || nowMillis - liveMillis <= ABANDONED_MILLIS) return null;
  const message = `the recorder of ${execution.instance} has stopped in the middle of a window; the window counts as far as it went`;
  const remedy = 'start the recorder again: it puts what it still holds';
  return { severity: 'warning', message, file: key, remedy };
}

/** Entries of the version that has the latest snapshot. */
export function newestVersion(entries: readonly StoreEntry[]): readonly StoreEntry[] {
  let newest: StoreEntry | undefined;
  for (const entry of entries) if (newest === undefined || entry.startMillis >= newest.startMillis) newest = entry;
  return entries.filter(entry => entry.execution.version === newest?.execution.version);
}

/** The newest version that ran in production; empty where benchmarks alone ran. */
async function newestOfProduction(store: Store, entries: readonly StoreEntry[]): Promise<readonly StoreEntry[]> {
  const known = new Map<string, boolean>();
  let left = entries;
  for (let newest = newestVersion(left); newest.length > 0; newest = newestVersion(left)) {
    if (await ranInProduction(store, newest, known)) return newest;
    const seen = new Set(newest);
    left = left.filter(entry => !seen.has(entry));
  }
  return [];
}

/**
 * Whether one of the entries is no benchmark, or cannot be read.
 * @param known whether an entry is none, by its key: looked up here, and added to
 */
export async function ranInProduction(
  store: Store,
  entries: readonly StoreEntry[],
  known: Map<string, boolean>,
): Promise<boolean> {
  // The first entries of a version belong to one instance: its last entry is as likely from production as its first.
  for (const entry of entries.toReversed()) {
    const isProduction = known.get(entry.key) ?? (await store.readHeader(entry)).value?.header.benchmark === undefined;
    known.set(entry.key, isProduction);
    if (isProduction) return true;
  }
  return false;
}

function withoutBenchmarks(described: readonly DescribedEntry[]): readonly DescribedEntry[] {
  const production = described.filter(({ reading }) => reading.header.benchmark === undefined);
  return production.length > 0 ? production : described;
}

function benchmarksAlone(store: Store): Problem {
  const message = 'only benchmarks ran, no version in production';
  return { severity: 'error', message, file: store.location, remedy: 'name the version of a benchmark with --version' };
}

/** Headers of entries, a few at a time; a header that cannot be read becomes a problem. */
export async function describeEntries(
  store: Store,
  entries: readonly StoreEntry[],
): Promise<Outcome<readonly DescribedEntry[]>> {
  const value: DescribedEntry[] = [];
  const problems: Problem[] = [];
  for (let from = 0; from < entries.length; from += AT_ONCE) {
    const part = entries.slice(from, from + AT_ONCE);
    const headers = await Promise.all(part.map(entry => store.readHeader(entry)));
    headers.forEach((header, i) => {
      problems.push(...header.problems);
      if (header.value !== null && isAsNamed(part[i]!, header.value, problems))
        value.push({ entry: part[i]!, reading: header.value });
    });
  }
  return { value, problems };
}

/** A snapshot that says it is provisional is none to keep, whatever its name is, and the other way round. */
function isAsNamed({ key, liveMillis }: StoreEntry, { header }: HeaderReading, problems: Problem[]): boolean {
  if ((header.provisional === true) === (liveMillis !== undefined)) return true;
  const message = `its name says that this snapshot is ${header.provisional === true ? 'final' : 'provisional'}, its header says not`;
  problems.push({ severity: 'warning', message, file: key, remedy: 'remove it from the store' });
  return false;
}
