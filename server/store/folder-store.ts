// A store in a folder: one file a snapshot, named by its content, written whole or not at all.
import { randomUUID } from 'node:crypto';
import { access, constants, lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Outcome, Problem } from '../base/problem.ts';
import { errorCode, readFrom, readRegularLater, withRegular } from '../base/regular-file.ts';
import type { MethodTable } from '../cct/profile.ts';
import type { Execution } from '../model/execution.ts';
import { decodeHeader, decodeMethods, type HeaderReading, headerExtent, SnapshotReader } from '../snapshot/decode.ts';
import { MOST_FILE_BYTES } from '../snapshot/format.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { contentHash, type Encoded, encodeForStore } from './encoded.ts';
import { fileProblem } from './file-problem.ts';
import { listFolder, liveness, TEMPORARY_SUFFIX } from './folder-listing.ts';
import { executionSegments, fileName, liveFileName, parseFileName, parseLiveName } from './key.ts';
import type { LiveStore, Storable, Store, StoreEntry, StoreFilter } from './store.ts';
import { checkWay, makeFolders } from './way-down.ts';

const HEADER_GUESS_BYTES = 64 << 10;
/** A file that is still being written is not as old as this. */
const LEFT_BEHIND_MILLIS = 24 * 60 * 60 * 1000;
/** Names of files that are not complete yet, as `writeWhole` makes them. */
const TEMPORARY_NAME = new RegExp(`^\\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\${TEMPORARY_SUFFIX}$`);

/** The store in folder `root`; `location` is what the user called it. Folders come into being with the first snapshot. */
export class FolderStore implements Store {
  readonly location: string;
  readonly mostBytes = Number.POSITIVE_INFINITY;
  readonly #root: string;

  constructor(location: string, root: string) {
    this.location = location;
    this.#root = root;
  }

  list(filter: StoreFilter): Promise<Outcome<readonly StoreEntry[]>> {
    return listFolder(this.#root, filter);
  }

  async read(entry: StoreEntry, reader = new SnapshotReader()): Promise<Outcome<Snapshot | null>> {
    const place = this.#fileOf(entry);
    if (place.path === null) return { value: null, problems: [place.problem] };
    try {
      const bytes = await readRegularLater(place.path, MOST_FILE_BYTES);
      const outcome = reader.read(bytes, place.path);
      if (outcome.value !== null && !isAsNamed(entry, bytes)) return { value: null, problems: [misnamed(place.path)] };
      const problems = [...outcome.problems, ...strayProblems(entry, outcome.value?.header.execution, place.path)];
      return { value: outcome.value, problems };
    } catch (error) {
      return { value: null, problems: [fileProblem('the snapshot cannot be read', place.path, error)] };
    }
  }

  async readHeader(entry: StoreEntry): Promise<Outcome<HeaderReading | null>> {
    const place = this.#fileOf(entry);
    if (place.path === null) return { value: null, problems: [place.problem] };
    try {
      return decodeHeader(await readBeginning(place.path), place.path);
    } catch (error) {
      return { value: null, problems: [fileProblem('the snapshot cannot be read', place.path, error)] };
    }
  }

  async readMethods(entry: StoreEntry): Promise<Outcome<MethodTable | null>> {
    const place = this.#fileOf(entry);
    if (place.path === null) return { value: null, problems: [place.problem] };
    try {
      return decodeMethods(await readRegularLater(place.path, MOST_FILE_BYTES), place.path);
    } catch (error) {
      return { value: null, problems: [fileProblem('the snapshot cannot be read', place.path, error)] };
    }
  }

  async readBytes(entry: StoreEntry): Promise<Outcome<Uint8Array | null>> {
    const place = this.#fileOf(entry);
    if (place.path === null) return { value: null, problems: [place.problem] };
    try {
      const bytes = await readRegularLater(place.path, MOST_FILE_BYTES);
      if (isAsNamed(entry, bytes)) return { value: bytes, problems: [] };
      return { value: null, problems: [misnamed(place.path)] };
    } catch (error) {
      return { value: null, problems: [fileProblem('the snapshot cannot be read', place.path, error)] };
    }
  }

  put(snapshot: Storable): Promise<Outcome<StoreEntry | null>> {
    return this.#write(encodeForStore(snapshot, this.location), async (folder, path, { entry, bytes }) => {
      await removeLeftBehind(folder);
      // Same name, same content: only a file of another length can be a broken one.
      const size = await lstat(path).then(
        found => found.size,
        () => -1,
      );
      if (size !== bytes.length) await writeWhole(folder, path, bytes, true);
      return entry;
    });
  }

  /** Looks at the folder, or at the one in which it would come into being. */
  async tryPut(): Promise<readonly Problem[]> {
    for (let folder = this.#root; ; folder = dirname(folder)) {
      try {
        await access(`${folder}/.`, constants.W_OK | constants.X_OK);
        return [];
      } catch (error) {
        if (errorCode(error) !== 'ENOENT' || folder === dirname(folder))
          return [fileProblem('nothing can be stored here', folder, error)];
      }
    }
  }

  readonly live: LiveStore = {
    put: snapshot =>
      this.#write(encodeForStore(snapshot, this.location, true), async (folder, path, { entry, bytes }) => {
        await writeWhole(folder, path, bytes, false);
        return { ...entry, ...liveness(await lstat(path, { bigint: true })) };
      }),
    remove: (execution, startMillis) => {
      const start = Math.trunc(startMillis) + 0;
      return this.remove({ execution, startMillis: start, hash: 'live', key: '', bytes: 0, liveMillis: 0 });
    },
  };

  /** The entry that `write` gives, or null and why there is none. */
  async #write(
    { value: encoded, problems }: Outcome<Encoded | null>,
    write: (folder: string, path: string, encoded: Encoded) => Promise<StoreEntry>,
  ): Promise<Outcome<StoreEntry | null>> {
    if (encoded === null) return { value: null, problems };
    const folder = join(this.#root, ...encoded.segments);
    const path = join(this.#root, ...encoded.entry.key.split('/'));
    try {
      await makeFolders(this.#root, encoded.segments);
      return { value: await write(folder, path, encoded), problems: [] };
    } catch (error) {
      return { value: null, problems: [fileProblem('the snapshot cannot be stored', path, error)] };
    }
  }

  async remove(entry: StoreEntry): Promise<Outcome<boolean>> {
    const place = this.#fileOf(entry);
    if (place.path === null) return { value: false, problems: [place.problem] };
    try {
      await checkWay(this.#root, place.segments);
      await rm(place.path, { force: true });
      return { value: true, problems: [] };
    } catch (error) {
      return { value: false, problems: [fileProblem('the snapshot cannot be removed', place.path, error)] };
    }
  }

  async storedMillis(entry: StoreEntry): Promise<number | null> {
    const { path } = this.#fileOf(entry);
    const found = path === null ? null : await lstat(path).catch(() => null);
    return found === null ? null : found.mtimeMs;
  }

  /** Where a snapshot lies. Made from the execution, never from a stored key, so that it cannot leave the folder. */
  #fileOf({
    execution,
    startMillis,
    hash,
    liveMillis,
  }: StoreEntry): { path: string; segments: readonly string[] } | { path: null; problem: Problem } {
    const segments = executionSegments(execution);
    const refuse = (message: string, remedy: string) =>
      ({ path: null, problem: { severity: 'error', message, file: this.location, remedy } }) as const;
    if (!Array.isArray(segments))
      return refuse(`the ${segments.tooLong} is too long to name a folder`, 'give a shorter one');
    const name = liveMillis === undefined ? fileName(startMillis, hash) : liveFileName(startMillis);
    const isOurs = parseFileName(name) !== null || parseLiveName(name) !== null;
    if (!isOurs) return refuse(`${name} is no name of a snapshot`, 'list the store again');
    return { path: join(this.#root, ...segments, name), segments };
  }
}

function isAsNamed({ hash, liveMillis }: StoreEntry, bytes: Uint8Array): boolean {
  return liveMillis !== undefined || contentHash(bytes) === hash;
}

function misnamed(file: string): Problem {
  const message = 'the snapshot is not what its name says: the file was damaged';
  return { severity: 'error', message, file, remedy: 'remove it from the store and import the recording again' };
}

/** Writes beside the target, makes sure it is on disk where it is to last, then gives it its name: at no time is there half a snapshot of that name. */
async function writeWhole(folder: string, path: string, bytes: Uint8Array, lasting: boolean): Promise<void> {
  const temporary = join(folder, `.${randomUUID()}${TEMPORARY_SUFFIX}`);
  try {
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(bytes);
      if (lasting) await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  if (lasting) await syncFolder(folder);
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
function readBeginning(path: string): Promise<Uint8Array> {
  return withRegular(path, MOST_FILE_BYTES, async (file, { size }) => {
    const first = await readFrom(file, Math.min(size, HEADER_GUESS_BYTES));
    const extent = headerExtent(first) ?? 0;
    return extent <= first.length ? first : readFrom(file, Math.min(size, extent));
  });
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
