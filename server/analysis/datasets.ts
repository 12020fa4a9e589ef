// Resolves Wishes to Datasets: reads, merges and folds, and keeps what is folded, so that another look at it reads nothing.
import { createHash } from 'node:crypto';
import { present } from '../base/present.ts';
import { type Problem, withoutNotes } from '../base/problem.ts';
import type { Profile } from '../cct/profile.ts';
import { namedPackages, ownCode } from '../mapping/own-code.ts';
import { KeptSourcePackages } from '../mapping/source-packages.ts';
import { type Merged, type Provenance, provenanceOf } from '../store/load-snapshots.ts';
import type { DescribedEntry } from '../store/select-snapshots.ts';
import { VersionChooser } from './choose-version.ts';
import { bytesOf } from './data-buffers.ts';
import { type FoldedData, foldData } from './folded-data.ts';
import { type LoadOutcome, type LoadProgress, loadMerged } from './load-merged.ts';
import type { Selection } from './selection.ts';
import { type Wish, wishKey } from './wish.ts';

export type { LoadProgress } from './load-merged.ts';

/** The data that a Wish resolved to. */
export type Dataset = {
  /** The Wish with the program and version that were found for it. */
  readonly wish: Wish;
  /** Names it: the key of that Wish, which stays while a recorder adds to the data. */
  readonly key: string;
  /** Names its state: the hashes of its snapshots. */
  readonly revision: string;
  readonly folded: FoldedData;
  readonly provenance: Provenance;
  /** Snapshots that were merged. */
  readonly used: readonly DescribedEntry[];
  /** The problems of reading the snapshots. */
  readonly problems: readonly Problem[];
};

/** A Dataset that is kept, to be looked at again. */
export type KeptDataset = Dataset & {
  /** Names its folded data, which several may share. */
  readonly number: number;
  /** As `load` was told. */
  readonly stamp: string | null;
};

/** So many Datasets are kept, the latest used ones, */
const MOST_KEPT = 4;
/** and no more bytes than this beside the latest. */
const MOST_BYTES = 128 * 2 ** 20;
/** A merged profile that folding or grafting changes is kept beside what came of it only where it is small. */
const MOST_MERGED_BYTES = 32 * 2 ** 20;

type Kept = {
  /** Keys of all wishes that were found to name it. */
  readonly wishes: Set<string>;
  readonly merged: Merged;
  /** The same without what is still being written, so that its next state is merged without reading the rest again. */
  readonly base?: Merged;
  readonly dataset: KeptDataset;
  readonly bytes: number;
};

/** One kept Dataset, in a form that another thread can be given: the folded data are shared memory for the most part. */
export type GivenDataset = Pick<Kept, 'wishes' | 'dataset' | 'bytes'> & { readonly isExtendable: boolean };

export class Datasets {
  /** The latest used first. */
  #kept: readonly Kept[];
  #lastNumber: number;
  readonly #versions = new VersionChooser();
  readonly #sources = new KeptSourcePackages();

  /** @param given what others gave away. */
  constructor(given: readonly GivenDataset[] = []) {
    this.#kept = given.map(({ isExtendable, ...each }) => {
      const { folded, used } = each.dataset;
      return { ...each, merged: { profile: folded.profile, used, isExtendable } };
    });
    this.#lastNumber = Math.max(0, ...given.map(({ dataset }) => dataset.number));
  }

  /** For others that go on from here. A profile from before folding stays behind: it is read again when others are merged onto it. */
  giveAway(): GivenDataset[] {
    return this.#kept.map(({ wishes, merged, dataset, bytes }) => {
      const isExtendable = merged.isExtendable && merged.profile === dataset.folded.profile;
      return { wishes, dataset, bytes, isExtendable };
    });
  }

  /** All that are kept. */
  get kept(): readonly KeptDataset[] {
    return this.#kept.map(({ dataset }) => dataset);
  }

  /** The Dataset that the wish resolved to last; null where that is not kept. */
  again(wish: Wish): KeptDataset | null {
    const key = wishKey(wish);
    const known = this.#kept.find(({ wishes }) => wishes.has(key));
    if (known === undefined) return null;
    this.#use(known);
    return known.dataset;
  }

  /**
   * Reads what the wish names, as far as it was not read before.
   * @param stamp of the store, from before it is read; null where none is known
   */
  async load(
    wish: Wish,
    onProgress: (progress: LoadProgress) => void = () => {},
    signal?: AbortSignal,
    stamp: string | null = null,
  ): Promise<LoadOutcome<KeptDataset>> {
    const key = wishKey(wish);
    const before = this.#kept
      .filter(({ wishes }) => wishes.has(key))
      .flatMap(({ merged, base }) => (base === undefined ? [merged] : [merged, base]));
    const { value, problems, missing } = await loadMerged(wish, this.#versions, onProgress, signal, before);
    if (value === null) return { value: null, problems, missing };
    const { profile, used, provenance, base } = value;
    const same = this.#kept.find(({ merged }) => merged.profile === profile && merged.used.length === used.length);
    const folded = this.#folded(profile, wish, same?.dataset.folded);
    const bytes = same?.bytes ?? bytesOf(folded);
    const number = folded === same?.dataset.folded ? same.dataset.number : ++this.#lastNumber;
    const described = describedDataset(resolved(wish, provenance), folded, { provenance, used }, problems);
    const dataset = { ...described, number, stamp };
    const isExtendable = folded.profile === profile || bytes <= MOST_MERGED_BYTES;
    const merged = same?.merged ?? { profile: isExtendable ? profile : folded.profile, used, isExtendable };
    const keptBase = base === undefined || base.profile === profile ? same?.base : { ...base, isExtendable: true };
    const wishes = new Set([...(same?.wishes ?? []), key, dataset.key]);
    this.#kept = this.#kept.filter(other => other !== same && !other.wishes.has(key));
    this.#use({ wishes, merged, ...(keptBase && { base: keptBase }), dataset, bytes });
    return { value: dataset, problems, missing };
  }

  /** @param before the same profile, folded: which code is own may have changed. */
  #folded(profile: Profile, { root, own }: Wish, before: FoldedData | undefined): FoldedData {
    const told = { named: namedPackages(own ?? null), sources: this.#sources.of(root) };
    if (before === undefined) return foldData(profile, told);
    const now = ownCode(before.profile.methods, told);
    const isSame = now.text === before.own.text && now.isOwn.every((each, row) => each === before.own.isOwn[row]);
    return isSame ? before : { ...before, own: now };
  }

  /** Puts it in front and drops what has not been used for longest. */
  #use(latest: Kept): void {
    const others = this.#kept.filter(other => other !== latest).slice(0, MOST_KEPT - 1);
    let left = MOST_BYTES;
    const fitting = others.filter(({ bytes }) => {
      left -= bytes;
      return left >= 0;
    });
    this.#kept = [latest, ...fitting];
  }
}

function describedDataset(
  wish: Wish,
  folded: FoldedData,
  { provenance, used }: Pick<Dataset, 'provenance' | 'used'>,
  problems: readonly Problem[],
): Dataset {
  const hashes = provenance.entries.map(({ hash }) => hash).sort();
  const revision = createHash('sha256').update(hashes.join()).digest('hex').slice(0, 16);
  const readingProblems = withoutNotes(problems);
  const told = readingProblems.length === 0 ? provenance : { ...provenance, readingProblems };
  return { wish, key: wishKey(wish), revision, folded, provenance: told, used, problems };
}

/** The same with the names that were found for it. */
function resolved(wish: Wish, provenance: Provenance): Wish {
  const version = versionIn(provenance);
  return wish.files !== undefined || version === null ? wish : { ...wish, program: provenance.program, version };
}

/** The only version; null where there are several. */
function versionIn({ executions }: Provenance): string | null {
  const versions = new Set(executions.map(({ version }) => version));
  return versions.size === 1 ? [...versions][0]! : null;
}

/** The provenance of a span of time of a Dataset: the snapshots that have a moment of it. */
export function provenanceWithin({ provenance, used }: Dataset, selection: Selection): Provenance {
  if ((selection.from ?? selection.to) === undefined) return provenance;
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = selection;
  const inSpan = used.filter(({ reading: { header } }) => header.startMillis < to && header.endMillis > from);
  if (inSpan.length === 0 || inSpan.length === used.length) return provenance;
  const { versionReason, readingProblems } = provenance;
  return { ...provenanceOf(inSpan), ...present({ versionReason, readingProblems }) };
}
