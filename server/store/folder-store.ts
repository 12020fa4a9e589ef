// A store in a folder: one file a snapshot, named by its content, written whole or not at all.
import { createHash, randomUUID } from 'node:crypto';
import { lstat, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Outcome, Problem } from '../base/problem.ts';
import { isMoment } from '../cct/limits.ts';
import type { MethodTable } from '../cct/profile.ts';
import {
  decodeHeader,
  decodeMethods,
  decodeSnapshot,
  findSnapshotFlaw,
  type HeaderReading,
  headerExtent,
} from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import type { Execution, Snapshot } from '../snapshot/snapshot.ts';
import { errorCode, fileProblem } from './file-problem.ts';
import { listFolder, TEMPORARY_SUFFIX } from './folder-listing.ts';
import { executionSegments, fileName } from './key.ts';
import type { Store, StoreEntry, StoreFilter } from './store.ts';

const HASH_DIGITS = 32;
const HEADER_GUESS_BYTES = 64 << 10;
/** A file that is still being written is not as old as this. */
const LEFT_BEHIND_MILLIS = 24 * 60 * 60 * 1000;
/** Names of files that are not complete yet, as `writeWhole` makes them. */
const TEMPORARY_NAME = new RegExp(`^\\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\${TEMPORARY_SUFFIX}$`);

/** The store in folder `root`; `location` is what the user called it. Folders come into being with the first snapshot. */
export class FolderStore implements Store {
  readonly location: string;
  readonly #root: string;

  constructor(location: string, root: string) {
    this.location = location;
    this.#root = root;
  }

  list(filter: StoreFilter): Promise<Outcome<readonly StoreEntry[]>> {
    return listFolder(this.#root, filter);
  }

  async read(entry: StoreEntry): Promise<Outcome<Snapshot | null>> {
    const place = this.#fileOf(entry.execution, entry.startMillis, entry.hash);
    if (place.path === null) return { value: null, problems: [place.problem] };
    try {
      const outcome = decodeSnapshot(await readFile(place.path), place.path);
      const problems = [...outcome.problems, ...strayProblems(entry, outcome.value?.header.execution, place.path)];
      return { value: outcome.value, problems };
    } catch (error) {
      return { value: null, problems: [fileProblem('the snapshot cannot be read', place.path, error)] };
    }
  }

  async readHeader(entry: StoreEntry): Promise<Outcome<HeaderReading | null>> {
    const place = this.#fileOf(entry.execution, entry.startMillis, entry.hash);
    if (place.path === null) return { value: null, problems: [place.problem] };
    try {
      return decodeHeader(await readBeginning(place.path), place.path);
    } catch (error) {
      return { value: null, problems: [fileProblem('the snapshot cannot be read', place.path, error)] };
    }
  }

  async readMethods(entry: StoreEntry): Promise<Outcome<MethodTable | null>> {
    const place = this.#fileOf(entry.execution, entry.startMillis, entry.hash);
    if (place.path === null) return { value: null, problems: [place.problem] };
    try {
      return decodeMethods(await readFile(place.path), place.path);
    } catch (error) {
      return { value: null, problems: [fileProblem('the snapshot cannot be read', place.path, error)] };
    }
  }

  async put(snapshot: Snapshot): Promise<Outcome<StoreEntry | null>> {
    const { execution } = snapshot.header;
    const { value: bytes, problems } = encodeChecked(snapshot, this.location);
    if (bytes === null) return { value: null, problems };
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, HASH_DIGITS);
    const start = wholeMillis(snapshot.header.startMillis);
    const place = this.#fileOf(execution, start, hash);
    if (place.path === null) return { value: null, problems: [place.problem] };
    const key = [...place.segments, fileName(start, hash)].join('/');
    const entry: StoreEntry = { execution, startMillis: start, hash, key, bytes: bytes.length };
    try {
      const folder = join(this.#root, ...place.segments);
      await mkdir(folder, { recursive: true });
      await removeLeftBehind(folder);
      // Same name, same content: only a file of another length can be a broken one.
      const size = await stat(place.path).then(
        found => found.size,
        () => -1,
      );
      if (size !== bytes.length) await writeWhole(folder, place.path, bytes);
      return { value: entry, problems: [] };
    } catch (error) {
      return { value: null, problems: [fileProblem('the snapshot cannot be stored', place.path, error)] };
    }
  }

  async remove(entry: StoreEntry): Promise<Outcome<boolean>> {
    const place = this.#fileOf(entry.execution, entry.startMillis, entry.hash);
    if (place.path === null) return { value: false, problems: [place.problem] };
    try {
      await rm(place.path, { force: true });
      return { value: true, problems: [] };
    } catch (error) {
      return { value: false, problems: [fileProblem('the snapshot cannot be removed', place.path, error)] };
    }
  }

  /** Where a snapshot lies. Made from the execution, never from a stored key, so that it cannot leave the folder. */
  #fileOf(
    execution: Execution,
    startMillis: number,
    hash: string,
  ): { path: string; segments: string[] } | { path: null; problem: Problem } {
    const segments = executionSegments(execution);
    if (!Array.isArray(segments)) {
      const message = `the ${segments.tooLong} is too long to name a folder`;
      return { path: null, problem: { severity: 'error', message, file: this.location, remedy: 'give a shorter one' } };
    }
    return { path: join(this.#root, ...segments, fileName(startMillis, hash)), segments };
  }
}

/** The start of a snapshot as its name has it; 0 is never negative. */
function wholeMillis(millis: number): number {
  return Math.trunc(millis) + 0;
}

/** The bytes of a snapshot, or null and why: those that no reader would take again are not written. */
function encodeChecked(snapshot: Snapshot, file: string): Outcome<Uint8Array | null> {
  const refuse = (message: string, remedy: string, place?: string): Outcome<null> => ({
    value: null,
    problems: [
      {
        severity: 'error',
        message: `the snapshot cannot be stored: ${message}`,
        file,
        ...(place === undefined ? {} : { place }),
        remedy,
      },
    ],
  });
  const { startMillis, endMillis } = snapshot.header;
  if (!isMoment(startMillis) || !isMoment(endMillis)) {
    const span = `it says that it lasts from ${startMillis} to ${endMillis}`;
    return refuse(`${span}, which is no time`, 'check the unit of the times in the recording');
  }
  try {
    const bytes = encodeSnapshot(snapshot);
    const flaw = findSnapshotFlaw(bytes);
    if (flaw === null) return { value: bytes, problems: [] };
    return refuse(flaw.message, 'import a smaller part of the recording, or check what stands there in it', flaw.place);
  } catch (error) {
    // Texts and buffers have a largest length.
    const reason = error instanceof Error ? error.message : String(error);
    return refuse(reason, 'import a smaller part of the recording');
  }
}

/** Writes beside the target, makes sure it is on disk, then gives it its name: at no time is there half a snapshot of that name. */
async function writeWhole(folder: string, path: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(folder, `.${randomUUID()}${TEMPORARY_SUFFIX}`);
  try {
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(folder);
}

/** Removes what was being written when a process was killed. Whatever cannot be removed does no harm. */
async function removeLeftBehind(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (!TEMPORARY_NAME.test(name)) continue;
    const path = join(folder, name);
    const about = await lstat(path).catch(() => null);
    const isOld = about !== null && Date.now() - about.mtimeMs > LEFT_BEHIND_MILLIS;
    if (isOld && about.isFile()) await rm(path, { force: true }).catch(() => undefined);
  }
}

/** Makes a new name in a folder last; systems on which folders cannot be opened do that by themselves. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    if (!['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP'].includes(errorCode(error))) throw error;
  }
}

/** As much of a file as its header needs. */
async function readBeginning(path: string): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const size = (await file.stat()).size;
    const first = await readBytes(file, Math.min(size, HEADER_GUESS_BYTES));
    const extent = headerExtent(first) ?? 0;
    return extent <= first.length ? first : await readBytes(file, Math.min(size, extent));
  } finally {
    await file.close();
  }
}

async function readBytes(file: Awaited<ReturnType<typeof open>>, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  const { bytesRead } = await file.read(bytes, 0, length, 0);
  return bytes.subarray(0, bytesRead);
}

/** Says so when a snapshot was moved to where another execution's lie: it counts as what its place says. */
function strayProblems(entry: StoreEntry, own: Execution | undefined, file: string): Problem[] {
  if (own === undefined) return [];
  const fields = (['project', 'program', 'version', 'instance'] as const).filter(
    field => own[field] !== entry.execution[field],
  );
  return fields.map(field => ({
    severity: 'warning',
    message: `this snapshot says its ${field} is ‘${own[field]}’, but lies under ‘${entry.execution[field]}’`,
    file,
    remedy: 'import the recording again under its own name',
  }));
}
