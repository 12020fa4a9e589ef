// Messages that tell what runs: hints, call hierarchies and implementations.
import type {
  Location,
  MethodName,
  Neighbours,
  Range,
  Share,
  StateName,
  ThreadGroups,
} from '../../features/answers/answer-types.ts';
import type { EditorChange } from './answers.ts';
import type { Subject } from './terms.ts';

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

/** Methods that are taken as one step of a path. */
export type MethodStep = readonly MethodName[];

/** A row of a call tree as it is asked about again; an item of the protocol's call hierarchy will do as well. */
export type CallHierarchyEntry = {
  readonly uri: string;
  readonly selectionRange: Range;
  /** For the server alone. */
  readonly data: {
    readonly uri: string;
    readonly direction: 'callees' | 'callers' | null;
    readonly path: readonly MethodStep[];
    readonly seen: boolean;
  };
};

/** What stands at a position, a runtime method, or a row of an earlier answer. */
export type CallHierarchyMessage = (Subject | { readonly item: CallHierarchyEntry }) & {
  /** Who calls it, or whom it calls; callees when absent. */
  readonly direction?: 'incoming' | 'outgoing';
  /** Levels that are unfolded, 1 to 4; the first one when absent. */
  readonly depth?: number;
};

export type CallHierarchyRow = {
  /** For people: `Shop.search(String, int)`. */
  readonly label: string;
  readonly kind: 'method' | 'constructor' | 'lambda' | 'initializer';
  /** Several where runtime methods of one declaration are taken as one. */
  readonly methods: readonly MethodName[];
  /** Of the row that it belongs to, within the path; of everything for what was asked about; null where it was not seen running there. */
  readonly share: Share | null;
  /** Whether it is only written: not seen running here. */
  readonly written: boolean;
  /** As call hierarchies say it: `41 % · 140 samples · no source in this workspace`. */
  readonly detail: string;
  /** In the current text of its file; null without a source in the workspace. */
  readonly location: Location | null;
  readonly certain: boolean;
  /** The calls, in the text of the caller; none where that one has no source, and for the method that was asked about. */
  readonly fromRanges: readonly Range[];
  /** To ask about the rows below. */
  readonly item: CallHierarchyEntry;
  /** null where they were not asked for. */
  readonly rows: readonly CallHierarchyRow[] | null;
};

export type CallHierarchy = {
  readonly direction: 'incoming' | 'outgoing';
  /** What was asked about, each with the rows below it; of an item the rows below it. */
  readonly rows: readonly CallHierarchyRow[];
};

/** What ran in place of an interface, a method without code or a call, heaviest first; of a call only what that call ran. */
export type ImplementationsMessage = readonly {
  /** For people: `Shop.search(String, int)`, or the name of a class. */
  readonly label: string;
  /** In the current text of its file. */
  readonly location: Location;
  readonly certain: boolean;
  /** Of everything. */
  readonly share: Share;
}[];
