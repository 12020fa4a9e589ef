// Messages that tell what runs: the data of hints, and implementations.
import type { Location, Neighbours, Share, StateName, ThreadGroups } from '../../features/answers/answer-types.ts';
import type { EditorChange } from './answers.ts';

/**
 * `data` of an inlay hint, of which there are thousands: facts that do not hold are left out. The graphic's fields are there for clients
 * that asked for them, on hints of methods and lambdas.
 */
export type HintData = {
  /** Share of all selected samples, 0 to 1, to four digits, whatever the number in the label is a share of. */
  readonly heat: number;
  readonly kind: 'method' | 'lambda' | 'call' | 'line' | 'prediction';
  /** The declaration's lines no longer fit what was observed, or it has changed. */
  readonly stale?: true;
  /** Absent where nothing is known to have become of the declaration. */
  readonly state?: Exclude<StateName, 'unchanged' | 'unknown'>;
  /** Absent without a baseline, or without a counterpart in it. */
  readonly change?: EditorChange;
  /** Of everything. */
  readonly self?: Share;
  /** The same samples, of the method's own: the filled part of a bar. */
  readonly selfOfMethod?: Share;
  readonly callers?: Neighbours;
  readonly callees?: Neighbours;
  readonly threads?: ThreadGroups;
};

/** The methods that ran in place of an interface, a method without code or a call, heaviest first; of a call only its own. */
export type ImplementationsMessage = readonly {
  /** For people: `Shop.search(String, int)`, or the name of a class. */
  readonly label: string;
  /** In the current text of its file. */
  readonly location: Location;
  readonly certain: boolean;
  /** Of everything. */
  readonly share: Share;
}[];
