// Worker entry: reads one recording and puts it into the store, so that neither reading nor packing keeps others waiting.
import { basename } from 'node:path';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { DistinctProblems, type Problem } from '../../base/problem.ts';
import type { Ingested } from '../../ingest/ingest.ts';
import { ingestFile } from '../../ingest/read.ts';
import type { Execution, Snapshot } from '../../snapshot/snapshot.ts';
import { openStore } from '../../store/open-store.ts';
import type { Store, StoreEntry } from '../../store/store.ts';
import { collectSources } from './collect-sources.ts';
import {
  type Imported,
  type ImportedMetric,
  type ImportReport,
  type ImportTask,
  notImported,
} from './import-recording.ts';

const say = (report: ImportReport) => parentPort?.postMessage(report);

const cancelled = new AbortController();
// The only message cancels the import: its result is not needed any more. Waiting for it keeps nothing alive.
parentPort?.once('message', () => cancelled.abort()).unref();

/** Reading may have kept this thread so busy that the message still lies there. */
function isCancelled(): boolean {
  return cancelled.signal.aborted || (parentPort !== null && receiveMessageOnPort(parentPort) !== undefined);
}

async function importOne(task: ImportTask): Promise<Imported> {
  const { recording, store: location, execution, metrics, sources, windowMillis } = task;
  const opened = openStore(location);
  if (opened.value === null) return notImported(recording, opened.problems);
  const ingested = await ingestFile(recording, {
    names: 'normalised',
    metrics,
    ...(windowMillis !== undefined && { windowMillis }),
    signal: cancelled.signal,
    onProgress: (bytesRead, bytesTotal) => say({ kind: 'progress', bytesRead, bytesTotal }),
  });
  const snapshot = snapshotOf(ingested, execution);
  if (snapshot === null) return notImported(recording, ingested.problems);
  // Without them nothing but the state of the code is less certain.
  const left = new DistinctProblems();
  const known =
    sources === undefined ? [] : await collectSources(snapshot.profile, execution, sources, left).catch(() => []);
  if (isCancelled()) return notImported(recording, []);
  const { value: entry, problems } = await opened.value.put({ ...snapshot, sources: known });
  const all = [...ingested.problems, ...left.list(), ...problems];
  if (entry === null) return notImported(recording, all);
  const { key, bytes, startMillis } = entry;
  all.push(...(await storedAgain(opened.value, entry, recording)));
  return { recording, snapshot: key, bytes, startMillis, metrics: sumsByMetric(ingested), problems: all };
}

/** Warns of other instances that have the very same samples: a recording that was imported twice under two names. */
async function storedAgain(store: Store, entry: StoreEntry, file: string): Promise<Problem[]> {
  const { instance, ...others } = entry.execution;
  const { value: entries } = await store.list(others);
  const alike = entries.filter(each => each.startMillis === entry.startMillis && each.execution.instance !== instance);
  if (alike.length === 0) return [];
  const samplesOf = async (each: StoreEntry) => {
    const { value } = await store.readHeader(each);
    return value === null ? null : JSON.stringify([value.header.endMillis, value.nodes, value.totals]);
  };
  const own = await samplesOf(entry);
  for (const each of alike) {
    if (own === null || (await samplesOf(each)) !== own) continue;
    const message = `the same samples are stored as instance "${each.execution.instance}" already: they count twice`;
    return [
      { severity: 'warning', message, file, remedy: 'import it under one name, and remove the other from the store' },
    ];
  }
  return [];
}

/** null where the recording gave no profile. */
function snapshotOf(ingested: Ingested, execution: Execution): Snapshot | null {
  const { profile, startMillis, endMillis, recorder, debugNonSafepoints } = ingested;
  // A snapshot goes to other people: where the recording lay on this machine is nothing to them.
  const problems = ingested.problems.map(problem =>
    problem.file === undefined ? problem : { ...problem, file: basename(problem.file) },
  );
  if (profile === null) return null;
  const header = { execution, startMillis, endMillis, recorder, debugNonSafepoints, problems, replaces: [] };
  return { header, profile };
}

/** Metrics in the order in which people ask for them; others follow by name. */
const FIRST = 'cpu-time cpu wall native alloc lock wait park sleep socket file exception calls time'.split(' ');

function byRank(a: string, b: string): number {
  const rank = (id: string) => (FIRST.includes(id) ? FIRST.indexOf(id) : FIRST.length);
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}

function sumsByMetric({ profile }: Ingested): ImportedMetric[] {
  const sumOf = (column: Float64Array) => column.reduce((sum, each) => sum + each, 0);
  const rows = profile?.metrics.map(({ id, unit }, row) => {
    const { count, weight } = profile.cells[row]!;
    return { id, unit, samples: sumOf(count), weight: sumOf(weight) };
  });
  return (rows ?? []).sort((a, b) => byRank(a.id, b.id));
}

// No top-level await: the bundle is CommonJS.
void importOne(workerData as ImportTask).then(imported => say({ kind: 'done', imported }));
