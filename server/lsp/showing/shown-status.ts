// The status as clients are told it: the state of every source, the recordings under way, and the tags of versions.
import { printableName } from '../../base/printable.ts';
import { statusOf } from '../../features/status.ts';
import type { ProfiledTextKeeper } from '../../workspace/code/profiled-text-keeper.ts';
import { learnCommits, versionsSaid } from '../../workspace/data/commits-of-data.ts';
import type { Source } from '../../workspace/data/source.ts';
import type { Workspace } from '../../workspace/state.ts';
import type { SourceStatus, Status } from '../protocol.ts';
import type { Recordings } from '../recording/started-recordings.ts';
import type { NewerData } from './newer-data.ts';

/** By version: a tag that points at its commit. */
type Tags = SourceStatus['tags'];

/** A git that hangs is not waited for longer. */
const LONGEST_WAIT_MILLIS = 2_000;

export class ShownStatus {
  readonly #workspace: Workspace;
  readonly #profiledTexts: ProfiledTextKeeper;
  readonly #newer: NewerData;
  readonly #recordings: Recordings;

  constructor(workspace: Workspace, profiledTexts: ProfiledTextKeeper, newer: NewerData, recordings: Recordings) {
    this.#workspace = workspace;
    this.#profiledTexts = profiledTexts;
    this.#newer = newer;
    this.#recordings = recordings;
  }

  /** At once. */
  now(tags: Tags = {}): Status {
    const newer = (key: string) => this.#newer.textOf(key);
    const shown = statusOf(this.#workspace.view(), newer, this.#workspace.files.limits);
    const recordings = this.#recordings.list();
    const sources = shown.sources.map(source => ({ ...source, tags }));
    return { ...shown, sources, recordings, text: [shown.text, ...recordings.map(({ text }) => text)].join('\n') };
  }

  /** The same when it is known which commits are shown, or git has not told for long. */
  async withCommits(): Promise<Status> {
    const { promise: late, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(resolve, LONGEST_WAIT_MILLIS, null);
    try {
      return (await Promise.race([this.#whenCommitsKnown(), late])) ?? this.now();
    } finally {
      clearTimeout(timer);
    }
  }

  async #whenCommitsKnown(): Promise<Status> {
    const { sources } = this.#workspace.view();
    await learnCommits(sources, (source, data) => this.#profiledTexts.commitOf(source, data));
    const tags = await Promise.all(sources.map(wanted => this.tagsOf(wanted.source, versionsSaid(wanted))));
    return this.now(Object.assign({}, ...tags));
  }

  /** Tags that point at the commits of versions, by the versions that are hashes, as they can be shown. */
  async tagsOf(source: Source, versions: readonly string[]): Promise<Tags> {
    const tags = await this.#profiledTexts.tagsOfVersions(source, versions);
    return Object.fromEntries([...tags].map(([version, tag]) => [version, printableName(tag)]));
  }
}
