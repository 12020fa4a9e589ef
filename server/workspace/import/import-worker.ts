// Worker entry: reads one recording and puts it into the store, so that neither reading nor packing keeps others waiting.

import { basename } from 'node:path';
import { DistinctProblems, type Problem } from '../../base/problem.ts';
import { doTask, type GivenToTask } from '../../base/workers.ts';
import { listedMetrics, listedRows } from '../../cct/listed-metrics.ts';
import { withProcessorLoad } from '../../cct/processor-load.ts';
import type { Ingested } from '../../ingest/ingest.ts';
import { ingestFile } from '../../ingest/read.ts';
import type { Execution } from '../../model/execution.ts';
import { unitedChunks } from '../../snapshot/chunks.ts';
import type { Circumstances } from '../../snapshot/circumstances.ts';
import { type Snapshot, withInstance } from '../../snapshot/snapshot.ts';
import { coveredIn } from '../../store/covered.ts';
import { openStore } from '../../store/open-store.ts';
import type { Store, StoreEntry } from '../../store/store.ts';
import { samplesKey } from '../../store/stored-twice.ts';
import { collectSources } from './collect-sources.ts';
import { type Imported, type ImportedMetric, type ImportTask, notImported } from './import-recording.ts';

async function importOne(task: ImportTask, { signal, onProgress, isCancelled }: GivenToTask): Promise<Imported> {
  const { recording, store: location, metrics, sources, windowMillis, measurement, machine, traces, timeTypes } = task;
  const opened = openStore(location);
  if (opened.value === null) return { ...notImported(recording, opened.problems), isRefused: true };
  const ingested = await ingestFile(recording, {
    names: 'normalised',
    metrics,
    covered: (await coveredIn(opened.value, task.execution, task.isInstanceNamed === true)).chunks,
    ...(windowMillis !== undefined && { windowMillis }),
    ...machine,
    ...(measurement !== undefined && { compilerLoad: true }),
    ...(timeTypes === true && { timeTypes }),
    ...(traces !== undefined && { traces }),
    signal,
    onProgress,
  });
  const execution = task.isInstanceNamed === true ? task.execution : withInstance(task.execution, ingested.profile);
  const { processorMillis = 0, ...fork } = measurement ?? {};
  const timed =
    ingested.profile === null
      ? ingested
      : { ...ingested, profile: withProcessorLoad(ingested.profile, processorMillis * 1e6) };
  const snapshot = snapshotOf(timed, execution, { ...fork, ...machine });
  if (snapshot === null) return importedBefore(opened.value, task, ingested);
  // Without them nothing but the state of the code is less certain.
  const left = new DistinctProblems();
  const known =
    sources === undefined ? [] : await collectSources(snapshot.profile, execution, sources, left).catch(() => []);
  if (isCancelled()) return notImported(recording, []);
  const whole = { ...snapshot, sources: known };
  const same = await storedInOtherFormat(opened.value, whole, task.execution);
  const { value: entry, problems } = same === null ? await opened.value.put(whole) : { value: same, problems: [] };
  const all = [...ingested.problems, ...unfiltered(task, ingested), ...left.list(), ...problems];
  if (entry === null) return { ...notImported(recording, all), isRefused: true };
  const { key, bytes, startMillis } = entry;
  all.push(...(await storedAgain(opened.value, entry, recording)));
  const { instance } = entry.execution;
  const { compilerThirds } = ingested;
  const told = { metrics: sumsByMetric(ingested), problems: all, ...(compilerThirds && { compilerThirds }) };
  return { recording, snapshot: key, instance, bytes, startMillis, ...told };
}

/** Said where calls were to be left out, and the recording does not tell where and for whom they ran. */
function unfiltered({ recording, traces }: ImportTask, { format }: Ingested): Problem[] {
  if (traces === undefined || format === 'kieker' || format === 'otlp') return [];
  const message = 'hosts, threads and sessions of calls are known of Kieker logs and spans alone: nothing was left out';
  return [{ severity: 'warning', message, file: recording }];
}

/** Where every chunk was imported before, the latest snapshot that has one of them stands for the recording. */
async function importedBefore(store: Store, task: ImportTask, { problems, chunks }: Ingested): Promise<Imported> {
  const { recording, execution } = task;
  const isCovered = chunks?.length === 0 && !problems.some(({ severity }) => severity === 'error');
  const { entries } = isCovered ? await coveredIn(store, execution, task.isInstanceNamed === true) : { entries: [] };
  const entry = entries.at(-1);
  if (entry === undefined) return notImported(recording, problems);
  const { key, bytes, startMillis } = entry;
  const { instance } = entry.execution;
  return { recording, snapshot: key, instance, bytes, startMillis, metrics: [], problems, isOld: true };
}

/**
 * The snapshot that an earlier version of the format holds of the same recording: its bytes differ, and both would count.
 * @param named as earlier versions named the execution: by the file
 */
async function storedInOtherFormat(
  store: Store,
  { header, profile, sources = [] }: Snapshot,
  named: Execution,
): Promise<StoreEntry | null> {
  const executions = [header.execution, ...(named.instance === header.execution.instance ? [] : [named])];
  const entries = (await Promise.all(executions.map(each => store.list(each)))).flatMap(({ value }) => value);
  const countsOf = (counts: readonly number[], ids: readonly string[], nodes: number, endMillis: number) =>
    JSON.stringify([endMillis, nodes, ids, counts]);
  const own = countsOf(
    listedRows(profile).map(row => profile.cells[row]!.count.reduce((sum, each) => sum + each, 0)),
    listedMetrics(profile).map(({ id }) => id),
    profile.tree.length,
    header.endMillis,
  );
  for (const entry of entries.filter(({ startMillis }) => startMillis === Math.trunc(header.startMillis))) {
    const reading = (await store.readHeader(entry)).value;
    if (reading === null || reading.hasSources !== sources.length > 0 || reading.header.replaces.length > 0) continue;
    const counts = listedRows(reading).map(row => reading.totals[row]!.count);
    const ids = listedMetrics(reading).map(({ id }) => id);
    if (countsOf(counts, ids, reading.nodes, reading.header.endMillis) === own) return entry;
  }
  return null;
}

/** Warns of other instances that have the very same samples: a recording that was imported twice under two names. */
async function storedAgain(store: Store, entry: StoreEntry, file: string): Promise<Problem[]> {
  const { instance, ...others } = entry.execution;
  const { value: entries } = await store.list(others);
  const alike = entries.filter(each => each.startMillis === entry.startMillis && each.execution.instance !== instance);
  if (alike.length === 0) return [];
  const samplesOf = async (each: StoreEntry) => {
    const { value } = await store.readHeader(each);
    return value === null ? null : samplesKey(value);
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
function snapshotOf(ingested: Ingested, execution: Execution, circumstances: Circumstances): Snapshot | null {
  const { profile, startMillis, endMillis, recorder, debugNonSafepoints, chunks } = ingested;
  // A snapshot goes to other people: where the recording lay on this machine is nothing to them.
  const problems = ingested.problems.map(problem =>
    problem.file === undefined ? problem : { ...problem, file: basename(problem.file) },
  );
  if (profile === null) return null;
  const about = { execution, startMillis, endMillis, recorder, debugNonSafepoints, problems, ...circumstances };
  const header = { ...about, replaces: [], ...(chunks === undefined ? {} : unitedChunks([{ chunks }])) };
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
  if (profile === null) return [];
  const rows = listedMetrics(profile).map(({ id, unit }) => {
    const { count, weight } = profile.cells[profile.metrics.findIndex(metric => metric.id === id)]!;
    return { id, unit, samples: sumOf(count), weight: sumOf(weight) };
  });
  return rows.sort((a, b) => byRank(a.id, b.id));
}

doTask(importOne);
