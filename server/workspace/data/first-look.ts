// What hints are made of without the tree: kept in the user's cache, so that they are there before a large tree is read again.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import type { Profile } from '../../cct/profile.ts';
import type { MethodTimes } from '../../metrics/method-times.ts';
import type { Provenance } from '../../store/load.ts';
import { CHECK_BYTES, readChecked, tidyFiles, writeChecked } from './checked-file.ts';
import type { SelectedData, TransferableData } from './loaded-data.ts';
import type { Source } from './source.ts';

/** So many files are kept, the latest used ones. */
const MOST_FILES = 8;
/** Larger ones are not made: reading them would take as long as reading the tree. */
const MOST_BYTES = 64 << 20;
const ENDING = '.look';

const NO_INTEGERS = new Int32Array(0);
const NO_NUMBERS = new Float64Array(0);
const NO_BYTES = new Uint8Array(0);

/**
 * The same data without everything that has a value a node or cell: values of methods, lines and calls are what they are, while
 * whoever walks over the tree finds nothing. Shares no memory that is transferred with `data`.
 */
export function withoutTree({ folded, selected }: TransferableData): TransferableData {
  const { profile, lines, classColumns, sites, foldedByNameOnly } = folded;
  const { analysis, values } = selected;
  const empty: MethodTimes = { weight: NO_NUMBERS, count: NO_NUMBERS };
  return {
    folded: {
      profile: withoutNodes(profile),
      index: { offsets: NO_INTEGERS, list: NO_INTEGERS, recursive: NO_BYTES, ends: NO_INTEGERS },
      lines,
      classColumns,
      sites: { ...sites, nodesOfGroups: NO_INTEGERS, siteOfNode: NO_INTEGERS },
      foldedByNameOnly,
    },
    selected: {
      ...selected,
      analysis: {
        ...analysis,
        selection: { metric: analysis.selection.metric },
        totalWeight: NO_NUMBERS,
        totalCount: NO_NUMBERS,
        stretches: { length: 0, ends: NO_INTEGERS, bits: NO_INTEGERS, firstCell: NO_INTEGERS },
        runs: NO_INTEGERS,
        scope: null,
      },
      values: {
        total: copyOf(values.total),
        self: copyOf(values.self),
        selfLines: copyOf(values.selfLines),
        siteAmounts: {
          ...copyOf(values.siteAmounts),
          groupWeight: values.siteAmounts.groupWeight.slice(),
          groupCount: values.siteAmounts.groupCount.slice(),
        },
        around: {
          ready: new Int32Array(1),
          pairOfSite: NO_INTEGERS,
          callers: empty,
          callees: empty,
          lines: empty,
          threads: NO_BYTES,
          threadBytes: 0,
          squares: NO_NUMBERS,
        },
      },
    },
  };
}

function withoutNodes(profile: Profile): Profile {
  const none = NO_INTEGERS;
  const tree = { length: 0, parent: none, method: none, callLine: none, subtreeEnd: none, depth: none };
  const cells = profile.cells.map(({ weightSquares }) => ({
    length: 0,
    node: none,
    thread: none,
    line: none,
    window: none,
    count: NO_NUMBERS,
    weight: NO_NUMBERS,
    weightSquares: weightSquares === null ? null : NO_NUMBERS,
  }));
  return { ...profile, tree, cells };
}

function copyOf({ weight, count }: MethodTimes): MethodTimes {
  const copy = count.slice();
  return { count: copy, weight: weight === count ? copy : weight.slice() };
}

/** What holds back the loading thread while hints are made of a first look, which want the processor more: 0 as long as they do. */
export type Gate = Int32Array<SharedArrayBuffer>;

/** Nobody may ask for hints at all. */
export const LONGEST_HOLD_MILLIS = 1_000;

export function makeGate(): Gate {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

export function openGate(gate: Gate): void {
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
}

/** Waits in place: the thread has nothing else to do. False when nobody opened it. */
export function waitAtGate(gate: Gate, longestMillis = LONGEST_HOLD_MILLIS): boolean {
  return Atomics.wait(gate, 0, 0, longestMillis) !== 'timed-out';
}

/** Names what a first look is of: null where none is kept, because only a part is wanted, or what soon grows. */
export function lookKey({ metric, part, file }: Source, { entries }: Provenance): string | null {
  if (part !== undefined || file !== undefined || entries.some(({ liveMillis }) => liveMillis !== undefined))
    return null;
  return JSON.stringify([metric, entries.map(({ hash }) => hash).sort()]);
}

/** Where first looks are kept. */
export type LooksPlace = {
  readonly folder: string;
  /** None are kept of smaller trees, which are read as quickly. */
  readonly fewestNodes: number;
};

/** A program by its text, which is a file: as long as that is the same, so are its answers. */
export function buildOf(program: URL): string {
  return `${crc32(readFileSync(program))}`;
}

/** First looks in a folder of this machine, for one build of the program: another one may count otherwise. */
export class FirstLooks {
  readonly #folder: string;
  readonly #build: string;

  /** @param build anything that differs between programs which give other numbers. */
  constructor(folder: string, build: string) {
    this.#folder = folder;
    this.#build = build;
  }

  /** The bytes that were kept under the key, to be opened by `openLook`; null where there are none, or they are damaged. */
  find(key: string): Uint8Array<ArrayBuffer> | null {
    return readChecked(this.pathOf(key));
  }

  /** Keeps a first look as long as it is among the latest ones. A folder that cannot be written to keeps none. */
  keep(key: string, look: TransferableData): void {
    const { provenance: _now, ...selected } = look.selected;
    const body = serialize({ folded: look.folded, selected });
    if (body.length > MOST_BYTES) return;
    try {
      writeChecked(this.pathOf(key), body);
      tidyFiles(this.#folder, ENDING, MOST_FILES);
    } catch {
      // What may be half written is nothing's name, and goes when others come.
    }
  }

  /** The file that the first look with this key is kept in, there or not. */
  pathOf(key: string): string {
    const name = createHash('sha256')
      .update(JSON.stringify([this.#build, process.versions.v8, key]))
      .digest('hex');
    return join(this.#folder, `${name.slice(0, 32)}${ENDING}`);
  }
}

/** What `find` gave, with where it comes from now. */
export function openLook(bytes: Uint8Array<ArrayBuffer>, provenance: Provenance): TransferableData {
  const look = deserialize(bytes.subarray(CHECK_BYTES)) as Omit<TransferableData, 'selected'> & {
    readonly selected: Omit<SelectedData, 'provenance'>;
  };
  return { folded: look.folded, selected: { ...look.selected, provenance } };
}
