// What the page is answered about queries by call paths.
import type { ViewAmount, ViewProblem } from './view-terms.ts';

/** Of typed time: `lowerBound` where it is at least so much, `estimated` where a part of it was not measured. */
type ViewCertainty = { readonly lowerBound: boolean; readonly estimated: boolean };

/** A flaw of a query, with its place: offsets, the end exclusive. */
type QueryMistake = ViewProblem & { readonly from: number; readonly to: number };

export type Paths = { readonly query: string } & (
  | { readonly mistake: QueryMistake }
  | {
      /** All samples of the look, without those that `where` takes out; in the Server View the time of all processors. */
      readonly whole: ViewAmount;
      /** Part of the time of all processors in which no recorded thread had them; null outside of the Server View. */
      readonly idle: number | null;
      /** Samples that satisfy the query. */
      readonly amount: ViewAmount;
      readonly certainty: ViewCertainty;
      /** Where the elements of the path that refinements add to stand in the query. */
      readonly elements: readonly { readonly from: number; readonly to: number }[];
      /** Heaviest first, 200 at most; null when no refinement was asked for. Samples may count in several rows. */
      readonly rows:
        | readonly {
            readonly name: string;
            readonly isAspect: boolean;
            /** The refined query. */
            readonly query: string;
            readonly total: ViewAmount;
            readonly certainty: ViewCertainty;
          }[]
        | null;
      /** Rows with fewer than the least samples, and those beyond the most. */
      readonly hidden: number;
      readonly splits: readonly { readonly at: number; readonly element: string }[];
      /** The first element that no stack satisfies, of a query without samples. */
      readonly missing: QueryMistake | null;
    }
);

export type PathNames = {
  /** The part of the query that a name takes the place of. */
  readonly from: number;
  readonly to: number;
  readonly names: readonly { readonly text: string; readonly kind: 'aspect' | 'thread' | 'method' }[];
};
