// The needs of a useful answer with hints: the document's own data and recorded text, not the data of all other documents.
import type { ProfiledTextKeeper } from '../../workspace/code/profiled-text-keeper.ts';
import type { DataKeeper } from '../../workspace/data/data-keeper.ts';
import { sourceKey } from '../../workspace/data/source.ts';
import type { Workspace } from '../../workspace/state.ts';

/** Documents are named by URI; null stands for the workspace as a whole. */
export class HintNeeds {
  readonly #workspace: Workspace;
  readonly #keeper: DataKeeper;
  readonly #profiledTexts: ProfiledTextKeeper;

  constructor(workspace: Workspace, keeper: DataKeeper, profiledTexts: ProfiledTextKeeper) {
    this.#workspace = workspace;
    this.#keeper = keeper;
    this.#profiledTexts = profiledTexts;
  }

  /** Whether something that an answer needs is still being read. */
  areMissing(uri: string | null): boolean {
    return this.#hasNoDataYet(uri) || (uri !== null && this.#profiledTexts.isPending(uri));
  }

  /** Resolves when everything that an answer needs is there, or has failed. */
  async whenMet(uri: string | null): Promise<void> {
    const isOpen = uri !== null && this.#workspace.view().document(uri) !== null;
    if (!isOpen) await this.#keeper.whenIdle();
    else await this.#keeper.whenLoaded(() => this.#loadsFor(uri));
    await (isOpen ? this.#profiledTexts.whenKnown(uri) : this.#profiledTexts.whenIdle());
  }

  #hasNoDataYet(uri: string | null): boolean {
    const view = this.#workspace.view();
    const state = uri === null ? view.sources[0]?.state : view.document(uri)?.state;
    return state?.kind === 'loading' && state.data === null;
  }

  /** Keys of a document's source and of what it is compared with. */
  #loadsFor(uri: string): string[] {
    const view = this.#workspace.view();
    const source = view.document(uri)?.source ?? null;
    if (source === null) return [];
    const key = sourceKey(source);
    const baseline = view.sources.find(wanted => wanted.key === key)?.baseline?.load?.key;
    return baseline === undefined ? [key] : [key, baseline];
  }
}
