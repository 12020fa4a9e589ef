// Reads a recording or snapshot from a file as it is, without putting it into a store: something to compare with.
import { basename, resolve } from 'node:path';
import type { Outcome } from '../base/problem.ts';
import { readRegular, refusal } from '../base/regular-file.ts';
import { withJvm } from '../cct/map-windows.ts';
import { openFile } from '../ingest/byte-source.ts';
import { ingestInWorker } from '../ingest/in-worker.ts';
import { decodeSnapshot, looksLikeSnapshot } from '../snapshot/decode.ts';
import { MOST_FILE_BYTES } from '../snapshot/format.ts';
import { type Execution, type Snapshot, withInstance } from '../snapshot/snapshot.ts';
import type { Loaded, Provenance } from '../store/load-snapshots.ts';
import type { Wish } from './wish.ts';

/** null with problems when nothing could be read. What a recording does not tell about itself is taken from `source`. */
export async function loadFile(
  file: string,
  wish: Pick<Wish, 'project' | 'program'>,
  onProgress?: (done: number, all: number) => void,
): Promise<Outcome<Loaded | null>> {
  if (beginsLikeSnapshot(file)) {
    const { value, problems } = readSnapshot(file);
    if (value === null) return { value, problems };
    const { profile, header } = value;
    const named = withJvm(profile, header.execution.instance);
    return { value: { profile: named, provenance: provenanceOf(header.execution, header), used: [] }, problems };
  }
  const { profile, problems, ...about } = await ingestInWorker(file, {
    names: 'normalised',
    ...(onProgress && { onProgress }),
  });
  if (profile === null) return { value: null, problems };
  const name = basename(file);
  const place = { project: wish.project, program: wish.program ?? name, version: name, instance: name };
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
