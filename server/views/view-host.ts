// The host of a page of pictures: data, the door to their numbers, and an editor where there is one.
import type { LRUCache } from 'lru-cache';
import type { Door } from '../analysis/ask.ts';
import type { Baseline } from '../analysis/baseline.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import type { Aspect } from '../analysis/paths/resolve-query.ts';
import type { AnswersHome } from '../answering/stored-answers.ts';
import type { Outcome } from '../base/problem.ts';
import type { Task } from '../metrics/task.ts';
import type { Look } from '../model/look.ts';
import type { DocumentView } from '../workspace/document/document-view.ts';
import type { SeenOrders } from './seen-orders.ts';
import type { ViewSource } from './view-messages.ts';

/** Everything that a page can be told of at one moment. */
export type Viewed = {
  /** As hints show them. */
  readonly data: LoadedData;
  /** null where nothing is compared with, or it is not known yet what its methods were called. */
  readonly baseline: (Baseline & { readonly name: string }) | null;
  /** Definitions that a focus may name. */
  readonly tasks: readonly Task[];
  /** Sets of methods that paths may name. */
  readonly aspects: readonly Aspect[];
  /** Packages that the project has sources of; null where none are known, and then all but the platform's classes are its own. */
  readonly own: readonly string[] | null;
  /** Tags of the commits of versions that are hashes, by version, as far as they are known. */
  readonly tags: ReadonlyMap<string, string>;
  /** Sentences about losses and age. */
  readonly notes: readonly string[];
  /** A recorder feeds the store. */
  readonly live: boolean;
  /** The sources that a page may choose among, and the present one. */
  readonly sources: readonly ViewSource[];
  readonly source: string | null;
};

/** The actions of an editor for a page; each answers null when it is done, else why not. */
export type EditorBeside = {
  /** Shows the method of a row of the viewed data's table. */
  open(viewed: Viewed, row: number): Promise<string | null>;
  /** Shows hints with this metric, focus, path, threads and span. */
  use(viewed: Viewed, look: Look): Promise<string | null>;
};

export type ViewHost = {
  readonly door: Door;
  /** Data of looks other than the shown one, which a comparison with a baseline needs here. */
  readonly looks: LRUCache<string, Promise<LoadedData>>;
  /** Of pages that keep siblings in their places. */
  readonly orders: SeenOrders;
  readonly editor: EditorBeside | null;
  /**
   * Looks for newer data where that is due; null with problems where there are none.
   * @param source key of what the page has chosen; null, or one that is no longer open, for what it was opened beside.
   */
  viewed(
    signal: AbortSignal,
    source: string | null,
  ): Promise<Outcome<Viewed | null> & { readonly isReading?: boolean }>;
  /** Where answers find what is not in the shown data: settings, sources, the store. */
  home(viewed: Viewed): Promise<Omit<AnswersHome, 'choice' | 'reach' | 'shown'>>;
  /** The file that a row's method stands in, compared with its recorded text; null where none is known. */
  documentOf(viewed: Viewed, row: number): Promise<DocumentView | null>;
};

/** So many looks are kept for a host. */
export const MOST_LOOKS = 4;
