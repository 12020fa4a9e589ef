// What all of insitu's own messages are made of: places, shares, changes, methods, and what a question is about.

/** As in the Language Server Protocol: 0-based line and UTF-16 character. */
export type Position = { readonly line: number; readonly character: number };

export type Range = { readonly start: Position; readonly end: Position };

export type Location = { readonly uri: string; readonly range: Range };

export type TextDocumentIdentifier = { readonly uri: string };

/** Part of a whole, in the loaded metric, with everything that a client may want to show of it. */
export type ShareMessage = {
  /** 0 to 1; 0 where the whole is empty. */
  readonly share: number;
  /** Samples; null where the recording does not tell. */
  readonly count: number | null;
  /** Samples of the whole; null where the recording does not tell. */
  readonly of: number | null;
  /** In the metric's unit. */
  readonly weight: number;
  /** As hints write it: `62%`, `0.25%`, `140 samples`. */
  readonly text: string;
  /** 95 % Wilson interval of the share; null for exact metrics and where counts are not known. */
  readonly interval: readonly [low: number, high: number] | null;
};

/**
 * What a test says of a difference. `notTested`: there are too few JVMs for a test. `cannotTell`: the test neither finds a change nor
 * excludes one. `same`: it excludes one that matters.
 */
export type VerdictName = 'notTested' | 'cannotTell' | 'same' | 'slower' | 'faster';

/** A share's movement against the baseline. To be drawn neutral unless its verdict is `slower` or `faster`. */
export type ChangeMessage = {
  readonly baseline: number;
  readonly current: number;
  /** Whole degrees, −90 (share at least doubled) to 90. */
  readonly angle: number;
  /** 0 to 255 each. */
  readonly colour: { readonly red: number; readonly green: number; readonly blue: number };
  readonly verdict: VerdictName;
  /** `↗ +9`; `new` or `gone` where one side has no sample of it. */
  readonly text: string;
};

/** Names a runtime method; what one answer gives can be asked about in the next. */
export type MethodName = {
  readonly className: string;
  readonly name: string;
  /** JVM descriptor, null where the recording has none. */
  readonly descriptor: string | null;
};

/** A runtime method with its place. */
export type MethodMessage = MethodName & {
  /** For people: `Shop.search(String, int)`. */
  readonly label: string;
  /** In the current text of its file; null without a source in the workspace. */
  readonly location: Location | null;
  /** Whether the location is the method's for sure; shown with a `~` otherwise. */
  readonly certain: boolean;
};

/** What became of a declaration since it was recorded. */
export type StateName = 'unchanged' | 'moved' | 'renamed' | 'changed' | 'new' | 'affected' | 'unknown';

/** The subject of a question: what stands at a position, or a runtime method. */
export type Subject =
  | { readonly textDocument: TextDocumentIdentifier; readonly position: Position }
  | { readonly textDocument?: TextDocumentIdentifier; readonly method: MethodName };

/** The data that a question is about: those of a document, or of the workspace's first source. */
export type About = { readonly textDocument?: TextDocumentIdentifier };
