// Loads sources: reads, merges, folds and analyses them; keeps what is folded, so that a look at another part of it reads nothing.
import type { Outcome, Problem } from '../../base/problem.ts';
import type { Profile } from '../../cct/profile.ts';
import { type Merged, type Provenance, provenanceOf } from '../../store/load.ts';
import type { DescribedEntry } from '../../store/selection.ts';
import { analyseData } from './analyse-data.ts';
import { bytesOf, type FoldedData, foldData } from './folded-data.ts';
import { type LoadOutcome, type LoadProgress, loadMerged } from './load-merged.ts';
import type { TransferableData } from './loaded-data.ts';
import type { Part } from './part.ts';
import type { Source } from './source.ts';

export type { LoadProgress } from './load-merged.ts';

/** Folded data of this many sources are kept, the latest used ones, */
const MOST_KEPT = 4;
/** and no more bytes than this beside the latest. */
const MOST_BYTES = 128 * 2 ** 20;
/** A merged profile that folding or grafting changes is kept beside what came of it only where it is small. */
const MOST_MERGED_BYTES = 32 * 2 ** 20;

type Kept = {
  /** Keys of all sources that were found to name it. */
  readonly wishes: Set<string>;
  /** The span of time that its snapshots were chosen by; null when all were taken. */
  readonly span: string | null;
  readonly merged: Merged;
  /** The same without what is still being written, so that its next state is merged without reading the rest again. */
  readonly base?: Merged;
  readonly folded: FoldedData;
  readonly provenance: Provenance;
  readonly problems: readonly Problem[];
  readonly bytes: number;
};

/** null with problems that say what is missing, where, and what to do. Never throws for what stands in a store. */
export function loadData(
  source: Source,
  onProgress: (progress: LoadProgress) => void = () => {},
  signal?: AbortSignal,
): Promise<LoadOutcome<TransferableData>> {
  return new KeptData().load(source, onProgress, signal);
}

/** Folds a merged profile, grafts its partial stacks and analyses it. Also the way to show a recording that was never put into a store. */
export function prepareData(
  merged: Profile,
  provenance: Provenance,
  metricId: string | null,
  problems: readonly Problem[] = [],
  part: Part = {},
): Outcome<TransferableData | null> {
  return analyseData(foldData(merged), provenance, metricId, problems, part);
}

export class KeptData {
  /** The latest used first. */
  #kept: readonly Kept[] = [];

  /** Folded data that are kept. */
  get folded(): readonly FoldedData[] {
    return this.#kept.map(({ folded }) => folded);
  }

  /** Data of the source as they were read last, or null where they are not kept. */
  again(source: Source): Outcome<TransferableData | null> | null {
    const wish = wishOf(source);
    const span = spanOf(source.part);
    const known = this.#kept.find(kept => kept.wishes.has(wish) && (kept.span === null || kept.span === span));
    if (known === undefined) return null;
    this.#use(known);
    return analysed(known, source);
  }

  /** Reads what the source names, as far as it was not read before. */
  async load(
    source: Source,
    onProgress: (progress: LoadProgress) => void = () => {},
    signal?: AbortSignal,
  ): Promise<LoadOutcome<TransferableData>> {
    const before = this.#kept
      .filter(({ wishes }) => wishes.has(wishOf(source)))
      .flatMap(({ merged, base }) => (base === undefined ? [merged] : [merged, base]));
    const { value, problems, missing } = await loadMerged(source, onProgress, signal, before);
    if (value === null) return { value: null, problems, missing };
    const { profile, used, provenance, base } = value;
    const same = this.#kept.find(({ merged }) => merged.profile === profile && merged.used.length === used.length);
    const folded = same?.folded ?? foldData(profile);
    const bytes = same?.bytes ?? bytesOf(folded);
    const isExtendable = folded.profile === profile || bytes <= MOST_MERGED_BYTES;
    const merged = same?.merged ?? { profile: isExtendable ? profile : folded.profile, used, isExtendable };
    const wishes = new Set([...(same?.wishes ?? []), wishOf(source), wishOf(resolved(source, provenance))]);
    const keptBase = base === undefined || base.profile === profile ? same?.base : { ...base, isExtendable: true };
    const span = spanOf(source.part);
    const kept: Kept = {
      wishes,
      span,
      merged,
      ...(keptBase && { base: keptBase }),
      folded,
      provenance,
      problems,
      bytes,
    };
    this.#kept = this.#kept.filter(
      other => other !== same && !(other.wishes.has(wishOf(source)) && other.span === kept.span),
    );
    this.#use(kept);
    return { ...analysed(kept, source), missing };
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

function analysed(
  { folded, provenance, merged, problems }: Kept,
  { metric, part = {} }: Source,
): Outcome<TransferableData | null> {
  return analyseData(folded, within(provenance, merged.used, part), metric, problems, part);
}

/** What a span of time stands on: the snapshots that have a moment of it. */
function within(provenance: Provenance, used: readonly DescribedEntry[], part: Part): Provenance {
  const [from, to] = [part.fromMillis ?? Number.NEGATIVE_INFINITY, part.toMillis ?? Number.POSITIVE_INFINITY];
  const inSpan = used.filter(({ reading: { header } }) => header.startMillis < to && header.endMillis > from);
  if (inSpan.length === 0 || inSpan.length === used.length) return provenance;
  const { versionReason } = provenance;
  return { ...provenanceOf(inSpan), ...(versionReason !== undefined && { versionReason }) };
}

/** Equal for sources of the same snapshots, spans of time aside. */
function wishOf({ store, project, program, version, root, repository, tagPattern, file, part }: Source): string {
  const deciding = [program === null ? root : null, version === null ? [repository, tagPattern] : null];
  return JSON.stringify([store, project, program, version, deciding, file ?? null, part?.instances ?? null]);
}

/** The same with the names that were found for it. */
function resolved(source: Source, { program, executions }: Provenance): Source {
  const versions = new Set(executions.map(({ version }) => version));
  if (source.file !== undefined || versions.size !== 1) return source;
  return { ...source, program, version: [...versions][0]! };
}

function spanOf({ fromMillis, toMillis }: Part = {}): string | null {
  return fromMillis === undefined && toMillis === undefined ? null : `${fromMillis} ${toMillis}`;
}
