// Says beside first looks which of them is that of a source, so that the thread that makes hints finds it before there is one that asks the store.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import { headPlaces } from '../../mapping/git/head-places.ts';
import type { Provenance } from '../../store/load.ts';
import { CHECK_BYTES, readChecked, tidyFiles, writeChecked } from './checked-file.ts';
import { openLook } from './first-look.ts';
import type { TransferableData } from './loaded-data.ts';
import { type Source, sourceKey } from './source.ts';
import { fileStamp, projectFolder } from './store-watch.ts';

const MOST_FILES = 16;
const ENDING = '.note';
/** Of a larger store, or with more folders of tags, nothing is noted: whoever makes hints has to look at each. */
const MOST_PLACES = 200;
/** Reading a larger first look would hold up everything else. */
const MOST_LOOK_BYTES = 16 << 20;

/** A file or folder and its time of change; no time where it is not there. */
export type StampedPlace = readonly [path: string, stamp: string];

type Note = {
  readonly source: string;
  /** What decided which snapshots the source names: as long as none of it changes, they are the same. */
  readonly places: readonly StampedPlace[];
  readonly look: { readonly path: string; readonly key: string };
  readonly provenance: Provenance;
};

/** What hints of a source are made of, and the key of its first look. */
export type NotedLook = { readonly key: string; readonly data: TransferableData };

export class LookNotes {
  readonly #folder: string;
  readonly #build: string;

  /** @param build that of the first looks. */
  constructor(folder: string, build: string) {
    this.#folder = folder;
    this.#build = build;
  }

  /** The first look of exactly what the source names now; null where that is not known for sure. */
  find(source: Source): NotedLook | null {
    const bytes = readChecked(this.#file(source));
    if (bytes === null) return null;
    try {
      const note = deserialize(bytes.subarray(CHECK_BYTES)) as Note;
      if (note.source !== sourceKey(source) || note.places.some(([path, stamp]) => fileStamp(path) !== stamp))
        return null;
      const look = readChecked(note.look.path, MOST_LOOK_BYTES);
      return look === null ? null : { key: note.look.key, data: openLook(look, note.provenance) };
    } catch {
      // Whole, and yet no note: the worker finds out what is there.
      return null;
    }
  }

  /** @param places what `decidingPlaces` gave before the source was read. */
  keep(source: Source, places: readonly StampedPlace[], look: Note['look'], provenance: Provenance): void {
    const note: Note = { source: sourceKey(source), places, look, provenance };
    try {
      writeChecked(this.#file(source), serialize(note));
      tidyFiles(this.#folder, ENDING, MOST_FILES);
    } catch {
      // Nobody is told of what is only quicker.
    }
  }

  #file(source: Source): string {
    const name = crc32(JSON.stringify([this.#build, process.versions.v8, sourceKey(source)]));
    return join(this.#folder, `${name.toString(16).padStart(8, '0')}${ENDING}`);
  }
}

/** Whether anything is noted in the folder at all. */
export function hasNotes(folder: string): boolean {
  try {
    return readdirSync(folder).some(name => name.endsWith(ENDING));
  } catch {
    return false;
  }
}

/** Which commit is checked out decides about versions that nobody names; to be asked before the source is read. */
export function headStamps({ version, repository }: Source): readonly StampedPlace[] {
  if (version !== null || repository === undefined) return [];
  return headPlaces(repository).map((path): StampedPlace => [path, fileStamp(path)]);
}

/**
 * Everything that decides which snapshots the source names, with its times of change; null where they do not tell that.
 *
 * @param stamp of its folder, see `folderStamp`, and `heads` its `headStamps`: from `takenMillis` or later, and before it was read.
 */
export function decidingPlaces(
  source: Source,
  stamp: string | null,
  heads: readonly StampedPlace[],
  takenMillis: number,
): readonly StampedPlace[] | null {
  const project = projectFolder(source);
  if (project === null || stamp === null) return null;
  const folders = stamp.split('\n').map((line): StampedPlace => [line.split('\0')[0]!, line.split('\0')[1] ?? '']);
  const programs = folders.filter(([path]) => dirname(path) === project);
  // Of several programs Java files decide.
  if (folders.length + heads.length > MOST_PLACES || (source.program === null && programs.length > 1)) return null;
  if (folders.some(([path]) => hasLinks(path))) return null;
  const places = [...folders, ...heads];
  return places.every(([, time]) => isPast(time, takenMillis)) ? places : null;
}

/** Nobody looks at what is behind links. */
function hasLinks(folder: string): boolean {
  try {
    return readdirSync(folder, { withFileTypes: true }).some(entry => entry.isSymbolicLink());
  } catch {
    return true;
  }
}

/** Times are counted in steps, and whatever happens later in the same one leaves no trace: some file systems know only seconds. */
function isPast(stamp: string, takenMillis: number): boolean {
  if (stamp === '') return true;
  const nanos = BigInt(stamp);
  const step = nanos % 1_000_000_000n === 0n ? 2_000 : 100;
  return Number(nanos / 1_000_000n) + step < takenMillis;
}
