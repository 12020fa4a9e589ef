// Reads a recording or snapshot from a file as it is, without putting it into a store: something to compare with.
import { basename, resolve } from 'node:path';
import type { Outcome, Problem } from '../base/problem.ts';
import { readRegular, refusal } from '../base/regular-file.ts';
import { withJvm } from '../cct/map-windows.ts';
import { mergeProfiles } from '../cct/merge.ts';
import { openFile } from '../ingest/byte-source.ts';
import { ingestInWorker } from '../ingest/in-worker.ts';
import type { Execution } from '../model/execution.ts';
import { decodeSnapshot, looksLikeSnapshot } from '../snapshot/decode.ts';
import { MOST_FILE_BYTES } from '../snapshot/format.ts';
import { type Snapshot, withInstance } from '../snapshot/snapshot.ts';
import type { Loaded, Provenance } from '../store/load-snapshots.ts';
import type { Wish } from './wish.ts';

/** Reads files and merges them. A file that cannot be read ends the load: a comparison without one of its recordings is another one. */
export async function loadFiles(
  files: readonly string[],
  wish: Pick<Wish, 'project' | 'program' | 'version'>,
  onProgress?: (done: number, all: number) => void,
): Promise<Outcome<Loaded | null>> {
  const loaded: Loaded[] = [];
  const problems: Problem[] = [];
  for (const [at, file] of files.entries()) {
    const found = await loadFile(file, wish, (done, all) => onProgress?.(at + done / Math.max(1, all), files.length));
    problems.push(...found.problems);
    if (found.value === null) return { value: null, problems };
    loaded.push(found.value);
  }
  const [first] = loaded as [Loaded];
  if (loaded.length === 1) return { value: first, problems };
  const all = loaded.map(({ provenance }) => provenance);
  const debug = new Set(all.map(({ debugNonSafepoints }) => debugNonSafepoints));
  const benchmarks = new Map<string, readonly string[]>();
  for (const [name, instances] of all.flatMap(each => [...(each.benchmarks ?? [])]))
    benchmarks.set(name, [...(benchmarks.get(name) ?? []), ...instances]);
  const provenance: Provenance = {
    ...first.provenance,
    executions: all.flatMap(({ executions }) => executions),
    startMillis: Math.min(...all.map(({ startMillis }) => startMillis)),
    endMillis: Math.max(...all.map(({ endMillis }) => endMillis)),
    ...(benchmarks.size > 0 && { benchmarks }),
    recorders: [...new Set(all.flatMap(({ recorders }) => recorders))],
    debugNonSafepoints: debug.has(false) ? false : debug.has(null) ? null : true,
  };
  return { value: { profile: mergeProfiles(loaded.map(({ profile }) => profile)), provenance, used: [] }, problems };
}

/** null with problems when nothing could be read. A version of the wish is that of the file; what else a recording does not tell is taken from the wish. */
async function loadFile(
  file: string,
  wish: Pick<Wish, 'project' | 'program' | 'version'>,
  onProgress?: (done: number, all: number) => void,
): Promise<Outcome<Loaded | null>> {
  if (beginsLikeSnapshot(file)) {
    const { value, problems } = readSnapshot(file);
    if (value === null) return { value, problems };
    const { profile, header } = value;
    const { benchmark } = header;
    const execution = { ...header.execution, ...(wish.version !== null && { version: wish.version }) };
    const named = withJvm(profile, execution.instance);
    const provenance = {
      ...provenanceOf(execution, header),
      ...(benchmark !== undefined && { benchmarks: new Map([[benchmark, [execution.instance]]]) }),
    };
    return { value: { profile: named, provenance, used: [] }, problems };
  }
  const { profile, problems, ...about } = await ingestInWorker(file, {
    names: 'normalised',
    ...(onProgress && { onProgress }),
  });
  if (profile === null) return { value: null, problems };
  const name = basename(file);
  const place = { project: wish.project, program: wish.program ?? name, version: wish.version ?? name, instance: name };
  const execution = withInstance(place, profile);
  const named = withJvm(profile, resolve(file));
  return { value: { profile: named, provenance: provenanceOf(execution, about), used: [] }, problems };
}

type About = Pick<Provenance, 'startMillis' | 'endMillis' | 'debugNonSafepoints'> & { readonly recorder: string };

function provenanceOf(execution: Execution, about: About): Provenance {
  const { project, program } = execution;
  const { startMillis, endMillis, recorder, debugNonSafepoints } = about;
  const origin = { project, program, executions: [execution], entries: [], sourceEntries: [] };
  return { ...origin, startMillis, endMillis, recorders: [recorder], debugNonSafepoints };
}

/** Told by content, whatever the file is called; one that cannot be opened is left to the reader of recordings to tell of. */
export function beginsLikeSnapshot(file: string): boolean {
  const { value: source } = openFile(file);
  if (source === null) return false;
  try {
    const start = new Uint8Array(16);
    return looksLikeSnapshot(start.subarray(0, source.read(0, start)));
  } catch {
    return false;
  } finally {
    source.close();
  }
}

/** null with problems where the file cannot be read or is none. */
export function readSnapshot(file: string): Outcome<Snapshot | null> {
  try {
    return decodeSnapshot(readRegular(file, MOST_FILE_BYTES), file);
  } catch (error) {
    return { value: null, problems: [refusal(file, error)] };
  }
}
